"""Offsets of nodes are hints: verified where the document can be read, else said to be unverified, never guessed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from llama_index.core import Document
from llama_index.core.ingestion import IngestionPipeline
from llama_index.core.node_parser import (
    HierarchicalNodeParser,
    MarkdownNodeParser,
    SentenceSplitter,
    SentenceWindowNodeParser,
    TokenTextSplitter,
    get_leaf_nodes,
)
from llama_index.core.postprocessor import MetadataReplacementPostProcessor
from llama_index.core.schema import NodeRelationship, NodeWithScore, RelatedNodeInfo, TextNode

from grounding_middleware.records import sha256
from grounding_middleware_llama_index import SpanCapture, extract_spans
from grounding_middleware_llama_index._nodes import FACTS, Origin

PLAIN = " ".join(f"Rule {n} asks for form {n * 7} in every case." for n in range(120))
SPLITTER = SentenceSplitter(chunk_size=64, chunk_overlap=8)


def _part(number):
    return f"# Part {number}\n\n" + " ".join(f"Rule {number}-{i} asks for form {i}." for i in range(30))


MARKDOWN = "\n\n".join(_part(number) for number in range(6))


def _spans(nodes, text):
    return extract_spans([NodeWithScore(node=node) for node in nodes], document_text=lambda _: text)


def _parsers():
    return {
        "sentences": (SentenceSplitter(chunk_size=64, chunk_overlap=8), PLAIN),
        "tokens": (TokenTextSplitter(chunk_size=64, chunk_overlap=8), PLAIN),
        "windows": (SentenceWindowNodeParser.from_defaults(), PLAIN),
        "markdown": (MarkdownNodeParser(), MARKDOWN),
        "hierarchical": (HierarchicalNodeParser.from_defaults(chunk_sizes=[256, 128, 64]), PLAIN),
        "markdown, then sentences": (
            IngestionPipeline(transformations=[MarkdownNodeParser(), SentenceSplitter(chunk_size=64, chunk_overlap=8)]),
            MARKDOWN,
        ),
        "line ends of Windows": (SentenceSplitter(chunk_size=64, chunk_overlap=8), PLAIN.replace(". ", ".\r\n")),
        "emoji and combining marks": (
            SentenceSplitter(chunk_size=64, chunk_overlap=8),
            PLAIN.replace("form", "fo\u0308rm 👩‍👩‍👧"),
        ),
    }


@pytest.mark.parametrize("name", list(_parsers()))
def test_6_a_verified_offset_is_right(name):
    """Checklist 6: whatever a parser wrote, an offset that is called verified gives the text when sliced."""
    parser, text = _parsers()[name]
    documents = [Document(text=text, id_="doc")]
    whole = isinstance(parser, IngestionPipeline)
    nodes = parser.run(documents=documents) if whole else parser.get_nodes_from_documents(documents)
    if name == "hierarchical":
        nodes = get_leaf_nodes(nodes)
    spans = _spans(nodes, text)
    assert len(spans) > 4
    for span in spans:
        state = span.metadata[FACTS]["doc_offsets"]
        assert state == ("verified" if span.offsets_verified else "none")
        if span.offsets_verified:
            assert text[span.start : span.end] == span.text
    verified = sum(span.offsets_verified for span in spans)
    assert verified >= len(spans) * 0.9, f"{verified} of {len(spans)}"


def test_6_an_offset_of_an_intermediate_node_is_replaced(kit):
    """Checklist 6: leaves of a hierarchy count from their parent, while they name the document as their source."""
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=[256, 128, 64])
    leaves = get_leaf_nodes(parser.get_nodes_from_documents([Document(text=PLAIN, id_="doc")]))
    wrong = [leaf for leaf in leaves if PLAIN[leaf.start_char_idx : leaf.end_char_idx] != leaf.text]
    assert wrong, "the parser has been put right: this test and its reason can go"
    assert all(span.offsets_verified for span in _spans(wrong, PLAIN))


def test_6_without_the_document_an_offset_stays_unverified():
    """Checklist 6: the usual case: an index keeps nodes only."""
    nodes = SPLITTER.get_nodes_from_documents([Document(text=PLAIN, id_="doc")])
    spans = extract_spans([NodeWithScore(node=node) for node in nodes])
    assert {(span.offsets_verified, span.metadata[FACTS]["doc_offsets"]) for span in spans} == {(False, "unverified")}


@pytest.mark.parametrize(("start", "end"), [(None, None), (0, None), (3, 9), (-5, 20), (10, 5)])
def test_6_an_offset_that_cannot_be_true_is_dropped(start, end):
    """Checklist 6: it must span the text."""
    node = TextNode(text="Refunds are paid within ten.", id_="n", start_char_idx=start, end_char_idx=end)
    (span,) = extract_spans([node])
    assert (span.start, span.end, span.metadata[FACTS]["doc_offsets"]) == (None, None, "none")


def test_6_the_same_text_twice_has_no_place_of_its_own():
    """Checklist 6: without a right hint, a text that occurs twice is nowhere for certain."""
    node = TextNode(text="Same.", id_="n", relationships={NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc")})
    (span,) = _spans([node], "Same. Same.")
    assert (span.start, span.offsets_verified) == (None, False)
    hinted = node.model_copy(update={"start_char_idx": 6, "end_char_idx": 11})
    (span,) = _spans([hinted], "Same. Same.")
    assert (span.start, span.offsets_verified) == (6, True)


def test_6_a_window_is_a_text_of_its_own(kit):
    """Checklist 6: a text put in the place of another is in the node's offsets only by chance: they are dropped."""
    nodes = SentenceWindowNodeParser.from_defaults().get_nodes_from_documents([Document(text=PLAIN, id_="doc")])
    windows = MetadataReplacementPostProcessor(target_metadata_key="window").postprocess_nodes(
        [NodeWithScore(node=node.model_copy(deep=True)) for node in nodes[5:8]]
    )
    for spans in (extract_spans(windows), extract_spans(windows, document_text=lambda _: PLAIN)):
        assert {span.start for span in spans} == {None}
        assert {span.metadata[FACTS]["doc_offsets"] for span in spans} == {"none"}


