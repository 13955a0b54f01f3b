"""Sweeping claims (CH-5): what the source grants within limits, told as if there were none, or of the very exception.

"Only members may book" against "every guest may book"; "open daily except on Mondays" against "open on Mondays too";
"E-bikes are covered only if the option was booked" against "E-bikes are always covered"; "can be renewed unless it is
reserved" against "even if it is reserved"; "must be accompanied by an adult" against "may come without an adult".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.duty_words import duty_words, says_only_that
from grounding_middleware.checks.inclusions import inclusions
from grounding_middleware.checks.marked import verbal
from grounding_middleware.checks.negations import negated
from grounding_middleware.checks.regardless import regardless
from grounding_middleware.checks.scope import restricted
from grounding_middleware.reading.lemmas import related
from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("conditions")
_LIMITS: Final = ("condition.if", "condition.only_if", "condition.unless", "condition.exception")
_CONCEDED: Final = ("condition.if", "condition.only_if", "condition.unless")
_TWO: Final = 2
_NEAR: Final = 4  # tokens from a share to the word it is a share of
_SHARES: Final = (ValueKind.RATIO, ValueKind.PERCENT)
_NEXT: Final = 2  # tokens from "all" to what it counts: "all the rooms"
_MOST_STRANGE: Final = 2  # words of the claim the source does not have: its subject, or its verb
_EVEN_THEN: Final = {("auch", "dann"), ("selbst", "dann"), ("sogar", "dann"), ("ook", "dan"), ("zelfs", "dan")}
_MARKS: Final = ("condition", "negation", "certainty")


def check(case: Case) -> Iterator[Finding]:
    """Conflicts of a claim that keeps the words of a limited statement and sweeps its limit away."""
    for alignment in case.anchored:
        yield from _always(alignment)
        yield from _all_of_a_share(alignment)
        yield from _conceded(alignment)
        yield from _of_the_exception(alignment)
        yield from _included(alignment)
    for alignment in case.alignments:
        yield from regardless(alignment)
    yield from inclusions(case)
    for alignment in case.alignments[:1]:
        yield from _every(alignment)
        yield from _somebody(alignment)
        yield from _without(alignment)


def _always(alignment: Alignment) -> Iterator[Finding]:
    """The claim says "always" of what the same words of the source bind to a condition the claim does not touch."""
    words = lexicon(alignment.claim.language)
    marks = (*alignment.claim.of("certainty"), *alignment.claim.of("negation"))
    mark = next((cue for cue in marks if cue.text.casefold() in words.unlimited), None)
    limit = next((cue for cue in alignment.source.cues if cue.name in _LIMITS), None)
    if mark is None or limit is None or _names(alignment.claim, _LIMITS) or not alignment.tight:
        return
    others = [cue for cue in alignment.claim.of("negation") if cue is not mark]
    if limit.segment in alignment.touched or _hedged(alignment) or (others and not _same_polarity(alignment)):
        return
    message = f"source '{limit.text} …', answer '{mark.text}'"
    yield _REPORT.conflict("limit-swept-away", message, Kind.CONDITION, place(alignment, mark, limit))


def _all_of_a_share(alignment: Alignment) -> Iterator[Finding]:
    """All of what the source counts a share of: "half of the patients", "all patients"."""
    mark = next((cue for cue in alignment.claim.of("quantity") if cue.name == "quantity.all"), None)
    mine = restricted(alignment.claim, mark) if mark is not None else None
    theirs = alignment.partner(mine) if mine is not None else None
    if mark is None or theirs is None or alignment.claim.values or not alignment.tight or not _plain(alignment):
        return
    for value in alignment.source.values:
        between = [token for token in alignment.source.tokens if value.end <= token.start < theirs.start]
        part = value.kind in _SHARES and value.sense != "change" and value.interval.is_point
        if part and value.end <= theirs.start and len(between) <= _NEAR and 0 < (value.interval.low or 0) < 1:
            message = f"source '{value.text} … {theirs.text}', answer '{mark.text}'"
            yield _REPORT.conflict("all-of-a-share", message, Kind.OVERGENERALISATION, place(alignment, mark, value))
            return


def _plain(alignment: Alignment) -> bool:
    return not alignment.claim.of("negation") and not alignment.source.of("negation") and not alignment.opposed


def _conceded(alignment: Alignment) -> Iterator[Finding]:
    """The same statement "even if" the very thing holds under which the source takes it back."""
    mine = _even_if(alignment.claim)
    theirs = [cue for cue in alignment.source.cues if cue.name in _CONCEDED]
    if mine is None or len(theirs) != 1 or not alignment.tight:
        return
    here, there = negated(alignment.claim), negated(alignment.source)
    inside: set[int] = set()
    outside: set[int] = set()
    for one, two in alignment.pairs:
        if (one.segment == mine.segment) != (two.segment == theirs[0].segment):
            return
        flipped = (len(here.get(one.position, ())) + len(there.get(two.position, ()))) % 2
        (inside if one.segment == mine.segment else outside).add(flipped)
    if inside == {1} and outside <= {0}:
        message = f"source '{theirs[0].text} …', answer '{mine.text} …'"
        yield _REPORT.conflict("limit-conceded", message, Kind.CONDITION, place(alignment, mine, theirs[0]))


def _even_if(unit: Unit) -> Cue | None:
    """The connective of "even if", also where the main clause stands between: "auch dann nicht versichert, wenn"."""
    told = next((cue for cue in unit.cues if cue.name == "condition.even_if"), None)
    limit = next((cue for cue in unit.cues if cue.name == "condition.if"), None)
    if told is not None or limit is None:
        return told
    norms = [token.norm for token in unit.tokens if token.end <= limit.start]
    return limit if any(pair in _EVEN_THEN for pair in pairwise(norms)) else None


def _of_the_exception(alignment: Alignment) -> Iterator[Finding]:
    """What the source excepts is what the claim says the same of."""
    source = alignment.source
    exceptions = [cue for cue in source.cues if cue.name == "condition.exception"]
    near = alignment.tight or len(alignment.source_left) <= 1 or _of_the_list(alignment)
    if len(exceptions) != 1 or not near or alignment.opposed or not _asserts(alignment.claim):
        return
    if source.of("negation") or any(segment.opener == "but" for segment in alignment.claim.segments):
        return
    mine = _excepted(alignment, exceptions[0])
    last = lexicon(source.language).free_order  # there a verb may stand behind a phrase: "im Preis enthalten"
    rest = [here for here, _ in alignment.pairs if here is not mine]
    others = [here for here in rest if not here.prep or (last and verbal(alignment.claim, here))]
    if mine is not None and others and not _of_the_rest(alignment, mine):
        message = f"source '{exceptions[0].text} {mine.text}', answer says the same of it"
        yield _REPORT.conflict("exception-claimed", message, Kind.EXCEPTION, place(alignment, mine, exceptions[0]))


def _of_the_rest(alignment: Alignment, mine: Item | Value) -> bool:
    """The claim names the rest too and does not say that the excepted belongs to it: it may except it in other words.

    "Bar the cellar, every room is heated" against "all rooms but the cellar": no list of such words is complete.
    """
    wholes = [cue.position for cue in alignment.source.cues if cue.name == "quantity.all"]
    named = any(
        0 < there.position - whole <= _NEXT for here, there in alignment.pairs if here is not mine for whole in wholes
    )
    together = any(cue.name == "condition.inclusion" for cue in alignment.claim.cues)
    return not together and (named or any(cue.name == "quantity.all" for cue in alignment.claim.cues))


def _of_the_list(alignment: Alignment) -> bool:
    """All the claim leaves out is what the source names in place of the excepted: "A and B are free, except C"."""
    before = min(there.position for _, there in alignment.pairs)
    return all(item.position < before and not item.prep for item in alignment.source_left)


def _included(alignment: Alignment) -> Iterator[Finding]:
    """Said to hold "including in the crypt" of what is "allowed, but in the crypt it is forbidden"."""
    claim, source = alignment.claim, alignment.source
    mark = next((cue for cue in claim.cues if cue.name == "condition.inclusion"), None)
    if mark is None or not _asserts(claim) or alignment.opposed:
        return
    inside = [(here, there) for here, there in alignment.pairs if here.position > mark.position]
    homes = {there.segment for _, there in inside}
    if (
        len(homes) != 1
        or len(inside) == len(alignment.pairs)
        or any(i.position > mark.position for i in alignment.claim_left)
    ):
        return
    home = homes.pop()
    said = [here for here, there in alignment.pairs if there.segment != home]
    left = [item for item in source.items if item.segment == home and all(there is not item for _, there in inside)]
    words = lexicon(source.language)
    against = any(words.opposite(a, b) for own in said for item in left for a in own.keys for b in item.keys)
    if against and len(left) == 1 and not _denies(source, home):
        message = f"source denies it of '{inside[0][1].text}', answer '{mark.text} … {inside[0][0].text}'"
        yield _REPORT.conflict("exception-included", message, Kind.EXCEPTION, place(alignment, mark, left[0]))


def _denies(unit: Unit, segment: int) -> bool:
    return any(cue.segment == segment for cue in unit.of("negation"))


def _excepted(alignment: Alignment, exception: Cue) -> Item | Value | None:
    """The claim's word or value for the first thing behind "except"."""
    source = alignment.source
    behind = [item for item in source.items if item.start >= exception.end and item.segment == exception.segment]
    values = [one for one in source.values if one.start >= exception.end]
    if values and (not behind or values[0].start < behind[0].start):
        if any(one is not values[0] and one.kind is values[0].kind for one in source.values):
            return None
        return next((own for own in alignment.claim.values if _equal(own, values[0])), None)
    return next((here for here, there in alignment.pairs if behind and there is behind[0]), None)


