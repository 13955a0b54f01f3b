"""Engines inside engines: verified once, against the leaves, with nothing of the report leaking into a prompt."""

from __future__ import annotations

import pytest
from llama_index.core import VectorStoreIndex
from llama_index.core.base.response.schema import Response
from llama_index.core.indices.query.query_transform import HyDEQueryTransform
from llama_index.core.postprocessor import LLMRerank
from llama_index.core.query_engine import (
    CustomQueryEngine,
    MultiStepQueryEngine,
    RetrieverQueryEngine,
    RetryQueryEngine,
    TransformQueryEngine,
)
from llama_index.core.response_synthesizers import BaseSynthesizer, get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever, RecursiveRetriever
from llama_index.core.schema import IndexNode, QueryBundle, TextNode

from grounding_middleware import Action, Policy
from grounding_middleware_llama_index import (
    GroundedQueryEngine,
    GroundingEvaluator,
    ground,
    report_of,
)
from grounding_middleware_llama_index._nodes import RECORD

QUESTION = "When are refunds paid?"
WAYS = ["query", "aquery"]


async def _ask(engine, way, question=QUESTION):
    return engine.query(question) if way == "query" else await engine.aquery(question)


@pytest.mark.parametrize("way", WAYS)
async def test_12_transform_and_hyde(kit, way):
    """Checklist 12: the invented document of HyDE is no evidence, and its prompt gets no rules."""
    dreamer = kit.model(f"Refunds are surely paid in {kit.LEAK} coins.")
    engine = TransformQueryEngine(kit.engine(), HyDEQueryTransform(llm=dreamer))
    response = await _ask(ground(engine, kit.grounder), way)
    assert str(response) == kit.SUPPORTED
    assert "Answer only" not in dreamer.prompts[0]
    assert kit.LEAK not in "".join(span.text for span in report_of(response).evidence.spans)


@pytest.mark.parametrize("way", WAYS)
async def test_12_retry_inside_and_outside(kit, way):
    """Checklist 12: RetryQueryEngine calls `_query` of what it wraps; wrapped itself, the last attempt counts."""
    evaluator = GroundingEvaluator(kit.grounder)
    inside = await _ask(RetryQueryEngine(ground(kit.engine(), kit.grounder), evaluator, max_retries=1), way)
    assert str(inside) == kit.SUPPORTED
    outside = await _ask(ground(RetryQueryEngine(kit.engine(), evaluator, max_retries=1), kit.grounder), way)
    assert str(outside) == kit.SUPPORTED


def test_12_retry_asks_again_until_the_evaluator_passes(kit):
    """Checklist 12: a first answer that fails the evaluator is asked for again, with the feedback."""
    replies = iter([f"Refunds are paid in {kit.LEAK} coins."])
    model = kit.model(lambda _: next(replies, kit.SUPPORTED))
    engine = RetryQueryEngine(kit.index().as_query_engine(llm=model), GroundingEvaluator(kit.grounder), max_retries=2)
    assert str(engine.query(QUESTION)) == kit.SUPPORTED
    assert "gold coins" in model.prompts[-1]


@pytest.mark.parametrize("way", WAYS)
async def test_12_multi_step(kit, way):
    """Checklist 12: each step's retrieval is seen; the final answer rests on it."""

    class Step:
        def __call__(self, query, metadata=None):
            return QueryBundle(QUESTION)

    engine = MultiStepQueryEngine(
        kit.engine(), Step(), response_synthesizer=get_response_synthesizer(llm=kit.model()), num_steps=1
    )
    response = await _ask(ground(engine, kit.grounder), way)
    assert str(response) == kit.SUPPORTED
    assert kit.LEAK not in repr(response), "the steps, which stand in nodes and metadata, were not verified"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("chatty", [True, False])
async def test_12_custom_engine_of_the_tutorial(kit, way, chatty):
    """Checklist 12: retrieve, fill a prompt, complete: no synthesizer, no source nodes, and evidence all the same."""
    model = kit.model(chatty=chatty)

    class Own(CustomQueryEngine):
        retriever: BaseRetriever
        response_synthesizer: BaseSynthesizer | None = None

        def custom_query(self, query_str):
            nodes = self.retriever.retrieve(query_str)
            context = "\n\n".join(node.node.get_content() for node in nodes)
            return str(model.complete(f"Context:\n{context}\n\nQuery: {query_str}"))

    engine = Own(retriever=kit.index().as_retriever(similarity_top_k=2))
    safe = ground(engine, kit.grounder)
    response = await _ask(safe, way)
    report = report_of(response)
    assert str(response) == kit.SUPPORTED
    assert {span.source_id for span in report.evidence.spans} == {"refunds.md", "vouchers.md"}
    assert any("rules reached 0 of 1 model runs" in notice for notice in report.notices)


def test_12_custom_engine_with_a_synthesizer_gets_the_rules(kit):
    """Checklist 12: a synthesizer in a pydantic field is found, and swapped on a copy."""
    model = kit.model()

    class Own(CustomQueryEngine):
        retriever: BaseRetriever
        response_synthesizer: BaseSynthesizer

        def custom_query(self, query_str):
            return self.response_synthesizer.synthesize(query_str, self.retriever.retrieve(query_str))

    synthesizer = get_response_synthesizer(llm=model)
    engine = Own(retriever=kit.index().as_retriever(), response_synthesizer=synthesizer)
    report = report_of(ground(engine, kit.grounder).query(QUESTION))
    assert (report.capture.model_runs, report.capture.rules_reached) == (1, 1)
    assert engine.response_synthesizer is synthesizer


