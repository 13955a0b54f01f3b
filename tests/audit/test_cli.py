"""`grounding audit`: what it prints and the exit codes scripts rely on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from grounding_middleware import Report
from grounding_middleware.audit import AuditSink, Entry, JsonlTrail, RecordKind
from grounding_middleware.cli import app
from grounding_middleware.judges.caching import SqliteCache

from .conftest import checked, lines

Audit = Callable[..., Result]


@pytest.fixture
def recorded(trail: JsonlTrail, report: Report) -> JsonlTrail:
    """One revised answer, one that is ok, one of hashes only."""
    AuditSink(trail)(report)
    AuditSink(trail)(checked("Dogs travel free of charge [S1]."))
    AuditSink(trail, keep="hashes")(checked("Bicycles may be taken on board [S1]."))
    return trail


@pytest.fixture
def audit(recorded: JsonlTrail) -> Audit:
    """Runs `grounding audit COMMAND TRAIL ...`."""
    return lambda command, *more: CliRunner().invoke(app, ["audit", command, str(recorded.folder), *more])


def head(audit: Audit) -> str:
    return audit("verify").output.rstrip().rpartition(" ")[2]


def test_an_intact_trail_is_0(audit: Audit) -> None:
    """With the counts and the head to keep elsewhere."""
    result = audit("verify")
    assert result.exit_code == 0
    assert re.fullmatch(r"3 records, 0 of them purged, 0 faults; head 3:[0-9a-f]{64}\n", result.output)


def test_a_changed_trail_is_3_and_says_where(audit: Audit, recorded: JsonlTrail) -> None:
    """File, line, record and what does not fit."""
    (path,) = recorded.folder.glob("*.jsonl")
    path.write_text(path.read_text("ascii").replace("ferry", "furry", 1), "ascii")
    result = audit("verify")
    assert result.exit_code == 3
    assert f"{path}:1: record 1: its content was changed" in result.output
    assert "1 faults" in result.output


def test_a_torn_end_is_1(audit: Audit, recorded: JsonlTrail) -> None:
    """Not a change, but something to look at."""
    (path,) = recorded.folder.glob("*.jsonl")
    with path.open("a") as file:
        file.write("half")
    result = audit("verify")
    assert result.exit_code == 1
    assert f"{path}:4: an unfinished record, never acknowledged" in result.output


def test_a_cut_end_is_3_with_the_head_that_was_kept(audit: Audit, recorded: JsonlTrail) -> None:
    """Without it nobody can tell."""
    kept = head(audit)
    (path,) = recorded.folder.glob("*.jsonl")
    path.write_text("".join(path.read_text("ascii").splitlines(keepends=True)[:2]), "ascii")
    assert audit("verify").exit_code == 0
    result = audit("verify", "--expect-head", kept)
    assert result.exit_code == 3
    assert "record 3: is not there, the trail ends at record 2: its end was cut off" in result.output


def test_a_head_stays_right_when_the_trail_grows(audit: Audit, recorded: JsonlTrail) -> None:
    """An anchor is a record that must be there, not the last one."""
    kept = head(audit)
    recorded.append(Entry(kind=RecordKind.ANSWER))
    assert audit("verify", "--expect-head", kept).exit_code == 0


@pytest.mark.parametrize("wrong", ["3", "3:xyz", f"x:{'0' * 64}", ""])
def test_a_wrong_head_is_2(audit: Audit, wrong: str) -> None:
    """Bad usage, not a changed trail."""
    result = audit("verify", "--expect-head", wrong)
    assert result.exit_code == 2
    assert "allowed is NUMBER:HASH" in result.output


@pytest.mark.parametrize("command", ["verify", "show", "export", "purge", "replay", "recheck"])
def test_no_trail_is_2(tmp_path: Path, command: str) -> None:
    """And no trail is made by looking for one."""
    more = {"show": ["1"], "purge": ["--retention", "1"], "recheck": ["--source", "S1", "--withdrawn"]}
    result = CliRunner().invoke(app, ["audit", command, str(tmp_path / "none"), *more.get(command, [])])
    assert result.exit_code == 2
    assert "holds no audit trail" in result.output
    assert not (tmp_path / "none").exists()


def test_one_file_can_be_verified(audit: Audit, recorded: JsonlTrail) -> None:
    """A part of a trail, such as a copy of one file."""
    (path,) = recorded.folder.glob("*.jsonl")
    assert CliRunner().invoke(app, ["audit", "verify", str(path)]).exit_code == 0


def test_show_prints_one_record_or_all_about_an_answer(audit: Audit, recorded: JsonlTrail, report: Report) -> None:
    """By number, or by the id of the answer, as a report for people."""
    recorded.append(
        Entry(kind=RecordKind.ADJUDICATION, subject=report.answer_id, content={"note": "looks \x1b[31mred"})
    )
    by_number = audit("show", "2").output
    assert by_number.startswith("record 2 ")
    assert "Dogs travel free of charge" in by_number
    by_answer = audit("show", report.answer_id).output
    assert [line.split()[1] for line in by_answer.splitlines() if line.startswith("record ")] == ["1", "4"]
    assert "REVISED" in by_answer
    assert "\x1b" not in by_answer
    assert "hashes" in audit("show", "3").output


def test_show_prints_the_stored_line_as_json(audit: Audit, recorded: JsonlTrail) -> None:
    """Byte for byte."""
    assert audit("show", "1", "--json").output == lines(recorded)[0] + "\n"


def test_show_of_nothing_is_2(audit: Audit) -> None:
    """An unknown number or id is named."""
    result = audit("show", "99")
    assert (result.exit_code, "99: no such record" in result.output) == (2, True)


def test_export_prints_the_lines_as_they_are_stored(audit: Audit, recorded: JsonlTrail) -> None:
    """All of them, or those of an action, a kind, a time."""
    stored = lines(recorded)
    assert audit("export").output.splitlines() == stored
    assert audit("export", "--action", "revised").output.splitlines() == stored[:1]
    assert audit("export", "--action", "revised", "--action", "ok").output.splitlines() == stored
    assert audit("export", "--kind", "purge").output == ""
    moment = json.loads(stored[1])["head"]["time"]
    assert audit("export", "--since", moment).output.splitlines() == stored[1:]
    assert audit("export", "--until", moment).output.splitlines() == stored[:1]
    assert audit("export", "--since", "2999-01-01").output == ""


def test_an_export_can_be_verified(audit: Audit, tmp_path: Path) -> None:
    """It is a file of the trail's own form."""
    copy = tmp_path / "copy.jsonl"
    copy.write_text(audit("export").output, "ascii")
    assert CliRunner().invoke(app, ["audit", "verify", str(copy)]).exit_code == 0


