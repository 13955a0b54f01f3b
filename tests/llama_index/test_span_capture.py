"""`SpanCapture`: on copies, out of prompts and embeddings, and loud when it stands in the wrong place."""

from __future__ import annotations

import pytest
from llama_index.core import SummaryIndex
from llama_index.core.postprocessor import MetadataReplacementPostProcessor
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import ImageNode, IndexNode, MetadataMode, Node, NodeWithScore, TextNode

from grounding_middleware import InputError
from grounding_middleware_llama_index import SpanCapture, extract_spans, ground, report_of
from grounding_middleware_llama_index._nodes import RECORD, Origin

MODES = ["compact", "refine", "tree_summarize", "simple_summarize", "accumulate"]


class Fixed(BaseRetriever):
    """Hands out its own nodes, as keyword retrievers do: whoever changes them changes the store."""

    def __init__(self, nodes):
        self.nodes = [NodeWithScore(node=node, score=1.0) for node in nodes]
        super().__init__()

    def _retrieve(self, query_bundle):
        return self.nodes


def _nodes(kit):
    return [TextNode(text=document.text, id_=document.doc_id, metadata={"lang": "en"}) for document in kit.documents]


def _engine(kit, model, retriever, postprocessors, mode="compact"):
    return RetrieverQueryEngine.from_args(retriever, llm=model, node_postprocessors=postprocessors, response_mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_7_the_record_is_in_no_prompt(kit, mode):
    """Checklist 7: whatever the mode, no prompt holds the key or what is under it."""
    model = kit.model()
    engine = _engine(kit, model, Fixed(_nodes(kit)), [SpanCapture()], mode)
    response = engine.query(kit.QUESTION)
    assert model.prompts
    assert RECORD not in "".join(model.prompts)
    assert "node_id" not in "".join(model.prompts)
    assert RECORD in response.source_nodes[0].node.metadata
    ground(engine, kit.grounder).query(kit.QUESTION)
    assert RECORD not in "".join(model.prompts)


def test_7_the_record_is_in_no_embedding(kit):
    """Checklist 7: a captured node that is indexed again is embedded without it."""
    (item,) = SpanCapture().postprocess_nodes([NodeWithScore(node=_nodes(kit)[0])])
    assert RECORD not in item.node.get_content(metadata_mode=MetadataMode.EMBED)
    assert RECORD not in item.node.get_content(metadata_mode=MetadataMode.LLM)
    assert "lang: en" in item.node.get_content(metadata_mode=MetadataMode.EMBED)


@pytest.mark.parametrize("way", ["sync", "async"])
async def test_7_the_retrievers_nodes_stay_as_they_are(kit, way):
    """Checklist 7: nodes are copied, in both ways of asking."""
    retriever = Fixed(_nodes(kit))
    before = [node.node.model_dump() for node in retriever.nodes]
    engine = _engine(kit, kit.model(), retriever, [SpanCapture()])
    if way == "sync":
        engine.query(kit.QUESTION)
        ground(engine, kit.grounder).query(kit.QUESTION)
    else:
        await engine.aquery(kit.QUESTION)
        await ground(engine, kit.grounder).aquery(kit.QUESTION)
    assert [node.node.model_dump() for node in retriever.nodes] == before


@pytest.mark.parametrize(
    "node",
    [
        TextNode(text="Refunds.", id_="a"),
        ImageNode(text="Refunds.", id_="a"),
        IndexNode(text="Refunds.", id_="a", index_id="i"),
        Node(text_resource={"text": "Refunds."}, id_="a"),
    ],
    ids=lambda node: type(node).__name__,
)
def test_7_the_record_is_a_flat_string(node):
    """Checklist 7: stores refuse anything else; every kind of node can carry it."""
    (item,) = SpanCapture().postprocess_nodes([NodeWithScore(node=node, score=0.5)])
    assert isinstance(item.node.metadata[RECORD], str)
    assert item.score == 0.5
    assert Origin.recorded(item.node).text == "Refunds."


def test_7_an_unreadable_record_is_no_record():
    """A record somebody else wrote is ignored, not believed."""
    node = TextNode(text="Refunds.", id_="a", metadata={RECORD: '{"text": 1, "x": 2}'})
    assert Origin.recorded(node) is None
    assert extract_spans([node])[0].text == "Refunds."


class Rewriting(BaseNodePostprocessor):
    """Rewrites the text of every node, as compressors do that ask a model."""

    def _postprocess_nodes(self, nodes, query_bundle=None):
        changed = [node.node.model_copy(update={"text": "Refunds are paid in gold coins."}) for node in nodes]
        return [NodeWithScore(node=node, score=1.0) for node in changed]


def test_8_capture_before_a_postprocessor_that_rewrites_is_said_aloud(kit):
    """Checklist 8: what was captured is the evidence, not what became of it; the report says what to do."""
    reply = f"{kit.SUPPORTED} Refunds are paid in {kit.LEAK} coins."
    engine = _engine(kit, kit.model(reply), Fixed(_nodes(kit)), [SpanCapture(), Rewriting()])
    response = ground(engine, kit.grounder).query(kit.QUESTION)
    report = report_of(response)
    assert kit.LEAK not in "".join(span.text for span in report.evidence.spans)
    assert any("were changed after SpanCapture saw them; list it last" in notice for notice in report.notices)


def test_8_capture_after_it_captures_what_is_shown(kit):
    """Checklist 8: listed last, it sees the final text, and nothing needs saying."""
    nodes = [node.model_copy(update={"metadata": {"window": f"{node.text} And so on."}}) for node in _nodes(kit)]
    replacing = MetadataReplacementPostProcessor(target_metadata_key="window")
    engine = _engine(kit, kit.model(kit.SUPPORTED), Fixed(nodes), [replacing, SpanCapture()])
    report = report_of(ground(engine, kit.grounder).query(kit.QUESTION))
    assert all(
        span.text.endswith("And so on.") for span in report.evidence.spans if "kind" not in span.metadata["llama_index"]
    )
    assert not any("SpanCapture" in notice for notice in report.notices)


def test_both_ways_of_postprocessing_agree(kit):
    """The asynchronous method gives what the synchronous one gives."""
    import asyncio  # noqa: PLC0415

    nodes = [NodeWithScore(node=node) for node in _nodes(kit)]
    capture = SpanCapture()
    assert capture.postprocess_nodes(nodes) == asyncio.run(capture.apostprocess_nodes(nodes))
    assert SpanCapture.class_name() == "SpanCapture"
    assert isinstance(capture, BaseNodePostprocessor)


def test_metadata_shown_to_the_model_is_evidence_of_its_own_kind(kit):
    """The model reads "key: value" lines above a node; a claim may rest on them, and the span says what it is."""
    metadata = {"author": "Ada", "secret": "x"}
    node = TextNode(text="Refunds are paid.", id_="r", metadata=metadata, excluded_llm_metadata_keys=["secret"])
    engine = SummaryIndex([node]).as_query_engine(llm=kit.model("Refunds are paid."))
    spans = report_of(ground(engine, kit.grounder).query("?")).evidence.spans
    assert [(span.text, span.metadata["llama_index"].get("kind")) for span in spans] == [
        ("Refunds are paid.", None),
        ("author: Ada", "metadata"),
    ]
    assert all(span.delivered for span in spans)
    alone = report_of(ground(engine, kit.grounder, metadata_counts=False).query("?")).evidence.spans
    assert [span.text for span in alone] == ["Refunds are paid."]


@pytest.mark.parametrize("holder", [1, "text", 2.5])
def test_spans_of_anything_else_are_refused(holder):
    """The error names what has spans."""
    with pytest.raises(InputError, match="allowed are responses"):
        extract_spans(holder)
