"""`ground(query_engine)`: the same engine, verified, for every kind of response."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from inspect import signature

import pytest
from llama_index.core import Document, SummaryIndex
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    StreamingResponse,
)
from llama_index.core.llms import CompletionResponse, CustomLLM, LLMMetadata
from llama_index.core.prompts import PromptTemplate
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from grounding_middleware import Action, ConfigError, InputError, Policy
from grounding_middleware_llama_index import GroundedQueryEngine, GroundedSynthesizer, asking, ground, report_of


async def _text(response):
    if isinstance(response, AsyncStreamingResponse):
        return "".join([piece async for piece in response.async_response_gen()])
    if isinstance(response, StreamingResponse):
        return "".join(response.response_gen)
    return str(response)


@pytest.mark.parametrize("streaming", [False, True])
@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_1_every_kind_of_response_keeps_its_class(kit, streaming, way):
    """Checklist 1: query and aquery, plain and streaming: same class as the engine's own, verified text, the report."""
    engine = kit.engine(streaming=streaming)
    bare = engine.query(kit.QUESTION) if way == "query" else await engine.aquery(kit.QUESTION)
    safe = ground(engine, kit.grounder)
    response = safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION)
    assert type(response) is type(bare)
    assert report_of(response).action is Action.REVISED
    assert await _text(response) == kit.SUPPORTED
    assert kit.LEAK not in repr(response)


async def test_1_streams_give_what_str_and_get_response_give(kit):
    """Checklist 1: a stream may be read in any of LlamaIndex's ways."""
    safe = ground(kit.engine(streaming=True), kit.grounder)
    assert str(safe.query(kit.QUESTION)) == kit.SUPPORTED
    assert safe.query(kit.QUESTION).get_response().response == kit.SUPPORTED
    response = await safe.aquery(kit.QUESTION)
    assert (await response.get_response()).response == kit.SUPPORTED
    assert await _text(response) == kit.SUPPORTED, "an asynchronous stream replays"


def test_3_the_original_engine_is_untouched(kit):
    """Checklist 3: same prompts, same answer, same streaming flag, same parts."""
    engine = kit.engine()
    parts = dict(vars(engine))
    synthesizer = dict(vars(engine._response_synthesizer))
    prompts = {name: template.get_template() for name, template in engine.get_prompts().items()}
    safe = ground(engine, kit.grounder)
    safe.query(kit.QUESTION)
    assert isinstance(safe, RetrieverQueryEngine)
    assert vars(engine) == parts
    assert vars(engine._response_synthesizer) == synthesizer
    assert {name: template.get_template() for name, template in engine.get_prompts().items()} == prompts
    assert {name: template.get_template() for name, template in safe.get_prompts().items()} == prompts
    assert str(engine.query(kit.QUESTION)) == kit.RAW


def test_3_grounding_twice_verifies_and_injects_once(kit):
    """Checklist 3: `ground(ground(x))` is `ground(x)`, for every kind of target."""
    model = kit.model()
    engine = kit.index().as_query_engine(llm=model)
    safe = ground(ground(engine, kit.grounder), kit.grounder)
    safe.query(kit.QUESTION)
    assert len(kit.judge.tasks) == 1
    assert model.prompts[0].count("Answer only from the sources.") == 1
    wrapped = GroundedQueryEngine(engine, kit.grounder)
    assert ground(wrapped, kit.grounder) is wrapped
    synthesizer = GroundedSynthesizer(engine._response_synthesizer, kit.grounder)
    assert ground(synthesizer, kit.grounder) is synthesizer


def test_3_a_verified_response_is_not_verified_again(kit):
    """Checklist 3: a wrapper around a grounded engine takes its report over."""
    wrapped = GroundedQueryEngine(ground(kit.engine(streaming=True), kit.grounder), kit.grounder)
    response = wrapped.query(kit.QUESTION)
    assert "".join(response.response_gen) == kit.SUPPORTED
    assert report_of(response).action is Action.REVISED
    assert len(kit.judge.tasks) == 1


@pytest.mark.parametrize("way", ["query", "aquery"])
@pytest.mark.parametrize("streaming", [False, True])
async def test_4_an_empty_response_passes_without_a_judge(kit, streaming, way):
    """Checklist 4: nothing retrieved, nothing asked: LlamaIndex's own words pass, the action is "unanswered"."""
    engine = SummaryIndex([]).as_query_engine(llm=kit.model(), streaming=streaming)
    safe = ground(engine, kit.grounder)
    response = safe.query("?") if way == "query" else await safe.aquery("?")
    assert await _text(response) == "Empty Response"
    assert report_of(response).action is Action.UNANSWERED
    assert not kit.judge.tasks


