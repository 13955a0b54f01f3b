"""Runs that cannot be compared are refused, and say why."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from grounding_middleware import InputError
from grounding_middleware.cli import app
from grounding_middleware.evaluation.comparing import compare
from grounding_middleware.evaluation.runs import Scored

ONE, TWO = Scored(id="1", answer="a"), Scored(id="2", answer="b")


@pytest.mark.parametrize(
    ("before", "after", "header", "message"),
    [
        ([ONE], [ONE], {"golden_sha256": "h"}, "another golden set"),
        ([ONE], [ONE], {"gold": False}, "without gold labels"),
        ([ONE, TWO], [ONE], {}, r"b\.jsonl: ends before line 3"),
        ([ONE], [ONE, TWO], {}, r"a\.jsonl: ends before line 3"),
        ([ONE, TWO], [TWO, ONE], {}, "is about '2'"),
    ],
)
def test_refused(write_run, before, after, header, message) -> None:  # type: ignore[no-untyped-def]
    """InputError names the file and what is allowed."""
    with pytest.raises(InputError, match=message):
        compare(write_run("a", before), write_run("b", after, **header))


@pytest.mark.parametrize("files", [[], ["one.jsonl"], ["one.jsonl", "two.jsonl"]])
def test_the_command_ends_with_bad_input(files: list[str]) -> None:
    """Exit code 2, a line for people, no traceback."""
    done = CliRunner().invoke(app, ["compare", *files])
    assert done.exit_code == 2
    assert done.output.startswith("grounding: error: ")


def test_many_values_of_a_segment_are_put_together(write_run) -> None:  # type: ignore[no-untyped-def]
    """A segment such as the user's name must not make a page of ten thousand rows."""
    answers = [Scored(id=str(n), answer="a", segments={"user": str(n)}) for n in range(100)]
    found = compare(write_run("a", answers), write_run("b", answers))
    assert len(found.segments) == 41
    assert sum(one.answers for one in found.segments) == 100
