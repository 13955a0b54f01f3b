"""The LLM judge: few calls, bounded attempts, and UNVERIFIED with a reason wherever it ends without a proof."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware.errors import JudgeError
from grounding_middleware.judges import JudgeTask, LLMJudge, ModelReply, Opinion, Patience, failures, run
from grounding_middleware.judges.failures import failed
from grounding_middleware.judges.prompts import repair, verification
from grounding_middleware.records import CallRecord, Kind, Label

GOOD = (
    (1, "SUPPORTED", ("S1", "Refunds are paid within ten days.")),
    (2, "SUPPORTED", ("S2", "The desk opens at nine.")),
)


def _judged(task: JudgeTask, model: Any, **settings: Any) -> tuple[tuple[Opinion, ...], tuple[CallRecord, ...]]:
    settings = {"patience": Patience(backoff=0.0), **settings}
    opinions, calls = run(LLMJudge(model, **settings).judge(task), {"llm": model})
    assert [opinion.claim_id for opinion in opinions] == [item.claim.id for item in task.items]
    assert all(opinion.judge == "llm" for opinion in opinions)
    return opinions, calls


def _all_unverified(opinions: tuple[Opinion, ...], why: str) -> bool:
    return all(
        (one.label, one.kind) == (Label.UNVERIFIED, Kind.VERIFIER_FAILURE) and why in one.reason for one in opinions
    )


def test_one_call(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """All claims of an answer are judged in one call, which says what it is (JU-2, JU-10)."""
    model = scripted(say(*GOOD))
    opinions, calls = _judged(refunds, model)
    assert [opinion.label for opinion in opinions] == [Label.SUPPORTED] * 2
    (call,) = model.calls
    assert (call.tier, call.role, call.prompt_version) == ("llm", verification.ROLE, verification.version())
    assert call.claim_ids == ("c1", "c2")
    assert call.reply_schema is not None
    assert call.max_output_tokens is not None
    assert len(calls) == 1


def test_per_claim(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """On request each claim has its own call, all in one batch, and keeps its number."""
    replies = [say(GOOD[0]), say(GOOD[1])]
    steps = LLMJudge(scripted(""), per_claim=True).judge(refunds)
    batch = next(steps)
    assert [call.claim_ids for call in batch] == [("c1",), ("c2",)]
    assert [call.user.splitlines()[0] for call in batch] == [batch[0].user.splitlines()[0]] * 2
    with pytest.raises(StopIteration) as done:
        steps.send(tuple(ModelReply(text=reply) for reply in replies))
    assert [opinion.label for opinion in done.value.value] == [Label.SUPPORTED] * 2


def test_no_claims(refunds: JudgeTask, scripted: Any) -> None:
    """Nothing to judge costs no call."""
    model = scripted("")
    assert _judged(refunds.replace(items=()), model) == ((), ())
    assert model.calls == []


def test_repair_once(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """An unreadable reply is handed back once, for its form only; the repaired one is read as strictly."""
    model = scripted("I would say that both are fine.", say(*GOOD))
    opinions, calls = _judged(refunds, model)
    assert [opinion.label for opinion in opinions] == [Label.SUPPORTED] * 2
    assert [call.role for call in calls] == [verification.ROLE, repair.ROLE]
    assert "both are fine" in model.calls[1].user
    assert "Refunds are paid" not in model.calls[1].user


def test_repair_fails(refunds: JudgeTask, scripted: Any) -> None:
    """A reply that stays unreadable leaves the claims UNVERIFIED, with what was wrong and how it began."""
    opinions, calls = _judged(refunds, scripted("yes."))
    assert len(calls) == 2
    assert _all_unverified(opinions, "could not be read: the reply holds no JSON object. It began: yes.")


def test_repair_invents(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """A repair that adds quotes the evidence does not have proves nothing."""
    opinions, _ = _judged(refunds, scripted("fine", say((1, "SUPPORTED", ("S1", "All is fine.")), GOOD[1])))
    assert [opinion.label for opinion in opinions] == [Label.UNVERIFIED, Label.SUPPORTED]


@pytest.mark.parametrize("reason", sorted(failures.RETRYABLE))
def test_retry(refunds: JudgeTask, scripted: Any, say: Callable[..., str], reason: str) -> None:
    """What may pass is asked again, at most twice, and then named."""
    opinions, calls = _judged(refunds, scripted(failed(reason), failed(reason), say(*GOOD)))
    assert len(calls) == 3
    assert [opinion.label for opinion in opinions] == [Label.SUPPORTED] * 2
    opinions, calls = _judged(refunds, scripted(failed(reason, "detail")))
    assert len(calls) == 3
    assert _all_unverified(opinions, f"the judge failed: {reason}: detail")


@pytest.mark.parametrize("reason", [failures.REFUSED, failures.CONTENT_FILTER, failures.NOT_TEXT, "crashed:KeyError"])
def test_no_retry(refunds: JudgeTask, scripted: Any, reason: str) -> None:
    """What would fail again is not asked again."""
    opinions, calls = _judged(refunds, scripted(failed(reason)))
    assert len(calls) == 1
    assert _all_unverified(opinions, reason)


def test_attempts_are_bounded(refunds: JudgeTask, scripted: Any) -> None:
    """Repair and retries together end after four calls."""
    error = failed(failures.TIMEOUT)
    opinions, calls = _judged(refunds, scripted(error, "no", error, error))
    assert len(calls) == 4
    assert _all_unverified(opinions, failures.TIMEOUT)


def test_cut_off(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """A reply that was cut off is asked for again in halves; one about a single claim is not."""
    cut = failed(failures.CUT_OFF)
    opinions, calls = _judged(refunds, scripted(cut, say(GOOD[0]), say(GOOD[1])))
    assert [call.claim_ids for call in calls] == [("c1", "c2"), ("c1",), ("c2",)]
    assert [opinion.label for opinion in opinions] == [Label.SUPPORTED] * 2
    opinions, calls = _judged(refunds, scripted(cut))
    assert len(calls) == 3
    assert _all_unverified(opinions, failures.CUT_OFF)


def test_one_failure_of_several(make_task: Any, scripted: Any, say: Callable[..., str]) -> None:
    """A call that fails takes only its own claims with it."""
    task = make_task(["The desk opens at nine."] * 2, ["It opens at nine", "It opens early"], [[1], [2]])
    good = say((2, "SUPPORTED", ("S2", "The desk opens at nine.")))
    opinions, _ = _judged(task, scripted(failed(failures.REFUSED), good), per_claim=True)
    assert [opinion.label for opinion in opinions] == [Label.UNVERIFIED, Label.SUPPORTED]


def test_missing_verdict(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """A claim without a verdict is UNVERIFIED, and not asked about again (JU-4)."""
    opinions, calls = _judged(refunds, scripted(say(GOOD[1])))
    assert len(calls) == 1
    assert [opinion.label for opinion in opinions] == [Label.UNVERIFIED, Label.SUPPORTED]


def test_numbers_of_the_answer(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """Claims are asked about under their numbers in the answer, when they have them."""
    items = tuple(item.replace(number=number) for item, number in zip(refunds.items, (3, 7), strict=True))
    model = scripted(say((3, *GOOD[0][1:]), (7, *GOOD[1][1:])))
    opinions, _ = _judged(refunds.replace(items=items), model)
    assert [opinion.label for opinion in opinions] == [Label.SUPPORTED] * 2
    assert "claims 3, 7" in model.calls[0].user


def test_hidden_passages(make_task: Any, scripted: Any, say: Callable[..., str]) -> None:
    """For an uncited claim, nothing found in a part of the evidence is UNVERIFIED; a proof in it stands."""
    texts = ["The desk opens at nine.", "filler " * 600]
    task = make_task(texts, ["The desk opens at nine"], [[]])
    room = {"max_input_tokens": 500, "count": lambda text: len(text.split())}
    opinions, _ = _judged(task, scripted(say((1, "INSUFFICIENT_EVIDENCE"))), **room)
    assert _all_unverified(opinions, "not shown for want of room: S2")
    found = say((1, "SUPPORTED", ("S1", "The desk opens at nine.")))
    opinions, _ = _judged(task, scripted(found), **room)
    assert opinions[0].label is Label.SUPPORTED
    assert "S2" in opinions[0].reason


def test_hidden_passages_are_named(make_task: Any, scripted: Any, say: Callable[..., str]) -> None:
    """Passages nobody cites that had no room are named where they might have mattered, at most eight of them."""
    texts = ["The desk opens at nine.", *["filler " * 2_000] * 9]
    task = make_task(texts, ["The desk opens at ten", "The desk opens at nine"], [[1], [1]])
    reply = say((1, "INSUFFICIENT_EVIDENCE"), (2, "SUPPORTED", ("S1", "The desk opens at nine.")))
    opinions, _ = _judged(task, scripted(reply), count=lambda text: len(text.split()))
    assert [opinion.label for opinion in opinions] == [Label.INSUFFICIENT_EVIDENCE, Label.SUPPORTED]
    assert "not shown for want of room: S2, S3, S4, S5, S6, S7, S8, S9 and 1 more" in opinions[0].reason
    assert opinions[1].reason == ""


def test_driver_that_drops_a_reply(refunds: JudgeTask, scripted: Any) -> None:
    """A driver that gives fewer replies than calls is a defect, not a shorter answer."""
    steps = LLMJudge(scripted("")).judge(refunds)
    next(steps)
    with pytest.raises(JudgeError, match="1 calls got 0 replies"):
        steps.send(())
