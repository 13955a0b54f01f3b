"""The cascade: each tier gets only what is left, nobody is believed without proof, disagreement escalates."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import Batch, Cascade, JudgeTask, LLMJudge, Opinion, Replies, models_of, run
from grounding_middleware.judges.failures import failed
from grounding_middleware.records import Kind, Label, Quote, Risk

FIRST = (1, "SUPPORTED", ("S1", "Refunds are paid within ten days."))
SECOND = (2, "SUPPORTED", ("S2", "The desk opens at nine."))
AGAINST = (1, "CONTRADICTED", ("S1", "Vouchers are not refundable."))
NOTHING = (1, "INSUFFICIENT_EVIDENCE")


class Fixed:
    """A judge of its own making, without a model, that holds fixed opinions."""

    name = "fixed"
    model: Any = None

    def __init__(self, *opinions: Opinion) -> None:
        self.opinions = opinions

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """The opinions, whatever is asked."""
        yield ()
        return self.opinions


def _run(cascade: Cascade, task: JudgeTask) -> tuple[Any, Any]:
    opinions, calls = run(cascade.judge(task), cascade.models)
    assert [opinion.claim_id for opinion in opinions] == [item.claim.id for item in task.items]
    return opinions, calls


def _labels(opinions: Any) -> list[Label]:
    return [opinion.label for opinion in opinions]


def test_next_tier_gets_what_is_left(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """A label stands; only UNVERIFIED claims go on, under their old numbers, to a model that knows its tier (JU-6)."""
    small, large = scripted(say(FIRST)), scripted(say(SECOND))
    items = tuple(item.replace(number=at) for at, item in enumerate(refunds.items, start=1))
    opinions, calls = _run(Cascade((LLMJudge(small, "small"), LLMJudge(large, "large"))), refunds.replace(items=items))
    assert _labels(opinions) == [Label.SUPPORTED] * 2
    assert [opinion.judge for opinion in opinions] == ["small", "large"]
    assert [(call.tier, call.claim_ids) for call in calls] == [("small", ("c1", "c2")), ("large", ("c2",))]


def test_decided_needs_no_second_tier(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """When everything is decided the next tier costs nothing; INSUFFICIENT_EVIDENCE is a decision."""
    large = scripted("")
    opinions, _ = _run(Cascade((LLMJudge(scripted(say(NOTHING, SECOND)), "small"), LLMJudge(large, "large"))), refunds)
    assert _labels(opinions) == [Label.INSUFFICIENT_EVIDENCE, Label.SUPPORTED]
    assert large.calls == []


def test_all_tiers_fail(refunds: JudgeTask, scripted: Any) -> None:
    """A claim no tier could judge is UNVERIFIED with every tier's reason."""
    tiers = (LLMJudge(scripted(failed("refused")), "small"), LLMJudge(scripted("yes."), "large"))
    opinions, _ = _run(Cascade(tiers), refunds)
    assert _labels(opinions) == [Label.UNVERIFIED] * 2
    assert "small: the judge failed: refused; large: the judge's reply could not be read" in opinions[0].reason


def _opinion(**fields: Any) -> Opinion:
    return Opinion.model_validate({"claim_id": "c1", "label": "SUPPORTED", **fields})


QUOTE = Quote(span_id="S2", start=0, end=8, text="The desk")


@pytest.mark.parametrize(
    "opinions",
    [
        (),
        (_opinion(),),
        (_opinion(quotes=(QUOTE.replace(text="the desk"),)),),
        (_opinion(quotes=(QUOTE.replace(span_id="S9"),)),),
        (_opinion(quotes=(QUOTE.replace(end=0, text=""),)),),
        (_opinion(quotes=(QUOTE,)), _opinion(quotes=(QUOTE,))),
        (_opinion(claim_id="c9", quotes=(QUOTE,)),),
    ],
)
def test_custom_judge_is_checked(refunds: JudgeTask, opinions: tuple[Opinion, ...]) -> None:
    """A judge of somebody's own making needs one opinion a claim with true quotes, too."""
    found, _ = _run(Cascade((Fixed(*opinions),)), refunds)
    assert _labels(found) == [Label.UNVERIFIED] * 2
    assert {opinion.kind for opinion in found} == {Kind.VERIFIER_FAILURE}
    assert {opinion.judge for opinion in found} == {"fixed"}


