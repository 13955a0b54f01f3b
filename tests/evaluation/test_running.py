"""Runs of many answers: the same whoever makes them, in order, and finished after any interruption."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from grounding_middleware import ConfigError, Grounder, InputError, Policy
from grounding_middleware.errors import GroundingError
from grounding_middleware.evaluation import Scored, load, load_run
from grounding_middleware.evaluation.grounders import FromSpec, described
from grounding_middleware.evaluation.pools import mapped
from grounding_middleware.evaluation.resuming import cut_torn_line
from grounding_middleware.evaluation.running import Plan, evaluate, header_of, merge
from grounding_middleware.evaluation.runs import line_of
from grounding_middleware.evaluation.scoring import score
from grounding_middleware.records import Report

Golden = Callable[[int], Path]
NO_JUDGE = Policy(needs_judge=False)


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(policy=NO_JUDGE)


def untimed(run: Iterable[Scored]) -> list[Scored]:
    """Everything but how long it took."""
    return [one.model_copy(update={"elapsed_ms": None, "tiers": ()}) for one in run]


def lines_of(path: Path) -> int:
    return len(path.read_text("utf-8").splitlines())


def test_a_run_has_every_answer_in_order(golden: Golden, grounder: Grounder, tmp_path: Path) -> None:
    """As scored one by one, with a header that says what was measured."""
    path, seen = golden(20), list[int]()
    run = evaluate([path], grounder, tmp_path / "run.jsonl", Plan(name="first", seed=3, progress=seen.append))
    assert untimed(run) == untimed(score(example, grounder) for example in load([path]))
    assert [one.id for one in run] == [f"a{number}" for number in range(20)]
    assert seen == list(range(21))
    header = run.header
    assert (header.name, header.seed, header.golden, header.gold) == ("first", 3, (path.name,), True)
    assert "no judge" in header.grounder
    assert run.header == load_run(run.path).header


def test_processes_give_the_same_run(golden: Golden, grounder: Grounder, tmp_path: Path) -> None:
    """In the same order, reports as well."""
    path = golden(30)
    alone = evaluate([path], grounder, tmp_path / "one.jsonl", Plan(reports=tmp_path / "one-reports.jsonl"))
    plan = Plan(processes=2, reports=tmp_path / "two-reports.jsonl")
    together = evaluate([path], FromSpec(), tmp_path / "two.jsonl", plan)
    assert untimed(alone) == untimed(together)
    reports = [
        [Report.model_validate_json(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]
        for name in ("one-reports.jsonl", "two-reports.jsonl")
    ]
    assert [report.claims for report in reports[0]] == [report.claims for report in reports[1]]
    assert len(reports[0]) == 30


def test_answers_wait_for_their_judge_together(golden: Golden, tmp_path: Path) -> None:
    """With `concurrent`, so many requests are under way at once, in one event loop, and never more."""
    under_way = most = 0
    loops = set()

    async def judge(prompt: str) -> str:
        nonlocal under_way, most
        loops.add(asyncio.get_running_loop())
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.02)
        under_way -= 1
        return f"? {len(prompt)}"

    path = golden(10)
    run = evaluate([path], Grounder(judge=judge), tmp_path / "run.jsonl", Plan(concurrent=2))
    assert [one.id for one in run] == [f"a{number}" for number in range(10)]
    assert (most, len(loops)) == (2, 1)


@pytest.mark.parametrize("kept", [0.0, 0.03, 0.5, 0.999, 1.0])
def test_an_interrupted_run_is_finished(golden: Golden, grounder: Grounder, tmp_path: Path, kept: float) -> None:
    """Wherever it was cut, in a header, a line or between two: the result is that of a run without interruption."""
    path, whole = golden(12), tmp_path / "whole.jsonl"
    plan = Plan(reports=tmp_path / "whole-reports.jsonl")
    complete = evaluate([path], grounder, whole, plan)
    torn, reports = tmp_path / "torn.jsonl", tmp_path / "torn-reports.jsonl"
    content = whole.read_bytes()
    torn.write_bytes(content[: int(len(content) * kept)])
    done = max(0, torn.read_bytes().count(b"\n") - 1)
    told = (tmp_path / "whole-reports.jsonl").read_bytes().splitlines(keepends=True)
    reports.write_bytes(b"".join(told[: done + 1])[:-5] if done < 12 else b"".join(told))  # one ahead, and torn
    asked: list[int] = []
    resumed = evaluate([path], grounder, torn, Plan(resume=True, reports=reports, progress=asked.append))
    assert untimed(resumed) == untimed(complete)
    assert asked[0] == done  # what was there was not checked again
    assert [Report.model_validate_json(line).answer for line in reports.read_bytes().splitlines()] == [
        one.answer for one in complete
    ]


def test_killed_and_resumed(golden: Golden, grounder: Grounder, tmp_path: Path) -> None:
    """A real process, `kill -9` in the middle, its workers go with it; resumed, it equals a run that nobody killed."""
    path, out = golden(150), tmp_path / "run.jsonl"
    command = [sys.executable, "-m", "grounding_middleware", "eval", str(path), "--out", str(out), "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    patience = time.monotonic() + 300
    while not (out.exists() and lines_of(out) > 10):
        assert process.poll() is None, "ended before it could be killed"
        assert time.monotonic() < patience
        time.sleep(0.02)
    children = _children(process.pid)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    before = lines_of(out)
    assert 10 < before < 151
    _wait_for_end_of(children)
    run = evaluate([path], FromSpec(), out, Plan(resume=True))
    assert untimed(run) == untimed(evaluate([path], grounder, tmp_path / "whole.jsonl"))


def _children(pid: int) -> list[int]:
    """Processes begun by another; only Linux tells."""
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def _wait_for_end_of(pids: Iterable[int]) -> None:
    patience = time.monotonic() + 120
    for pid in pids:
        while (
            Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split(")")[-1].split()[0]
        ):
            assert time.monotonic() < patience, f"{pid} outlives its parent"
            time.sleep(0.05)


def test_only_the_same_run_is_resumed(golden: Golden, grounder: Grounder, tmp_path: Path) -> None:
    """Answers of another set, or of another verifier, must not be mixed into one run."""
    out = tmp_path / "run.jsonl"
    evaluate([golden(5)], grounder, out)
    resume = Plan(resume=True)
    for path, other, told in (
        (golden(6), grounder, "golden_sha256"),
        (golden(5), Grounder(policy=Policy.preset("high", needs_judge=False)), "grounder_sha256"),
        (golden(5), Grounder(policy=NO_JUDGE, checks=grounder.checks[1:]), "grounder_sha256"),
    ):
        with pytest.raises(InputError, match=f"cannot be resumed: its {told}"):
            evaluate([path], other, out, resume)
    with pytest.raises(InputError, match="seed"):
        evaluate([golden(5)], grounder, out, Plan(resume=True, seed=1))
    assert lines_of(out) == 6
    lines = out.read_text("utf-8").splitlines(keepends=True)
    out.write_text("".join((lines[0], lines[2])), "utf-8")
    with pytest.raises(InputError, match="its answer 1 is 'a1', that of the golden set is 'a0'"):
        evaluate([golden(5)], grounder, out, resume)


def test_nothing_is_overwritten(golden: Golden, grounder: Grounder, tmp_path: Path) -> None:
    """Hours of work do not vanish because a name was used before."""
    out = tmp_path / "run.jsonl"
    out.write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        evaluate([golden(2)], grounder, out)
    with pytest.raises(InputError, match="is there already"):
        evaluate([golden(2)], grounder, tmp_path / "new.jsonl", Plan(reports=out))
    assert out.read_text() == "mine"


def test_what_cannot_be_run_is_refused(golden: Golden, grounder: Grounder, tmp_path: Path) -> None:
    """Before anything is checked."""
    for wrong in (0, -1, 1.5):
        with pytest.raises(ConfigError, match="processes: got"):
            Plan(processes=wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="allowed is a function that makes one"):
        evaluate([golden(2)], grounder, tmp_path / "run.jsonl", Plan(processes=2))


@pytest.mark.parametrize(
    ("content", "left"),
    [
        (b"", b""),
        (b"one", b""),
        (b"one\n", b"one\n"),
        (b"one\ntwo", b"one\n"),
        (b"one\n" + b"x" * 200_000, b"one\n"),
        (b"y" * 100_000 + b"\n" + b"x" * 70_000, b"y" * 100_000 + b"\n"),
    ],
)
def test_exactly_the_torn_line_is_cut(tmp_path: Path, content: bytes, left: bytes) -> None:
    """However long it is, and nothing before it."""
    path = tmp_path / "run.jsonl"
    path.write_bytes(content)
    assert cut_torn_line(path) == len(left)
    assert path.read_bytes() == left


def test_another_engine_makes_the_same_run(golden: Golden, grounder: Grounder, tmp_path: Path) -> None:
    """`score` in any order on any machine, a file for each part, `merge`."""
    path = golden(9)
    plan = Plan()
    examples, header = list(load([path])), header_of([path], grounder, plan)
    parts = []
    for number in (2, 0, 1):
        part = tmp_path / f"part-{number}.jsonl"
        done = (score(example, grounder) for example in examples[3 * number : 3 * number + 3])
        part.write_text(line_of(header) + "".join(map(line_of, done)), "utf-8")
        parts.append(part)
    merged = merge(sorted(parts), tmp_path / "merged.jsonl")
    whole = evaluate([path], grounder, tmp_path / "whole.jsonl", plan)
    assert untimed(merged) == untimed(whole)
    assert merged.header.golden_sha256 == whole.header.golden_sha256
    with pytest.raises(InputError, match="was in a part before it"):
        merge([parts[0], parts[0]], tmp_path / "twice.jsonl")
    other = evaluate([golden(2)], grounder, tmp_path / "other.jsonl")
    with pytest.raises(InputError, match="of another golden set or grounder"):
        merge([parts[0], other.path], tmp_path / "mixed.jsonl")


def test_a_grounder_is_told_by_what_changes_its_verdicts() -> None:
    """Equal settings, equal hash; a check less, another judge, another policy: another one."""

    def house(prompt: str) -> str:
        return prompt

    made: list[Grounder] = [
        Grounder(policy=NO_JUDGE),
        Grounder(policy=NO_JUDGE, checks=Grounder(policy=NO_JUDGE).checks[:-1]),
        Grounder(judge=house, policy=NO_JUDGE),
        Grounder(policy=NO_JUDGE.replace(escalate_above=0.5)),
    ]
    assert described(made[0]) == described(Grounder(policy=NO_JUDGE))
    assert len({described(one)[1] for one in made}) == len(made)
    assert "house" in described(made[2])[0]


def test_a_dead_process_is_an_error() -> None:
    """Never a shorter run, and never a wait for ever; what the work raises is raised."""
    with pytest.raises(GroundingError, match="a process died"):
        list(mapped(os._exit, [9], 2))
    with pytest.raises(ValueError, match="math domain"):
        list(mapped(math.sqrt, [4, -1, 9], 2))


def test_few_parts_are_under_way() -> None:
    """A stream of any length is read as it is worked on."""
    read = 0

    def parts() -> Iterator[int]:
        nonlocal read
        while read < 100:
            read += 1
            yield -read

    results = mapped(abs, parts(), 2)
    assert next(results) == 1
    assert read < 15
    assert list(results) == list(range(2, 101))
