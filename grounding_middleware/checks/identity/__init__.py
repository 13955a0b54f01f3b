"""What things are (CH-3, CH-6): two sentences that define the same thing and cannot both hold.

The subject must be the same by name in both. The rest of the claim need not be found, because each rule compares an
exclusive slot: one kind, one country, one year, affirmed or denied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.identity.attributes import opposed, other_attribute
from grounding_middleware.checks.identity.definition import Definition, definition, same_subject
from grounding_middleware.checks.identity.demonyms import other_country
from grounding_middleware.checks.identity.denials import opposite
from grounding_middleware.checks.identity.exclusive import more_than_one
from grounding_middleware.checks.identity.holders import other_holder
from grounding_middleware.checks.identity.kinds import other_kind
from grounding_middleware.checks.identity.lifespans import differs
from grounding_middleware.checks.identity.places import other_place
from grounding_middleware.checks.identity.releases import released
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("identity")
_Words = tuple[Token, Token]


def check(case: Case) -> Iterator[Finding]:
    """Conflicts between what the claim and a cited sentence say the same thing is; nothing for other claims."""
    claim = definition(case.unit)
    for alignment in case.alignments:
        yield from _lived(case, alignment)
        source = definition(alignment.source)
        if source is None:
            continue
        yield from _came_out(case, alignment, source)
        yield from _lies(case, alignment, source)
        if claim is not None and same_subject(claim, source):
            yield from _compared(case, alignment, claim, source)


def _lived(case: Case, alignment: Alignment) -> Iterator[Finding]:
    dates = differs(alignment.claim, alignment.source)
    if dates is None:
        return
    mine, theirs, inside = dates
    ranges = {(one.start, one.end) for one in inside}
    others = (one for one in _cited(case) if (one.start, one.end) not in ranges)
    if any(compare(mine, one).relation is Relation.ENTAILED for one in others):
        return
    yield _differs(alignment, "lifespan-differs", Kind.DATE, (mine, theirs))


def _came_out(case: Case, alignment: Alignment, source: Definition) -> Iterator[Finding]:
    years = released(alignment.claim, source)
    if years is None or any(compare(years[0], one).relation is Relation.ENTAILED for one in _cited(case)):
        return
    yield _differs(alignment, "release-differs", Kind.DATE, years)


def _lies(case: Case, alignment: Alignment, source: Definition) -> Iterator[Finding]:
    places = other_place(case, source)
    if places is not None:
        mine, theirs = places
        message = f"source 'in {theirs.text}', answer 'in {mine.text}'"
        yield _REPORT.conflict("other-place", message, Kind.ENTITY, place(alignment, mine, theirs))


def _cited(case: Case) -> tuple[Value, ...]:
    return case.library.values_of(case.cited)


def _compared(case: Case, alignment: Alignment, claim: Definition, source: Definition) -> Iterator[Finding]:
    countries = other_country(case, claim, source)
    if countries is not None:
        yield _differs(alignment, "other-country", Kind.ENTITY, countries)
    kinds = other_kind(case, claim, source)
    if kinds is not None:
        head, noun, certain = kinds
        message = f"source '{noun.text}', answer '{head.text}'"
        build = _REPORT.conflict if certain else _REPORT.doubt
        yield build("other-kind", message, Kind.ENTITY, place(alignment, head, noun))
    attributes = other_attribute(case, claim, source)
    if attributes is not None:
        kind = Kind.DATE if attributes[0].kind is ValueKind.DATE else Kind.NUMBER
        yield _differs(alignment, "other-attribute", kind, attributes)
    holders = other_holder(case, claim, source)
    if holders is not None:
        yield _differs(alignment, "other-holder", Kind.ENTITY, holders)
    opposites = opposed(case, claim, source)
    if opposites is not None:
        yield _differs(alignment, "opposed-attribute", Kind.ANTONYM, opposites)
    several = more_than_one(claim, source)
    if several is not None:
        head, noun = several
        message = f"answer 'only … {head.text}', source also '{noun.text}'"
        yield _REPORT.conflict("not-the-only", message, Kind.OVERGENERALISATION, place(alignment, head, noun))
    if opposite(alignment, claim, source):
        message = (
            f"{'answer' if claim.denied else 'source'} denies it, {'source' if claim.denied else 'answer'} says it"
        )
        yield _REPORT.conflict("definition-denied", message, Kind.NEGATION, place(alignment, None, None))


def _differs(alignment: Alignment, rule: str, kind: Kind, pair: _Words | tuple[Value, Value]) -> Finding:
    """The conflict of two words or values that fill the same slot: the claim's, then the source's."""
    mine, theirs = pair
    message = f"source '{theirs.text}', answer '{mine.text}'"
    return _REPORT.conflict(rule, message, kind, place(alignment, mine, theirs))
