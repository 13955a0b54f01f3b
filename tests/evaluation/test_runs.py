"""The run file: what was written is what is read, and a file that is none says so."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import InputError
from grounding_middleware.evaluation import Run, RunHeader, Scored, ScoredClaim, load_run
from grounding_middleware.evaluation.golden import UNSUPPORTED, Side
from grounding_middleware.evaluation.runs import ScoredFact, Stage, TierCost, line_of
from grounding_middleware.records import Action, Kind, Label, Quote

HEADER = RunHeader(package="0.1.0", golden=("g.jsonl",), golden_sha256="ab", created=datetime(2026, 5, 4, tzinfo=UTC))
SCORED = Scored(
    id="a1",
    answer="Refunds take 9 days\u2028\x1b[2J.",
    text="",
    segments={"lang": "en"},
    claims=(
        ScoredClaim(
            text="Refunds take 9 days",
            start=0,
            end=19,
            gold=UNSUPPORTED,
            label=Label.CONTRADICTED,
            kind=Kind.DEADLINE,
            decided_by="checks",
            rules=("conflict values.other_value",),
            quotes=(Quote(span_id="S1", start=0, end=4, text="Five"),),
            fate="removed",
        ),
        ScoredClaim(text="9", start=13, end=14, gold=Label.SUPPORTED, also_ok=(Label.CONTRADICTED,)),
    ),
    facts=(ScoredFact(id="f1", text="5 days", in_answer=False, in_text=False),),
    action=Action.ESCALATE,
    before={"CONTRADICTED": 1},
    elapsed_ms=1.5,
    tiers=(TierCost(tier="llm", calls=1, input_tokens=10, output_tokens=2, latency_ms=3.0),),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "run.jsonl"
    found.write_text(line_of(HEADER) + line_of(SCORED) + line_of(Scored(id="a2", answer="", error="boom")), "utf-8")
    return found


def test_the_round_trip(path: Path) -> None:
    """Header and answers come back as they were, as often as one likes."""
    run = load_run(path)
    assert run.header == HEADER
    first, second = run
    assert (first, second.error) == (SCORED, "boom")
    assert [scored.id for scored in run] == ["a1", "a2"]


def test_a_line_is_a_line_and_harmless(path: Path) -> None:
    """Whatever an answer holds: no line break, no control character."""
    for line in path.read_text("utf-8").split("\n")[:-1]:
        assert line.isprintable()


def test_what_a_claim_says_of_itself() -> None:
    """The side it lies on, whether the verifier was right, and who decided."""
    flagged, either = SCORED.claims
    assert (flagged.side, flagged.right, flagged.stage) == (Side.FLAG, True, Stage.CHECKS)
    assert (either.side, either.right, either.stage) == (Side.EITHER, False, None)
    judged = flagged.model_copy(update={"decided_by": "my-judge", "gold": None})
    assert (judged.side, judged.right, judged.stage) == (None, None, Stage.JUDGE)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "line 1: the line is unfinished"),
        ("{}\n", "line 1: package: "),
        (line_of(SCORED), "line 1: "),
        (line_of(HEADER.replace(schema_version="9")), "this package reads '1'"),
    ],
)
def test_what_is_no_run_is_refused(tmp_path: Path, content: str, told: str) -> None:
    """With the line, and what is allowed."""
    path = tmp_path / "run.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(InputError, match=told):
        load_run(path)
    with pytest.raises(InputError, match="No such file"):
        load_run(tmp_path / "nothing.jsonl")


@pytest.mark.parametrize(("tail", "told"), [('{"id": "a', "unfinished"), ('{"id": 5}\n', "line 4: id: ")])
def test_a_torn_or_wrong_line_is_told(path: Path, tail: Any, told: str) -> None:
    """It is an error to whoever reads the run, never the end of it."""
    with path.open("a", encoding="utf-8") as file:
        file.write(tail)
    run: Run = load_run(path)
    with pytest.raises(InputError, match=told):
        list(run)


def test_a_run_that_ends_too_early_is_no_run(tmp_path: Path) -> None:
    """The figures of a part would read as those of the whole; whoever goes on with it may read what is there."""
    path = tmp_path / "run.jsonl"
    path.write_text(line_of(HEADER.replace(answers=2)) + line_of(SCORED), "utf-8")
    run = load_run(path)
    assert len(list(run.so_far())) == 1
    with pytest.raises(InputError, match=r"ends after 1 of 2 answers; grounding eval --resume goes on"):
        list(run)
