"""Negation and antonyms (CH-3): a claim that says the opposite of the unit that says the rest of it.

Polarity is held per item: what each negation has in its scope is compared, never the number of negations in a sentence.
An antonym counts as one negation, so "does not open" equals "is closed".
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.roles import crossings
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.reading.values import Value, ValueKind
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("polarity")
_PARTIAL: Final = ("quantity.some", "quantity.few", "quantity.many", "quantity.most")
_PARTS: Final = (ValueKind.COUNT, ValueKind.RATIO, ValueKind.PERCENT)
_CORRELATIVE: Final = {"neither": "nor"}
_CARRIES_ON: Final = frozenset({"or", "nor", "oder", "noch", "ou", "ni", "o", "u"})  # openers a negation reaches over


Cues = tuple[Cue, ...]
Scope = dict[int, Cues]


def check(case: Case) -> Iterator[Finding]:
    """Conflicts where the claim flips the only statement it can rest on; doubts where scopes differ otherwise."""
    for alignment in case.anchored:
        yield from _boolean(alignment)
        yield from _compare(alignment)


def _boolean(alignment: Alignment) -> Iterator[Finding]:
    """A field that is true, where the sentence about the same thing denies it, or the other way round.

    Everything else is a doubt: that a sentence has the words of the key does not say that the field is true.
    """
    truth = next(iter(alignment.claim.of("boolean")), None)
    if truth is None:
        return
    given = lexicon(alignment.source.language).giving
    denied = sum(_negates(cue) and cue.segment in alignment.touched for cue in alignment.source.cues) % 2 == 1
    message = f"source {'denies' if denied else 'affirms'} it, answer '{truth.text}'"
    certain = denied == (truth.name == "boolean.true") and all(item.keys & given for item in alignment.source_left)
    build = _REPORT.conflict if certain else _REPORT.doubt
    yield build("boolean-flipped" if certain else "boolean-open", message, Kind.NEGATION, place(alignment, truth, None))


def negated(unit: Unit) -> dict[int, tuple[Cue, ...]]:
    """Item position -> the negations that have it in scope: the rest of the segment and what "or" adds to it."""
    found: dict[int, list[Cue]] = {}
    negations = [cue for cue in unit.cues if _negates(cue)]
    for number, cue in enumerate(negations):
        end = _correlate(negations[number + 1 :], cue)
        for item in unit.items:
            if cue.position < item.position < end and _reaches(unit, cue, item):
                found.setdefault(item.position, []).append(cue)
    return {position: tuple(cues) for position, cues in found.items()}


def _negates(cue: Cue) -> bool:
    """Negations, and "unless", which says "if not"; idioms such as "not only" are none."""
    return (cue.table == "negation" and cue.name != "negation.idioms") or cue.name == "condition.unless"


def _correlate(following: Sequence[Cue], cue: Cue) -> float:
    """Where "neither" hands over to its "nor": one negation told in two words."""
    if cue.text.casefold() not in _CORRELATIVE:
        return math.inf
    return min(
        (other.position for other in following if other.text.casefold() == _CORRELATIVE[cue.text.casefold()]),
        default=math.inf,
    )


def _reaches(unit: Unit, cue: Cue, item: Item) -> bool:
    """Within its segment, and on through "A, B or C": commas carry it only on the way to an "or"."""
    between = unit.segments[cue.segment + 1 : item.segment + 1]
    if not between:
        return True
    behind = unit.segments[item.segment :]
    joined = between[-1].opener in _CARRIES_ON or (len(behind) > 1 and behind[1].opener in _CARRIES_ON)
    return joined and all(segment.opener in (*_CARRIES_ON, "") for segment in between)


def _compare(alignment: Alignment) -> Iterator[Finding]:
    here, there = negated(alignment.claim), negated(alignment.source)
    told = _compensated(alignment, here, there)
    agreed = _agreed(alignment, here, there)
    flipped = [
        (mine, theirs, mine_is_opposed)
        for pairs, mine_is_opposed in ((alignment.pairs, False), (alignment.opposed, True))
        for mine, theirs in pairs
        if (len(here.get(mine.position, ())) + len(there.get(theirs.position, ())) + mine_is_opposed) % 2
        and theirs.segment not in told
        and (mine.segment, theirs.segment) not in agreed
        and not _antecedent(alignment, theirs, there)
        and not _unless(alignment, here.get(mine.position, ()), theirs, there.get(theirs.position, ()), mine)
    ]
    if not flipped:
        return
    mine, theirs, opposed = flipped[-1]  # the last flipped word is the predicate's end, the clearest to show
    kind = Kind.ANTONYM if opposed else Kind.NEGATION
    message = _message(alignment, mine, theirs, opposed=opposed)
    at = place(alignment, mine, theirs)
    if _certain(alignment):
        yield _REPORT.conflict(f"{kind.value}-flipped", message, kind, at)
    else:
        yield _REPORT.doubt(f"{kind.value}-scope", message, kind, at)


def _agreed(alignment: Alignment, here: Scope, there: Scope) -> frozenset[tuple[int, int]]:
    """Segments that deny the same word on both sides, once each: what else their negations reach is a matter of order.

    "If a return is not filed" says what "if you do not file a return" says.
    """
    both = {(one.segment, two.segment) for one, two in alignment.pairs if _odd(here, one) and _odd(there, two)}
    return frozenset(
        (mine, theirs) for mine, theirs in both if _denials(alignment.claim, mine) == _denials(alignment.source, theirs)
    )


def _denials(unit: Unit, segment: int) -> int:
    return sum(_negates(cue) and cue.segment == segment for cue in unit.cues)


def _odd(scope: Scope, item: Item) -> bool:
    return bool(len(scope.get(item.position, ())) % 2)


def _antecedent(alignment: Alignment, theirs: Item, there: Scope) -> bool:
    """Denied only before its relative clause: "without Wayne, who sold his share" does say that Wayne sold it."""
    if theirs.position not in there:
        return False
    relatives = lexicon(alignment.source.language).relatives
    behind = [token.norm for token in alignment.source.tokens if token.start >= theirs.end][:2]
    return bool(behind) and (behind[0] in relatives or (behind[0] == "," and behind[-1] in relatives))


def _compensated(alignment: Alignment, here: Scope, there: Scope) -> frozenset[int]:
    """Source segments in which a negation and an antonym cancel out: "does not open" and "is closed"."""
    return frozenset(
        theirs.segment
        for mine, theirs in alignment.opposed
        if (len(here.get(mine.position, ())) + len(there.get(theirs.position, ()))) % 2
    )


def _unless(alignment: Alignment, here: Cues, theirs: Item, there: Cues, mine: Item) -> bool:
    """Negations of other words that say the same: "unless the flat is damaged", "if the flat is not damaged"."""
    return (_is_unless(here) and _negative_in(alignment.source, theirs.segment)) or (
        _is_unless(there) and _negative_in(alignment.claim, mine.segment)
    )


def _is_unless(cues: Cues) -> bool:
    return any(cue.name == "condition.unless" for cue in cues)


def _negative_in(unit: Unit, segment: int) -> bool:
    return any(cue.table == "negation" and cue.segment == segment for cue in unit.cues)


def _message(alignment: Alignment, mine: Item, theirs: Item, *, opposed: bool) -> str:
    if opposed:
        return f"source '{theirs.text}', answer '{mine.text}'"
    source = _said(alignment.source, theirs)
    claim = _said(alignment.claim, mine)
    return f"source '{source}', answer '{claim}'"


def _said(unit: Unit, item: Item) -> str:
    cues = negated(unit).get(item.position, ())
    return f"{' '.join(cue.text for cue in cues)} … {item.text}" if cues else item.text


def _certain(alignment: Alignment) -> bool:
    """The anchor is tight and nothing else on either side could explain the flip."""
    idioms = any(cue.name == "negation.idioms" for unit in (alignment.claim, alignment.source) for cue in unit.cues)
    limits = any(
        cue.name in ("quantity.only", "condition.unless", "condition.exception") for cue in alignment.claim.cues
    )
    return alignment.tight and not idioms and not limits and not _of_a_part(alignment) and not _converse(alignment)


def _converse(alignment: Alignment) -> bool:
    """Opposite verbs with opposite roles say the same: A lent it to B, B borrowed it from A."""
    if not alignment.opposed:
        return False
    moved = any(here.prep != there.prep for here, there in alignment.pairs)
    return moved or next(crossings(alignment), None) is not None


def _of_a_part(alignment: Alignment) -> bool:
    """Either side speaks of a part only: "some do not" may stand beside "many do"."""
    cues = (cue.name for unit in (alignment.claim, alignment.source) for cue in unit.cues)
    counted = any(_counts(value) for unit in (alignment.claim, alignment.source) for value in unit.values)
    return counted or any(name in _PARTIAL for name in cues)


def _counts(value: Value) -> bool:
    """A number or share of the things spoken of; "by 4 %" measures a change instead."""
    return value.kind in _PARTS and value.sense != "change"
