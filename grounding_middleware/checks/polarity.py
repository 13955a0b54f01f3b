"""Negation and antonyms (CH-3): a claim that says the opposite of the unit that says the rest of it.

Polarity is held per item: what each negation has in its scope is compared, never the number of negations in a sentence.
An antonym counts as one negation, so "does not open" equals "is closed".
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.changes import changes
from grounding_middleware.checks.comparatives import comparatives
from grounding_middleware.checks.contrast import contrast, finite
from grounding_middleware.checks.denied import denied, withheld
from grounding_middleware.checks.duties import same_status
from grounding_middleware.checks.flips import carried, counted_none, other_subject, said_both_ways, same_doer
from grounding_middleware.checks.halves import opposite_half
from grounding_middleware.checks.negations import negated, negates
from grounding_middleware.checks.opposed_fields import opposed_field
from grounding_middleware.checks.placing import exchanged
from grounding_middleware.checks.roles import agents_replaced, crossings, marker
from grounding_middleware.checks.standards import crossed_direction, exchanged_standard, turned_round
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("polarity")
_PARTIAL: Final = ("quantity.some", "quantity.few", "quantity.many", "quantity.most")
_PARTS: Final = (ValueKind.COUNT, ValueKind.RATIO, ValueKind.PERCENT)
_NOT_WITHOUT: Final = {0, 2}  # negations of the two sides
_NEITHER: Final = {"en": ("neither", "nor"), "de": ("weder", "noch"), "nl": ("noch", "noch")}
_PLAIN: Final = ("negation.clause", "negation.determiner")


Cues = tuple[Cue, ...]
Scope = dict[int, Cues]


def check(case: Case) -> Iterator[Finding]:
    """Conflicts where the claim flips the only statement it can rest on; doubts where scopes differ otherwise."""
    yield from next((found for one in case.alignments if (found := list(comparatives(case, one)))), [])
    for alignment in case.anchored:
        yield from _boolean(alignment)
        yield from opposed_field(alignment)
        contrasted = list(_contrasted(alignment)) or _halves(alignment) or list(_compared(alignment))
        yield from contrasted or _compare(alignment)
        yield from _denied_values(alignment)
    yield from denied(case)
    yield from withheld(case)
    yield from changes(case)


def _boolean(alignment: Alignment) -> Iterator[Finding]:
    """A field that is true, where the sentence about the same thing denies it, or the other way round.

    Everything else is a doubt: that a sentence has the words of the key does not say that the field is true.
    """
    truth = next(iter(alignment.claim.of("boolean")), None)
    if truth is None:
        return
    given = lexicon(alignment.source.language).giving
    denied = sum(negates(cue) and cue.segment in alignment.touched for cue in alignment.source.cues) % 2 == 1
    message = f"source {'denies' if denied else 'affirms'} it, answer '{truth.text}'"
    certain = denied == (truth.name == "boolean.true") and all(item.keys & given for item in alignment.source_left)
    build = _REPORT.conflict if certain else _REPORT.doubt
    yield build("boolean-flipped" if certain else "boolean-open", message, Kind.NEGATION, place(alignment, truth, None))


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
    neither = opposed and _odd(here, mine) and _odd(there, theirs)  # "never lent", "cannot borrow": both may be denied
    open_ = carried(alignment, (mine, theirs), (here, there)) or (
        not opposed and said_both_ways(alignment, (mine, theirs), (here, there))
    )
    twice = {one[2] for one in flipped} == {True, False}  # "an open valve is checked", "a closed one is not checked"
    if _certain(alignment) and not neither and not open_ and not twice:
        yield _REPORT.conflict(f"{kind.value}-flipped", message, kind, at)
    else:
        yield _REPORT.doubt(f"{kind.value}-scope", message, kind, at)


def _contrasted(alignment: Alignment) -> Iterator[Finding]:
    """The second of two contrasted members gets the polarity of the first: "A is covered, B is not" as "B is covered".

    A member without a verb or a negation of its own carries on the negation before it: "not in A, B or C".
    """
    members = contrast(alignment)
    if members is None or members.own is None:
        return
    source = alignment.source
    first, second = (_denials(source, segment) % 2 for segment in (members.first, members.second))
    mine = sum(negates(cue) for cue in alignment.claim.cues) % 2
    if first == second or mine != first or not (second or finite(source, members.second)) or not _plain(alignment):
        return
    message = f"source {'denies' if second else 'affirms'} it of '{members.own.text}', answer the opposite"
    yield _REPORT.conflict("contrast-flipped", message, Kind.NEGATION, place(alignment, members.own, None))


def _halves(alignment: Alignment) -> list[Finding]:
    """The opposite of what the clause about the same thing says, in a word of another clause."""
    found = opposite_half(alignment)
    if found is None:
        return []
    mine, theirs = found
    message = f"source '{theirs.text}', answer '{mine.text}'"
    return [_REPORT.conflict("antonym-flipped", message, Kind.ANTONYM, place(alignment, mine, theirs))]


def _compared(alignment: Alignment) -> Iterator[Finding]:
    """Two things that changed places round "higher than", or that got each other's "rose" and "fell"."""
    swapped = exchanged_standard(alignment)
    if swapped is not None:
        mine, theirs = swapped
        message = f"source compares with '{theirs.text}', answer with '{mine.text}'"
        yield _REPORT.conflict("standard-exchanged", message, Kind.ANTONYM, place(alignment, mine, theirs))
    crossed = crossed_direction(alignment)
    if crossed is not None:
        (mine, _), theirs = crossed
        message = f"source '{theirs.text}' of the same thing, answer '{mine.text}'"
        yield _REPORT.conflict("direction-crossed", message, Kind.ANTONYM, place(alignment, mine, theirs))


