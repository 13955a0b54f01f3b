"""Stances (CH-4): what somebody may, must, need not and must not do, whichever words say so.

"You are not obliged to bring a guarantor" is neither "you must bring one" nor "you are forbidden to bring one"; a
modal, an adjective or a verb of forbidding may say it. Only languages whose lexicon has a [stance] table are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import states_all
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.roles import crossings
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("modality")
_BEST: Final = 3  # alignments looked at
_FEWEST: Final = 2  # words both sides share besides those that say who may
_PLAIN: Final = ("negation.clause", "negation.determiner")
_REACH: Final = 4  # tokens from a negation to what it denies


class Stance(Enum):
    """What a sentence says of doing something."""

    MAY = "may"
    MUST = "must"
    NEED_NOT = "need not"
    MUST_NOT = "must not"


_AGAINST: Final = (
    {Stance.MAY, Stance.MUST_NOT},
    {Stance.MUST, Stance.MUST_NOT},
    {Stance.MUST, Stance.NEED_NOT},
    {Stance.NEED_NOT, Stance.MUST_NOT},
)
_TOGETHER: Final = ({Stance.MAY, Stance.NEED_NOT}, {Stance.MUST_NOT}, {Stance.MAY}, {Stance.MUST}, {Stance.NEED_NOT})
_WORDS: Final = {
    "allows": (Stance.MAY, Stance.MUST_NOT),
    "forbids": (Stance.MUST_NOT, Stance.MAY),
    "demands": (Stance.MUST, Stance.NEED_NOT),
    "exempts": (Stance.NEED_NOT, None),
}
"""What a word of each list says, and what it says with a negation."""

Mark = Cue | Item


def stances(case: Case) -> Iterator[Finding]:
    """A conflict where the same thing is allowed, demanded, left free or forbidden on the two sides."""
    if not lexicon(case.unit.language).stance:
        return
    mine = _stance(case.unit, frozenset(range(len(case.unit.segments))))
    for alignment in case.alignments[:_BEST] if mine else ():
        theirs = _stance(alignment.source, alignment.touched)
        if mine is None or theirs is None or {mine[0], theirs[0]} not in _AGAINST:
            continue
        if _same_thing(alignment, mine[1], theirs[1]):
            message = f"source '{theirs[1].text}' ({theirs[0].value}), answer '{mine[1].text}' ({mine[0].value})"
            yield _REPORT.conflict("stance-turned", message, Kind.MODALITY, place(alignment, mine[1], theirs[1]))
            return


def agree(alignment: Alignment) -> bool:
    """Something else than a negation may say the same: "ne peut pas" and "interdit", "exempt from"."""
    lists = ((item, unit.language) for unit in (alignment.claim, alignment.source) for item in unit.items)
    denying = {id(item) for item, language in lists if _list_of(item, language) in ("forbids", "exempts")}
    if any(id(item) in denying for item in (*alignment.claim_left, *alignment.source_left)):
        return True
    mine = _stance(alignment.claim, frozenset(range(len(alignment.claim.segments))))
    theirs = _stance(alignment.source, alignment.touched)
    if mine is None or theirs is None or mine[1].text.casefold() == theirs[1].text.casefold():
        return False
    return {mine[0], theirs[0]} in _TOGETHER


def _stance(unit: Unit, segments: frozenset[int]) -> tuple[Stance, Mark] | None:
    """The one stance these segments take, with the word that says it; None for several, or none that is plain."""
    cues = [cue for cue in unit.of("modality") if cue.segment in segments]
    words = [item for item in unit.items if item.segment in segments and _list_of(item, unit.language)]
    negations = [cue for cue in unit.of("negation") if cue.segment in segments]
    if len(cues) + len(words) != 1 or any(cue.name not in _PLAIN for cue in negations):
        return None
    marks: list[Mark] = [*cues, *words]
    mark = marks[0]
    if negations and not _denies(unit, negations, mark):
        return None
    said = _said(mark, unit.language, denied=bool(negations))
    return (said, mark) if said else None


def _said(mark: Mark, language: str, *, denied: bool) -> Stance | None:
    """What a word says, with or without a negation; "non deve" forbids or exempts, so it says nothing."""
    if isinstance(mark, Item):
        return _WORDS[_list_of(mark, language)][denied]
    if mark.name == "modality.permission":
        return Stance.MUST_NOT if denied else Stance.MAY
    table, word = lexicon(language).stance, mark.text.casefold()
    if mark.name != "modality.duty" or (denied and word in table.get("open", ())):
        return None
    if not denied:
        return Stance.MUST
    return Stance.MUST_NOT if word in table.get("forbid_negated", ()) else Stance.NEED_NOT


def _list_of(item: Item, language: str) -> str:
    table = lexicon(language).stance
    return next((name for name in _WORDS if not item.keys.isdisjoint(table.get(name, ()))), "")


def _denies(unit: Unit, negations: list[Cue], mark: Mark) -> bool:
    """The last negation stands right before the word; those before it say the same again where negations agree."""
    last = negations[-1]
    if len(negations) > 1 and not lexicon(unit.language).concord:
        return False
    between = any(last.position < item.position < mark.position for item in unit.items)
    return 0 < mark.position - last.position <= _REACH and last.segment == mark.segment and not between


def _same_thing(alignment: Alignment, mine: Mark, theirs: Mark) -> bool:
    """All other words and values of the claim stand in the source, which says little else and limits nothing more."""
    pairs = [pair for pair in alignment.pairs if pair[0] is not mine and pair[1] is not theirs]
    opposed = [pair for pair in alignment.opposed if pair[0] is not mine or pair[1] is not theirs]
    claim_left = [item for item in alignment.claim_left if item is not mine]
    source_left = [item for item in alignment.source_left if item is not theirs]
    if len(pairs) < _FEWEST or opposed or claim_left or alignment.by_context or alignment.by_title:
        return False
    if len(source_left) * 4 > len(pairs) or not states_all(alignment) or not _alike(alignment):
        return False
    moved = [one for one, two in pairs if bool(one.prep) != bool(two.prep)]
    return len(moved) <= _FEWEST and next(crossings(alignment), None) is None


def _alike(alignment: Alignment) -> bool:
    """The same conditions and limits on both sides, nothing of a part only."""
    limits = [
        sorted(cue.name for cue in unit.cues if cue.table in ("condition", "time") or cue.name == "quantity.only")
        for unit in (alignment.claim, alignment.source)
    ]
    partial = any(
        cue.table == "quantity" and cue.name not in ("quantity.all", "quantity.only")
        for unit in (alignment.claim, alignment.source)
        for cue in unit.cues
    )
    return limits[0] == limits[1] and not partial
