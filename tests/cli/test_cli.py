"""The command line: exit codes, one clear line for every bad input, and output that is safe to pipe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grounding_middleware import __version__
from grounding_middleware.cli import app
from grounding_middleware.commands import EXIT_CODES, WITHHELD
from grounding_middleware.records import Action, Report

POLICY = "The handling fee is EUR 5.\n\nAlcohol is not reimbursed.\n"
SUPPORTED = "Alcohol is not reimbursed [policy#1]."
FEE = "The handling fee is EUR 5 [policy#0]."
CONFLICT = "The handling fee is EUR 7 [policy#0]."
UNKNOWN = "The moon is made of green cheese [policy#1]."


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("policy.md").write_text(POLICY, "utf-8")


def grounding(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def check(answer: str, *arguments: str) -> Result:
    return grounding("check", "-", "--source", "policy.md", *arguments, stdin=answer)


@pytest.mark.parametrize(
    ("answer", "action", "code"),
    [
        (SUPPORTED, Action.OK, 0),
        (f"{SUPPORTED} {FEE} {CONFLICT}", Action.REVISED, 1),
        (f"{SUPPORTED} {UNKNOWN}", Action.REVIEW, 1),
        (CONFLICT, Action.ESCALATE, 3),
    ],
    ids=["ok", "revised", "review", "withheld"],
)
def test_the_exit_code_is_the_action(answer: str, action: Action, code: int) -> None:
    """0 ok, 1 revised or to review, 3 withheld; the report names the action first."""
    result = check(answer)
    assert (result.exit_code, result.stdout.split()[0]) == (code, action.value.upper())


def test_every_action_has_an_exit_code_and_a_new_one_is_withheld() -> None:
    """What the table does not name counts as withheld: a new action can never read as ok."""
    codes = {action: EXIT_CODES.get(action, WITHHELD) for action in Action}
    assert [action for action, code in codes.items() if code == 0] == [Action.OK]
    assert {codes[Action.ESCALATE], codes[Action.BLOCKED], codes[Action.UNANSWERED]} == {3}


def test_the_answer_may_be_a_file() -> None:
    """ANSWER is a path or - for standard input; both give the same report."""
    Path("answer.md").write_text(CONFLICT, "utf-8")
    assert grounding("check", "answer.md", "--source", "policy.md").stdout == check(CONFLICT).stdout


def test_the_report_shows_claim_label_quote_and_what_the_reader_sees() -> None:
    """Without a terminal the report is plain text without colour."""
    output = check(CONFLICT, "--question", "What is the fee?").stdout
    for part in (
        "CONTRADICTED",
        CONFLICT.partition(" [")[0],
        "policy#0 [",
        "source [",
        "What is the fee?",
        "What the reader sees",
    ):
        assert part in output
    assert "\x1b" not in output


def test_json_is_the_whole_report() -> None:
    """`--json` prints one line of JSON that is the record itself, non-ASCII text included."""
    result = check(f"{SUPPORTED} Ключ 日本 “x”.", "--json")
    report = Report.model_validate_json(result.stdout)
    assert report.answer.endswith("Ключ 日本 “x”.")
    assert result.stdout.count("\n") == 1


def test_spans_can_come_from_a_file() -> None:
    """`--spans` takes ready-made spans; ids in the answer are theirs."""
    Path("spans.json").write_text(json.dumps([{"id": "S1", "text": "Alcohol is not reimbursed."}]), "utf-8")
    result = grounding("check", "-", "--spans", "spans.json", stdin="Alcohol is not reimbursed [S1].")
    assert result.exit_code == 0, result.output


def test_day_and_requester_decide_what_applies() -> None:
    """`--as-of` and `--requester` reach the evidence: expired and foreign sources cannot be cited."""
    Path("policy.md").write_text(f"---\neffective_to: 2025-12-31\naudience:\n  region: [EU]\n---\n{POLICY}", "utf-8")
    assert check(SUPPORTED, "--as-of", "2025-06-01", "--requester", "region=EU").exit_code == 0
    late, foreign = check(SUPPORTED, "--as-of", "2026-06-01"), check(SUPPORTED, "--requester", "region=US")
    for result in (late, foreign):
        assert result.exit_code == 3
        assert "INVALID_CITATION" in result.stdout
    assert check(SUPPORTED, "--requester", "region=US", "--requester", "region=EU").exit_code == 0


def test_a_policy_is_chosen_by_name() -> None:
    """`--policy high` withholds what nobody could check; standard leaves it to a reviewer."""
    mixed = f"{SUPPORTED} {UNKNOWN}"
    assert check(mixed).exit_code == 1
    assert "green cheese" not in check(mixed, "--policy", "high").stdout.partition("What the reader sees")[2]


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["-", "--source", "policy.md"], "", "holds no text"),
        (["-", "--source", "policy.md"], " \n\t", "holds no text"),
        (["-"], "x", "no evidence: give --source FILE or --spans FILE"),
        (["nothing.md", "--source", "policy.md"], "", "'nothing.md' is no file; allowed is a file, or -"),
        (["An answer as an argument. " * 50, "--source", "policy.md"], "", "is no file; allowed is a file, or -"),
        (["-", "--source", "A source as an argument. " * 50], "x", "no such file"),
        (["-", "--spans", "spans" * 100], "x", "File name too long"),
        ([".", "--source", "policy.md"], "", "is a folder"),
        (["-", "--source", "nothing.md"], "x", "no such file"),
        (["-", "--source", "*.nothing"], "x", "no file fits it"),
        (["-", "--source", "."], "x", "is a folder"),
        (["-", "--source", "empty.md"], "x", "holds no text"),
        (["-", "--source", "binary"], "x", "is a binary file"),
        (["-", "--source", "latin1.md"], "x", "is not UTF-8"),
        (["-", "--spans", "broken.json"], "x", "is not JSON"),
        (["-", "--spans", "twice.json"], "x", "'S1' occurs twice"),
        (["-", "--spans", "beyond.json"], "x", "does not fit a text of 1 characters"),
        (["-", "--spans", "empty.json"], "x", "holds no span"),
        (["-", "--source", "policy.md", "--spans", "clash.json"], "x", "'policy#0' occurs twice"),
        (["-", "--source", "policy.md", "--as-of", "soon"], "x", "as_of: 'soon' is no ISO date"),
        (["-", "--source", "policy.md", "--requester", "region"], "x", "allowed is KEY=VALUE"),
        (["-", "--source", "policy.md", "--policy", "lax"], "x", "allowed are low, standard, high"),
        (["-", "policy.md", "--source", "policy.md"], "x", "quote patterns"),
        (["-", "--source", "policy.md"], b"caf\xe9", "standard input: is not UTF-8"),
        (["-", "--source", "policy.md"], b"a\0b", "standard input: is a binary file"),
        (["-", "--source", "policy.md"], "x" * 10_000_000, "standard input: is larger than 1,000,000 bytes"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: list[str], stdin: str | bytes, message: str) -> None:
    """Exit code 2, nothing on standard output, one line on standard error, never a traceback."""
    for name, data in {
        "empty.md": b"",
        "binary": b"\x7fELF\0\0",
        "latin1.md": b"caf\xe9",
        "broken.json": b'[{"id": ',
        "twice.json": b'[{"id": "S1", "text": "x"}, {"id": "S1", "text": "y"}]',
        "beyond.json": b'[{"id": "S1", "text": "x", "start": 5, "end": 99}]',
        "empty.json": b"[]",
        "clash.json": b'[{"id": "policy#0", "text": "x"}]',
    }.items():
        Path(name).write_bytes(data)
    result = grounding("check", *arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("grounding: error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


@pytest.mark.parametrize("arguments", [["check"], ["check", "-", "--nonsense"], ["nonsense"], []])
def test_bad_usage_is_exit_code_two(arguments: list[str]) -> None:
    """Missing or unknown arguments never look like a verdict."""
    assert grounding(*arguments).exit_code == 2


@pytest.mark.parametrize("answer", ["---", "# Title", "?", "[policy#0]", "🙂"])
def test_an_answer_without_a_statement_is_a_visible_state(answer: str) -> None:
    """Nothing to check is said aloud, and is no error."""
    result = check(answer)
    assert result.exit_code in (0, 1, 3)
    assert "0 claims" in result.stdout


def test_version_and_schema() -> None:
    """`--version` names the package, `schema` prints the JSON Schema of the report."""
    assert grounding("--version").stdout == f"grounding-middleware {__version__}\n"
    schema = json.loads(grounding("schema").stdout)
    assert schema["title"] == "Report"
    assert "claims" in schema["properties"]


def test_the_demo_names_the_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the LangChain integration the demo says what to install."""
    monkeypatch.setitem(__import__("sys").modules, "grounding_middleware_langchain.demo", None)
    result = grounding("demo")
    assert result.exit_code == 2
    assert 'pip install "grounding-middleware[langchain]"' in result.stderr
