"""`grounding check --diagnose` and `grounding diagnose`: causes in words, as JSON, and totals over many reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grounding_middleware import Grounder, Policy
from grounding_middleware.cli import app
from grounding_middleware.report import to_json

QUIET = Grounder(policy=Policy(needs_judge=False))
FEE = ["The handling fee is EUR 5.", "Alcohol is not reimbursed."]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("policy.md").write_text("\n\n".join(FEE), "utf-8")


def grounding(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def reports() -> str:
    answers = ["The handling fee is EUR 7 [S1].", "Alcohol is not reimbursed [S1].", "Alcohol is not reimbursed [S2]."]
    return "".join(f"{to_json(QUIET.check(answer, evidence=FEE))}\n" for answer in answers)


def test_check_names_the_causes_on_request() -> None:
    """The cause stands below the report, with the passage; without the option nothing changes."""
    answer = "The handling fee is EUR 7 [policy#0]."
    result = grounding("check", "-", "--source", "policy.md", "--diagnose", stdin=answer)
    assert result.exit_code == 3
    head, _, causes = result.stdout.partition("Probable causes")
    assert "1 contradiction  values: source 'EUR 5', answer 'EUR 7'" in causes
    assert "policy#0 [0:26] “The handling fee is EUR 5.”" in causes
    assert grounding("check", "-", "--source", "policy.md", stdin=answer).stdout.rstrip() == head.rstrip()


def test_nothing_to_diagnose_is_said() -> None:
    """An answer without a failed claim has no causes, in words."""
    result = grounding(
        "check", "-", "--source", "policy.md", "--diagnose", stdin="Alcohol is not reimbursed [policy#1]."
    )
    assert "no claim failed" in result.stdout


def test_json_and_causes_are_two_commands() -> None:
    """The report's JSON has one shape; the message says how to get both."""
    result = grounding("check", "-", "--source", "policy.md", "--diagnose", "--json", stdin="x")
    assert result.exit_code == 2
    assert "grounding diagnose --json -" in result.stderr


def test_a_stream_of_reports() -> None:
    """Causes of each answer, then the totals of all."""
    result = grounding("diagnose", "-", stdin=reports())
    assert result.exit_code == 0
    assert result.stdout.count("Probable causes") == 2
    assert "3 answers, 3 claims, 2 failed, 2 probable causes" in result.stdout
    assert "Probable" not in grounding("diagnose", "--totals", "-", stdin=reports()).stdout


def test_as_json_lines() -> None:
    """One object for each cause, the totals last."""
    Path("reports.jsonl").write_text(reports(), "utf-8")
    lines = [json.loads(line) for line in grounding("diagnose", "--json", "reports.jsonl").stdout.splitlines()]
    assert [line.get("cause") for line in lines] == ["contradiction", "alignment", None]
    assert (lines[-1]["answers"], len(lines[-1]["rows"])) == (3, 6)


@pytest.mark.parametrize(
    ("argument", "stdin", "part"),
    [
        ("none.jsonl", "", "none.jsonl"),
        ("-", '{"answer": 1}', "line 1"),
        ("-", "no json", "line 1"),
        (".", "", "reports"),
    ],
)
def test_bad_input_is_one_clear_line(argument: str, stdin: str, part: str) -> None:
    """Exit code 2 and one line that names file, line and field."""
    result = grounding("diagnose", argument, stdin=stdin)
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
    assert part in result.stderr


def test_names_of_sources_cannot_recolour_the_screen() -> None:
    """Escape sequences in ids are shown, not obeyed."""
    span = {"id": "S\x1b[31m", "text": "The handling fee is EUR 5."}
    report = to_json(QUIET.check("The handling fee is EUR 7.", evidence=[span]))
    assert "\x1b" not in grounding("diagnose", "-", stdin=report).stdout
