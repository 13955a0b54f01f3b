"""Judges from LlamaIndex: any LLM decides, its failure is never a "yes", and nobody else is asked."""

from __future__ import annotations

import asyncio
import json
import re

import pytest
from llama_index.core import Settings
from llama_index.core.llms import MockLLM

from grounding_middleware import Action, Grounder, JudgeError, Label, Policy
from grounding_middleware.judges.protocol import ModelCall
from grounding_middleware.records import Kind
from grounding_middleware_llama_index import GroundingEvaluator, LLMModel, ground, report_of
from grounding_middleware_llama_index.judging import as_core_judge

CALL = ModelCall(tier="llm", role="verify", prompt_version="1", system="Be strict.", user="Claim?")
LOOSE = "Money comes back after ten days or sooner."


def _safe(kit, judge, **settings):
    """An engine whose answer no rule decides, with this judge."""
    grounder = Grounder(judge, policy=Policy(escalate_above=0.9), **settings)
    return ground(kit.engine(f"{kit.SUPPORTED} {LOOSE}"), grounder)


@pytest.mark.parametrize("chatty", [True, False])
async def test_an_llm_answers_a_call(kit, chatty):
    """JU-9: system and user part arrive, the text comes back, sync and async, for chat and completion models."""
    llm = kit.model("yes", chatty=chatty)
    judge = as_core_judge(llm)
    reply = judge.complete(CALL)
    assert (reply.text, reply.model) == ("yes", "scripted")
    assert reply == await judge.acomplete(CALL)
    assert "Be strict." in llm.prompts[0]
    assert "Claim?" in llm.prompts[0]


def test_pairs_are_not_for_llms(kit):
    """A call for a classifier is refused, not sent as an empty prompt."""
    with pytest.raises(JudgeError, match="pairs"):
        LLMModel(kit.model("x")).complete(CALL.replace(user="", pairs=(("a", "b"),)))


def test_other_judges_pass_through(kit):
    """Callables and judges of the core are taken as they are; a sequence is a cascade."""
    first, second = as_core_judge([print, kit.model("x")])
    assert first is print
    assert isinstance(second, LLMModel)
    assert as_core_judge(None) is None


async def test_an_llm_decides_what_the_rules_cannot(kit):
    """JU-9: one batched call; its quotation is checked in the core, its verdict carries its name."""
    judge = kit.model(_verdict)
    safe = ground(kit.engine(f"{kit.SUPPORTED} {LOOSE}"), judge=judge, policy=Policy(escalate_above=0.9))
    report = report_of(await safe.aquery(kit.QUESTION))
    assert len(judge.prompts) == 1
    assert report.calls[0].model == "scripted"
    assert [(claim.label, claim.decided_by) for claim in report.claims] == [
        (Label.SUPPORTED, "checks"),
        (Label.SUPPORTED, "llm"),
    ]
    assert report.capture.model_runs == 1, "the judge's run is no run that wrote the answer"


def _verdict(messages):
    """What a well-behaved model replies about the one claim it is asked for."""
    prompt = messages[-1].content
    number = re.search(r"claim (\d+) cites", prompt)[1]
    passage = re.search(r"passage (\S+).*\nRefunds are paid within ten days\.", prompt)[1]
    evidence = [{"source": passage, "quote": "Refunds are paid within ten days."}]
    verdict = {"claim": int(number), "evidence": evidence, "reason": "said there", "label": "SUPPORTED"}
    return json.dumps({"verdicts": [verdict]})


@pytest.mark.parametrize(
    "reply",
    ["", "yes", "NO. **Yes**terday it was supported.", "{}", '{"verdicts": "supported"}', "NaN", "```json\n[]\n```"],
)
def test_14_garbage_never_passes(kit, reply):
    """Checklist 14: an unreadable reply leaves the claim unverified; the answer is not "ok"."""
    report = report_of(_safe(kit, as_core_judge(kit.model(reply))).query(kit.QUESTION))
    claim = report.claims[-1]
    assert (claim.label, claim.kind) == (Label.UNVERIFIED, Kind.VERIFIER_FAILURE)
    assert report.action is not Action.OK


