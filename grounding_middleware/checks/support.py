"""Near-verbatim support (DESIGN §5): the only way rules may call a claim SUPPORTED.

Every word, value and cue of the claim stands in one sentence (or table row) of the evidence, in roles that agree, and
nothing the sentence says beside it could narrow the claim. Overlap never decides: one unmatched word is one too many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import claimed
from grounding_middleware.checks.cutting import nothing_cut
from grounding_middleware.checks.framing import same_frame, term
from grounding_middleware.checks.order import same_roles
from grounding_middleware.checks.persons import same_persons
from grounding_middleware.checks.placing import in_place
from grounding_middleware.checks.verbatim import verbatim, words_known
from grounding_middleware.reading.clauses import orders
from grounding_middleware.reading.lemmas import keys
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.reading.values import Relation, Value, compare
from grounding_middleware.records import Finding, Outcome, Range

_AND: Final = frozenset({"as well as", "along with"})
_EVEN: Final = frozenset({"even"})
_ITS: Final = frozenset({"its", "their"})
_OF_WORDING: Final = frozenset({"scope", "modality", "certainty", "conditions", "polarity", "roles"})
"""Checks whose doubts are about how a thing is put: none is left where both sides put it in the same words."""
_COMPARED: Final = ("modality", "certainty", "quantity", "condition", "time")
_DERIVED: Final = "value-derived"


def supports(alignment: Alignment, findings: Sequence[Finding]) -> bool:
    """True only if the aligned unit states the whole claim; `findings` are those of all checks on this alignment."""
    opposed = [finding for finding in findings if finding.outcome in (Outcome.CONFLICT, Outcome.DOUBT)]
    if opposed and all(one.outcome is Outcome.DOUBT and one.check in _OF_WORDING for one in opposed):
        opposed = [] if verbatim(alignment.claim, alignment.source) else opposed
    return not opposed and may_support(alignment) and _values_stated(alignment, findings)


def may_support(alignment: Alignment) -> bool:
    """What `supports` asks of the alignment alone: without it no check needs to run to know the answer."""
    return _all_there(alignment) and (verbatim(alignment.claim, alignment.source) or _reworded(alignment))


def _reworded(alignment: Alignment) -> bool:
    """The same said in other words, or less of it; only where we know the closed-class words of the language."""
    return (
        words_known(alignment.claim, alignment.source)
        and same_roles(alignment)
        and nothing_cut(alignment.source, alignment.reached)
        and same_persons(alignment)
        and not _dangling(alignment)
        and _same_joins(alignment)
        and in_place(alignment)
        and same_frame(alignment)
    )


def restates(alignment: Alignment, findings: Sequence[Finding]) -> bool:
    """True if the unit has every word, value and cue of the claim and no check objects, in whatever roles and frame.

    Enough to name a probable cause, for example that a judge erred; never enough to call a claim SUPPORTED.
    """
    there = _unopposed(findings) and _all_there(alignment)
    return there and _all_matched(alignment, findings) and not _rivals(alignment)


def _unopposed(findings: Sequence[Finding]) -> bool:
    """No check objects."""
    return all(finding.outcome not in (Outcome.CONFLICT, Outcome.DOUBT) for finding in findings)


def _all_there(alignment: Alignment) -> bool:
    """Every word and cue on both sides."""
    return (
        alignment.anchored
        and not alignment.opposed
        and not alignment.by_title
        and not _left(alignment)
        and len(alignment.pairs) + len(claimed(alignment.claim)) > 1
        and _same_cues(alignment)
        and _same_direction(alignment)
    )


def _rivals(alignment: Alignment) -> bool:
    """The unit has another value of a sort the claim states: which of them belongs to the claim's words is open."""
    mine = claimed(alignment.claim)
    others = [
        other
        for other in claimed(alignment.source)
        if _near(alignment, alignment.source.segment_at(other.start))
        and all(compare(value, other).relation is not Relation.ENTAILED for value in mine)
    ]
    return any(value.kind is other.kind for value in mine for other in others)