def test_4_nodes_without_provenance_support_nothing(kit):
    """Checklist 4: a node nobody can be named for may be a model's text; the report says so, the answer is withheld."""
    nodes = [NodeWithScore(node=TextNode(text=kit.SUPPORTED))]
    synthesizer = GroundedSynthesizer(get_response_synthesizer(llm=kit.model()), kit.grounder)
    response = synthesizer.synthesize(kit.QUESTION, nodes)
    assert str(response) == kit.grounder.policy.texts.escalation
    assert any("1 node(s) without a source document" in notice for notice in report_of(response).notices)


@pytest.mark.parametrize(
    "node",
    [
        TextNode(text="Refunds are paid within ten days.", id_="refunds-1"),
        TextNode(text="Refunds are paid within ten days.", metadata={"file_name": "refunds.md"}),
        TextNode(text="Refunds are paid within ten days.", metadata={"span_id": "R1"}),
    ],
    ids=["own id", "source", "span id"],
)
def test_4_one_name_is_provenance_enough(kit, node):
    """Checklist 4: an id somebody chose, or a source in the metadata, says where a text comes from."""
    synthesizer = GroundedSynthesizer(get_response_synthesizer(llm=kit.model()), kit.grounder)
    assert str(synthesizer.synthesize(kit.QUESTION, [NodeWithScore(node=node)])) == kit.SUPPORTED


def _echo(kit):
    """An engine whose answer is the text it was shown, so that a crossed span would show."""
    documents = [Document(text=f"Token t{n} is valid until day {n}.", id_=f"doc{n}") for n in range(20)]

    def reply(messages):
        return next(line for line in messages[-1].content.splitlines() if line.startswith("Token t"))

    return kit.index(documents).as_query_engine(llm=kit.model(reply), similarity_top_k=1)


async def test_9_twenty_concurrent_queries_do_not_share_spans(kit):
    """Checklist 9: one engine, on an event loop and in threads: each answer rests on its own node."""
    safe = ground(_echo(kit), kit.grounder)
    questions = [f"Token t{n} is valid until day {n}" for n in range(20)]
    responses = await asyncio.gather(*(safe.aquery(question) for question in questions))
    with ThreadPoolExecutor(8) as pool:
        responses += list(pool.map(safe.query, questions))
    for n, response in enumerate(responses):
        report = report_of(response)
        assert [span.source_id for span in report.evidence.spans] == [f"doc{n % 20}"]
        assert str(response) == f"Token t{n % 20} is valid until day {n % 20}."
        assert (report.capture.model_runs, report.capture.rules_reached) == (1, 1)


async def test_9_sync_methods_work_inside_a_running_loop(kit):
    """Checklist 9: notebooks and web servers call `query` from a coroutine."""
    assert str(ground(kit.engine(), kit.grounder).query(kit.QUESTION)) == kit.SUPPORTED


async def test_9_modes_that_run_tasks_work_inside_a_running_loop(kit):
    """Checklist 9: `use_async` starts a loop in another thread; where the context is lost, nothing counts as shown."""
    engine = kit.summary().as_query_engine(llm=kit.model(), response_mode="accumulate", use_async=True)
    response = ground(engine, kit.grounder).query(kit.QUESTION)
    assert kit.LEAK not in str(response)
    report = report_of(response)
    seen = report.capture.model_runs == 3
    assert seen or any("no model run was seen" in notice for notice in report.notices)


def test_question_and_day_and_requester_reach_the_core(kit):
    """EV-5, EV-6: who asks and when is of this call, or fixed; another tenant's node is not there."""
    documents = [
        Document(text=kit.SUPPORTED, id_="a", metadata={"tenant": "a"}),
        Document(text="Refunds are paid within two days.", id_="b", metadata={"tenant": "b"}),
    ]
    fields = kit.fields
    engine = kit.index(documents).as_query_engine(llm=kit.model(), similarity_top_k=2)
    safe = ground(engine, kit.grounder, fields=fields)
    assert str(safe.query(kit.QUESTION)) == kit.grounder.policy.texts.escalation
    with asking(requester={"tenant": "a"}):
        response = safe.query(QueryBundle(kit.QUESTION))
    assert str(response) == kit.SUPPORTED
    assert report_of(response).question == kit.QUESTION
    assert {span.source_id for span in report_of(response).evidence.spans} == {"a"}


