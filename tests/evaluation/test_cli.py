"""`grounding eval` as a user runs it: what is printed, what is kept, what is refused, and with which exit code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from grounding_middleware import Grounder, Policy
from grounding_middleware.audit.answers import AuditSink
from grounding_middleware.audit.jsonl import JsonlTrail
from grounding_middleware.cli import app
from grounding_middleware.evaluation import load_run
from grounding_middleware.evaluation.cli import _bar
from grounding_middleware.report import to_json

Golden = Callable[[int], Path]
ANSWER = "Refunds are paid within 9 days [S1]. The fee is 5 EUR [S2]."
SOURCES = ["Refunds are paid within 5 days.", "The fee is 5 EUR."]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["eval", *map(str, arguments)], env={"COLUMNS": "160"})


def printed(result: Result, code: int = 0) -> str:
    assert result.exit_code == code, result.output
    return result.stdout


def test_the_figures(golden: Golden) -> None:
    """Both error directions together, every label apart, intervals, the baseline, segments."""
    text = printed(run(golden(20), "--baseline"))
    for told in (
        "20 answers of golden-20.jsonl", "no judge", "unsupported claims, as written", "unsupported claims, after",
        "critical facts missing, after", "not found, rightly", "recall", "false positive rate", "contradiction escapes",
        "supported citation precision", "Citation resolver, apart from meaning (ME-7)", "Beside word overlap",
        "whole check", "By domain", "service", "tasks completed",
    ):  # fmt: skip
        assert told in text
    row = next(line for line in text.splitlines() if line.startswith("unsupported claims, as written"))
    assert row.split()[4:6] == ["60.0", "%"]
    assert "12/20" in row


def test_seven_labels_are_told_apart(golden: Golden) -> None:
    """Supported, contradicted, insufficient, invalid citation, unverified, no claim, abstention: each by name."""
    text = printed(run(golden(10)))
    table = text[text.index("Statements, by the verifier's label") :].split("\n\n")[0]
    names = ("supported", "contradicted", "insufficient", "invalid citation", "unverified", "not a claim", "abstention")
    assert [line for line in table.splitlines()[2:] if line.startswith(names)] == table.splitlines()[2:]
    assert len(table.splitlines()[2:]) == len(names)
    assert "nobody could check it" in table


def test_nothing_to_count_is_named_and_not_zero(golden: Golden) -> None:
    """Rates without a denominator stand in a line of their own."""
    text = printed(run(golden(1)))
    missing = next(line for line in text.splitlines() if "n/a, nothing to count" in line)
    assert "repairs that worked" in missing
    assert "nan" not in text.lower()


def test_json_and_a_kept_run(golden: Golden, tmp_path: Path) -> None:
    """The same figures as data; the run can be opened, and printed again without a check."""
    out, reports = tmp_path / "run.jsonl", tmp_path / "reports.jsonl"
    options = ("--name", "monday", "--seed", 5, "--reports", reports, "--json", "--by", "domain")
    data = json.loads(printed(run(golden(10), "--out", out, *options)))
    assert (data["answers"], data["header"]["name"], data["header"]["seed"]) == (10, "monday", 5)
    assert {one["segment"] for one in data["segments"]} == {"domain"}
    assert len(list(load_run(out))) == len(reports.read_text("utf-8").splitlines()) == 10
    again = json.loads(printed(run(out, "--json", "--by", "domain")))
    assert again == data
    assert "monday: 10 answers" in printed(run(out))


def test_a_segment_nobody_has_is_told(golden: Golden) -> None:
    """A misspelt name must not look like a set without such answers."""
    assert "no answer has a segment 'domian'" in run(golden(2), "--by", "domian").stderr


def test_a_wrong_line_is_told_before_anything_is_checked(golden: Golden, tmp_path: Path) -> None:
    """Not after hours, with half a run on the disk."""
    path, out = golden(20), tmp_path / "run.jsonl"
    with path.open("a") as file:
        file.write('{"id": "x"}\n')
    assert "line 21: " in run(path, "--out", out).stderr
    assert not out.exists()


def test_on_a_terminal_a_bar_moves(golden: Golden, monkeypatch: pytest.MonkeyPatch) -> None:
    """On standard error, up to the number of answers; standard output has the figures alone."""
    monkeypatch.setattr("grounding_middleware.evaluation.cli.sys.stderr.isatty", lambda: True, raising=False)
    with _bar([str(golden(4))]) as progress:
        for done in range(5):
            progress(done)


def test_resuming(golden: Golden, tmp_path: Path) -> None:
    """An unfinished run goes on; a new one over an old one does not begin."""
    out = tmp_path / "run.jsonl"
    printed(run(golden(6), "--out", out))
    content = out.read_bytes()
    assert "is there already" in run(golden(6), "--out", out).stderr
    out.write_bytes(content[:-30])
    printed(run(golden(6), "--out", out, "--resume"))
    assert [one.id for one in load_run(out)] == [f"a{number}" for number in range(6)]


def test_a_spec_is_measured(golden: Golden, tmp_path: Path) -> None:
    """Its policy decides what leaves."""
    spec = tmp_path / "grounding.yaml"
    spec.write_text("grounding: 1\npreset: high\npolicy: {needs_judge: false}\n", "utf-8")
    strict, mild = (json.loads(printed(run(golden(10), "--json", *more))) for more in (("--spec", spec), ()))
    left = [next(one["k"] for one in data["rates"] if one["name"] == "unsupported_after") for data in (strict, mild)]
    assert left[0] < left[1]


def test_a_crash_is_told(golden: Golden) -> None:
    """By number and kind, with an exit code of its own."""
    path = golden(3)
    with path.open("a") as file:
        file.write(json.dumps({"id": "broken", "answer": "Yes.", "sources": [{"id": "S1"}]}) + "\n")
    text = printed(run(path), code=1)
    assert "! checks that crashed, in no figure below: 1, InputError: " in text


def report_lines(path: Path) -> Path:
    grounder = Grounder(policy=Policy(needs_judge=False))
    reports = [grounder.check(answer, evidence=SOURCES) for answer in (ANSWER, "The fee is 5 EUR [S2].")]
    path.write_text("".join(f"{to_json(report)}\n" for report in reports), "utf-8")
    return path


def test_stored_reports_are_opinion(tmp_path: Path) -> None:
    """Without gold the figures are the verifier's own, and say so; nothing is measured against anything."""
    path = report_lines(tmp_path / "reports.jsonl")
    text = printed(run(path))
    assert "! nobody labelled these answers: how often the verifier is wrong cannot be told" in text
    assert "By the verifier's own labels: its opinion, no gold" in text
    assert "claims found wrong, as written" in text
    assert "recall" not in text
    out = tmp_path / "run.jsonl"
    printed(run(path, path, "--out", out))
    kept = load_run(out)
    assert (kept.header.gold, len({one.id for one in kept})) == (False, 4)


