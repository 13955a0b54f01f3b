"""`grounding eval`, then `grounding report`: a real run of the real verifier becomes a page."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grounding_middleware.cli import app
from grounding_middleware.evaluation.page.making import write_page

HIGHLIGHTED = "<mark>Refunds are paid within 9 days</mark>"
QUOTED = '<mark class="quote">Refunds are paid within 5 days'


def grounding(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(part) for part in arguments])


def test_a_measured_golden_set_becomes_a_page(golden: Callable[[int], Path], tmp_path: Path) -> None:
    """The claim that the verifier caught stands within its answer, beside the sentence that contradicts it."""
    run, page = tmp_path / "run.jsonl", tmp_path / "page.html"
    assert grounding("eval", golden(25), "--out", run, "--name", "first").exit_code == 0
    made = grounding("report", run, "--out", page, "--price", "llm=0.4,1.6")
    assert (made.exit_code, made.output.count("\n")) == (0, 1)
    document = page.read_text("utf-8")
    assert "Grounding report: first" in document
    assert "no judge" in document
    assert f"grounding eval {golden(25).name}" in document


def test_a_missed_claim_stands_beside_its_evidence(golden: Callable[[int], Path], tmp_path: Path) -> None:
    """With gold labels turned round, what the verifier decides from evidence shows up with the words it rests on."""
    turned = golden(25).read_text("utf-8").replace('"CONTRADICTED"', '"SUPPORTED"')
    (tmp_path / "turned.jsonl").write_text(turned, "utf-8")
    run, page = tmp_path / "run.jsonl", tmp_path / "page.html"
    assert grounding("eval", tmp_path / "turned.jsonl", "--out", run).exit_code == 0
    write_page(run, (), page)
    document = page.read_text("utf-8")
    assert HIGHLIGHTED in document
    assert QUOTED in document


@pytest.mark.parametrize("arguments", [("no-such-file",), ("golden.csv",), ("run.jsonl", "--price", "llm")])
def test_bad_input_is_one_line(arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exit code 2, and what is allowed instead."""
    monkeypatch.chdir(tmp_path)
    Path("golden.csv").write_text("id,answer\n1,x\n")
    Path("run.jsonl").write_text('{"package": "0.1.0"}\n')
    done = grounding("report", *arguments)
    assert done.exit_code == 2
    assert done.output.startswith("grounding: error: ")
    assert "allowed is" in done.output
    assert not Path("grounding-report.html").exists()


@pytest.mark.parametrize("missing", ["jinja2", "vl_convert"])
def test_a_missing_extra_is_named(
    missing: str, hostile_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever installed the core alone is told what to install."""
    monkeypatch.setitem(sys.modules, missing, None)
    done = grounding("report", hostile_run, "--out", tmp_path / "page.html")
    assert done.exit_code == 2
    assert 'pip install "grounding-middleware[report]"' in done.output
