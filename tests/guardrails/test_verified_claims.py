"""`grounding/verified_claims`: what is released, what a failure looks like, and that none of them reads as a pass."""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from guardrails import AsyncGuard, Guard
from guardrails.errors import ValidationError

from grounding_middleware import Grounder, Policy
from grounding_middleware.errors import AnswerWithheldError, InputError
from grounding_middleware.records import Label, Report
from grounding_middleware.repair import Repair
from grounding_middleware_guardrails import ArgumentError, Grounding, VerifiedClaims

pytestmark = pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")


def test_a_supported_text_passes_untouched(ask: Any) -> None:
    """No judge is needed for what stands in the evidence; white space stays as it is."""
    outcome, request = ask(Guard().use(VerifiedClaims()), " The sky is blue.\n")
    assert (outcome.validated_output, outcome.validation_passed) == (" The sky is blue.\n", True)
    assert request.report.claims[0].label is Label.SUPPORTED


def test_messages_hold_no_text(ask: Any) -> None:
    """Messages and reasons go into traces, so they hold counts and labels only."""
    outcome, request = ask(Guard().use(VerifiedClaims()), "The sky is blue. Patient Miller owes EUR 30.")
    (summary,) = outcome.validation_summaries
    told = [summary.failure_reason, *(span.reason for span in summary.error_spans)]
    assert not any(word in line for line in told for word in ("Miller", "30", "sky", "owes"))
    assert request.report.answer_id in summary.failure_reason


def test_a_judge_decides(ask: Any, kit: Any) -> None:
    """What a judge supports stays; only undecided claims are put to it."""
    judge = kit.FixedJudge(Label.SUPPORTED)
    outcome, _ = ask(Guard().use(VerifiedClaims(judge=judge)))
    assert outcome.validated_output == kit.text
    assert judge.asked == ["Pigs can fly."]


@pytest.mark.parametrize(("confidence", "stays"), [(0.9, True), (0.8, True), (0.79, False), (None, True)])
def test_threshold(confidence: float | None, stays: bool, ask: Any, kit: Any) -> None:  # noqa: FBT001  # a table
    """A judge's SUPPORTED below the threshold does not count; one that states no confidence is believed."""
    guard = Guard().use(VerifiedClaims(judge=kit.FixedJudge(confidence=confidence), threshold=0.8))
    outcome, request = ask(guard)
    assert outcome.validated_output == (kit.text if stays else "The sky is blue.")
    if not stays:
        assert request.report.claims[1].reason == "supported with confidence 0.79, below 0.80"


def broken(prompt: str) -> str:
    raise RuntimeError(f"no route to host for {prompt[:5]}")


def slow(prompt: str) -> str:
    time.sleep(3)
    return prompt


@pytest.mark.parametrize("judge", [broken, slow, lambda _: "yes", lambda _: "", lambda _: None])
@pytest.mark.parametrize("action", ["remove", "escalate"])
def test_a_judge_that_fails_supports_nothing(judge: Any, action: str, ask: Any) -> None:
    """An exception, a timeout, nonsense, nothing: the claim is not supported, and the guard does not crash."""
    outcome, request = ask(Guard().use(VerifiedClaims(judge=judge, timeout=0.05, action=action)))
    assert request.report.claims[1].label is Label.UNVERIFIED
    assert outcome.validated_output == ("The sky is blue." if action == "remove" else None)


def test_a_judge_that_crashes_lets_nothing_out(ask: Any, kit: Any) -> None:
    """A judge object with a bug of its own raises through the guard, whatever `on_fail` says."""
    for action in ("remove", "escalate", "flag"):
        with pytest.raises(RuntimeError, match="a bug"):
            ask(Guard().use(VerifiedClaims(judge=kit.FixedJudge(error="a bug"), action=action)))


def test_nothing_left_is_nothing(ask: Any) -> None:
    """All claims gone is no empty text, which guardrails-ai would call passed."""
    guard = Guard().use(VerifiedClaims())
    for text in ("Pigs can fly.", "", "  \n"):
        outcome, _ = ask(guard, text)
        assert (outcome.validated_output, outcome.validation_passed) == (None, False)


def test_a_text_in_place_of_nothing(ask: Any) -> None:
    """`withheld_text` stands in for a withheld answer, and only for one."""
    guard = Guard().use(VerifiedClaims(withheld_text="Please ask the desk."))
    assert ask(guard, "Pigs can fly.")[0].validated_output == "Please ask the desk."
    assert ask(guard)[0].validated_output == "The sky is blue."


