"""`grounding probe`: what it prints and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grounding_middleware import Grounder, Policy
from grounding_middleware.audit.answers import AuditSink
from grounding_middleware.audit.jsonl import JsonlTrail
from grounding_middleware.cli import app
from grounding_middleware.report import to_json

DOCUMENT = "Parcels must be weighed at the desk. The desk is open until 18:00. Refunds are paid within ten days."
ANSWER = "Parcels must be weighed at the desk [S1]. Refunds are paid within ten days [S1]."
QUIET = Policy(needs_judge=False)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """A file of plain sentences."""
    path = tmp_path / "desk.md"
    path.write_text(DOCUMENT, "utf-8")
    return path


def run(*arguments: object):
    return CliRunner().invoke(app, ["probe", *map(str, arguments)])


def test_documents_are_probed(document) -> None:
    """One row for each transformation that found something, controls below, exit code 0 when nothing passes."""
    done = run("--source", document, "--only", "negation", "--only", "duty_weakened", "--most", 2)
    assert done.exit_code == 0, done.output
    header = "transformation tried passed 95 % left caught held failed"
    assert " ".join(done.output.splitlines()[0].split()) == header
    assert "1 of the statements unchanged: 1 supported" in done.output
    assert "scale_word" not in done.output


def test_json_holds_everything(document) -> None:
    """Rows with intervals, controls, examples, the seed."""
    done = run("--source", document, "--only", "ten_times", "--only", "spelled_number", "--json", "--seed", 7)
    found = json.loads(done.output)
    assert found["seed"] == 7
    assert found["rows"][1]["name"] == "spelled_number"
    assert found["rows"][1]["tried"] == 1
    assert found["rows"][1]["leak"][0] == 0.0
    assert found["controls"]["false_alarm"][1] < 1


@pytest.mark.parametrize("source", ["golden", "reports", "trail"])
def test_supported_answers_are_probed(source, tmp_path) -> None:
    """Those of a golden set, of stored reports, of an audit trail."""
    sinks = [AuditSink(JsonlTrail(tmp_path / "trail"))]
    report = Grounder(policy=QUIET, sinks=sinks).check(ANSWER, evidence=[DOCUMENT])
    claims = [{"text": claim.text, "label": "SUPPORTED", "cites": ["S1"]} for claim in report.claims]
    (tmp_path / "golden").write_text(
        json.dumps({"id": "1", "answer": ANSWER, "sources": [DOCUMENT], "claims": claims}), "utf-8"
    )
    (tmp_path / "reports").write_text(to_json(report).replace("\n", ""), "utf-8")
    done = run(f"--{source}", tmp_path / source, "--only", "duty_weakened", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    assert (found["statements"], found["rows"][0]["caught"]) == (2, 1)


def test_leaks_end_with_one(document, monkeypatch) -> None:
    """More than --most-leaks that pass as supported, or a verifier that fails."""
    from grounding_middleware.evaluation.probing import command  # noqa: PLC0415  # replaced here only

    monkeypatch.setattr(command, "through", lambda _: lambda attempt: attempt.answer)
    assert run("--source", document, "--only", "duty_weakened").exit_code == 1
    assert run("--source", document, "--only", "duty_weakened", "--most-leaks", 1).exit_code == 0
    monkeypatch.setattr(command, "through", lambda _: lambda _: 1 / 0)
    assert run("--source", document, "--only", "duty_weakened", "--most-leaks", 9).exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "nothing to probe with: give --source, --spans, --golden, --reports or --trail"),
        (["--source", "missing.md"], "no such file"),
        (["--source", "DOC", "--only", "nonsense"], "transformation 'nonsense' does not exist"),
        (["--source", "DOC", "--as-of", "monday"], "'monday' is no day"),
        (["--source", "DOC", "--policy", "lax"], "lax"),
        (["--reports", "DOC"], "allowed is one report as JSON on each line"),
        (["--golden", "missing.jsonl"], "missing.jsonl"),
        (["--trail", "missing"], "holds no audit trail"),
        (["--source", "DOC", "--most", "0"], "most"),
    ],
)
def test_bad_input_ends_with_two_and_one_line(arguments, told, document) -> None:
    """It names what is wrong and what is allowed."""
    done = run(*(str(document) if argument == "DOC" else argument for argument in arguments))
    assert done.exit_code == 2
    assert told in done.output


def test_the_transformations_are_listed() -> None:
    """With what they do and in which languages."""
    done = run("--list")
    assert done.exit_code == 0
    assert (
        "negation             A negation is put in, or the only one there is taken out. [en, de, fr, es]" in done.output
    )
    assert "[any language]" in done.output
