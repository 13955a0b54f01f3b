"""Answers with their statements marked in the text, so that a table can show what is removed.

`⟦kept claim⟧`, `⟪removed claim⟫`, `⦅text that is no claim⦆`; `⟦+...⟧` and `⟪+...⟫` are parts of one sentence.
Citation markers are `[S1]`, `[S1, S2]`; each belongs to the statement before it unless `cites` says otherwise.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from grounding_middleware.records import Citation, Label, Treatment, Verdict

_PART = re.compile(r"(⟦|⟪|⦅)(\+?)(.*?)(?:⟧|⟫|⦆)", re.DOTALL)
_MARKER = re.compile(r"\[(?:S\d+(?:, )?)+\]|【\d+】|\[\^\d+\]")
_FORMS = {"|": "table_row", "#": "heading"}


class Case(NamedTuple):
    """What `edit` takes."""

    answer: str
    verdicts: tuple[Verdict, ...]
    citations: tuple[Citation, ...]


def build(
    marked: str, language: str = "en", cites: Sequence[Sequence[int]] | None = None, form: str = "sentence"
) -> Case:
    """The answer without the marks, with a verdict for each of them."""
    pieces: list[str] = []
    found: list[dict[str, Any]] = []
    at = length = 0
    for part in _PART.finditer(marked):
        pieces += (marked[at : part.start()], part[3])
        length += part.start() - at
        found.append({"start": length, "end": length + len(part[3]), "mark": part[1], "part": bool(part[2])})
        length += len(part[3])
        at = part.end()
    answer = "".join((*pieces, marked[at:]))
    citations = tuple(
        Citation(marker=match[0], ref=match[0][1:-1], start=match.start(), end=match.end(), span_ids=("S1",))
        for match in _MARKER.finditer(answer)
    )
    starts = [citation.start for citation in citations]
    ends = [*(one["start"] for one in found), len(answer)][1:]
    owned = cites or [
        list(range(bisect_left(starts, one["start"]), bisect_left(starts, end)))
        for one, end in zip(found, ends, strict=True)
    ]
    verdicts = tuple(
        _verdict(number, answer, one, {"language": language, "citations": tuple(numbers)}, form)
        for number, (one, numbers) in enumerate(zip(found, owned, strict=True))
    )
    return Case(answer, verdicts, citations)


def _verdict(number: int, answer: str, one: dict[str, Any], fields: dict[str, Any], form: str) -> Verdict:
    text = answer[one["start"] : one["end"]]
    bare = one["mark"] == "⦅"
    question = bare and text.rstrip("*_ ").endswith(("?", "？"))
    return Verdict(
        id=f"c{number}",
        text=text,
        start=one["start"],
        end=one["end"],
        form=_FORMS.get(text[:1], form),
        statement="question" if question else "heading" if bare and text[:1] == "#" else "claim",
        context="a sentence" if one["part"] else "",
        label=Label.NOT_A_CLAIM if bare else Label.CONTRADICTED if one["mark"] == "⟪" else Label.SUPPORTED,
        treatment=Treatment.REMOVE if one["mark"] == "⟪" else Treatment.KEEP,
        treatment_reason="contradicted: the evidence says otherwise" if one["mark"] == "⟪" else "",
        **fields,
    )


@pytest.fixture(scope="session")
def case() -> Callable[..., Case]:
    """Builds what `edit` takes from a marked answer."""
    return build