def test_limits(ask: Any) -> None:
    """Without a policy `remove` removes; a policy brings its limit, and `max_unsupported` sets one."""
    contradicted = ("The sky is blue. The fee is EUR 7.", ("The sky is blue.", "The fee is EUR 5."))
    for arguments, expected in (
        ({}, "The sky is blue."),
        ({"policy": "standard"}, None),
        ({"max_unsupported": 0.4}, None),
        ({"policy": "standard", "max_unsupported": 0.5}, "The sky is blue."),
    ):
        assert ask(Guard().use(VerifiedClaims(**arguments)), *contradicted)[0].validated_output == expected


def test_unchecked(ask: Any, kit: Any) -> None:
    """What nobody checked is withheld unless that is said to be wanted, with a grounder of the caller's, too."""
    assert ask(Guard().use(VerifiedClaims(unchecked="keep")))[0].validated_output == kit.text
    assert ask(Guard().use(VerifiedClaims(grounder=Grounder())))[0].validated_output is None
    assert ask(Guard().use(VerifiedClaims(grounder=Grounder(), unchecked="keep")))[0].validated_output == kit.text


def test_repair(ask: Any) -> None:
    """What is put right from the evidence was verified again; a grounder that repairs nothing is refused."""
    evidence = ("Refunds are paid within ten days of the request.", "The desk is open on Mondays.")
    guard = Guard().use(VerifiedClaims(action="repair"))
    outcome, request = ask(
        guard, "Refunds are paid within two days of the request. The desk is open on Mondays.", evidence
    )
    assert outcome.validated_output == "Refunds are paid within ten days of the request. The desk is open on Mondays."
    assert request.report.text == outcome.validated_output
    with pytest.raises(ArgumentError, match="repairs nothing"):
        VerifiedClaims(action="repair", grounder=Grounder())
    assert VerifiedClaims(action="repair", grounder=Grounder(repair=Repair())).action == "repair"


def test_a_grounder_of_ones_own(ask: Any) -> None:
    """Its policy and sinks count; settings it has already cannot be given beside it."""
    seen: list[Report] = []
    grounder = Grounder(policy=Policy.preset("high"), sinks=(seen.append,))
    outcome, request = ask(Guard().use(VerifiedClaims(grounder=grounder)))
    assert outcome.validated_output == "The sky is blue."
    assert seen == [request.report]
    for beside in ({"policy": "high"}, {"judge": print}, {"threshold": 0.5}, {"timeout": 3}):
        with pytest.raises(ArgumentError, match="setting of the grounder"):
            VerifiedClaims(grounder=grounder, **beside)
    with pytest.raises(ArgumentError, match="grounder is a str; allowed is a Grounder"):
        VerifiedClaims(grounder="high")


def test_a_sink_that_refuses_withholds(ask: Any) -> None:
    """An answer that cannot be recorded is not shown."""

    def full(report: Report) -> None:
        raise OSError("disk full")

    with pytest.raises(AnswerWithheldError):
        ask(Guard().use(VerifiedClaims(grounder=Grounder(sinks=(full,)))))


@pytest.mark.parametrize("action", ["remove", "escalate", "flag"])
@pytest.mark.parametrize(
    "metadata", [None, {}, {"grounding": "text"}, {"grounding": None}, {"sources": "text"}, {"source": []}]
)
def test_missing_evidence(action: str, metadata: Any) -> None:
    """Without evidence nothing can be verified, so the call raises under every action."""
    with pytest.raises(InputError, match=r"metadata|evidence"):
        Guard().use(VerifiedClaims(action=action)).validate("The sky is blue.", metadata=metadata)


def test_no_evidence_found_is_no_support(ask: Any) -> None:
    """An empty list is evidence of nothing, not the lack of a check."""
    outcome, request = ask(Guard().use(VerifiedClaims()), "The sky is blue.", ())
    assert outcome.validated_output is None
    assert request.report.claims[0].label is not Label.SUPPORTED


def test_plain_sources() -> None:
    """`sources` are enough, and the report is left in the metadata."""
    metadata: dict[str, Any] = {"sources": ["The sky is blue."]}
    outcome = Guard().use(VerifiedClaims()).validate("The sky is blue. Pigs can fly.", metadata=metadata)
    assert outcome.validated_output == "The sky is blue."
    assert metadata["grounding"].report.action == "review"


def test_only_text() -> None:
    """A value that is no text raises; a spec that leads there is refused at load."""
    for value in (7, None, ["The sky is blue."], {"text": "The sky is blue."}):
        with pytest.raises(InputError, match=f"got {type(value).__name__}; allowed is a string"):
            VerifiedClaims().validate(value, {"grounding": Grounding(["The sky is blue."])})