def test_an_audit_trail_is_opinion(tmp_path: Path) -> None:
    """One answer a record; what was purged is an error, not a clean answer."""
    trail = JsonlTrail(tmp_path / "trail")
    grounder = Grounder(policy=Policy(needs_judge=False), sinks=(AuditSink(trail), AuditSink(trail, keep="hashes")))
    grounder.check(ANSWER, evidence=SOURCES)
    data = json.loads(printed(run(tmp_path / "trail", "--json"), code=1))
    assert (data["answers"], data["errors"], data["before"]["CONTRADICTED"]) == (
        2,
        {"InputError: record 2 holds hashes only": 1},
        1,
    )
    (file,) = (tmp_path / "trail").glob("0*.jsonl")
    assert json.loads(printed(run(file, "--json"), code=1))["answers"] == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["none.jsonl"], "none.jsonl"),
        (["{golden}", "--resume"], "allowed together with --out"),
        (["{golden}", "--spec", "none.yaml"], "none.yaml"),
        (["{golden}", "--policy", "gentle"], "gentle.*standard"),
        (["{golden}", "{reports}"], "GOLDEN: allowed are"),
        (["{reports}", "--reports", "new.jsonl"], "nothing is checked here"),
        (["{golden}", "--jobs", "0"], "jobs"),
        (["{golden}", "--out", "none/run.jsonl"], "none/run.jsonl: the folder 'none' does not exist"),
        (["{golden}", "--reports", "none/reports.jsonl"], "the folder 'none' does not exist; allowed is one that does"),
        (["{golden}", "--out", "{new}", "--reports", "{new}"], "for the run and for its reports; allowed are two"),
        (["{reports}", "--out", "none/run.jsonl"], "the folder 'none' does not exist"),
        ([], "GOLDEN"),
    ],
)
def test_bad_usage(golden: Golden, tmp_path: Path, arguments: list[str], told: str) -> None:
    """Exit code 2, one line, the field and what is allowed."""
    places: dict[str, Any] = {"golden": golden(2), "reports": report_lines(tmp_path / "reports.jsonl")}
    result = run(*(one.format(**places, new=tmp_path / "new.jsonl") for one in arguments))
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert re.search(told, " ".join(result.stderr.split()))
    assert not (tmp_path / "new.jsonl").exists()
