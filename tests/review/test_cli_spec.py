"""`grounding review --spec`: the queue a spec names, with its reviewers, redaction, audit trail and retention."""

from __future__ import annotations

import json
import os
import stat
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grounding_middleware import Grounder
from grounding_middleware.audit import JsonlTrail, verify
from grounding_middleware.audit.records import AuditRecord
from grounding_middleware.cli import app
from grounding_middleware.records import Report
from grounding_middleware.review import ReviewQueue

Reports = Callable[..., Report]
SPEC = """grounding: 1
audit: {folder: trail, redact: [email]}
review: {database: 'sqlite:///queue.db', reviewers: [ana], redact: [email], retention_days: 30}
"""
QUESTION = "I am jo@ferry.example. When does it leave?"


@pytest.fixture
def spec(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A spec beside which everything lies; the queue holds one item."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GROUNDING_DB", raising=False)
    file = tmp_path / "config" / "grounding.yaml"
    file.parent.mkdir()
    file.write_text(SPEC, "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        Grounder.from_spec(file).check("It leaves at 08:45 [S1].", evidence=["It leaves at 07:45."], question=QUESTION)
        yield file


def review(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["review", *arguments])


def item_of(spec: Path) -> str:
    return review("list", "--spec", str(spec)).stdout.split()[0]


def test_a_ruling_is_recorded_in_the_trail_of_the_spec(spec: Path) -> None:
    """Who decided what and when, in the hash chain, with what the trail must not hold masked."""
    item = item_of(spec)
    by = ("--spec", str(spec), "--reviewer", "ana")
    assert review("take", item, *by).exit_code == 0
    words = ("--answer", "agree", "--note", "asked jo@ferry.example", "--overrule", "1=SUPPORTED")
    done = review("decide", item, *by, *words)
    assert done.exit_code == 0, done.output
    trail = JsonlTrail(spec.parent / "trail")
    assert verify(trail.records()).intact
    *_, last = (found for _, found in trail.records() if isinstance(found, AuditRecord))
    assert (last.kind, last.facts["item"], last.facts["rulings"]) == ("adjudication", item, ["overrule", "agree"])
    content = last.data()
    assert content["reviewer"] == "ana"
    assert content["at"]
    assert content["rulings"][1]["note"].startswith("asked █")
    assert "jo@ferry.example" not in "".join(
        path.read_text("utf-8") for path in (spec.parent / "trail").glob("*.jsonl")
    )


def test_hashes_only_means_no_words_of_reviewers_either(spec: Path) -> None:
    """`audit.keep: hashes` holds for rulings: who and what, no text."""
    spec.write_text(SPEC.replace("redact: [email]}\nreview", "keep: hashes}\nreview"), "utf-8")
    item, by = item_of(spec), ("--spec", str(spec), "--reviewer", "ana")
    review("take", item, *by)
    quote = ("--overrule", "1=SUPPORTED", "--quote", "1=S1:07:45")
    assert review("decide", item, *by, "--answer", "agree", "--note", "seen it", *quote).exit_code == 0
    *_, last = (found for _, found in JsonlTrail(spec.parent / "trail").records() if isinstance(found, AuditRecord))
    assert [(one["ruling"], one["note"]) for one in last.data()["rulings"]] == [("overrule", ""), ("agree", "")]
    assert last.data()["rulings"][0]["quote"]["text"] == ""


def test_a_trail_that_fails_is_told(spec: Path) -> None:
    """The ruling is kept, the command says that the record is missing, and ends with 2."""
    item, by = item_of(spec), ("--spec", str(spec), "--reviewer", "ana")
    review("take", item, *by)
    for path in (spec.parent / "trail").iterdir():
        path.unlink()
        path.mkdir()
    done = review("decide", item, *by, "--answer", "agree")
    assert (done.exit_code, "not in the trail" in done.stderr) == (2, True), done.output


def test_only_its_reviewers(spec: Path) -> None:
    """The list of the spec holds on the command line, too."""
    done = review("next", "--spec", str(spec), "--reviewer", "bob")
    assert (done.exit_code, "may not review here, allowed are ana" in done.stderr) == (2, True)


def test_what_was_queued_before_the_rule_is_masked_on_the_way_out(spec: Path, report: Reports) -> None:
    """list, show, next and export mask what the spec says, whatever the database holds."""
    text = "Refunds take 10 days. The fee is 5 EUR. Hello!"
    queue = ReviewQueue(f"sqlite:///{spec.parent / 'queue.db'}")
    item = queue.submit(report(question="jo@ferry.example asks", answer=text), reason="mail of jo@ferry.example")
    by = ("--spec", str(spec))
    shown = [review("list", *by).stdout, review("show", item, *by).stdout, review("show", item, "--json", *by).stdout]
    shown.append(review("take", item, "--reviewer", "ana", *by).stdout)
    assert (
        review("decide", item, "--reviewer", "ana", "--answer", "agree", "--note", "jo@ferry.example", *by).exit_code
        == 0
    )
    shown += [review("export", *by).stdout, review("show", item, *by).stdout]
    for printed in shown:
        assert "█" in printed
        assert "jo@ferry" not in printed
    assert "jo@ferry" in review("show", item, "--db", f"sqlite:///{spec.parent / 'queue.db'}").stdout


def test_purge_applies_the_retention_of_the_spec(spec: Path) -> None:
    """Thirty days keep the item; none, or a moment, take it out."""
    by = ("--spec", str(spec))
    item = item_of(spec)
    assert review("purge", *by).stdout == "0 items were purged, 0 of them undecided\n"
    assert review("purge", *by, "--retention", "0").stdout == "1 items were purged, 1 of them undecided\n"
    assert "contents were purged" in review("show", item, *by).stderr
    assert "purged 1" in review("stats", *by).stdout


WRONG: list[tuple[list[str], str]] = [
    (["purge", "--db", "sqlite:///config/queue.db"], "nothing says what to purge"),
    (["purge", "--spec", "SPEC", "--before", "2026-01-01", "--retention", "1"], "exclude each other"),
    (["purge", "--spec", "SPEC", "--before", "yesterday"], "'yesterday' is no moment"),
    (["list", "--spec", "SPEC", "--db", "sqlite:///x.db"], "--db and --spec exclude each other"),
    (["list", "--spec", "high"], "has no section review"),
    (["list", "--spec", "missing.yaml"], "neither a file nor a preset"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_a_mistake_is_one_line(spec: Path, arguments: list[str], told: str) -> None:
    """With exit code 2."""
    done = review(*[str(spec) if word == "SPEC" else word for word in arguments])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.output
    assert told in done.stderr


def test_faults_of_the_spec_are_told_one_a_line(spec: Path) -> None:
    """As `grounding spec check` tells them."""
    spec.write_text("grounding: 1\npreset: x\nevidence: {minimum: 0}\n", "utf-8")
    done = review("list", "--spec", str(spec))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 2)
    assert f"{spec}:3: evidence.minimum" in done.stderr


def test_the_variable_is_for_who_names_nothing(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`GROUNDING_DB` gives way to --spec, and a file that is not there is named."""
    monkeypatch.setenv("GROUNDING_DB", "sqlite:///nothing.db")
    assert review("list", "--spec", str(spec)).exit_code == 0
    assert "no file 'nothing.db'" in review("list").stderr
    (spec.parent / "queue.db").rename(spec.parent / "moved.db")
    assert f"{spec}:3: review.database: there is no file" in review("list", "--spec", str(spec)).stderr


def test_an_export_is_the_owners_alone(spec: Path) -> None:
    """A new file and one that was there; a link is refused, and what it leads to stays."""
    item, by = item_of(spec), ("--spec", str(spec))
    review("take", item, "--reviewer", "ana", *by)
    review("decide", item, "--reviewer", "ana", "--answer", "agree", *by)
    there, link, other = Path("there.jsonl"), Path("link.jsonl"), Path("other.txt")
    there.write_text("x" * 100_000, "utf-8")
    there.chmod(0o644)
    other.write_text("mine", "utf-8")
    link.symlink_to(other)
    for file in (Path("new.jsonl"), there):
        old = os.umask(0)
        try:
            assert review("export", "--output", str(file), *by).exit_code == 0
        finally:
            os.umask(old)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert [json.loads(line)["label"] for line in file.read_text("utf-8").splitlines()] == ["CONTRADICTED"]
    done = review("export", "--output", str(link), *by)
    assert (done.exit_code, "symbolic link" in done.stderr, other.read_text("utf-8")) == (2, True, "mine")
