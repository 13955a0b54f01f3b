"""Every way a claim can change, by name and direction."""

from __future__ import annotations

import pytest

from grounding_middleware.evaluation.comparing.changes import WORSE, changes
from grounding_middleware.evaluation.golden import GoldLabel
from grounding_middleware.evaluation.runs import Fate, Scored, ScoredClaim
from grounding_middleware.labels import Label

S, C, U = Label.SUPPORTED, Label.CONTRADICTED, Label.UNVERIFIED
LACKS, BADLY_CITED = Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION
TABLE: list[tuple[GoldLabel, Label | None, Label | None, str]] = [
    (C, C, S, "escaped"),
    (C, U, S, "escaped"),
    (C, None, S, "escaped"),
    (C, C, U, "missed"),
    (C, C, None, "missed"),
    (C, C, LACKS, ""),  # flagged as something else is still flagged
    (C, U, None, "dropped"),
    (C, None, U, "found"),
    (C, U, C, "caught"),
    (C, S, C, "caught"),
    (C, S, U, "held"),
    ("UNSUPPORTED", LACKS, S, "escaped"),
    (BADLY_CITED, BADLY_CITED, Label.NOT_A_CLAIM, "escaped"),
    (S, S, C, "false_alarm"),
    (S, U, BADLY_CITED, "false_alarm"),
    (S, S, U, "lost"),
    (S, S, None, "dropped"),
    (S, U, None, "dropped"),
    (S, None, S, "cleared"),
    (S, U, S, "cleared"),
    (S, LACKS, S, "cleared"),
    (S, LACKS, U, "unflagged"),
    (S, S, S, ""),
    (Label.ABSTENTION, Label.ABSTENTION, C, "false_alarm"),
]


def _answer(gold: GoldLabel, label: Label | None, fate: Fate = Fate.REMOVED, also: tuple[Label, ...] = ()) -> Scored:
    claim = ScoredClaim(text="It is so", start=0, end=8, gold=gold, label=label, fate=fate, also_ok=also)
    return Scored(id="a", answer="It is so.", claims=(claim,))


@pytest.mark.parametrize(("gold", "before", "after", "change"), TABLE)
def test_table(gold: GoldLabel, before: Label | None, after: Label | None, change: str) -> None:
    """Both error directions have names of their own; an undecided claim is neither caught nor passed."""
    found = [one.change for one in changes((_answer(gold, before), _answer(gold, after)))]
    assert found == ([change] if change else [])


@pytest.mark.parametrize(("gold", "before", "after", "change"), [row for row in TABLE if row[3]])
def test_the_other_way_round_worse_is_better(
    gold: GoldLabel, before: Label | None, after: Label | None, change: str
) -> None:
    """No change is worse, or better, in both directions."""
    (back,) = changes((_answer(gold, after), _answer(gold, before)))
    assert (change in WORSE) is not back.worse


def test_a_claim_that_may_be_either_does_not_change() -> None:
    """Where labels of both sides are accepted neither is an error."""
    pair = _answer(S, S, also=(C,)), _answer(S, C, also=(C,))
    assert not list(changes(pair))


def test_a_policy_that_lets_more_through_is_told() -> None:
    """The labels are the same, the reader gets an unsupported claim more."""
    held, shown = _answer(C, U, Fate.REMOVED), _answer(C, U, Fate.KEPT)
    assert [one.change for one in changes((held, shown))] == ["released"]
    assert [one.change for one in changes((shown, held))] == ["withheld"]


def test_a_crash_is_a_change_of_the_answer_and_of_no_claim() -> None:
    """A crash never reads as a verdict."""
    fine, broken = _answer(C, C), _answer(C, None).model_copy(update={"error": "ValueError: no"})
    (crash,) = changes((fine, broken))
    assert (crash.change, crash.worse, crash.note) == ("crashed", True, "ValueError: no")
    assert [one.change for one in changes((broken, fine))] == ["recovered"]
    assert not list(changes((broken, broken)))
