"""`grounding demo`: the incident through a real chain, with the same outcome on every machine."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from grounding_middleware_langchain import demo

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def shown():
    """What the demo prints on a wide terminal, and its exit code."""
    console = Console(width=200, record=True, file=StringIO())
    code = demo.run(console)
    return code, console.export_text()


def test_it_ends_well(shown):
    """Exit code 0 only if the false answer was contradicted and withheld, and the sound one shown."""
    assert shown[0] == 0


def test_it_shows_the_problem_and_the_proof(shown):
    """Before and after, the exact clause with its offsets, who decided, and what the reader sees."""
    text = shown[1]
    before, after = text.split("The same chain, wrapped", 1)
    assert "automatically qualify for finance approval within two days" in before
    assert "CONTRADICTED" in after
    assert "“Neither automatic approval nor a fixed turnaround is guaranteed.”" in after
    assert "[101:165], source [1911:1975]" in after
    assert "decided by checks" in after
    assert "ESCALATE" in after
    assert "could not be confirmed" in after
    assert "A claim must be submitted within 45 days" in after.split("What the reader sees")[-1]


def test_it_says_that_the_models_are_scripted(shown):
    """Nobody is to think that an LLM answered."""
    assert "The model is a script" in " ".join(shown[1].split())


def test_its_documents_are_those_of_the_examples():
    """The wheel brings copies; they must not drift apart."""
    folder = Path(demo.__file__).with_name("documents")
    copies = sorted(folder.glob("*.md"))
    assert copies
    for copy in copies:
        assert copy.read_bytes() == (ROOT / "examples" / "documents" / copy.name).read_bytes()


def test_offsets_of_the_clause_are_those_of_the_file():
    """EV-3: what the demo prints as place in the source is the place in the source."""
    text = (ROOT / "examples" / "documents" / "contractor-expense-policy-2026.md").read_text("utf-8")
    assert text[1911:1975] == "Neither automatic approval nor a fixed turnaround is guaranteed."
