"""Criteria: what breaks them, and how wrong ones die."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grounding_middleware import ConfigError, InputError
from grounding_middleware.cli import app
from grounding_middleware.evaluation.comparing import Criteria, compare
from grounding_middleware.evaluation.comparing.criteria import SHIPPED, shipped
from grounding_middleware.evaluation.runs import Scored, ScoredClaim, TierCost
from grounding_middleware.labels import Label

WRONG = [
    ("changes: {escaped: -1}", "greater than or equal to 0"),
    ("changes: {escapes: 0}", "got 'escapes'; allowed are crashed, dropped, escaped, false_alarm"),
    ("changes: {caught: 0}", "got 'caught'"),
    ("rates: [{measure: recal, max_worse: 0}]", "measure: got 'recal'; allowed is one of .*recall"),
    ("rates: [{measure: recall}]", "no limit is given"),
    ("rates: [{measure: recall, max_worse: 2}]", "less than or equal to 1"),
    ("rates: [{measure: recall, max_worse: .nan}]", "nan"),
    ("rates: [{measure: recall, max_wors: 0.1}]", "max_wors"),
    ("rates: [{measure: abstention_before, max_worse: 0}]", "neither direction of abstention_before is worse"),
    ("rates: [{measure: recall, max_worse: 0, value: en}]", "without a segment"),
    ("rates: [{measure: recall, max_worse: 0, proof: sure}]", "proof"),
    ("costs: {p95: 2}", "got 'p95'; allowed are calls, p50_ms, p95_ms, tokens"),
    ("costs: {calls: 0}", "greater than 0"),
    ("criteria: 1", "nothing could ever fail"),
    ("criteria: 2\nchanges: {escaped: 0}", "criteria.*1"),
    ("changes: {escaped: 0}\nchanges: {missed: 0}", "changes"),
    ("- escaped", "criteria.yaml"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_criteria_die_at_load(tmp_path: Path, text: str, message: str) -> None:
    """The message names the file, the field and what is allowed."""
    path = tmp_path / "criteria.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=message) as caught:
        Criteria.read(path)
    assert "criteria.yaml" in str(caught.value)


def test_the_shipped_criteria_are_printed_and_read_back(tmp_path: Path) -> None:
    """`--show-criteria` is a file one can start from."""
    done = CliRunner().invoke(app, ["compare", "--show-criteria"])
    path = tmp_path / "mine.yaml"
    path.write_text(done.output, "utf-8")
    assert done.exit_code == 0
    assert Criteria.read(path) == shipped()
    assert done.output == SHIPPED.read_text("utf-8")


def _answers(labels: list[Label], calls: int = 1, lang: str = "en") -> list[Scored]:
    """One unsupported claim an answer, called as given."""
    tier = TierCost(tier="judge", calls=calls, input_tokens=100 * calls, output_tokens=0)
    claim = {"text": "It is so", "start": 0, "end": 8, "gold": "CONTRADICTED"}
    return [
        Scored(
            id=f"{lang}{number}",
            answer="It is so.",
            claims=(ScoredClaim.model_validate({**claim, "label": label}),),
            segments={"lang": lang},
            tiers=(tier,),
            elapsed_ms=10.0 * calls,
        )
        for number, label in enumerate(labels)
    ]


C, U = Label.CONTRADICTED, Label.UNVERIFIED
CASES = [
    ({"rates": [{"measure": "recall", "max_worse": 0.1}]}, [C] * 40, [C] * 20 + [U] * 20, ["rates[0]"]),
    ({"rates": [{"measure": "recall", "max_worse": 0.1}]}, [C] * 40, [C] * 36 + [U] * 4, []),  # not beyond doubt
    (
        {"rates": [{"measure": "recall", "max_worse": 0.05, "proof": "estimate"}]},
        [C] * 40, [C] * 36 + [U] * 4, ["rates[0]"],
    ),
    ({"rates": [{"measure": "recall", "max_worse": 0.1, "least": 50}]}, [C] * 40, [U] * 40, []),
    ({"rates": [{"measure": "recall", "at_least": 0.9}]}, [C, U], [C, U], ["rates[0]"]),
    ({"rates": [{"measure": "undecided_bad", "at_most": 0.4}]}, [C, U], [C, U], ["rates[0]"]),
    ({"rates": [{"measure": "recall", "segment": "lang", "at_least": 0.9}]}, [C, U], [C, U], ["rates[0]"]),
    ({"changes": {"missed": 1}}, [C, C, C], [C, U, C], []),
    ({"changes": {"missed": 1}}, [C, C, C], [C, U, U], ["changes.missed"]),
    ({"changes": {"missed": 0}}, [U, U], [C, C], []),
]  # fmt: skip


@pytest.mark.parametrize(("criteria", "before", "after", "broken"), CASES)
def test_what_breaks_a_limit(write_run, criteria, before, after, broken) -> None:  # type: ignore[no-untyped-def]
    """Each limit fails beyond its allowance and not before."""
    limits = Criteria.model_validate(criteria)
    found = compare(write_run("a", _answers(before)), write_run("b", _answers(after)), limits)
    assert [breach.limit for breach in found.breaches] == broken


def test_costs_are_held_to_a_factor(write_run) -> None:  # type: ignore[no-untyped-def]
    """Twice the calls, tokens and time, where one and a half times is allowed."""
    costs = {"calls": 1.5, "tokens": 1.5, "p95_ms": 1.5}
    runs = write_run("a", _answers([C] * 3)), write_run("b", _answers([C] * 3, calls=2))
    found = compare(*runs, Criteria.model_validate({"costs": costs}))
    assert {breach.limit for breach in found.breaches} == {"costs.calls", "costs.tokens", "costs.p95_ms"}
    assert not compare(*runs, Criteria.model_validate({"costs": dict.fromkeys(costs, 2)})).regressed


def test_a_segment_with_the_fault_is_named(write_run) -> None:  # type: ignore[no-untyped-def]
    """One language got worse, the other did not."""
    english = [C] * 30
    before = write_run("a", _answers(english) + _answers([C] * 30, lang="de"))
    after = write_run("b", _answers(english) + _answers([U] * 30, lang="de"))
    limits = {"rates": [{"measure": "recall", "segment": "lang", "max_worse": 0.2, "least": 20}]}
    (breach,) = compare(before, after, Criteria.model_validate(limits)).breaches
    assert (breach.segment, breach.value) == ("lang", "de")
    assert "recall (lang=de): from 1.000 to 0.000" in breach.text


def test_a_limit_holds_for_segments_that_are_not_looked_at(write_run) -> None:  # type: ignore[no-untyped-def]
    """`by` chooses what is shown; it never switches a limit off."""
    before, after = write_run("a", _answers([C] * 30, lang="de")), write_run("b", _answers([U] * 30, lang="de"))
    limits = {"rates": [{"measure": "recall", "segment": "lang", "max_worse": 0.2, "least": 20}]}
    found = compare(before, after, Criteria.model_validate(limits), by=["domain"])
    assert [(breach.segment, breach.value) for breach in found.breaches] == [("lang", "de")]
    assert "lang" not in {one.segment for one in found.segments}


@pytest.mark.parametrize("limit", [{"segment": "lnag"}, {"segment": "lang", "value": "dee"}])
def test_a_limit_about_a_segment_that_is_not_there_is_refused(write_run, limit) -> None:  # type: ignore[no-untyped-def]
    """A typing error must not pass the gate; the shipped criteria may name a segment that a set does not have."""
    runs = write_run("a", _answers([C, U])), write_run("b", _answers([U, U]))
    criteria = Criteria.model_validate({"rates": [{"measure": "recall", "max_worse": 0, **limit}]})
    with pytest.raises(InputError, match=r"rates\[0\]\.segment: no answer has 'la?n.*allowed are segments.*lang"):
        compare(*runs, criteria)
    compare(*runs)
