"""`grounding spec`: what an operator types, prints and gets as exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grounding_middleware.cli import app
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.spec import load, parse

RUN = CliRunner()


def test_check_says_fine_and_the_hash(tmp_path: Path) -> None:
    """Exit code 0, the hash of the effective spec, and that a judge is missing."""
    file = tmp_path / "grounding.yaml"
    file.write_text("grounding: 1\n", "utf-8")
    done = RUN.invoke(app, ["spec", "check", str(file)])
    assert done.exit_code == 0
    assert load(file).version in done.stdout
    assert "judge" in done.stderr


def test_check_tells_every_fault_on_a_line_of_its_own(tmp_path: Path) -> None:
    """Exit code 2; nothing goes to standard output."""
    file = tmp_path / "grounding.yaml"
    file.write_text("grounding: 1\npreset: x\nevidence: {minimum: 0}\n", "utf-8")
    done = RUN.invoke(app, ["spec", "check", str(file)])
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 2)
    assert f"{file}:2" in done.stderr


def test_check_build_finds_what_only_the_machine_can_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret that is not set is found with --build, not without."""
    monkeypatch.delenv("HOUSE_KEY", raising=False)
    file = tmp_path / "grounding.yaml"
    file.write_text(
        "grounding: 1\njudge:\n  tiers:\n    - {kind: openai, model: m, api_key: {env: HOUSE_KEY}}\n", "utf-8"
    )
    assert RUN.invoke(app, ["spec", "check", str(file)]).exit_code == 0
    done = RUN.invoke(app, ["spec", "check", "--build", str(file)])
    assert done.exit_code == 2
    assert "HOUSE_KEY" in done.stderr


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_show_prints_a_spec_that_can_be_loaded(name: str) -> None:
    """Presets are readable, and what is shown means what it says."""
    done = RUN.invoke(app, ["spec", "show", name])
    assert done.exit_code == 0
    assert parse(done.stdout) == load(name)
    assert "policy in words" in done.stdout


def test_schema_prints_json() -> None:
    """Editors can load it."""
    done = RUN.invoke(app, ["spec", "schema"])
    assert json.loads(done.stdout)["properties"]["policy"]


def test_init_writes_a_starter_that_is_right_and_never_overwrites(tmp_path: Path) -> None:
    """The starter passes its own check; a second run leaves the file alone."""
    file = tmp_path / "grounding.yaml"
    assert RUN.invoke(app, ["spec", "init", str(file)]).exit_code == 0
    assert RUN.invoke(app, ["spec", "check", str(file)]).exit_code == 0
    file.write_text("mine", "utf-8")
    done = RUN.invoke(app, ["spec", "init", str(file)])
    assert (done.exit_code, file.read_text("utf-8")) == (2, "mine")


def test_the_commented_part_of_the_starter_is_right_too(tmp_path: Path) -> None:
    """Who takes the comment signs away has a spec with a judge."""
    file = tmp_path / "grounding.yaml"
    RUN.invoke(app, ["spec", "init", str(file)])
    head, _, judge = file.read_text("utf-8").partition("# judge:")
    spec = parse(head + "judge:" + judge.replace("\n# ", "\n"))
    assert spec.judge is not None


def test_check_an_answer_with_a_spec(tmp_path: Path) -> None:
    """`grounding check --spec` verifies with it, and the report names its hash."""
    spec, answer, source = (tmp_path / name for name in ("grounding.yaml", "answer.txt", "ferry.md"))
    spec.write_text("grounding: 1\npolicy: {texts: {escalation: Ask the harbour office.}}\n", "utf-8")
    answer.write_text("The ferry leaves at 08:45.", "utf-8")
    source.write_text("The ferry leaves at 07:45.", "utf-8")
    done = RUN.invoke(app, ["check", str(answer), "--source", str(source), "--spec", str(spec), "--json"])
    report = json.loads(done.stdout)
    assert (done.exit_code, report["text"]) == (3, "Ask the harbour office.")
    assert report["versions"]["spec"] == load(spec).version
    spec.write_text("grounding: 3\n", "utf-8")
    assert RUN.invoke(app, ["check", str(answer), "--source", str(source), "--spec", str(spec)]).exit_code == 2
