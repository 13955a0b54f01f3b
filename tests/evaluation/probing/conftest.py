"""Statements of our own documents and cases, and what one transformation makes of one of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest

from grounding_middleware.evaluation import load
from grounding_middleware.evaluation.probing import Statement, chosen, of_documents, of_examples
from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.sources import read_sources

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
DAY = date(2026, 5, 1)

Made = Callable[[Statement, str], list[tuple[str, str]]]
Read = Callable[..., Subject]


@pytest.fixture(scope="session")
def read() -> Read:
    """A statement as transformations see it; chance is always the same."""

    def of(statement: Statement, pool: Sequence[Statement] = ()) -> Subject:
        return Subject(statement, random.Random("probe"), pool)  # noqa: S311  # repeatable, not secret

    return of


@pytest.fixture(scope="session")
def by_document() -> dict[str, list[Statement]]:
    """The statements of each document, and of two together."""
    files = sorted([*(HERE / "documents").iterdir(), *(ROOT / "examples" / "documents").iterdir()])
    found = {file.name: list(of_documents(read_sources([str(file)]), as_of=DAY)) for file in files}
    two = read_sources(
        [str(ROOT / "examples" / "documents" / "tenancy-terms.txt"), str(HERE / "documents" / "clinic-leaflet.txt")]
    )
    return found | {"two": list(of_documents(two, as_of=DAY))}


@pytest.fixture(scope="session")
def statements(by_document: dict[str, list[Statement]]) -> list[Statement]:
    """All of them, and those of the development cases."""
    cases = [ROOT / "tests" / "cases" / name for name in ("claims.jsonl", "answers.jsonl")]
    return [*(one for found in by_document.values() for one in found), *of_examples(load(cases))]


@pytest.fixture(scope="session")
def made(statements: list[Statement], read: Read) -> Made:
    """The answers and notes of the mutants one transformation makes of a statement."""

    def of(statement: Statement, name: str) -> list[tuple[str, str]]:
        source = statement.attempt.evidence[0].source_id
        pool = [one for one in statements if one.attempt.evidence[0].source_id == source]
        (transformation,) = chosen([name])
        found = transformation.mutants(read(statement, pool))
        return [(mutant.attempt.answer, mutant.note) for mutant in found]

    return of