def test_purge_by_retention_date_and_answer(audit: Audit, report: Report) -> None:
    """What was purged is counted, stays verifiable, and is shown as purged."""
    assert "0 contents" in audit("purge", "--retention", "30").output
    assert "0 contents" in audit("purge", "--before", "2020-01-01").output
    assert "1 contents" in audit("purge", "--answer", report.answer_id).output
    assert "Its content was purged." in audit("show", "1").output
    assert "2 contents" in audit("purge", "--retention", "0").output
    result = audit("verify")
    assert (result.exit_code, "5 records, 3 of them purged" in result.output) == (0, True)


@pytest.mark.parametrize(
    "wrong", [[], ["--before", "soon"], ["--before", "2026-01-01", "--retention", "3"], ["--retention", "-1"]]
)
def test_a_purge_of_nothing_in_particular_is_2(audit: Audit, recorded: JsonlTrail, wrong: list[str]) -> None:
    """And purges nothing."""
    before = lines(recorded)
    assert audit("purge", *wrong).exit_code == 2
    assert lines(recorded) == before


def test_replay_under_another_policy_tells_what_changes(audit: Audit, report: Report) -> None:
    """Each answer that changes, its claims with the reason, the skipped ones, and totals; exit code 1."""
    result = audit("replay", "--policy", "high")
    assert result.exit_code == 1
    assert f"{report.answer_id} record 1: revised -> blocked, the text shown changes" in result.output
    assert "CONTRADICTED, remove -> CONTRADICTED, block; critical-withholds:" in result.output
    assert "record 3: skipped, record 3 holds hashes only" in result.output
    assert result.output.endswith("3 answers, 1 changed, 1 skipped; revised -> blocked: 1\n")


def test_replay_that_changes_nothing_is_0(audit: Audit) -> None:
    """Under the same rules, by policy or by verifier."""
    assert audit("replay").exit_code == 0
    assert audit("replay", "--verifier").exit_code == 0