def _all_matched(alignment: Alignment, findings: Sequence[Finding]) -> bool:
    """A match for every value of the claim."""
    matched = {
        finding.claim_range for finding in findings if finding.check == "values" and finding.outcome is Outcome.MATCH
    }
    return all((value.start, value.end) in matched for value in claimed(alignment.claim))


def _left(alignment: Alignment) -> list[Item]:
    """What the touched segments say beside the claim, without the first verb phrase of a shared subject.

    Also of a segment that gives the claim a value only: "and are stored for two days" says what lasts two days.
    """
    shared = _shared_subject(alignment)
    lent = alignment.reached - alignment.touched
    left = (*alignment.source_left, *(item for item in alignment.source.items if item.segment in lent))
    return [item for item in left if item.segment != shared]


def _shared_subject(alignment: Alignment) -> int | None:
    """The segment that gave only its subject to the claim: "Cartons weigh 3 kg and hold 24 units" -> "Cartons hold 24".

    The later segment must be joined by "and" and have no subject of its own; what is left over of the first one must
    stand behind the words the claim took from it.
    """
    touched = sorted(alignment.reached)
    if len(touched) != 2 or not alignment.pairs:  # a subject and one verb phrase
        return None
    first, second = touched
    source = alignment.source
    taken = [there.start for _, there in alignment.pairs if there.segment == first]
    rest = [item.start for item in alignment.source_left if item.segment == first]
    mine = claimed(alignment.claim)
    rest += [
        value.start
        for value in claimed(source)
        if source.segment_at(value.start) == first and not any(_states(own, value) for own in mine)
    ]
    if not taken or not rest or max(taken) > min(rest) or source.segments[second].opener != "and":
        return None
    return None if _own_subject(source, second) else first


def _states(mine: Value, theirs: Value) -> bool:
    return compare(mine, theirs).relation is Relation.ENTAILED


def _own_subject(source: Unit, segment: int) -> bool:
    """The segment begins with an article, a pronoun or a name: somebody else is spoken of."""
    words = lexicon(source.language)
    inside = [
        token
        for token in source.tokens
        if token.start >= source.segments[segment].start and token.norm not in words.joins
    ]
    first = inside[0] if inside else None
    return first is None or first.capital or first.norm in words.articles or first.norm in words.pronouns


def _dangling(alignment: Alignment) -> bool:
    """A pronoun after a preposition ("for that", "with it") that the source lacks: it refers to something else."""
    words = lexicon(alignment.claim.language)
    back = words.pronouns - words.first_and_second
    theirs = {token.norm for token in alignment.source.tokens}
    if orders(alignment.claim) and orders(alignment.source) and theirs & _ITS:
        theirs |= _ITS  # "the steak ... on its sides", "the steaks ... on their sides"
    return any(
        token.norm in back and token.norm not in theirs and before.norm in words.prepositions
        for before, token in pairwise(alignment.claim.tokens)
    )


def _same_cues(alignment: Alignment) -> bool:
    """Both sides say how often, how surely and under what condition in the same terms, negations in equal number."""
    language = alignment.claim.language
    mine = Counter(term(cue, language) for cue in alignment.claim.cues if cue.table in _COMPARED and not _joins(cue))
    theirs = Counter(
        term(cue, language)
        for cue in alignment.source.cues
        if cue.table in _COMPARED and _bears(alignment, cue) and not _joins(cue)
    )
    theirs -= Counter({"condition.inclusion": max(0, _evens(alignment.source) - _evens(alignment.claim))})
    here = len(alignment.claim.of("negation"))
    there = len([cue for cue in alignment.source.of("negation") if _bears(alignment, cue)])
    alike = mine == theirs and here % 2 == there % 2 and bool(here) == bool(there)
    return alike and (not here or _same_modals(alignment))


def _same_modals(alignment: Alignment) -> bool:
    """Under a negation modals must be the same word: "ne doit pas" forbids, "n'est pas tenu de" leaves it open."""
    language = alignment.claim.language
    theirs = [keys(cue.text.casefold(), language) for cue in alignment.source.of("modality")]
    return all(
        any(keys(cue.text.casefold(), language) & other for other in theirs) for cue in alignment.claim.of("modality")
    )


