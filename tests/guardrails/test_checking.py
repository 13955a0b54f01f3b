"""`grounding spec check` of a file of guards: recognised, built, told; what is wrong has file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grounding_middleware.cli import app

YAML = """version: 1
grounding: low
guards:
  - name: answers
    validators: [{id: grounding/verified_claims}, {id: grounding/answerable}]
  - name: strict
    validators: [{id: grounding/cited_spans, on_fail: exception}]
"""
RAIL = """<rail version="0.1">
<output type="string" validators="grounding/verified_claims: {0.8} remove"
 on-fail-grounding_verified_claims="fix"/></rail>"""
REFERENCE = {"id": "grounding/verified_claims", "on": "$", "onFail": "fix"}
GUARD = {"id": "g", "name": "g", "output_schema": {"type": "string"}, "validators": [REFERENCE]}


def check(path: Path, text: str) -> Result:
    path.write_text(text, "utf-8")
    return CliRunner().invoke(app, ["spec", "check", str(path)])


@pytest.mark.parametrize(
    ("name", "text", "guards"), [("g.yaml", YAML, 2), ("g.rail", RAIL, 1), ("g.json", json.dumps(GUARD), 1)]
)
def test_each_form_is_recognised(tmp_path: Path, name: str, text: str, guards: int) -> None:
    """One line for each guard: validators, where they run, what happens on failure."""
    done = check(tmp_path / name, text)
    assert (done.exit_code, done.stdout.count("\n"), done.stderr) == (0, guards, "")
    assert done.stdout.count("grounding/verified_claims on $, fix on failure") == 1
    assert ("grounding/cited_spans on $, exception on failure" in done.stdout) == (guards == 2)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("g.yaml", YAML.replace("cited_spans", "cited_span"), "g.yaml:7: guards[1].validators[0].id"),
        ("g.yaml", YAML.replace("strict", "answers"), "'answers' occurs twice"),
        ("g.yaml", YAML.replace("low", "lo"), "g.yaml:2: grounding: 'lo' is neither a file nor a preset"),
        (
            "g.yaml",
            YAML.replace("exception", "explode"),
            "g.yaml:7: guards[1].validators[0].on_fail: 'explode' is wrong",
        ),
        ("g.rail", RAIL.replace('"fix"', '"fixx"'), "<output> on-fail-grounding_verified_claims: 'fixx'"),
        (
            "g.json",
            json.dumps({**GUARD, "validators": [{**REFERENCE, "on": "output"}]}),
            "on 'output' is met by nothing",
        ),
        ("g.rail", "<rail", "is no XML"),
    ],
)
def test_what_is_wrong_is_told(tmp_path: Path, name: str, text: str, told: str) -> None:
    """Exit code 2 and nothing on standard output but guards that are fine."""
    done = check(tmp_path / name, text)
    assert (done.exit_code, told in done.stderr) == (2, True), done.output
