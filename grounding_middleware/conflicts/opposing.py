"""Whether two statements cannot both hold: the same words about the same thing, and one value or polarity that differs.

Built to be silent in doubt. Words, names and values that stand on one side only speak of another item, year, place or
case, and then nothing is in conflict; what may be left over is a verb of measure, a further clause, or the event that
a length of time is counted from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grounding_middleware.checks import polarity
from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.binding import claimed, same_sort
from grounding_middleware.checks.case import Case
from grounding_middleware.checks.library import Library
from grounding_middleware.conflicts.words import vocabulary
from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Claim, Kind, Outcome, Range

__all__ = ["Difference", "difference"]

_FRAMES: Final = ("quantity", "condition", "certainty")
_JOINING: Final = frozenset({"and", "und", "et", "y", "e"})
_DURATIONS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION)
_OPPOSED_MODALS: Final = frozenset({"modality.permission", "modality.duty"})
_REACH: Final = 3  # words between a verb and what it says: "is not always free"
_ENOUGH: Final = 2  # words in common; a single one needs a verb that is known to state a property


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs, and where in each of the two texts."""

    kind: Kind
    first: Range
    second: Range

    def turned(self) -> Difference:
        """The same with the statements in the other order."""
        return Difference(self.kind, self.second, self.first)


def difference(first: Unit, second: Unit, library: Library) -> Difference | None:
    """Why the two statements cannot both hold; None when nothing is sure. Symmetric."""
    if first.language != second.language or first.text.strip() == second.text.strip():
        return None
    if _frame(first) != _frame(second):
        return None
    found = _one_way(first, second, library)
    if found is None:
        found = _one_way(second, first, library)
        return None if found is None else found.turned()
    return found


def _one_way(first: Unit, second: Unit, library: Library) -> Difference | None:
    mine, theirs = _unshared(first, second)
    single = len(mine) == len(theirs) == 1
    if (mine or theirs) and not single:
        return None
    both = align(first, second, "")
    if not _common(both):
        return None
    return _of_values(both, mine[0], theirs[0]) if single else _of_polarity(both, library)


def _common(both: Alignment) -> bool:
    """Enough words in common for the two to speak of one thing, and no order that is followed twice."""
    words = lexicon(both.claim.language)
    shared = len(both.pairs) + len(both.by_context) + len(both.by_title) + len(both.opposed)
    if not both.pairs or any(_instructs(unit, words) for unit in (both.claim, both.source)):
        return False
    stated = all(_states(unit, words) for unit in (both.claim, both.source))
    return shared >= _ENOUGH or stated


def _states(unit: Unit, words: Lexicon) -> bool:
    """Says what something is, has or costs."""
    verbs = any(token.norm in words.auxiliaries for token in unit.tokens)
    return verbs or any(item.keys & words.measure_verbs for item in unit.items) or bool(unit.of("modality"))


def _instructs(unit: Unit, words: Lexicon) -> bool:
    """Most likely an instruction, which may be given twice with other figures: "Bake the bread for 20 minutes"."""
    first, second = [*[token for token in unit.tokens if token.shape is Shape.WORD], None, None][:2]
    if first is None or not unit.items or unit.items[0].start != first.start or unit.language != "en":
        return False
    if second is not None and second.norm in words.articles:
        return True
    return not first.norm.endswith("s") and not _states(unit, words)


def _frame(unit: Unit) -> list[str]:
    """Its conditions, quantities and degrees of certainty, in whatever order."""
    return sorted(cue.name for cue in unit.cues if cue.table in _FRAMES)


def _unshared(first: Unit, second: Unit) -> tuple[list[Value], list[Value]]:
    """The values of each that the other does not state."""
    theirs = list(claimed(second))
    mine: list[Value] = []
    for value in claimed(first):
        same = next((other for other in theirs if _agree(value, other)), None)
        if same is None:
            mine.append(value)
        else:
            theirs.remove(same)
    return mine, theirs


def _agree(value: Value, other: Value) -> bool:
    """One follows from the other: equal, rounded, converted."""
    return Relation.ENTAILED in (compare(value, other).relation, compare(other, value).relation)


def _of_values(both: Alignment, mine: Value, theirs: Value) -> Difference | None:
    kinds = {mine.kind, theirs.kind}
    if not same_sort(mine, theirs) or ValueKind.ORDINAL in kinds or both.opposed or mine.approx or theirs.approx:
        return None
    found = (compare(mine, theirs), compare(theirs, mine))
    apart = next((one for one in found if one.relation is Relation.DISJOINT), None)
    if apart is None or _odd(both) or _modal(both.claim) != _modal(both.source):
        return None
    if ValueKind.DATE in kinds and not (_dated_once(both.claim, mine) and _dated_once(both.source, theirs)):
        return None
    if _left_over(both, mine, theirs):
        return None
    return Difference(apart.kind or Kind.NUMBER, (mine.start, mine.end), (theirs.start, theirs.end))