VISIBLE = st.text(min_size=1, max_size=60).filter(str.strip)


@given(VISIBLE, st.text(max_size=40), st.text(max_size=40), st.integers(-3, 60))
def test_6_offsets_are_code_points(text, before, after, hint):
    """Property: a verified place slices to the text, with any characters around it and any hint."""
    source = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id="doc")}
    node = TextNode(text=text, id_="n", start_char_idx=hint, end_char_idx=hint + len(text), relationships=source)
    document = before + text + after
    origin = Origin.of(node, lambda _: document)
    if origin.verified:
        assert document[origin.start : origin.start + len(text)] == text
    else:
        assert origin.start is None


def test_ids_survive_indexing_again(kit):
    """EV-2: node ids are random at every parse; span ids are made of source and text."""
    ids = []
    for _ in range(2):
        nodes = SPLITTER.get_nodes_from_documents([Document(text=PLAIN, id_="doc")])
        ids.append([span.id for span in extract_spans(nodes)])
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == len(ids[0])


def test_random_document_ids_stay_out_of_span_ids():
    """EV-2: a document without an id of its own gets a new one every time; the span is named by its text."""
    first, second = (extract_spans(SPLITTER([Document(text="Refunds are paid.")])) for _ in range(2))
    assert [span.id for span in first] == [span.id for span in second]
    assert first[0].id.startswith("doc#")


def test_version_is_the_metadata_or_the_documents_hash():
    """EV-2: the version a user gives, else the hash LlamaIndex took of the document at parse time."""
    (given_,) = extract_spans(SPLITTER([Document(text="x y", id_="d", metadata={"version": "7"})]))
    (hashed,) = extract_spans(SPLITTER([Document(text="x y", id_="d")]))
    assert given_.version == "7"
    assert len(hashed.version) == 12
    assert "@" not in hashed.id


def test_the_hash_is_of_the_text_alone():
    """EV-2: `TextNode.hash` moves with the metadata; ours does not."""
    nodes = [TextNode(text="Refunds.", id_=name, metadata={"n": name}) for name in ("a", "b")]
    assert {span.sha256 for span in extract_spans(nodes)} == {sha256("Refunds.")}
    assert nodes[0].hash != nodes[1].hash


def test_capture_before_and_after_a_round_trip(kit):
    """A record survives `node.to_dict()` and back, as vector stores do it."""
    (item,) = SpanCapture().postprocess_nodes([NodeWithScore(node=TextNode(text="Refunds.", id_="a"))])
    back = Origin.recorded(TextNode.from_dict(item.node.to_dict()))
    assert back is not None
    assert back == Origin.recorded(item.node)