def _equal(mine: Value, theirs: Value) -> bool:
    return compare(mine, theirs).relation is compare(theirs, mine).relation is Relation.ENTAILED


def _every(alignment: Alignment) -> Iterator[Finding]:
    """Somebody else than those the source limits it to: "only members can V", "every employee can V"."""
    only = next((cue for cue in alignment.source.cues if cue.name == "quantity.only"), None)
    mark = next((cue for cue in alignment.claim.of("quantity") if cue.name == "quantity.all"), None)
    if only is None or mark is None or only.segment not in alignment.touched or not _asserts(alignment.claim):
        return
    if alignment.opposed:
        return  # "closed to anybody else" keeps to "open only to members"
    strange, limited = alignment.claim_left, _behind(alignment.source, only)
    held = {id(there) for _, there in alignment.pairs}
    if not limited or id(limited) in held or len(strange) > _MOST_STRANGE or any(item.prep for item in strange):
        return
    if alignment.source.of("negation") or (strange and restricted(alignment.claim, mark) is not strange[0]):
        return
    if not _rest_is_same(alignment, only):
        return
    message = f"source '{only.text} {limited.text}', answer '{mark.text} {strange[0].text if strange else ''}'".rstrip()
    yield _REPORT.conflict("limit-to-some", message, Kind.OVERGENERALISATION, place(alignment, mark, only))


