"""Outlets of a spec: the audit trail, the review queue and telemetry it names are really there and really used."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

from grounding_middleware import Action, AnswerWithheldError, ConfigError, Grounder
from grounding_middleware.audit import JsonlTrail, verify
from grounding_middleware.audit.redaction import RULES
from grounding_middleware.cli import app
from grounding_middleware.review import ReviewQueue
from grounding_middleware.spec import load, parse
from grounding_middleware.spec.outlets import Redaction

FERRY = "The ferry leaves at 07:45. Questions go to desk@ferry.example."
RIGHT, WRONG = "The ferry leaves at 07:45 [S1].", "The ferry leaves at 08:45 [S1]."


@pytest.fixture(autouse=True)
def _no_judge_is_fine() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def spec(**sections: Any) -> dict[str, Any]:
    return {"grounding": 1, **sections}


def test_every_answer_leaves_a_record(tmp_path: Path) -> None:
    """The trail verifies and holds what was asked for: hashes only, or text with addresses masked."""
    for keep in ("report", "hashes"):
        folder = tmp_path / keep
        grounder = Grounder.from_spec(spec(audit={"folder": str(folder), "keep": keep, "redact": ["email"]}))
        for answer in (RIGHT, WRONG):
            grounder.check(answer, evidence=[FERRY])
        text = "".join(path.read_text("utf-8") for path in folder.glob("*.jsonl"))
        assert verify(JsonlTrail(folder).records()).records == 2
        assert "desk@ferry.example" not in text
        assert ("leaves at" in text) == (keep == "report")


def test_a_database_takes_the_trail_and_the_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One database for both; its URL may stand in the environment."""
    url = f"sqlite:///{tmp_path / 'grounding.db'}"
    monkeypatch.setenv("STORE_URL", url)
    grounder = Grounder.from_spec(spec(audit={"database": {"env": "STORE_URL"}}, review={"database": url}))
    assert grounder.check(RIGHT, evidence=[FERRY]).action is Action.OK
    assert grounder.check(WRONG, evidence=[FERRY]).action is Action.ESCALATE
    case = ReviewQueue(url).claim("reviewer-1")
    assert case is not None
    assert case.report.answer == WRONG


def test_a_sample_of_all_answers_is_reviewed(tmp_path: Path) -> None:
    """With a share of 1 a clean answer is queued too."""
    url = f"sqlite:///{tmp_path / 'grounding.db'}"
    Grounder.from_spec(spec(review={"database": url, "sample": 1.0})).check(RIGHT, evidence=[FERRY])
    assert ReviewQueue(url).claim("reviewer-1") is not None


def test_what_cannot_be_recorded_is_not_shown(tmp_path: Path) -> None:
    """A trail that is gone withholds the answer."""
    folder = tmp_path / "trail"
    grounder = Grounder.from_spec(spec(audit={"folder": str(folder)}))
    grounder.check(RIGHT, evidence=[FERRY])
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()
    folder.write_text("in the way", "utf-8")
    with pytest.raises(AnswerWithheldError):
        grounder.check(RIGHT, evidence=[FERRY])


def test_telemetry_is_a_section() -> None:
    """Its settings are those of the sink; it comes first and never withholds."""
    grounder = Grounder.from_spec(spec(telemetry={"provider": "house"}))
    assert len(grounder.sinks) == 1
    assert grounder.check(RIGHT, evidence=[FERRY]).action is Action.OK


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ("audit: {}", "exactly one"),
        ("audit: {folder: a, database: 'sqlite:///b'}", "exactly one"),
        ("audit: {folder: a, redact: [names]}", "audit.redact[0]"),
        ("audit: {folder: a, fsync: sometimes}", "audit.fsync"),
        ("audit: {folder: a, retention_days: -1}", "audit.retention_days"),
        ("review: {}", "review.database"),
        ("review: {database: 'sqlite:///q', actions: [reviewed]}", "review.actions[0]"),
        ("review: {database: 'sqlite:///q', sample: 2}", "review.sample"),
        ("review: {database: 'sqlite:///q', reviewers: []}", "review.reviewers"),
        ("telemetry: {contents: true}", "did you mean 'content'"),
    ],
)
def test_wrong_sections_die_at_load(section: str, says: str) -> None:
    """The message names the field."""
    with pytest.raises(ConfigError) as caught:
        parse(f"grounding: 1\n{section}\n")
    assert says in str(caught.value)


def test_a_variable_that_is_not_set_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Found when the grounder is built."""
    monkeypatch.delenv("STORE_URL", raising=False)
    with pytest.raises(ConfigError, match=r"review\.database: .*STORE_URL"):
        Grounder.from_spec(spec(review={"database": {"env": "STORE_URL"}}))


def test_the_names_of_redactions_are_complete() -> None:
    """What the format allows is what the trail has."""
    assert set(get_args(Redaction)) == set(RULES)


def test_retention_is_applied_by_the_purge(tmp_path: Path) -> None:
    """`grounding audit purge --spec` takes out contents older than `audit.retention_days`; without one it says so."""
    folder, file = tmp_path / "trail", tmp_path / "grounding.yaml"
    file.write_text(f"grounding: 1\naudit: {{folder: {folder}, retention_days: 0}}\n", "utf-8")
    Grounder.from_spec(file).check(RIGHT, evidence=[FERRY])
    done = CliRunner().invoke(app, ["audit", "purge", str(folder), "--spec", str(file)])
    assert (done.exit_code, "1 contents" in done.stdout) == (0, True), done.output
    file.write_text("grounding: 1\n", "utf-8")
    done = CliRunner().invoke(app, ["audit", "purge", str(folder), "--spec", str(file)])
    assert (done.exit_code, "retention_days" in done.stderr) == (2, True)
    assert load(file).audit is None


def test_the_queue_is_masked_like_the_trail(tmp_path: Path) -> None:
    """What `review.redact` names does not reach reviewers."""
    url = f"sqlite:///{tmp_path / 'grounding.db'}"
    Grounder.from_spec(spec(review={"database": url, "redact": ["email"]})).check(
        WRONG, evidence=[FERRY], question="I am jo@ferry.example. When does it leave?"
    )
    case = ReviewQueue(url).claim("reviewer-1")
    assert case is not None
    assert "@ferry.example" not in case.report.model_dump_json()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """A file stands in its place: a wrong setting, not a crash."""
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(ConfigError, match=r"audit\.folder"):
        Grounder.from_spec(spec(audit={"folder": str(tmp_path / "file" / "trail")}))