def test_requests_do_not_mix(kit: Any) -> None:
    """Eight threads, one guard: each answer is verified against the evidence of its own request."""
    guard = Guard().use(VerifiedClaims(policy="low", max_unsupported=1.0))

    def one(number: int) -> tuple[str | None, str]:
        request = Grounding([f"The fee is EUR {number}."])
        text = f"The fee is EUR {number}. The fee is EUR {number + 1}."
        with kit.own_loop():
            return guard.validate(text, metadata={"grounding": request}).validated_output, request.report.answer

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(one, range(10, 90)))
    assert results == [
        (f"The fee is EUR {number}.", f"The fee is EUR {number}. The fee is EUR {number + 1}.")
        for number in range(10, 90)
    ]


async def test_async_guard_awaits_in_its_own_loop(kit: Any) -> None:
    """Models are awaited in the event loop of the caller, where their clients belong."""
    loops: list[Any] = []

    async def judge(prompt: str) -> str:
        loops.append(asyncio.get_running_loop())
        return "no verdict"

    guard = AsyncGuard().use(VerifiedClaims(judge=judge))
    outcome = await guard.validate(kit.text, metadata={"grounding": Grounding([kit.evidence])})
    assert outcome.validated_output == "The sky is blue."
    assert set(loops) == {asyncio.get_running_loop()}


async def test_side_by_side_in_one_loop(kit: Any) -> None:
    """Twenty requests at once over one AsyncGuard take about as long as one."""

    async def judge(prompt: str) -> str:
        await asyncio.sleep(0.2)
        return "no verdict"

    guard = AsyncGuard().use(VerifiedClaims(judge=judge))
    began = time.perf_counter()
    outcomes = await asyncio.gather(
        *(guard.validate(kit.text, metadata={"grounding": Grounding([kit.evidence])}) for _ in range(20))
    )
    assert {outcome.validated_output for outcome in outcomes} == {"The sky is blue."}
    assert time.perf_counter() - began < 20 * 0.2


@pytest.mark.filterwarnings("ignore:Could not obtain an event loop:UserWarning")
async def test_sync_guard_in_a_loop(kit: Any) -> None:
    """guardrails-ai then takes its other engine; the result is the same."""
    request = Grounding([kit.evidence])
    outcome = Guard().use(VerifiedClaims()).validate(kit.text, metadata={"grounding": request})
    assert (outcome.validated_output, outcome.validation_passed) == ("The sky is blue.", True)
    assert request.report.claims


def test_sequential_engine(monkeypatch: pytest.MonkeyPatch, ask: Any) -> None:
    """So it is with the engine forced."""
    monkeypatch.setenv("GUARDRAILS_RUN_SYNC", "true")
    guard = Guard().use(VerifiedClaims())
    for _ in range(3):
        assert ask(guard)[0].validated_output == "The sky is blue."
    assert len(guard.validators) == 1


def test_a_model_asked_through_the_guard(kit: Any) -> None:
    """`guard(llm_api=...)` verifies what the model says; nothing is asked again."""
    asked: list[Any] = []

    def model(*, messages: Any, **_: Any) -> str:
        asked.append(messages)
        return str(kit.text)

    guard = Guard().use(VerifiedClaims())
    outcome = guard(
        model,
        messages=[{"role": "user", "content": "?"}],
        metadata={"sources": [kit.evidence]},
        num_reasks=3,
        temperature=0,
    )
    assert outcome.validated_output == "The sky is blue."
    assert len(asked) == 1


def test_exceptions_carry_no_text(ask: Any) -> None:
    """The exception guardrails-ai makes of a failure is recorded in traces."""
    with pytest.raises(ValidationError) as caught:
        ask(Guard().use(VerifiedClaims(action="escalate", on_fail="exception")), "Patient Miller owes EUR 30.")
    assert "Miller" not in str(caught.value)


def test_nothing_is_logged(ask: Any, caplog: pytest.LogCaptureFixture) -> None:
    """No text of answer or evidence in the log."""
    with caplog.at_level(logging.DEBUG):
        ask(Guard().use(VerifiedClaims()), "Patient Miller owes EUR 30.", ("Patient Miller owes nothing.",))
    ours = [record for record in caplog.records if "grounding" in record.name]
    assert not [record for record in ours if "Miller" in record.getMessage()]


def test_request_prints_no_text(kit: Any) -> None:
    """guardrails-ai writes metadata into traces by its printed form."""
    request = Grounding([kit.evidence], question="Which colour?")
    assert repr(request) == str(request) == "Grounding(1 spans, 0 reports)"
    with pytest.raises(InputError, match="there are 0; use reports"):
        _ = request.report
    with pytest.raises(InputError, match="single str"):
        Grounding("The sky is blue.")
