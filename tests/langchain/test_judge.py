"""Judges from LangChain: any chat model decides, none of its words shows, and its failure is never a "yes"."""

from __future__ import annotations

import asyncio
import sys

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.globals import set_llm_cache
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from grounding_middleware import ConfigError, JudgeError, Rules
from grounding_middleware.evidence import EvidenceRules
from grounding_middleware.judges.protocol import ModelCall
from grounding_middleware_langchain import ground
from grounding_middleware_langchain._judge import RunnableModel, as_core_judge

CALL = ModelCall(tier="llm", role="verify", prompt_version="1", system="Be strict.", user="Claim?")
QUESTION = "When are refunds paid?"


async def test_a_chat_model_answers_a_call(kit):
    """System and user part arrive as messages; text, model name and tokens come back, sync and async."""
    usage = {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7}
    model = kit.Model(AIMessage("yes", usage_metadata=usage, response_metadata={"model_name": "m-1"}))
    judge = as_core_judge(model)
    reply = judge.complete(CALL)
    assert (reply.text, reply.model, reply.input_tokens, reply.output_tokens) == ("yes", "m-1", 5, 2)
    assert reply == await judge.acomplete(CALL)
    assert [(message.type, message.text) for message in model.seen[0]] == [
        ("system", "Be strict."),
        ("human", "Claim?"),
    ]


def test_content_blocks_are_read_as_text(kit):
    """Checklist 11: a model whose content is blocks judges like any other."""
    model = kit.Model(AIMessage([{"type": "reasoning", "reasoning": "x"}, {"type": "text", "text": "yes"}]))
    assert as_core_judge(model).complete(CALL).text == "yes"


def test_any_runnable_over_messages_can_judge():
    """A chain that gives text; what gives anything else is an error the drivers turn into "unverified"."""
    assert as_core_judge(RunnableLambda(lambda messages: messages[-1].text.upper())).complete(CALL).text == "CLAIM?"
    with pytest.raises(JudgeError, match="returned int"):
        as_core_judge(RunnableLambda(lambda _: 1)).complete(CALL)


def test_pairs_are_not_for_chat_models(kit):
    """A call for a classifier is refused, not sent as an empty prompt."""
    with pytest.raises(JudgeError, match="pairs"):
        as_core_judge(kit.Model("x")).complete(CALL.replace(user="", pairs=(("a", "b"),)))


def test_a_judge_is_never_answered_from_a_cache(kit):
    """A second opinion read from a cache is the first one again; the caller's model keeps its cache."""
    model = kit.Model("yes")
    set_llm_cache(InMemoryCache())
    try:
        judge = as_core_judge(model)
        judge.complete(CALL)
        judge.complete(CALL)
        assert len(model.seen) == 2
        assert model.cache is None
    finally:
        set_llm_cache(None)


def test_other_judges_pass_through(kit):
    """Callables and judges of the core are taken as they are; a sequence is a cascade."""

    def own(prompt):
        return prompt

    assert as_core_judge(own) is own
    assert as_core_judge(None) is None
    first, second = as_core_judge([own, kit.Model("x")])
    assert first is own
    assert isinstance(second, RunnableModel)


def test_a_name_needs_the_langchain_package(monkeypatch):
    """The optional package is named when it is missing."""
    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(ConfigError, match=r"openai:gpt.*needs the langchain package"):
        as_core_judge("openai:gpt")


class _Judging:
    """A grounder that asks a chat model, as the pipeline does: from the context it is called in."""

    cascade = repair = None
    rules = Rules()
    evidence_rules = EvidenceRules()

    def silent(self):
        return self

    def deliver(self, report):
        pass

    async def adeliver(self, report):
        pass

    def __init__(self, inner, model):
        self.inner, self.model = inner, as_core_judge(model)

    def check(self, answer, **context):
        self.model.complete(CALL)
        return self.inner.check(answer, **context)

    async def acheck(self, answer, **context):
        await self.model.acomplete(CALL)
        return await self.inner.acheck(answer, **context)


@pytest.mark.parametrize("sync", [True, False])
async def test_a_judge_is_traced_below_the_guard_and_captured_by_nobody(kit, sync):
    """Checklist 4: its run is a child of the guarded run, marked as internal, and no run that wrote the answer."""
    runs = []

    class Log(kit.Events):
        def on_chat_model_start(self, serialized, messages, *, parent_run_id=None, tags=None, metadata=None, **_):
            runs.append((parent_run_id is not None, tuple(tags), metadata.get("lc_source")))

    judge = kit.Model("The verdict SECRET.")
    reported = ground(kit.chain("Fine."), _Judging(kit.grounder, judge)).with_report()
    config = {"callbacks": [Log()]}
    report = reported.invoke(QUESTION, config) if sync else await reported.ainvoke(QUESTION, config)
    assert runs[-1][0]
    assert "nostream" in runs[-1][1]
    assert runs[-1][2] == "grounding"
    assert report.capture.model_runs == 1


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_model_that_judges_itself_is_named(kit):
    """JU-1: the report warns when the judge is the model that wrote the answer."""

    class Named(type(kit.Model("x"))):
        model_name: str = "m-1"

    writer, judge = Named(reply=lambda _: "Refunds please the shop greatly."), Named(reply=lambda _: "no verdict")
    report = ground(kit.chain(model=writer), judge=judge).with_report().invoke(QUESTION)
    assert any("judge m-1 is the model that wrote" in notice for notice in report.notices)
    other = Named(reply=lambda _: "no verdict", model_name="m-2")
    report = ground(kit.chain(model=writer), judge=other).with_report().invoke(QUESTION)
    assert not any("model that wrote" in notice for notice in report.notices)


@pytest.mark.parametrize("mode", ["messages", "values", "updates", "custom"])
async def test_no_word_of_a_judge_reaches_a_stream(kit, mode):
    """Checklist 4: in an agent and in a graph around a guarded chain."""
    agents = pytest.importorskip("langchain.agents")
    from grounding_middleware_langchain import GroundingMiddleware  # noqa: PLC0415

    guard = GroundingMiddleware(_Judging(kit.grounder, kit.Model("The verdict SECRET.")))
    agent = agents.create_agent(kit.Model("Fine."), [], middleware=[guard])
    inputs = {"messages": [("human", QUESTION)]}
    streamed = repr(list(agent.stream(inputs, stream_mode=mode)))
    streamed += repr([chunk async for chunk in agent.astream(inputs, stream_mode=mode)])
    assert "SECRET" not in streamed


async def test_a_judge_does_not_block_the_event_loop(kit):
    """Checklist 16: an async check awaits its judge."""

    class Slow(type(kit.Model("x"))):
        async def _agenerate(self, *args, **kwargs):
            await asyncio.sleep(0.05)
            return self._generate(*args, **kwargs)

    guarded = ground(kit.chain("Fine."), _Judging(kit.grounder, Slow(reply=lambda _: "yes")))
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.005)

    ticking = asyncio.create_task(tick())
    await guarded.ainvoke(QUESTION)
    ticking.cancel()
    assert ticks > 3
