"""A deliberately worse verifier is caught, with the segment named: by `compare`, the command and the assertion."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from typer.testing import CliRunner

from grounding_middleware.cli import app
from grounding_middleware.evaluation.comparing import compare
from grounding_middleware.evaluation.runs import Run
from grounding_middleware.testing import assert_no_regression

RunOf = Callable[[str], Run]
WORSE = [("modality", "class=modality", 2), ("quotes", "class=quote", 1), ("values", "class=number", 1)]


@pytest.mark.parametrize(("check", "segment", "claims"), WORSE)
def test_a_dropped_check_is_a_regression_of_its_segment(run_of: RunOf, check: str, segment: str, claims: int) -> None:
    """The breach names what happened, how often, and where."""
    found = compare(run_of(""), run_of(check))
    missed = next(breach for breach in found.breaches if breach.limit == "changes.missed")
    assert missed.text.startswith(f"{claims} claim{'s' if claims > 1 else ''} missed; allowed: 0; by segment: ")
    assert f"{segment} {claims}" in missed.text
    classes = {one.segments["class"] for one in found.changed if one.change == "missed"}
    assert classes == {segment.removeprefix("class=")}


@pytest.mark.parametrize("check", [check for check, *_ in WORSE])
def test_the_other_way_round_it_is_an_improvement(run_of: RunOf, check: str) -> None:
    """What was missed is caught, and no limit is broken."""
    found = compare(run_of(check), run_of(""))
    assert not found.regressed
    assert set(found.changes) <= {"caught", "cleared"}  # values that match are needed for support, too
    assert found.changes["caught"]


def test_a_run_compared_with_itself_has_no_difference(run_of: RunOf) -> None:
    """No false alarm of the comparison."""
    found = compare(run_of(""), run_of(""))
    assert (found.regressed, found.changes, found.changed) == (False, {}, ())
    assert {one.change for one in found.differences} <= {0, None}


def test_the_command_fails_and_shows_claims_and_rules(run_of: RunOf) -> None:
    """Exit code 1; the claim, its labels, and the rule that no longer fires."""
    done = CliRunner().invoke(app, ["compare", str(run_of("").path), str(run_of("modality").path)])
    assert done.exit_code == 1, done.output
    assert "REGRESSION" in done.output
    assert "Members must swim alone between 6 and 8 in the morning" in done.output
    assert "no longer: conflict modality.modal-shift" in done.output


def test_the_command_passes_without_a_regression(run_of: RunOf) -> None:
    """Exit code 0."""
    done = CliRunner().invoke(app, ["compare", str(run_of("").path), str(run_of("").path)])
    assert done.exit_code == 0, done.output
    assert done.output.startswith("NO REGRESSION")


def test_the_command_names_a_segment_nobody_has(run_of: RunOf) -> None:
    """As `grounding eval` does: a misspelt one must not read as one without changes; `all` is every one."""
    path = str(run_of("").path)
    done = CliRunner().invoke(app, ["compare", path, path, "--by", "langs", "--by", "lang"])
    assert done.exit_code == 0, done.output
    assert done.stderr == "grounding: no answer has a segment 'langs'\n"
    assert CliRunner().invoke(app, ["compare", path, path, "--by", "all"]).stderr == ""


def test_the_command_prints_json_that_reads_back(run_of: RunOf) -> None:
    """All of the comparison, for other programs."""
    done = CliRunner().invoke(app, ["compare", "--json", str(run_of("").path), str(run_of("values").path)])
    data = json.loads(done.output)
    assert done.exit_code == 1
    assert data["breaches"][0]["limit"] == "changes.missed"
    assert data["changed"][0]["segments"]["class"] == "number"


def test_the_assertion_fails_with_what_got_worse(run_of: RunOf) -> None:
    """The gate of a test suite."""
    before, after = run_of("").path, run_of("quotes").path
    assert not assert_no_regression(before, before).regressed
    with pytest.raises(AssertionError, match=r"(?s)REGRESSION.*class=quote.*dogs are welcome in the house"):
        assert_no_regression(before, after)
    assert not assert_no_regression(before, after, {"changes": {"missed": 1}}).regressed


def test_segments_may_be_chosen(run_of: RunOf) -> None:
    """`--by` restricts what is compared apart."""
    found = compare(run_of(""), run_of("modality"), by=["lang"])
    assert {one.segment for one in found.segments} <= {"lang"}