def _joins(cue: Cue) -> bool:
    """Says no more than "and": as well as, along with."""
    return cue.name == "condition.inclusion" and cue.text.casefold() in _AND


def _evens(unit: Unit) -> int:
    """How often "even" only stresses what follows; before a condition it is part of it."""
    conditions = {cue.position for cue in unit.of("condition")}
    return len([cue for cue in unit.cues if cue.text.casefold() in _EVEN and cue.position + 1 not in conditions])


def _bears(alignment: Alignment, cue: Cue) -> bool:
    """The cue stands beside the claim's words, or alone between commas: "Perhaps, guests use the side door"."""
    alone = not any(item.segment == cue.segment for item in alignment.source.items)
    return alone or _near(alignment, cue.segment)


def _near(alignment: Alignment, segment: int) -> bool:
    if _mute(alignment.source, segment):
        return True
    return segment in alignment.reached and segment != _shared_subject(alignment)


def _mute(unit: Unit, segment: int) -> bool:
    """Set off by commas and without a word of its own, it speaks of the whole sentence: "Perhaps, ..."."""
    spoken = any(item.segment == segment for item in unit.items)
    return not spoken and not any(unit.segment_at(value.start) == segment for value in unit.values)


def _values_stated(alignment: Alignment, findings: Sequence[Finding]) -> bool:
    """A match for every value of the claim, and no value of the touched segments left unsaid."""
    if not _all_matched(alignment, findings):
        return False
    mine = claimed(alignment.claim)
    theirs = [
        value for value in claimed(alignment.source) if _near(alignment, alignment.source.segment_at(value.start))
    ]
    said = all(any(compare(own, value).relation is Relation.ENTAILED for own in mine) for value in theirs)
    derived = {finding.claim_range for finding in findings if finding.rule == _DERIVED}
    return said and _one_to_one(mine, theirs, derived)


def _one_to_one(mine: Sequence[Value], theirs: Sequence[Value], derived: Collection[Range | None]) -> bool:
    """Each value of the claim rests on a source value of its own: "12 ms within two days" does not rest on "12 ms".

    One that stands in another clause of the source only ("and are stored for two days") is no value of the claim's.
    """
    free = list(theirs)
    for value in mine:
        found = next((other for other in free if compare(value, other).relation is Relation.ENTAILED), None)
        if found is None:
            return (value.start, value.end) in derived and not theirs  # from several values: the match says how
        free.remove(found)
    return True


def _same_joins(alignment: Alignment) -> bool:
    """What the claim joins by "or" the source joins by "or", and no "and" stands for an "or"."""
    went = {here.segment: there.segment for here, there in reversed(alignment.pairs)}
    for number, segment in enumerate(alignment.claim.segments):
        if number not in went or segment.opener not in ("and", "or", "condition.inclusion"):
            continue
        if (segment.opener == "or") != _chosen(alignment.source, went[number]):
            return False
    return True


def _chosen(source: Unit, number: int) -> bool:
    """The segment is one branch of "A, B or C"."""
    following = [segment.opener for segment in source.segments[number:]]
    if following[0] == "or":
        return True
    later = next((opener for opener in following[1:] if opener), "")
    return following[0] == "" and number > 0 and later == "or"


def _same_direction(alignment: Alignment) -> bool:
    """Up and down, in and out: what turns a verb or a place round stands behind the same word on both sides."""
    particles = lexicon(alignment.claim.language).particles
    mine, theirs = _directed(alignment.claim, particles), _directed(alignment.source, particles)
    went = {id(here): there for here, there in alignment.pairs}
    loose = {particle for _, particle in theirs}
    bound = {(id(item), particle) for item, particle in theirs}
    return all(
        (id(went[id(item)]), particle) in bound if item is not None and id(item) in went else particle in loose
        for item, particle in mine
    )


def _directed(unit: Unit, particles: Collection[str]) -> list[tuple[Item | None, str]]:
    """Each particle with the content word before it."""
    items = sorted(unit.items, key=lambda item: item.start)
    found: list[tuple[Item | None, str]] = []
    for token in unit.tokens:
        if token.norm in particles:
            before = [item for item in items if item.end <= token.start]
            found.append((before[-1] if before else None, token.norm))
    return found
