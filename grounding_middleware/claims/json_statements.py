"""Statements of a JSON answer: one for each field, sentences inside long texts; siblings and keys as context."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from grounding_middleware.claims.compounds import divide
from grounding_middleware.claims.drafts import Draft
from grounding_middleware.claims.json_fields import Field, Region
from grounding_middleware.claims.scaffold import build
from grounding_middleware.claims.sentences import sentences
from grounding_middleware.claims.statements import Statement, classify
from grounding_middleware.claims.trimming import blanked, trim, within
from grounding_middleware.records import Range

__all__ = ["is_prose", "json_drafts"]

_PROSE_WORDS = 6  # a value of at least so many words is read as running text
_CONTEXT_VALUE = 80  # characters of a sibling value that can identify an object
_MOST_SIBLINGS = 5
_MOST_PARTS = 10
_NOTHING = frozenset({"null", '""', "[]"})
_SCRIPT_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff].*[。！？]")


def json_drafts(answer: str, region: Region, markers: Sequence[Range], language: str) -> Iterator[Draft]:
    """Every field that is no citation, in order; null and empty values say nothing and count as abstentions."""
    siblings = _siblings(answer, region, markers)
    for field in region.fields:
        if _is_marker(field, markers):
            continue
        context = _context(field, region, siblings)
        if is_prose(answer, field):
            yield from _prose(answer, field, markers, language, context)
        else:
            yield Draft(field.start, field.end, "json_field", _statement(answer, field, language), 0, context)


def _is_marker(field: Field, markers: Sequence[Range]) -> bool:
    return any((low, high) == (field.start, field.end) for low, high in within(markers, field.start, field.start + 1))


def is_prose(answer: str, field: Field) -> bool:
    """Whether a value is a text to be read sentence by sentence."""
    value = answer[field.value_start : field.end]
    if not value.startswith('"') or not value.endswith('"'):
        return False
    return len(value.split()) >= _PROSE_WORDS or bool(_SCRIPT_WITHOUT_SPACES.search(value))


def _statement(answer: str, field: Field, language: str) -> Statement:
    value = answer[field.value_start : field.end].strip()
    if value in _NOTHING or not any(letter.isalnum() for letter in value):
        return Statement.ABSTENTION
    abstains = value.startswith('"') and classify(value[1:-1], language) is Statement.ABSTENTION
    return Statement.ABSTENTION if abstains else Statement.CLAIM


def _prose(answer: str, field: Field, markers: Sequence[Range], language: str, context: str) -> Iterator[Draft]:
    low, high = field.value_start + 1, field.end - 1
    inside = within(markers, low, high)
    clean = build(answer, ((low, high),), inside, language)
    for first, last in sentences(clean.text, language):
        if not clean.text[first:last].strip():
            continue
        start, end = trim(answer, *clean.range(first, last), inside)
        for begin, stop, statement in divide(blanked(answer, start, end, markers), language):
            yield Draft(*trim(answer, start + begin, start + stop, inside), "json_field", statement, 0, context)


def _siblings(answer: str, region: Region, markers: Sequence[Range]) -> dict[int, list[tuple[Field, str]]]:
    """For each object its short text fields: what tells it from others."""
    found: dict[int, list[tuple[Field, str]]] = defaultdict(list)
    for field in region.fields:
        value = answer[field.value_start : field.end]
        short = value.startswith('"') and value.count('"') == 2 and len(value) <= _CONTEXT_VALUE
        if short and not is_prose(answer, field) and not _is_marker(field, markers):
            found[field.owner].append((field, f"{field.key}: {value[1:-1]}"))
    return found


def _context(field: Field, region: Region, siblings: dict[int, list[tuple[Field, str]]]) -> str:
    """Outer objects first: the key an object stands under, then the fields that identify it."""
    parts: list[str] = []
    for owner in region.around(field.owner):
        key = region.owners[owner].key
        near = [text for other, text in siblings.get(owner, ())[:_MOST_SIBLINGS] if other is not field]
        parts = [*([key] if key else []), *near, *parts]
        if len(parts) >= _MOST_PARTS:
            break
    return "; ".join(parts[-_MOST_PARTS:])