def _plain(alignment: Alignment) -> bool:
    """No condition, idiom, part or "only" on either side that could reconcile the two."""
    cues = [cue for unit in (alignment.claim, alignment.source) for cue in unit.cues]
    bound = any(cue.table == "condition" or cue.name in ("negation.idioms", "quantity.only") for cue in cues)
    return not bound and not _of_a_part(alignment)


def _denied_values(alignment: Alignment) -> Iterator[Finding]:
    """A value the source rules out and the claim states: "nicht im Mai, sondern im Juni" against "im Mai"."""
    source = alignment.source
    if alignment.claim.of("negation"):
        return
    for cue in (one for one in source.of("negation") if one.name == "negation.clause"):
        if any(item.segment == cue.segment and item.position > cue.position for item in source.items):
            continue  # then it denies a word, which is compared
        denied = [v for v in source.values if v.start > cue.end and source.segment_at(v.start) == cue.segment]
        for theirs in (value for value in denied if value.bound is None):
            mine = next((own for own in alignment.claim.values if _same_value(own, theirs)), None)
            if mine is not None:
                message = f"source '{cue.text} … {theirs.text}', answer '{mine.text}'"
                build = _REPORT.conflict if _certain(alignment) else _REPORT.doubt
                yield build("value-denied", message, Kind.NEGATION, place(alignment, mine, theirs))


def _same_value(mine: Value, theirs: Value) -> bool:
    return compare(mine, theirs).relation is compare(theirs, mine).relation is Relation.ENTAILED


def _agreed(alignment: Alignment, here: Scope, there: Scope) -> frozenset[tuple[int, int]]:
    """Segments that deny the same word on both sides, once each: what else their negations reach is a matter of order.

    "If a return is not filed" says what "if you do not file a return" says.
    """
    both = {(one.segment, two.segment) for one, two in alignment.pairs if _odd(here, one) and _odd(there, two)}
    return frozenset(
        (mine, theirs) for mine, theirs in both if _denials(alignment.claim, mine) == _denials(alignment.source, theirs)
    )


