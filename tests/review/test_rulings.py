"""A ruling says one thing and all of it, or is refused; which one counts follows from the order they were given in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from grounding_middleware import InputError
from grounding_middleware.records import Action, Kind, Label, Report, Risk, Severity
from grounding_middleware.review import Adjudication, AnswerRuling, Case, ClaimRuling, Item
from grounding_middleware.review.priority import HIGHEST, priority
from grounding_middleware.review.rulings import MAX_NOTE, MAX_TEXT

Reports = Callable[..., Report]
RIGHT_LABELS = [label for label in Label if label is not Label.UNVERIFIED]
FLAGS = {Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION}


@pytest.mark.parametrize("label", RIGHT_LABELS)
def test_a_label_can_be_overruled_by_any_that_can_be_right(label: Label) -> None:
    """With a kind of error where it says that something is wrong, and only there."""
    kind = Kind.NUMBER if label in FLAGS else None
    assert ClaimRuling(claim_id="c", ruling="overrule", label=label, kind=kind).label is label
    with pytest.raises(InputError, match="kind"):
        ClaimRuling(claim_id="c", ruling="overrule", label=label, kind=None if kind else Kind.NUMBER)


WRONG_ON_CLAIMS: list[tuple[str, dict[str, Any]]] = [
    ("ruling", {"ruling": "maybe"}),
    ("ruling", {}),
    ("label", {"ruling": "overrule"}),
    ("label", {"ruling": "overrule", "label": "RIGHT"}),
    ("label", {"ruling": "overrule", "label": "UNVERIFIED"}),
    ("label", {"ruling": "agree", "label": "SUPPORTED"}),
    ("kind", {"ruling": "agree", "kind": "number"}),
    ("kind", {"ruling": "overrule", "label": "CONTRADICTED", "kind": "typo"}),
    ("text", {"ruling": "edit"}),
    ("text", {"ruling": "edit", "text": " \n"}),
    ("text", {"ruling": "agree", "text": "new"}),
    ("text", {"ruling": "edit", "text": "x" * (MAX_TEXT + 1)}),
    ("note", {"ruling": "agree", "note": "x" * (MAX_NOTE + 1)}),
    ("claim_id", {"ruling": "agree", "claim_id": ""}),
    ("quote", {"ruling": "agree", "quote": "some text"}),
    ("labl", {"ruling": "agree", "labl": "SUPPORTED"}),
]


@pytest.mark.parametrize(("field", "words"), WRONG_ON_CLAIMS)
def test_a_wrong_ruling_on_a_claim_names_its_field(field: str, words: dict[str, Any]) -> None:
    """And stays short, however long the wrong value is."""
    with pytest.raises(InputError, match=rf"^ClaimRuling.*\b{field}\b") as caught:
        ClaimRuling(**{"claim_id": "c", **words})
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("action", {"ruling": "overrule"}),
        ("action", {"ruling": "agree", "action": "ok"}),
        ("action", {"ruling": "overrule", "action": "shred"}),
        ("text", {"ruling": "edit"}),
        ("claim_id", {"ruling": "agree", "claim_id": "c"}),
    ],
)
def test_a_wrong_ruling_on_an_answer_names_its_field(field: str, words: dict[str, Any]) -> None:
    """As above."""
    with pytest.raises(InputError, match=rf"^AnswerRuling.*\b{field}\b"):
        AnswerRuling(**words)


def case(report: Report, *given: ClaimRuling | AnswerRuling) -> Case:
    now = datetime(2026, 5, 4, tzinfo=UTC)
    item = Item(
        id="1", answer_id="a", action=Action.OK, reason="", question="", priority=0, state="decided", created=now
    )
    told = [Adjudication(number=n, reviewer="ana", at=now, was="", given=each) for n, each in enumerate(given)]
    return Case(item=item, report=report, adjudications=tuple(told))


AGREED = AnswerRuling(ruling="agree")
TO_SUPPORTED = ClaimRuling(claim_id="c1", ruling="overrule", label="SUPPORTED")
TO_NUMBER = ClaimRuling(claim_id="c1", ruling="overrule", label="CONTRADICTED", kind="number")
REWORDED = ClaimRuling(claim_id="c1", ruling="edit", text="Refunds take a week.")
OVERRULED = AnswerRuling(ruling="overrule", action="blocked")


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ((), None),
        ((AGREED,), ("CONTRADICTED", "deadline")),
        ((OVERRULED,), None),
        ((ClaimRuling(claim_id="c2", ruling="agree"), OVERRULED), None),
        ((TO_SUPPORTED, AGREED), ("SUPPORTED", None)),
        ((TO_SUPPORTED, TO_NUMBER, OVERRULED), ("CONTRADICTED", "number")),
        ((TO_NUMBER, TO_SUPPORTED), ("SUPPORTED", None)),
        ((TO_SUPPORTED, ClaimRuling(claim_id="c1", ruling="agree")), ("CONTRADICTED", "deadline")),
        ((REWORDED,), ("CONTRADICTED", "deadline")),
        ((AGREED, OVERRULED), None),
    ],
)
def test_what_is_right_is_what_was_said_last(report: Reports, given: Any, right: Any) -> None:
    """A whole answer that was agreed with confirms what has no ruling of its own; nothing else does."""
    found = case(report(), *given).right(report().claims[0])
    assert (found and (found.label, found.kind)) == right


@pytest.mark.parametrize("given", [AGREED, ClaimRuling(claim_id="c1", ruling="agree")])
def test_nobody_knows_is_never_right(report: Reports, given: Any) -> None:
    """To agree that nobody could check a claim is no label."""
    unverified = report().claims[0].replace(label=Label.UNVERIFIED, kind=Kind.UNDECIDED)
    assert case(report(claims=(unverified,)), given).right(unverified) is None


@pytest.mark.parametrize(
    ("label", "severity", "risk", "wanted"),
    [
        (Label.SUPPORTED, None, Risk.INFORMATION, 0),
        (Label.SUPPORTED, Severity.CRITICAL, Risk.ACTION, 1),
        (Label.UNVERIFIED, None, Risk.INFORMATION, 0),
        (Label.CONTRADICTED, Severity.MINOR, Risk.INFORMATION, 4),
        (Label.INSUFFICIENT_EVIDENCE, Severity.MAJOR, Risk.ACTION, 7),
        (Label.CONTRADICTED, Severity.CRITICAL, Risk.ACTION, HIGHEST),
    ],
)
def test_priority(report: Reports, label: Label, severity: Severity | None, risk: Risk, wanted: int) -> None:
    """The worst fault, and whether somebody could act on it; what is clean comes last."""
    claim = report().claims[0].replace(label=label, severity=severity, risk=risk, kind=None)
    assert priority(report(claims=(claim, report().claims[1]))) == wanted
