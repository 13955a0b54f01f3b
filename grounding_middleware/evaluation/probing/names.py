"""Who it is about: names exchanged for others of the evidence, names and roles that change places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.phrases import Edit, change_of
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit

__all__ = ["entities_swapped", "entity_replaced", "roles_swapped"]

_MOST: Final = 6  # names of the evidence that are tried
_JOINING: Final = frozenset(",;:()[]“”\"'/&-–—")


def entity_replaced(subject: Subject) -> Iterator[Change]:
    """Another name of the evidence stands where this one stood."""
    others = _others(subject)
    subject.chance.shuffle(others)
    for start, end in _names(subject, subject.unit):
        for other in [one for one in others if one.isupper() == subject.answer[start:end].isupper()][:_MOST]:
            change = change_of(subject, (start, end, other))
            if not subject.restated(change) and not _beside_values(subject, other):
                yield change
                break


def entities_swapped(subject: Subject) -> Iterator[Change]:
    """Two names changed places; not where they are listed together, nor with verbs that say the same of both."""
    words = lexicon(subject.statement.language)
    if any(item.keys & words.symmetric for item in subject.unit.items):
        return
    for left, right in pairwise(_names(subject, subject.unit)):
        between = subject.answer[left[1] : right[0]]
        joined = set(re.findall(r"\w+", between.casefold())) & set(subject.words.list("coordinating"))
        if joined or set(between) & _JOINING or not between.strip() or _alike(subject, left, right):
            continue
        change = change_of(subject, *_exchanged(subject, left, right))
        if not subject.restated(change):
            yield change


def roles_swapped(subject: Subject) -> Iterator[Change]:
    """What one party does is said of the other."""
    for pair in subject.words.list("roles"):
        one, other = pair.split("|")
        places = [
            (match.start() + subject.statement.start, match.end() + subject.statement.start, match[0])
            for match in _whole(one, other).finditer(subject.statement.text)
        ]
        if not places or _listed(subject, places):
            continue
        edits = [
            (start, end, _like(text, other if text.casefold() == one.casefold() else one))
            for start, end, text in places
        ]
        if len({text.casefold() for _, _, text in places}) < 2 and not subject.written(edits[0][2]):
            continue
        change = change_of(subject, *edits)
        if not subject.restated(change):
            yield change


def _whole(one: str, other: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{re.escape(one)}|{re.escape(other)})(?![\w-])", re.IGNORECASE)


def _listed(subject: Subject, places: Sequence[tuple[int, int, str]]) -> bool:
    """Whether both parties are named as one: swapping them would say the same."""
    coordinating = set(subject.words.list("coordinating"))
    words = lexicon(subject.statement.language)
    if len({text.casefold() for _, _, text in places}) < 2:
        return False
    between = subject.answer[places[0][1] : places[-1][0]]
    joined = set(re.findall(r"\w+", between.casefold())) & coordinating
    return bool(joined) or any(item.keys & words.symmetric for item in subject.unit.items)


def _like(text: str, new: str) -> str:
    return new[:1].upper() + new[1:] if text[:1].isupper() else new


def _names(subject: Subject, unit: Unit) -> list[tuple[int, int]]:
    """Ranges of proper names: capitals inside a sentence that are never written small; none in German."""
    if subject.statement.language == "de":
        return []
    return [(run[0].start, run[-1].end) for run in _runs(unit) if _is_name(subject, unit, run)]


def _runs(unit: Unit) -> Iterator[list[Item]]:
    run: list[Item] = []
    for item in unit.items:
        if run and (not item.name or item.position != run[-1].position + 1):
            yield run
            run = []
        if item.name:
            run.append(item)
    if run:
        yield run


def _is_name(subject: Subject, unit: Unit, run: Sequence[Item]) -> bool:
    if any(item.code or len(item.text) < 3 or not item.text[0].isupper() for item in run):
        return False
    if any(value.start < run[-1].end and run[0].start < value.end for value in unit.values):
        return False
    return not any(re.search(rf"(?<!\w){re.escape(item.text.lower())}(?!\w)", _text(subject)) for item in run)


def _text(subject: Subject) -> str:
    """The evidence as it is written: a word that is also written small is no name."""
    return " ".join(span.text for span in subject.statement.attempt.evidence)


def _others(subject: Subject) -> list[str]:
    """Names of the evidence that share no word with the statement."""
    own = {key for item in subject.unit.items for key in item.keys}
    found: dict[str, None] = {}
    for unit, _ in subject.units:
        if unit.tabular or "|" in unit.text:
            continue
        for run in _runs(unit):
            if _is_name(subject, unit, run) and not any(item.keys & own for item in run):
                found[" ".join(unit.text[run[0].start - unit.start : run[-1].end - unit.start].split())] = None
    return sorted(found)


def _beside_values(subject: Subject, name: str) -> bool:
    """Whether the evidence says one of the statement's values of this name, in whatever words."""
    if not subject.values:
        return False
    keys = {key for item in subject.read(name, 0, len(name)).items for key in item.keys}
    return any(
        any(item.keys & keys for item in unit.items)
        and any(one.interval == value.interval for one in unit.values for value in subject.values)
        for unit, _ in subject.units
    )


def _alike(subject: Subject, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether both names share a word: the same one, as a possessive."""
    first, second = (
        {key for item in subject.unit.items if low <= item.start < high for key in item.keys}
        for low, high in (left, right)
    )
    return bool(first & second)


def _exchanged(subject: Subject, left: tuple[int, int], right: tuple[int, int]) -> tuple[Edit, Edit]:
    return (*left, subject.answer[slice(*right)]), (*right, subject.answer[slice(*left)])