def _denials(unit: Unit, segment: int) -> int:
    return sum(negates(cue) and cue.segment == segment for cue in unit.cues)


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
    told = " ".join(cue.text for cue in cues)
    inside = any(cue.start <= item.start < cue.end for cue in cues)
    return told if inside else f"{told} … {item.text}" if cues else item.text


def _certain(alignment: Alignment) -> bool:
    """The anchor is tight and nothing else on either side could explain the flip."""
    idioms = any(cue.name == "negation.idioms" for unit in (alignment.claim, alignment.source) for cue in unit.cues)
    limits = any(
        cue.name in ("quantity.only", "condition.unless", "condition.exception") for cue in alignment.claim.cues
    )
    return (alignment.tight or _of_neither(alignment)) and not (
        idioms
        or limits
        or _of_a_part(alignment)
        or _converse(alignment)
        or _doubled(alignment)
        or _of_another_time(alignment)
        or _both_deny(alignment)
        or _excepted(alignment)
        or _otherwise(alignment)
        or _only_if(alignment)
        or other_subject(alignment)
        or counted_none(alignment)
        or same_status(alignment)
    )


def _of_neither(alignment: Alignment) -> bool:
    """All that the claim leaves out is the other half of "neither A nor B", "no se admiten A ni B"."""
    return _after_nor(alignment) or _of_two(alignment)


def _after_nor(alignment: Alignment) -> bool:
    source = alignment.source
    nor = next((cue for cue in source.cues if cue.name == "negation.nor"), None)
    after = [there.position for _, there in alignment.pairs if nor and there.position > nor.position]
    if nor is None or not after or alignment.claim.of("negation"):
        return False
    if all(nor.position < item.position < min(after) for item in alignment.source_left):
        return True
    before = [there.position for _, there in alignment.pairs if there.position < nor.position]
    listed = all(max(before, default=-1) < item.position < nor.position for item in alignment.source_left)
    return bool(before) and listed and lexicon(source.language).concord


def _of_two(alignment: Alignment) -> bool:
    """What is left over is one of the two, and the other is in the claim."""
    source = alignment.source
    first, second = _NEITHER.get(source.language, ("", ""))
    places = [n for n, token in enumerate(source.tokens) if token.norm in (first, second)][:2]
    if len(places) < len(("neither", "nor")) or alignment.claim.of("negation"):
        return False
    neither, nor = places
    said = [there.position for _, there in alignment.pairs]
    left = [item.position for item in alignment.source_left]
    halves = (
        all(neither < position < nor for position in left),
        all(nor < position < min((one for one in said if one > nor), default=math.inf) for position in left),
    )
    return (halves[0] and any(one > nor for one in said)) or (halves[1] and any(neither < one for one in said))


def _excepted(alignment: Alignment) -> bool:
    """The claim speaks of what the source excepts: "all rooms except the attic are heated", "the attic is not"."""
    exceptions = [cue for cue in alignment.source.cues if cue.name == "condition.exception"]
    return any(
        there.segment == cue.segment and there.position > cue.position
        for cue in exceptions
        for _, there in alignment.pairs
    )


def _otherwise(alignment: Alignment) -> bool:
    """One side says "unless X", the other speaks of X itself: "P unless X" does say "not P if X", "with X, not P"."""
    sides = ((alignment.source, 1), (alignment.claim, 0))
    limits = [cue.segment for cue in alignment.source.cues if cue.name == "condition.if"]
    if any(pair[1].segment in limits for pair in alignment.pairs) and not alignment.claim.of("condition"):
        return len({pair[0].segment for pair in alignment.pairs}) > 1  # "Stören sie nicht, sind sie erlaubt"
    return any(
        cue.name == "condition.unless" and any(pair[side].segment == cue.segment for pair in alignment.pairs)
        for unit, side in sides
        for cue in unit.cues
    ) and not all(_names_unless(unit) for unit, _ in sides)