def _behind(source: Unit, only: Cue) -> Item | None:
    return next((item for item in source.items if item.position > only.position and item.segment == only.segment), None)


def _rest_is_same(alignment: Alignment, only: Cue) -> bool:
    """A verb and its object, or two other words at least, stand on both sides; what is left stands beside "only"."""
    left = [item for item in alignment.source_left if item.segment == only.segment]
    near = sorted(abs(item.position - only.position) for item in left)
    return len(alignment.pairs) >= _MOST_STRANGE and len(left) <= len(alignment.pairs) + 1 and near[:1] <= [3]


def _somebody(alignment: Alignment) -> Iterator[Finding]:
    """Nobody does, says the source; the claim names somebody who does."""
    source, words = alignment.source, lexicon(alignment.source.language)
    nobody = [cue for cue in source.of("negation") if cue.text.casefold() in words.nobody]
    if len(nobody) != 1 or alignment.claim.of("condition") or _names(source, _LIMITS) or alignment.opposed:
        return
    if nobody[0].segment not in alignment.touched or len(alignment.claim_left) != 1 or alignment.by_title:
        return
    subject, verb = alignment.claim_left[0], min((here.position for here, _ in alignment.pairs), default=0)
    left = [item for item in alignment.source_left if item.segment == nobody[0].segment]
    others = [cue for cue in source.of("negation") if cue is not nobody[0]]
    if alignment.claim.of("certainty") or not _lack_the_same(alignment.claim.of("negation"), others, words):
        return
    if not _is_subject(alignment.claim, subject, source) or subject.position > verb or left:
        return
    if len(alignment.pairs) < _TWO and not others:
        return
    message = f"source '{nobody[0].text}', answer '{subject.text}'"
    yield _REPORT.conflict("nobody-does", message, Kind.NEGATION, place(alignment, subject, nobody[0]))


