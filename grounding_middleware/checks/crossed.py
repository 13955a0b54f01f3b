"""Crossed clauses (CH-7): "A cuts X, B cuts Y" does not say that B cuts X, whoever stands first in the sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("roles")
_JOINED: Final = ("and", "but", "")
_MARKS: Final = ("negation", "condition", "quantity")


def check(case: Case) -> Iterator[Finding]:
    """A conflict where the claim takes who acts from one clause of the source and what it acts on from the other."""
    for alignment in case.anchored:
        found = _crossed(alignment)
        if found is not None:
            subject, verb, right = found
            message = f"source has '{right.text} … {verb.text}', answer '{subject.text} … {verb.text}'"
            yield _REPORT.conflict("clauses-crossed", message, Kind.ROLE, place(alignment, subject, right))


def _crossed(alignment: Alignment) -> tuple[Item, Item, Item] | None:
    """The claim's subject, the verb, and whom the source names for it instead; None where nothing is crossed."""
    claim, source = alignment.claim, alignment.source
    if any(cue.table in _MARKS for cue in (*claim.cues, *source.cues)) or alignment.opposed or claim.values:
        return None
    for verb, first, second in _same_verb(source):
        inside = {first.segment, second.segment}
        if any(item.segment not in inside for item in source.items):
            continue
        if not any(here.keys & verb for here, _ in alignment.pairs) or len({i.segment for i in claim.items}) > 1:
            continue
        for one, other in ((first, second), (second, first)):
            subject = _only(alignment, source, other, verb, before=True)
            thing = _only(alignment, source, one, verb, before=False)
            right = [i for i in source.items if i.segment == one.segment and i.position < one.position and not i.prep]
            if subject and thing and right and _covers(alignment, verb, subject, thing):
                return subject[0], one, right[0]
    return None


def _same_verb(source: Unit) -> Iterator[tuple[frozenset[str], Item, Item]]:
    """Two clauses beside each other with the same word, each with bare words before and words behind it."""
    within: defaultdict[int, list[Item]] = defaultdict(list)
    for item in source.items:
        within[item.segment].append(item)
    for first in source.items:
        after = first.segment + 1
        if after not in within or source.segments[after].opener not in _JOINED or first.text[:1].isupper():
            continue
        for second in within[after]:
            shared = first.keys & second.keys
            if shared and _both_sides(source, first, second):
                yield shared, first, second


def _both_sides(source: Unit, *verbs: Item) -> bool:
    return all(
        any(i.segment == verb.segment and i.position < verb.position and not i.prep for i in source.items)
        and any(i.segment == verb.segment and i.position > verb.position for i in source.items)
        for verb in verbs
    )


def _only(alignment: Alignment, source: Unit, verb: Item, shared: frozenset[str], *, before: bool) -> list[Item]:
    """The claim's words for all that stands on one side of the verb there, and nowhere in the other clause."""
    side = [
        item
        for item in source.items
        if item.segment == verb.segment and (item.position < verb.position) == before and item is not verb
    ]
    elsewhere = {key for item in source.items if item.segment != verb.segment for key in item.keys} - shared
    own = [item for item in side if not item.keys & elsewhere]
    said = [item for item in alignment.claim.items if any(item.keys & other.keys for other in own)]
    return said if own and len(said) >= len(own) else []


def _covers(alignment: Alignment, verb: frozenset[str], subject: list[Item], thing: list[Item]) -> bool:
    """The claim says nothing else than the subject, the verb, the thing, and words both clauses share."""
    source = alignment.source
    common = {
        key
        for item in source.items
        for key in item.keys
        if any(other.segment != item.segment and key in other.keys for other in source.items)
    }
    return all(item in subject or item in thing or item.keys & (verb | common) for item in alignment.claim.items)