@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_14_a_judge_that_fails_never_passes(kit, way):
    """Checklist 14: an exception of the model is a named reason, and the policy applies."""

    def fail(_):
        raise ConnectionError("judge down")

    safe = _safe(kit, as_core_judge(kit.model(fail)))
    report = report_of(safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION))
    assert report.claims[-1].label is Label.UNVERIFIED
    assert "the judge failed" in report.claims[-1].reason
    assert report.action is not Action.OK


@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_14_a_judge_that_hangs_never_passes(kit, way):
    """Checklist 14: a timeout likewise; latency and calls stand in the report."""

    class Hanging:
        name = "hanging"

        def complete(self, call):
            import time  # noqa: PLC0415

            time.sleep(5)

        async def acomplete(self, call):
            await asyncio.sleep(5)

    safe = _safe(kit, Hanging(), timeout=0.05)
    report = report_of(safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION))
    assert report.claims[-1].kind is Kind.VERIFIER_FAILURE
    assert "timeout" in report.claims[-1].reason
    assert report.calls
    assert all(call.latency_ms > 0 for call in report.calls)


def test_14_the_evaluator_says_invalid(kit):
    """Checklist 14: a judge that fails makes an evaluation invalid, never passing."""
    evaluator = GroundingEvaluator(judge=kit.model("garbage"))
    result = evaluator.evaluate("q", f"{kit.SUPPORTED} {LOOSE}", [kit.SUPPORTED])
    assert (result.passing, result.invalid_result) == (False, True)
    assert "could not be verified" in result.invalid_reason


@pytest.mark.filterwarnings("ignore:policy 'standard' expects a judge")
def test_14_no_judge_is_said_aloud(kit):
    """Checklist 14: without a judge undecided claims stay, marked, and the action is "review"."""
    report = report_of(ground(kit.engine(f"{kit.SUPPORTED} {LOOSE}")).query(kit.QUESTION))
    assert report.action is Action.REVIEW
    assert any("1 claim(s) were checked by nobody" in notice for notice in report.notices)


def test_15_settings_llm_is_never_asked_for(kit, monkeypatch):
    """Checklist 15: engines with a model of their own are grounded and asked without a look at `Settings.llm`."""
    engine, judge = kit.engine(), kit.model("x")

    def forbidden(_):
        raise AssertionError("Settings.llm was asked for")

    monkeypatch.setattr(type(Settings), "llm", property(forbidden))
    assert str(ground(engine, kit.grounder).query(kit.QUESTION)) == kit.SUPPORTED
    ground(engine, judge=judge).query(kit.QUESTION)
    GroundingEvaluator(judge=judge).evaluate("q", kit.SUPPORTED, [kit.SUPPORTED])


def test_a_judge_that_wrote_the_answer_is_named(kit):
    """JU-1: the same model as generator and judge is allowed, and said aloud."""
    judge = kit.model("garbage")
    report = report_of(_safe(kit, as_core_judge(judge)).query(kit.QUESTION))
    assert report.capture.generators == ("scripted",)
    assert any("is the model that wrote the answer" in notice for notice in report.notices)


def test_llamaindexs_own_mock_can_judge(kit):
    """Any LLM: the mock that repeats its prompt is unreadable as a verdict, so nothing passes."""
    report = report_of(_safe(kit, as_core_judge(MockLLM(max_tokens=8))).query(kit.QUESTION))
    assert report.claims[-1].label is Label.UNVERIFIED


async def test_a_judge_does_not_block_the_event_loop(kit):
    """An async query awaits its judge."""
    ticks = 0

    class Slow:
        name = "slow"

        def complete(self, call):
            raise AssertionError("the synchronous method was used")

        async def acomplete(self, call):
            await asyncio.sleep(0.05)
            return as_core_judge(kit.model("x")).complete(call)

    async def tick():
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.005)

    ticking = asyncio.create_task(tick())
    await _safe(kit, Slow()).aquery(kit.QUESTION)
    ticking.cancel()
    assert ticks > 3
