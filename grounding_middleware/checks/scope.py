"""Scope (CH-5): some, most, all, only, either against what the source says of the same things."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.negations import negated
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("scope")
_STRENGTH: Final = {"quantity.few": 1, "quantity.some": 2, "quantity.many": 3, "quantity.most": 4, "quantity.all": 5}


def check(case: Case) -> Iterator[Finding]:
    """Conflict where the same things got a wider quantifier; doubt where only one side has one."""
    for alignment in case.anchored:
        yield from _quantifiers(alignment)
        yield from _not_all(alignment)
        yield from _either(alignment)
        yield from _only(alignment)
        yield from _all_of_the_named(alignment)


def _quantifiers(alignment: Alignment) -> Iterator[Finding]:
    for cue in alignment.claim.of("quantity"):
        if cue.name not in _STRENGTH:
            continue
        mine = restricted(alignment.claim, cue)
        theirs = alignment.partner(mine) if mine else None
        other = quantifier_of(alignment.source, theirs) if theirs else None
        if other is None:
            if cue.name in ("quantity.all", "quantity.most"):
                message = f"answer '{cue.text}', the source does not say how many"
                yield _REPORT.doubt("quantifier-added", message, Kind.OVERGENERALISATION, place(alignment, cue, None))
        elif _STRENGTH[cue.name] > _STRENGTH[other.name]:
            message = f"source '{other.text}', answer '{cue.text}'"
            build = _REPORT.conflict if alignment.tight and not _negative(alignment) else _REPORT.doubt
            yield build("quantifier-widened", message, Kind.OVERGENERALISATION, place(alignment, cue, other))
        elif _STRENGTH[cue.name] < _STRENGTH[other.name] and _negative(alignment):
            message = f"source '{other.text}', answer '{cue.text}', under a negation"
            yield _REPORT.doubt("quantifier-negated", message, Kind.OVERGENERALISATION, place(alignment, cue, other))
    for cue in alignment.source.of("quantity"):
        if cue.name in ("quantity.some", "quantity.few", "quantity.most") and cue.segment in alignment.touched:
            theirs = restricted(alignment.source, cue)
            mine = next((here for here, there in alignment.pairs if there is theirs), None)
            if mine is not None and quantifier_of(alignment.claim, mine) is None:
                message = f"source '{cue.text}', the answer drops it"
                yield _REPORT.doubt("quantifier-dropped", message, Kind.OVERGENERALISATION, place(alignment, mine, cue))


def _not_all(alignment: Alignment) -> Iterator[Finding]:
    """All of what the source says "not all" of."""
    claim, source = alignment.claim, alignment.source
    told = lexicon(source.language).not_all
    theirs = next((cue for cue in source.of("negation") if cue.text.casefold() in told), None)
    mine = next((cue for cue in claim.of("quantity") if cue.name == "quantity.all"), None)
    if theirs is None or mine is None or claim.of("negation") or len(source.of("negation")) > 1:
        return
    counted = restricted(claim, mine)
    same = counted is not None and alignment.partner(counted) is restricted(source, theirs)
    limited = claim.of("condition") or [cue for cue in source.of("quantity") if cue is not theirs]
    if same and alignment.tight and not limited and not alignment.opposed:
        message = f"source '{theirs.text}', answer '{mine.text}'"
        yield _REPORT.conflict("not-all-to-all", message, Kind.OVERGENERALISATION, place(alignment, mine, theirs))


def restricted(unit: Unit, cue: Cue) -> Item | None:
    """The first content word after the quantifier in its segment: what it counts."""
    return next((item for item in unit.items if item.position > cue.position and item.segment == cue.segment), None)


def quantifier_of(unit: Unit, item: Item) -> Cue | None:
    """The quantifier that counts this word; None when there is none."""
    return next((cue for cue in unit.of("quantity") if cue.name in _STRENGTH and restricted(unit, cue) is item), None)


def _negative(alignment: Alignment) -> bool:
    return bool(negated(alignment.claim) or negated(alignment.source))


def _all_of_the_named(alignment: Alignment) -> Iterator[Finding]:
    """All districts, where the source speaks of "the districts Elm and Oak"; lines 3 and 5, all lines."""
    source, words = alignment.source, lexicon(alignment.source.language)
    cue = next((one for one in alignment.claim.of("quantity") if one.name == "quantity.all"), None)
    mine = restricted(alignment.claim, cue) if cue is not None else None
    theirs = alignment.partner(mine) if mine is not None else None
    if cue is None or mine is None or theirs is None or mine.prep != theirs.prep or _negative(alignment):
        return
    if any(one.name == "quantity.all" for one in source.cues) or alignment.opposed or alignment.by_context:
        return
    named = next((token for token in source.tokens if token.start >= theirs.end), None)
    said = {there.start for _, there in alignment.pairs}
    apart = named is not None and source.text[theirs.end - source.start : named.start - source.start].strip()
    if named is None or apart or named.start in said or named.norm in words.function:
        return
    if not (named.capital or named.shape in (Shape.CODE, Shape.NUMBER)) or not theirs.text[-1:].isalpha():
        return
    message = f"source '{theirs.text} {named.text}', answer '{cue.text} {mine.text}'"
    yield _REPORT.conflict("all-of-the-named", message, Kind.OVERGENERALISATION, place(alignment, cue, theirs))


def _either(alignment: Alignment) -> Iterator[Finding]:
    """Told as a choice what the source demands together: "both A and B" as "either A or B"."""
    mine, theirs = joiners(alignment.claim), joiners(alignment.source)
    either = next((cue for cue in alignment.claim.cues if cue.name == "quantity.either"), None)
    if mine == {"and"} and theirs == {"or"}:
        message = "source joins with 'or', answer with 'and'"
        yield _REPORT.doubt("or-and", message, Kind.CONDITION, place(alignment, None, None))
    if mine != {"or"} or theirs != {"and"}:
        return
    message = f"source joins with '{min(theirs)}', answer with '{min(mine)}'"
    certain = alignment.tight and not alignment.source_left and either is not None
    build = _REPORT.conflict if certain else _REPORT.doubt
    yield build("and-or", message, Kind.CONDITION, place(alignment, either, None))


def joiners(unit: Unit) -> frozenset[str]:
    """How the segments of a unit are joined: "and", "or", both or nothing."""
    openers = {segment.opener for segment in unit.segments}
    if ("als", "auch") in pairwise(token.norm for token in unit.tokens):
        openers.add("and")  # "sowohl A als auch B"
    return frozenset(openers & {"and", "or"})


def _only(alignment: Alignment) -> Iterator[Finding]:
    mine = [cue for cue in alignment.claim.cues if cue.name == "quantity.only"]
    theirs = [cue for cue in alignment.source.cues if cue.name == "quantity.only" and cue.segment in alignment.touched]
    if bool(mine) != bool(theirs):
        message = f"'{(mine or theirs)[0].text}' stands only in the {'answer' if mine else 'source'}"
        at = place(alignment, mine[0] if mine else None, theirs[0] if theirs else None)
        yield _REPORT.doubt("only-one-sided", message, Kind.OVERGENERALISATION, at)