def _lack_the_same(mine: tuple[Cue, ...], theirs: list[Cue], words: Lexicon) -> bool:
    """The claim's only negations are those of "without", which the source has too; a second "non" is the first."""
    lacking = [cue.text.casefold().split()[0] for cue in mine]
    said = [cue.text.casefold().split()[0] for cue in theirs]
    said = [word for word in said if word in words.lacking or not words.concord]
    return lacking == said and all(word in words.lacking for word in lacking)


def _is_subject(unit: Unit, item: Item, source: Unit) -> bool:
    """Opens the claim, with nothing but articles before it and the source's kind of verb behind it.

    "It is forbidden" and "forbidden is" name nobody.
    """
    words = lexicon(unit.language)
    before = [token.norm for token in unit.tokens if token.end <= item.start]
    modal = next((cue for cue in unit.of("modality") if cue.position == item.position + 1), None)
    judging = modal is None and (source.of("modality") or any(key in words.antonyms for key in item.keys))
    return not item.prep and not judging and all(norm in words.articles for norm in before)


def _without(alignment: Alignment) -> Iterator[Finding]:
    """A duty to do it with something, told as leave to do it without: the same subject, the same thing."""
    claim, source = alignment.claim, alignment.source
    words = lexicon(claim.language)
    mine = [cue for cue in claim.of("negation") if cue.text.casefold().split()[0] in words.lacking]
    duty: list[Cue | Item] = [cue for cue in source.of("modality") if cue.name == "modality.duty"]
    duty = duty or [item for item in source.items if item.keys & words.requiring]
    if len(mine) != 1 or len(claim.of("negation")) != 1 or len(duty) != 1 or source.of("negation"):
        return
    if _names(claim, _LIMITS) or any(cue.name == "modality.duty" for cue in claim.of("modality")):
        return
    lacking = [item for item in claim.items if item.position in negated(claim) and item.position > mine[0].position]
    pairs = {here.position: there for here, there in alignment.pairs}
    demanded = [pairs[item.position] for item in lacking if item.position in pairs]
    things = duty_words(claim.language).get("of_things", frozenset())
    act = isinstance(duty[0], Cue) and duty[0].text.casefold() not in things  # "must be accompanied", not "is required"
    last = [item for item in claim.items[-1:] if words.free_order and (act or says_only_that(item, claim.language))]
    strange = [item for item in alignment.claim_left if item not in lacking or item in last]
    unlike = [
        i for i in alignment.claim_left if i not in strange and not any(related(i.text, o.text) for o in source.items)
    ]
    subject = [there for here, there in alignment.pairs if here.position < mine[0].position and not here.prep]
    if not demanded or unlike or len(strange) > 1 or not subject or not _same_values(alignment):
        return
    if any(there.segment != duty[0].segment for there in demanded):
        return
    message = f"source '{duty[0].text} … {demanded[0].text}', answer '{mine[0].text} {demanded[0].text}'"
    yield _REPORT.conflict("duty-left-out", message, Kind.MODALITY, place(alignment, mine[0], duty[0]))


def _same_values(alignment: Alignment) -> bool:
    """Every value of the claim is one of the source: children under eight, not over."""
    return all(any(_equal(own, other) for other in alignment.source.values) for own in alignment.claim.values)


def _names(unit: Unit, names: tuple[str, ...]) -> bool:
    return any(cue.name in names for cue in unit.cues)


def _asserts(unit: Unit) -> bool:
    """No negation, condition, exception or hedge of its own; "too" and "even" are none."""
    marks = (cue for cue in unit.cues if cue.table in _MARKS and cue.name != "condition.inclusion")
    return not any(True for _ in marks) and not _names(unit, ("quantity.only",))


def _hedged(alignment: Alignment) -> bool:
    return any(cue.name == "certainty.strong" for cue in alignment.source.cues)


def _same_polarity(alignment: Alignment) -> bool:
    here, there = negated(alignment.claim), negated(alignment.source)
    return all(
        (len(here.get(one.position, ())) + len(there.get(two.position, ()))) % 2 == 0 for one, two in alignment.pairs
    )