def _only_if(alignment: Alignment) -> bool:
    """The claim denies both halves of "P only if Q": "not P if not Q" says the same."""
    cues = alignment.source.cues
    only = any(cue.name == "quantity.only" for cue in cues)
    limits = {cue.segment for cue in cues if cue.name == "condition.only_if" or (only and cue.name == "condition.if")}
    here, there = negated(alignment.claim), negated(alignment.source)
    flipped = [theirs.segment for mine, theirs in alignment.pairs if _odd(here, mine) != _odd(there, theirs)]
    outside = any(segment not in limits for segment in flipped) or bool(alignment.opposed)
    return bool(alignment.claim.of("condition")) and outside and any(segment in limits for segment in flipped)


def _names_unless(unit: Unit) -> bool:
    return any(cue.name == "condition.unless" for cue in unit.cues)


def _both_deny(alignment: Alignment) -> bool:
    """Each side denies in its own way: "there is no X" and "X does not exist", "has no X" and "X is not available"."""
    mine, theirs = alignment.claim.of("negation"), alignment.source.of("negation")
    kinds = [{cue.name == "negation.determiner" for cue in cues} for cues in (mine, theirs)]
    return bool(mine and theirs) and bool(alignment.by_context or kinds[0].isdisjoint(kinds[1]))


def _doubled(alignment: Alignment) -> bool:
    """Two negations on one side, none on the other: "not without X" may say what "only with X" says."""
    return {_strength(alignment.claim), _strength(alignment.source)} == _NOT_WITHOUT


def _strength(unit: Unit) -> int:
    """How many negations count: "nor" never, and where negations agree, "non ... mai" once."""
    found = [cue.name for cue in unit.cues if negates(cue) and cue.name != "negation.nor"]
    plain = [name for name in found if name in _PLAIN]
    agreed = len(plain) - 1 if plain and lexicon(unit.language).concord else 0
    return len(found) - agreed


def _of_another_time(alignment: Alignment) -> bool:
    """Either names another value: "open on weekdays" may stand beside "closed on Sunday"."""
    return bool(alignment.source.values) and any(
        all(compare(mine, theirs).relation is not Relation.ENTAILED for theirs in alignment.source.values)
        for mine in alignment.claim.values
    )


def _converse(alignment: Alignment) -> bool:
    """Opposite verbs with opposite roles say the same: A lent it to B, B borrowed it from A."""
    if not alignment.opposed or same_doer(alignment) or agents_replaced(alignment):
        return False
    if turned_round(alignment):
        return True
    claim, source = alignment.claim, alignment.source
    moved = any(bool(marker(claim, one)) != bool(marker(source, two)) for one, two in alignment.pairs)
    return moved or next(crossings(alignment), None) is not None or exchanged(alignment) is not None


def _of_a_part(alignment: Alignment) -> bool:
    """Either side speaks of a part only: "some do not" may stand beside "many do"."""
    units = (alignment.claim, alignment.source)
    counted = any(_counts(value) for unit in units for value in unit.values) and not _directed(alignment)
    parts = any(cue.name in _PARTIAL for unit in units for cue in unit.cues)
    return counted or (parts and not _none_against_some(*units) and not _none_against_some(*units[::-1]))


def _directed(alignment: Alignment) -> bool:
    """All that is opposed says up or down: "rents rose 3 %" measures by how much, not of how many."""
    ways = lexicon(alignment.claim.language).directions
    return bool(alignment.opposed) and all(not one.keys.isdisjoint(ways) for one, _ in alignment.opposed)


def _none_against_some(left: Unit, right: Unit) -> bool:
    """All of them are denied on one side ("no seats", "nobody"), so that a part of them on the other is too many."""
    none = [cue for cue in left.cues if cue.name == "negation.determiner" and cue.segment == 0]
    partial = [cue for cue in left.cues if cue.name in _PARTIAL]
    return bool(none) and not partial and not right.of("negation") and not left.of("certainty")


def _counts(value: Value) -> bool:
    """A number or share of the things spoken of; "by 4 %" measures a change instead."""
    return value.kind in _PARTS and value.sense != "change"