def test_12_nodes_a_reranker_dropped_are_not_delivered(kit):
    """Checklist 12: a model that reranks reads all candidates; what it drops the answer may not rest on."""
    ranker = kit.model("Doc: 1, Relevance: 9")
    model = kit.model()

    class Own(CustomQueryEngine):
        inner: RetrieverQueryEngine

        def custom_query(self, query_str):
            return self.inner.query(query_str)

    inner = kit.index().as_query_engine(
        llm=model, similarity_top_k=3, node_postprocessors=[LLMRerank(llm=ranker, top_n=1)]
    )
    report = report_of(ground(Own(inner=inner), kit.grounder).query(QUESTION))
    assert sum(span.delivered for span in report.evidence.spans) == 1
    assert len(report.evidence.spans) == 3


@pytest.mark.parametrize("way", WAYS)
async def test_12_recursive_retrieval_over_a_grounded_engine_leaks_no_report(kit, way):
    """Checklist 12: LlamaIndex makes a node of an answer and its metadata; neither report nor record is in it."""
    inner = ground(kit.engine(), kit.grounder)
    outer_model = kit.model(f"The inner engine says so. Refunds are paid in {kit.LEAK} coins.")
    nodes = [IndexNode(text="refunds", index_id="inner", obj=inner)]
    top = VectorStoreIndex([], objects=nodes, embed_model=kit.embedding)
    engine = top.as_query_engine(llm=outer_model)
    await _ask(engine, way)
    prompt = "".join(outer_model.prompts)
    assert kit.SUPPORTED in prompt
    assert "grounding" not in prompt
    assert RECORD not in prompt
    assert kit.LEAK not in prompt
    response = await _ask(ground(engine, kit.grounder), way)
    assert {span.source_id for span in report_of(response).evidence.spans} == {"refunds.md", "vouchers.md"}
    assert response.source_nodes == [], "the node made of an answer is a model's text"


def test_12_recursive_retriever_with_query_engines(kit):
    """Checklist 12: the same with the class of that name: the leaves below the inner engine are seen and count."""
    model = kit.model()
    inner = kit.index().as_query_engine(llm=model)
    nodes = [IndexNode(text="refunds", index_id="inner")]
    top = VectorStoreIndex(nodes, embed_model=kit.embedding).as_retriever()
    retriever = RecursiveRetriever("top", {"top": top}, query_engine_dict={"inner": inner})
    engine = RetrieverQueryEngine.from_args(retriever, llm=kit.model())
    response = ground(engine, kit.grounder).query(QUESTION)
    assert str(response) == kit.SUPPORTED
    report = report_of(response)
    assert {span.source_id for span in report.evidence.spans if span.delivered} == {"refunds.md", "vouchers.md"}
    assert "Answer only from the sources." in model.prompts[0], "the inner model has the rules, too"
    assert kit.LEAK not in repr(response)
    engine.query(QUESTION)
    assert "Answer only from the sources." not in model.prompts[-1]


@pytest.mark.parametrize("way", WAYS)
async def test_retrieve_and_synthesize_of_a_wrapper(kit, way):
    """The two halves of a query are there on the wrapper, and the second is verified."""
    safe = GroundedQueryEngine(kit.engine(), kit.grounder)
    bundle = QueryBundle(QUESTION)
    nodes = safe.retrieve(bundle)
    response = safe.synthesize(bundle, nodes) if way == "query" else await safe.asynthesize(bundle, nodes)
    assert str(response) == kit.SUPPORTED


def test_a_policy_that_withholds_withholds_everywhere(kit):
    """The default policy: one of two claims unsupported is too much, the reader gets the policy's text."""
    safe = ground(kit.engine(), judge=kit.judge, policy=Policy())
    response = safe.query(QUESTION)
    assert str(response) == Policy().texts.escalation
    assert report_of(response).action is Action.ESCALATE


class Drafting(CustomQueryEngine):
    """Keeps what its model wrote first in the metadata, and a figure of its own."""

    inner: RetrieverQueryEngine

    def custom_query(self, query_str):
        """The inner answer."""
        found = self.inner.query(query_str)
        notes = {"drafts": [{"first": f"I wrote: {found}"}], "took_ms": 3, "about": "refunds", **found.metadata}
        return Response(found.response, source_nodes=found.source_nodes, metadata=notes)


@pytest.mark.parametrize("way", WAYS)
async def test_12_metadata_in_which_a_model_speaks_is_left_out(kit, way):
    """Checklist 12: drafts are a model's words; figures, notes and the nodes' own metadata stay."""
    engine = Drafting(inner=kit.engine())
    response = await _ask(ground(engine, kit.grounder), way)
    assert kit.LEAK not in repr(response)
    assert (response.metadata["took_ms"], response.metadata["about"]) == (3, "refunds")
    assert {item.node.node_id for item in response.source_nodes} == response.metadata.keys() - {"took_ms", "about"}
    assert kit.LEAK in repr(engine.query(QUESTION).metadata), "the engine itself is untouched"


def test_index_nodes_of_ones_own_are_evidence(kit):
    """Nodes built by hand count when they say where they come from."""
    node = TextNode(text=kit.SUPPORTED, id_="r", metadata={"source": "refunds.md"})
    engine = VectorStoreIndex([node], embed_model=kit.embedding).as_query_engine(llm=kit.model())
    assert str(ground(engine, kit.grounder).query(QUESTION)) == kit.SUPPORTED