def test_expired_nodes_support_nothing(kit):
    """EV-6: dates in the metadata count, today by default."""
    documents = [Document(text=kit.SUPPORTED, id_="a", metadata={"effective_to": "2020-01-01"})]
    engine = kit.index(documents).as_query_engine(llm=kit.model())
    assert str(ground(engine, kit.grounder).query(kit.QUESTION)) == kit.grounder.policy.texts.escalation


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"judge": print, "grounder": True}, "judge: give either a grounder"),
        ({"policy": Policy(), "grounder": True}, "policy: give either a grounder"),
        ({"structured": "fast"}, "structured: 'fast' is wrong; allowed are edit, report"),
        ({"field": 1}, "field: no such setting"),
    ],
)
def test_wrong_settings_die_at_construction(kit, settings, message):
    """Bad configuration names the setting and what is allowed."""
    own = {**settings, "grounder": kit.grounder} if settings.get("grounder") else settings
    with pytest.raises(ConfigError, match=message):
        ground(kit.engine(), **own)


class Signing(RetrieverQueryEngine):
    """An engine of somebody's own that adds to what its synthesizer wrote."""

    def _query(self, query_bundle):
        response = super()._query(query_bundle)
        response.response += " We pay in gold coins."
        return response


def test_a_subclass_that_adds_to_the_answer_is_verified_from_outside(kit):
    """A synthesizer that does not have the last word is no place to verify at."""
    engine = Signing.from_args(kit.index().as_retriever(similarity_top_k=2), llm=kit.model(kit.SUPPORTED))
    safe = ground(engine, kit.grounder)
    assert isinstance(safe, GroundedQueryEngine)
    assert str(safe.query(kit.QUESTION)) == kit.SUPPORTED

    class Renamed(RetrieverQueryEngine):
        def note(self):
            """Something else."""

    renamed = Renamed.from_args(kit.index().as_retriever(), llm=kit.model())
    assert isinstance(ground(renamed, kit.grounder), Renamed)


def test_functions_in_templates_are_called_no_more_than_bare(kit):
    """Templates may call functions of users; watching what a model was asked renders nothing a second time."""
    calls = []

    def count(**_):
        calls.append(1)
        return ""

    template = PromptTemplate("{context_str} {query_str} {x}", function_mappings={"x": count})
    engine = kit.index().as_query_engine(llm=kit.model(), text_qa_template=template)
    engine.query(kit.QUESTION)
    bare = len(calls)
    ground(engine, kit.grounder, rules=None).query(kit.QUESTION)
    assert len(calls) == 2 * bare


def test_a_model_that_reports_no_calls_is_seen_all_the_same(kit):
    """LlamaIndex says what it is about to ask; a model of somebody's own may have left out the callbacks."""

    class Silent(CustomLLM):
        @property
        def metadata(self):
            return LLMMetadata()

        def complete(self, prompt, formatted=False, **kwargs):  # noqa: FBT002  # LlamaIndex's signature
            return CompletionResponse(text=kit.RAW)

        def stream_complete(self, prompt, formatted=False, **kwargs):  # noqa: FBT002  # the same
            yield CompletionResponse(text=kit.RAW, delta=kit.RAW)

    response = ground(kit.index().as_query_engine(llm=Silent()), kit.grounder).query(kit.QUESTION)
    assert str(response) == kit.SUPPORTED
    capture = report_of(response).capture
    assert (capture.model_runs, capture.rules_reached, capture.delivered) == (1, 1, 2)


@pytest.mark.skipif("multimodal" not in signature(get_response_synthesizer).parameters, reason="not in this version")
@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_13_multimodal_prompts_carry_the_rules(kit, way):
    """Checklist 13: a synthesizer that shows blocks instead of text is captured and ruled like any other."""
    model = kit.model()
    engine = kit.index().as_query_engine(llm=model, multimodal=True)
    safe = ground(engine, kit.grounder)
    response = safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION)
    assert str(response) == kit.SUPPORTED
    capture = report_of(response).capture
    assert (capture.model_runs, capture.rules_reached, capture.delivered) == (1, 1, 2)


@pytest.mark.parametrize("target", [1, "engine", TextNode(text="x")])
def test_what_cannot_be_grounded_is_refused(kit, target):
    """The error says what can be."""
    with pytest.raises(ConfigError, match="allowed are query engines, chat engines"):
        ground(target, kit.grounder)


def test_a_bare_response_has_no_report(kit):
    """`report_of` never gives anything for an answer nobody verified."""
    with pytest.raises(InputError, match="was not verified"):
        report_of(kit.engine().query(kit.QUESTION))
