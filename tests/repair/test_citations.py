"""Citations of repaired text: only spans that may be cited, written as the answer writes them (CI-3, CI-7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware import Report
from grounding_middleware.repair import Repair, Step

Check = Callable[..., Report]
FEE = "The fee is EUR 6 a month."
OTHER = {"id": "S1", "text": "The shop opens at 09:00."}
ANSWER = "The fee is EUR 6 a month [S1]. The shop opens at 09:00 [S1]."
CITE = Repair(cite=True)


@pytest.mark.parametrize(
    ("right", "more"),
    [
        ({"effective_to": "2025-12-31"}, {"as_of": "2026-03-01"}),
        ({"effective_from": "2027-01-01"}, {"as_of": "2026-03-01"}),
        ({"superseded_by": "S3"}, {}),
        ({"audience": {"region": "US"}}, {"requester": {"region": "EU"}}),
        ({"audience": {"tenant": "b"}}, {"requester": {"tenant": "a"}}),
        ({"delivered": False}, {}),
        ({"delivered_ranges": ((0, 10),)}, {}),
    ],
    ids=["expired", "not-yet", "superseded", "audience", "tenant", "undelivered", "cut"],
)
def test_a_span_that_may_not_be_cited_is_not(right: dict[str, Any], more: dict[str, Any], check: Check) -> None:
    """The right sentence in a span that does not apply, or was not seen, repairs nothing."""
    report = check(ANSWER, [OTHER, {"id": "S2", "text": FEE, **right}], **more)
    assert "S2" not in report.text
    assert not any(one.accepted for one in report.repairs)


@pytest.mark.parametrize("answer", [ANSWER, ANSWER.replace("[S1]", "【S1】"), ANSWER.replace("[S1]", "[Source: S1]")])
def test_the_style_of_the_answer(answer: str, check: Check) -> None:
    """A new citation looks like the others; the other statement keeps its own."""
    report = check(answer, [OTHER, {"id": "S2", "text": FEE}])
    assert report.text == answer.replace("S1", "S2", 1)


def test_a_shared_marker_is_not_taken_away(check: Check) -> None:
    """A marker that stands for several statements stays; the one that needs another source gets its own."""
    report = check(
        "The shop opens at 09:00. The fee is EUR 6 a month [S1].",
        [OTHER, {"id": "S2", "text": FEE}],
    )
    assert report.text == "The shop opens at 09:00. The fee is EUR 6 a month [S2] [S1]."


def test_an_id_that_cannot_stand_in_a_marker(check: Check) -> None:
    """A source whose id would end its marker is not cited."""
    report = check(ANSWER, [OTHER, {"id": "fees\n2026", "text": FEE}])
    assert not any(one.accepted and one.step == "recite" for one in report.repairs)


def test_cite_for_me(check: Check) -> None:
    """Every uncited supported statement gets the citation that supports it, in the configured style, and stays ok."""
    report = check(
        "The fee is EUR 6 a month. **The shop opens at 09:00.**",
        [OTHER, {"id": "S2", "text": FEE}],
        repair=Repair(cite=True, marker="({id})"),
    )
    assert report.text == "The fee is EUR 6 a month (S2). **The shop opens at 09:00 (S1).**"
    assert report.action == "ok"
    assert {one.step for one in report.repairs} == {"cite"}
    assert [claim.treatment for claim in report.claims] == ["keep", "keep"]


@pytest.mark.parametrize(
    "answer",
    [
        "The fee is EUR 6 a month [S2].",
        "Frogs are mostly green.",
        "```\nThe fee is EUR 6 a month.\n```",
        '{"fee": "EUR 6 a month"}',
        "| item | fee |\n|---|---|\n| month | EUR 6 |",
        "",
        "Hello!",
    ],
    ids=["cited", "undecided", "code", "json", "table", "empty", "greeting"],
)
def test_nothing_to_cite(answer: str, check: Check) -> None:
    """What is cited, not supported, or no sentence is left as it is."""
    report = check(answer, [OTHER, {"id": "S2", "text": FEE}], repair=CITE)
    assert not any(one.step == "cite" for one in report.repairs)


def test_the_cited_text_is_supported_as_cited(check: Check) -> None:
    """What was cited for the writer passes a check of its own."""
    evidence = [OTHER, {"id": "S2", "text": FEE}]
    text = check("The fee is EUR 6 a month. The shop opens at 09:00.", evidence, repair=CITE).text
    again = check(text, evidence, repair=None)
    assert again.action == "ok"
    assert all(claim.citations for claim in again.claims)


def test_only_citing(check: Check) -> None:
    """Cite works beside any steps and repairs nothing that is wrong."""
    report = check(
        "The fee is EUR 6 a month. The shop opens at 10:00.",
        [OTHER, {"id": "S2", "text": FEE}],
        repair=Repair(cite=True, steps=(Step.RECITE,)),
    )
    assert report.text == "The fee is EUR 6 a month [S2]."


def test_a_corrected_statement_has_its_own_citation(check: Check) -> None:
    """In an answer that cites, a corrected statement cites its source: no marker behind it is read as its own."""
    report = check(
        "The fee is EUR 9 a month. The shop opens at 09:00 [S1]. Frogs are mostly green [S9].",
        [OTHER, {"id": "S2", "text": FEE}],
    )
    assert report.text == "The fee is EUR 6 a month [S2]. The shop opens at 09:00 [S1]."
