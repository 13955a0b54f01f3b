"""The arithmetic of every rate, on answers whose counts can be added up by hand (SPEC ME-1, ME-2, ME-7)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from grounding_middleware.evaluation.measures import MEASURES, measure
from grounding_middleware.evaluation.metrics import Summary, summarise
from grounding_middleware.evaluation.runs import Fate, RunHeader, Scored, ScoredClaim, ScoredFact
from grounding_middleware.records import Action, Kind, Label

HEADER = RunHeader(package="0", created=datetime(2026, 5, 4, tzinfo=UTC))
SUP, CON, INS, INV, UNV = (
    Label.SUPPORTED,
    Label.CONTRADICTED,
    Label.INSUFFICIENT_EVIDENCE,
    Label.INVALID_CITATION,
    Label.UNVERIFIED,
)


def claim(gold: str | None, label: Label | None, fate: Fate = Fate.KEPT, **fields: Any) -> ScoredClaim:
    return ScoredClaim(text="x", start=0, end=1, gold=gold, label=label, fate=fate, **fields)


def answer(*claims: ScoredClaim, **fields: Any) -> Scored:
    return Scored(**{"id": "a", "answer": "x", "action": Action.OK, "shown": True, "claims": claims, **fields})


def figures(*answers: Scored) -> Summary:
    return summarise(HEADER, answers)


def test_the_reference_arithmetic() -> None:
    """SPEC ME-2: 1,000 claims, 150 of them not supported; 135 of those and 34 others flagged, 120 repaired."""
    claims = [
        *[claim(CON, CON, Fate.REPAIRED)] * 120,
        *[claim(INS, INS)] * 15,  # flagged, but could not be repaired
        *[claim(INS, SUP)] * 15,  # missed
        *[claim(SUP, CON)] * 34,
        *[claim(SUP, SUP)] * 816,
    ]
    found = figures(*(answer(*claims[at : at + 10]) for at in range(0, 1000, 10)))
    recall, false, precision = (found.rate(name) for name in ("recall", "false_positives", "precision"))
    assert (recall.k, recall.n, recall.value) == (135, 150, 0.90)
    assert (false.k, false.n, false.value) == (34, 850, 0.04)
    assert (precision.k, precision.n, round(precision.value or 0, 3)) == (135, 169, 0.799)
    before, after = found.rate("unsupported_before"), found.rate("unsupported_after")
    assert (before.k, before.n, before.value) == (150, 1000, 0.150)
    assert (after.k, after.n, after.value) == (30, 1000, 0.030)
    assert {(one.gold, one.got): one.count for one in found.fates}[str(CON), "repaired"] == 120
    assert found.rate("escapes").k == 15


COUNTED = [
    # what is there -> the measure -> k of n
    ([claim(CON, UNV)], "recall", (0, 1)),  # undecided is not caught ...
    ([claim(CON, UNV)], "recall_cautious", (1, 1)),  # ... unless one says so
    ([claim(CON, UNV)], "escapes", (0, 1)),  # and it did not escape either
    ([claim(SUP, UNV)], "false_positives", (0, 1)),
    ([claim(SUP, UNV)], "false_positives_cautious", (1, 1)),
    ([claim(SUP, UNV), claim(CON, CON)], "precision_cautious", (1, 2)),
    ([claim(SUP, UNV), claim(CON, UNV), claim(CON, None)], "undecided_bad", (2, 2)),
    ([claim(SUP, UNV), claim(CON, UNV)], "undecided_good", (1, 1)),
    ([claim(CON, None)], "recall", (0, 1)),  # covered by no verdict: never caught, never supported
    ([claim(SUP, None)], "label_right", (0, 1)),
    ([claim(SUP, None), claim(SUP, SUP)], "unmatched", (1, 2)),
    ([claim(UNV, UNV), claim(UNV, SUP)], "recall", (1, 2)),  # a gold UNVERIFIED must not pass
    ([claim(CON, INS)], "label_right", (0, 1)),
    ([claim(CON, INS, also_ok=(INS,))], "label_right", (1, 1)),
    ([claim("UNSUPPORTED", INV), claim("UNSUPPORTED", UNV)], "label_right", (1, 2)),
    ([claim("UNSUPPORTED", INS), claim("UNSUPPORTED", SUP)], "recall", (1, 2)),
    (
        [claim(SUP, SUP, also_ok=(CON,)), claim(CON, CON, also_ok=(SUP,))],
        "recall",
        (0, 0),
    ),  # right on both sides: neither error
    ([claim(Label.NOT_A_CLAIM, CON)], "false_positives", (1, 1)),
    ([claim(CON, Label.NOT_A_CLAIM)], "contradiction_escapes", (1, 1)),
    ([claim(CON, SUP), claim(INS, SUP), claim(CON, UNV)], "contradiction_escapes", (1, 2)),
    ([claim(SUP, SUP), claim(CON, SUP), claim(SUP, CON)], "supported_precision", (1, 2)),
    ([claim(SUP, SUP, cited=("S1",)), claim(SUP, SUP)], "supported_citation_precision", (1, 1)),
    ([claim(SUP, SUP, cited=("S1",), gold_cites=("S2",))], "supported_citation_precision", (0, 1)),
    ([claim(SUP, UNV), claim(CON, CON), claim(CON, INS)], "label_right_decided", (1, 2)),
    ([claim(None, CON)], "recall", (0, 0)),  # nobody labelled it
    ([claim(Label.NOT_A_CLAIM, SUP), claim(CON, CON)], "unsupported_before", (1, 1)),
    ([claim(CON, CON, Fate.REMOVED), claim(SUP, SUP)], "unsupported_after", (0, 1)),
    ([claim(CON, CON, Fate.WITHHELD)], "unsupported_after", (0, 0)),  # nothing reaches the reader: no rate, not 0
    ([claim(SUP, CON, Fate.REMOVED), claim(SUP, SUP), claim(CON, CON, Fate.REMOVED)], "supported_lost", (1, 2)),
    ([claim(SUP, SUP)], "whole_supported_after", (1, 1)),
    ([claim(SUP, CON, Fate.WITHHELD)], "whole_supported_after", (0, 1)),
    ([claim(CON, CON, Fate.REMOVED), claim(SUP, SUP)], "whole_supported_after", (1, 1)),
    ([claim(CON, CON, Fate.REMOVED), claim(SUP, SUP)], "whole_supported_before", (0, 1)),
    ([claim(INV, INV), claim(INV, CON)], "invalid_recall", (1, 2)),
    ([claim(SUP, INV), claim(INS, INV, also_ok=(INV,)), claim("UNSUPPORTED", INV)], "invalid_false_alarms", (1, 1)),
    ([claim(INS, INS, gold_kind=Kind.WRONG_ATTRIBUTION, kind=Kind.WRONG_ATTRIBUTION)], "attribution_recall", (1, 1)),
    ([claim(SUP, INS, kind=Kind.WRONG_ATTRIBUTION)], "attribution_false_alarms", (1, 1)),
    (
        [claim(INS, INS, gold_kind=Kind.WRONG_ATTRIBUTION, gold_supported_by="S2", supported_elsewhere="S2")],
        "attribution_named",
        (1, 1),
    ),
    (
        [claim(SUP, SUP, cited=("S1",), gold_cites=("S1",)), claim(SUP, SUP, gold_cites=("S1",))],
        "markers_right",
        (1, 2),
    ),
]


@pytest.mark.parametrize(("claims", "name", "pair"), COUNTED)
def test_what_is_counted(claims: list[ScoredClaim], name: str, pair: tuple[int, int]) -> None:
    """Each measure, claim by claim."""
    assert measure(name).count(answer(*claims)) == pair


@pytest.mark.parametrize(
    ("fields", "name", "pair"),
    [
        ({"facts": (ScoredFact(id="1", text="x", in_answer=True, in_text=False),)}, "missing_facts_before", (0, 1)),
        ({"facts": (ScoredFact(id="1", text="x", in_answer=True, in_text=False),)}, "missing_facts_after", (1, 1)),
        ({"facts": (ScoredFact(id="1", text="x", in_answer=True, in_text=True),)}, "complete_after", (1, 1)),
        ({}, "complete_after", (0, 0)),
        ({"answerable": False, "silent": True}, "not_found_right", (1, 1)),
        ({"answerable": False}, "not_found_right", (0, 1)),
        ({"answerable": True, "silent": True}, "not_found_right", (0, 0)),
        ({"answerable": True, "silent": True}, "not_found_wrong", (1, 1)),
        ({"abstained": True}, "abstention_before", (1, 1)),
        ({"silent": True}, "abstention_after", (1, 1)),
        ({"action": Action.REVIEW}, "escalation", (1, 1)),
        ({"action": Action.UNANSWERED}, "escalation", (0, 1)),
        ({"shown": False}, "withheld", (1, 1)),
        ({"actions": (Action.REVISED, Action.OK)}, "action_right", (1, 1)),
        ({"actions": (Action.REVISED,)}, "action_right", (0, 1)),
        ({"leaked": ("x",), "forbidden": 3}, "leaked", (1, 3)),
        ({"repairs_tried": 2, "repairs_made": 1}, "repaired", (1, 2)),
        ({"completed": False}, "completed", (0, 1)),
        ({"markers": {"resolved": 3, "stale": 1}}, "markers_resolved", (3, 4)),
        ({"before": {"SUPPORTED": 2, "CONTRADICTED": 1, "NOT_A_CLAIM": 5}}, "found_wrong_before", (1, 3)),
        ({"after": {"SUPPORTED": 2, "UNVERIFIED": 1}}, "unverified_after", (1, 3)),
        ({"after": {"SUPPORTED": 2, "UNVERIFIED": 1}}, "found_wrong_after", (0, 3)),
        ({"before": {"SUPPORTED": 2}}, "found_supported_before", (1, 1)),
        ({"before": {"ABSTENTION": 2}}, "found_supported_before", (0, 0)),
    ],
)
def test_what_is_counted_of_a_whole_answer(fields: dict[str, Any], name: str, pair: tuple[int, int]) -> None:
    """Each measure, answer by answer."""
    assert measure(name).count(answer(**fields)) == pair


def test_claims_nobody_looked_at_are_counted_apart() -> None:
    """What leaves without review is the figure that matters most; what waits for a person is in the other one."""
    bad = claim(CON, UNV)
    assert measure("unsupported_unseen").count(answer(bad)) == (1, 1)
    assert measure("unsupported_unseen").count(answer(bad, action=Action.REVIEW)) == (0, 0)
    assert measure("unsupported_after").count(answer(bad, action=Action.REVIEW)) == (1, 1)


def test_every_measure_counts_parts_of_a_whole() -> None:
    """0 <= k <= n for whatever comes, and names are unique."""
    everything = answer(*(one for row, _, _ in COUNTED for one in row), markers={"resolved": 1})
    for one in MEASURES:
        k, n = one.count(everything)
        assert 0 <= k <= n
    assert len({one.name for one in MEASURES}) == len(MEASURES)
    assert len({one.title for one in MEASURES}) == len(MEASURES)


def test_a_rate_without_anything_to_count_is_none() -> None:
    """Neither 0 nor NaN: nobody measured it."""
    for rate in figures().rates:
        assert (rate.k, rate.n, rate.value, rate.low, rate.high) == (0, 0, None, None, None)


def test_a_crash_is_no_score() -> None:
    """It is counted as what it is, and stands in no other figure."""
    found = figures(answer(claim(CON, CON)), answer(claim(CON, None), error="InputError: no evidence"))
    assert (found.answers, found.errors, found.rate("recall").n) == (2, {"InputError: no evidence": 1}, 1)
    assert sum(one.count for one in found.confusion) == 1


def test_all_labels_are_told_apart() -> None:
    """Each of the seven, and no verdict at all, is a column of its own."""
    claims = [claim(SUP, label) for label in (*Label, None)]
    assert {one.got: one.count for one in figures(answer(*claims)).confusion} == {
        **{label.value: 1 for label in Label},
        "(no verdict)": 1,
    }


def test_claims_of_one_answer_may_lie_in_several_segments() -> None:
    """A segment of claims has its own claims only; an answer's segment has them all."""
    easy, hard = claim(CON, CON, segments={"hard": "no"}), claim(CON, SUP, segments={"hard": "yes"})
    rows = {(one.segment, one.value): one for one in figures(answer(easy, hard, segments={"lang": "en"})).segments}
    assert rows["hard", "no"].rate("recall").value == 1.0
    assert rows["hard", "yes"].rate("recall").value == 0.0
    assert rows["lang", "en"].rate("recall").value == 0.5


def test_a_segment_with_too_many_values_is_put_together() -> None:
    """An id taken for a segment must not make the tables, and the memory, as long as the set."""
    answers = (answer(claim(CON, CON), segments={"user": str(number)}) for number in range(200))
    rows = [one for one in figures(*answers).segments if one.segment == "user"]
    assert len(rows) < 50
    assert sum(row.answers for row in rows) == 200