def _odd(both: Alignment) -> bool:
    """A negation on one side only."""
    return len(both.claim.of("negation")) != len(both.source.of("negation"))


def _modal(unit: Unit) -> frozenset[str]:
    return frozenset(cue.name for cue in unit.of("modality")) & _OPPOSED_MODALS


def _dated_once(unit: Unit, day: Value) -> bool:
    """The date is a limit, or that of something that happens once."""
    return day.bound is not None or any(item.keys & vocabulary(unit.language).once for item in unit.items)


def _left_over(both: Alignment, mine: Value, theirs: Value) -> bool:
    """Words on one side that may make it speak of something else."""
    used = {id(there) for pair in (*both.pairs, *both.opposed) for there in pair}
    here = [item for item in both.claim_left if not _of_measure(item, both.claim)]
    there = [item for item in both.source.items if id(item) not in used and not _of_measure(item, both.source)]
    there = [item for item in there if not item.keys & (both.claim.context | both.claim.title)]
    if not here and not there:
        return False
    if here and there:
        return True
    unit, value, left = (both.claim, mine, here) if here else (both.source, theirs, there)
    return not all(_harmless(item, unit, value, both) for item in left)


def _of_measure(item: Item, unit: Unit) -> bool:
    return bool(item.keys & lexicon(unit.language).measure_verbs)


def _harmless(item: Item, unit: Unit, value: Value, both: Alignment) -> bool:
    """In a further clause, or the event that a length of time is counted from."""
    if item.name or item.code or item.start < value.end:
        return False
    taken = (
        {there.segment for _, there in both.pairs} if unit is both.source else {here.segment for here, _ in both.pairs}
    )
    opener = unit.segments[item.segment].opener
    if item.segment not in taken and opener in _JOINING:
        return True
    counted = vocabulary(unit.language).counted_from
    linked = item.prep in counted or opener.rpartition(".")[2] in ("after", "since")
    return value.kind in _DURATIONS and linked


def _of_polarity(both: Alignment, library: Library) -> Difference | None:
    """The same words and values, one side denied, of opposite meaning, or a duty where the other permits."""
    if any(_rest(both)) or both.by_title:
        return None
    unit = both.claim
    statement = Claim(id="-", text=unit.text, start=unit.start, end=unit.end)
    case = Case(statement, unit, (both,), library, frozenset())
    flipped = next((finding for finding in polarity.check(case) if finding.outcome is Outcome.CONFLICT), None)
    if flipped is not None and not all(
        _predicates(here, both.claim) and _predicates(there, both.source) for here, there in both.opposed
    ):
        return None
    if flipped is not None and flipped.kind and flipped.claim_range and flipped.span_range:
        return Difference(flipped.kind, flipped.claim_range, flipped.span_range)
    mine, theirs = (_one_modal(unit) for unit in (both.claim, both.source))
    if mine is None or theirs is None or {mine.name, theirs.name} != _OPPOSED_MODALS:
        return None
    if both.claim.of("negation") or both.source.of("negation") or both.opposed:
        return None
    return Difference(Kind.MODALITY, (mine.start, mine.end), (theirs.start, theirs.end))


def _predicates(item: Item, unit: Unit) -> bool:
    """What is said of something ("is free", "rose"), not what tells it apart ("the lower corner", "le coin droit")."""
    tokens = list(unit.tokens)
    position = next((n for n, token in enumerate(tokens) if token.start == item.start), 0)
    auxiliaries = lexicon(unit.language).auxiliaries
    before, after = tokens[max(position - _REACH, 0) : position], tokens[position + 1 :]
    if any(token.norm in auxiliaries for token in before):
        return True
    if any(token.norm in auxiliaries for token in after):
        return False
    return not after or all(other.start != after[0].start for other in unit.items)


def _rest(both: Alignment) -> tuple[list[Item], list[Item]]:
    used = {id(there) for pair in (*both.pairs, *both.opposed) for there in pair}
    return list(both.claim_left), [item for item in both.source.items if id(item) not in used]


def _one_modal(unit: Unit) -> Cue | None:
    cues = unit.of("modality")
    return cues[0] if len(cues) == 1 else None