def test_replay_under_a_policy_from_a_file(audit: Audit, tmp_path: Path) -> None:
    """JSON and YAML; a wrong one names field and what is allowed."""
    (tmp_path / "p.yaml").write_text("risk: high\n")
    (tmp_path / "p.json").write_text('{"escalate_above": 0.1}')
    (tmp_path / "bad.yaml").write_text("escalate_above: 7\n")
    (tmp_path / "worse.json").write_text("{")
    assert "blocked" in audit("replay", "--policy", str(tmp_path / "p.yaml")).output
    assert "escalate" in audit("replay", "--policy", str(tmp_path / "p.json")).output
    for name in ("bad.yaml", "worse.json", "none"):
        result = audit("replay", "--policy", str(tmp_path / name))
        assert (result.exit_code, result.output.startswith("grounding: error: ")) == (2, True)


def test_replay_by_the_verifier_of_a_spec(audit: Audit, tmp_path: Path) -> None:
    """Policy, rules and judges of the spec; a wrong spec is 2."""
    (tmp_path / "s.yaml").write_text("grounding: 1\npreset: high\n")
    (tmp_path / "bad.yaml").write_text("grounding: 1\npreset: hihg\n")
    assert "revised -> blocked" in audit("replay", "--spec", str(tmp_path / "s.yaml")).output
    assert audit("replay", "--spec", str(tmp_path / "bad.yaml")).exit_code == 2


def test_a_local_model_that_is_not_there_is_2(audit: Audit, tmp_path: Path) -> None:
    """Said in one line."""
    result = audit("replay", "--nli", str(tmp_path / "none"))
    assert (result.exit_code, result.output.count("\n")) == (2, 1)


def test_replay_as_json_lines(audit: Audit, report: Report) -> None:
    """One object for each answer, also for those that do not change."""
    rows = [json.loads(line) for line in audit("replay", "--policy", "high", "--json").output.splitlines()]
    assert rows[0]["answer_id"] == report.answer_id
    assert [row.get("after") for row in rows] == ["blocked", "ok", None]


def test_recheck_prints_which_verdicts_changed(audit: Audit, tmp_path: Path, report: Report) -> None:
    """Against the file of the new version; the trail has a record of it; exit code 1."""
    new = tmp_path / "ferry.md"
    new.write_text("---\nversion: '2'\n---\nThe ferry leaves at 08:45. Dogs travel for 3 euros.\n")
    result = audit("recheck", "--source", "S1", "--file", str(new))
    assert result.exit_code == 1
    assert f"{report.answer_id} record 1: " in result.output
    assert "CONTRADICTED (time) by checks -> SUPPORTED by checks" in result.output
    assert "3 answers, 2 changed, 1 skipped" in result.output
    assert audit("export", "--kind", "recheck").output.count("\n") == 3


def test_recheck_that_changes_nothing_is_0(audit: Audit) -> None:
    """No stored answer rests on it."""
    result = audit("recheck", "--source", "nothing", "--withdrawn")
    assert (result.exit_code, result.output) == (0, "0 answers, 0 changed, 0 skipped\n")


def test_recheck_empties_the_cache_of_what_rests_on_the_source(audit: Audit, tmp_path: Path) -> None:
    """A file that is no cache is refused."""
    SqliteCache(tmp_path / "v.db").close()
    (tmp_path / "text").write_text("no database, but long enough to look like one " * 30)
    assert audit("recheck", "--source", "x", "--withdrawn", "--cache", str(tmp_path / "v.db")).exit_code == 0
    for name in ("text", "none"):
        assert audit("recheck", "--source", "x", "--withdrawn", "--cache", str(tmp_path / name)).exit_code == 2


@pytest.mark.parametrize(
    "wrong",
    [
        ["--source", "S1"],
        ["--source", "S1", "--effective-to", "soon"],
        ["--source", "S1", "--audience", "ann"],
        ["--source", "S1", "--file", "a", "--spans", "b"],
        ["--source", "S1", "--file", "no such file"],
        ["--source", "", "--withdrawn"],
    ],
)
def test_a_recheck_without_a_change_is_2(audit: Audit, recorded: JsonlTrail, wrong: list[str]) -> None:
    """And records nothing."""
    assert audit("recheck", *wrong).exit_code == 2
    assert len(lines(recorded)) == 3