def test_custom_judge_with_proof(refunds: JudgeTask) -> None:
    """With a true quote its opinion stands, under its name."""
    found, _ = _run(Cascade((Fixed(_opinion(quotes=(QUOTE,))),)), refunds)
    assert _labels(found) == [Label.SUPPORTED, Label.UNVERIFIED]
    assert found[0].judge == "fixed"


@pytest.mark.parametrize(
    ("both", "label"),
    [
        ((FIRST, FIRST), Label.SUPPORTED),
        ((AGAINST, AGAINST), Label.CONTRADICTED),
        ((FIRST, AGAINST), Label.UNVERIFIED),
        ((AGAINST, FIRST), Label.UNVERIFIED),
        ((FIRST, NOTHING), Label.UNVERIFIED),
        ((FIRST, None), Label.UNVERIFIED),
        ((AGAINST, None), Label.CONTRADICTED),
        ((NOTHING, None), Label.INSUFFICIENT_EVIDENCE),
    ],
)
def test_second_opinion(refunds: JudgeTask, scripted: Any, say: Callable[..., str], both: Any, label: Label) -> None:
    """For critical claims disagreement, or support nobody confirms, is UNVERIFIED with both reasons (JU-9)."""
    first, second = both
    item = refunds.items[0]
    critical = item.replace(claim=item.claim.replace(risk=Risk.ACTION))
    task = refunds.replace(items=(critical, refunds.items[1]))
    asked = LLMJudge(scripted(say(first, SECOND)), "one")
    other = scripted(say(second) if second else "no")
    opinions, _ = _run(Cascade((asked,), second_opinion=LLMJudge(other, "two")), task)
    assert opinions[0].label is label
    assert opinions[1].label is Label.SUPPORTED
    assert {call.claim_ids for call in other.calls} == {("c1",)}
    if label is Label.UNVERIFIED:
        assert "one says" in opinions[0].reason
        assert "two says" in opinions[0].reason
        assert opinions[0].judge == "one+two"


def test_second_opinion_only_where_critical(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """Other claims cost no second call; what is critical can be configured."""
    asked, other = LLMJudge(scripted(say(FIRST, SECOND)), "one"), scripted(say(SECOND))
    _run(Cascade((asked,), second_opinion=LLMJudge(other, "two")), refunds)
    assert other.calls == []
    cascade = Cascade((asked,), second_opinion=LLMJudge(other, "two"), critical=lambda item: item.claim.id == "c2")
    opinions, _ = _run(
        cascade, refunds.replace(items=tuple(item.replace(number=at) for at, item in enumerate(refunds.items, 1)))
    )
    assert _labels(opinions) == [Label.SUPPORTED] * 2
    assert "confirmed by two" in opinions[1].reason


def test_cascade_in_a_cascade(refunds: JudgeTask, scripted: Any, say: Callable[..., str]) -> None:
    """A cascade is a judge; its models are known by their tiers."""
    inner = Cascade((LLMJudge(scripted("no"), "a"), LLMJudge(scripted(say(FIRST, SECOND)), "b")))
    outer = Cascade((inner,))
    assert list(models_of(outer)) == ["a", "b"]
    opinions, _ = _run(outer, refunds)
    assert [opinion.judge for opinion in opinions] == ["b", "b"]


def test_wrong_cascades(scripted: Any) -> None:
    """No judges, or two of one name, die at construction."""
    judge = LLMJudge(scripted(""))
    for judges in ((), (judge, judge)):
        with pytest.raises(ConfigError, match="judges"):
            Cascade(judges)
    with pytest.raises(ConfigError, match="names"):
        Cascade((judge,), second_opinion=judge)
