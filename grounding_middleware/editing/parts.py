"""What the policy took out, sentence by sentence: a whole sentence, or its last part if the rest stands by itself."""

from __future__ import annotations

from grounding_middleware.editing.plan import REMOVED, Plan
from grounding_middleware.editing.units import Unit
from grounding_middleware.editing.words import candidates, opening
from grounding_middleware.records import Range, Verdict

_UNBALANCED = frozenset('*_"“”„«»()[]{}「」『』`')


def take_out(plan: Plan) -> None:
    """Remove what the verdicts say; a sentence loses one part alone only when that is safe, else it goes as a whole."""
    for unit in plan.units:
        out = [member for member in unit.members if plan.source.verdicts[member].treatment in REMOVED]
        if not out or unit.gone:
            continue
        if len(out) < len(unit.members):
            unit.cut = _tail(plan, unit, out)
        if not unit.cut:
            partly = len(out) < len(unit.members)
            plan.remove(unit, "another part of this sentence was removed" if partly else "removed by the policy")


def _tail(plan: Plan, unit: Unit, out: list[int]) -> Range | None:
    """The range of the removed parts if they form the end of the sentence and may go alone, else None.

    What stays must be a sentence of its own: its parts come first, it does not begin with "either" or "if", and the
    tail begins like an adverbial or with "and" — never with a condition, which would change what stays.
    """
    verdicts = plan.source.verdicts
    kept = [verdicts[member] for member in unit.members if member not in out]
    if kept[0].start > unit.start or any(part.start < kept[0].end for part in kept[1:]):
        return None
    start, end = max(part.end for part in kept), max(verdicts[member].end for member in out)
    if min(verdicts[member].start for member in out) < start or end < unit.end:
        return None
    start = plan.past_markers(start, end)
    end = _own_markers(plan, unit, kept, end)
    tail = plan.without_markers(start, end)
    words = candidates(plan.language(unit))
    head = opening(plan.text(unit)[:80])
    end_part = opening(tail)
    fits = any(word.trailing.match(end_part) and not word.limits.search(end_part) for word in words)
    tied = any(word.correlative.match(head) for word in words)
    return (start, end) if fits and not tied and not _UNBALANCED.intersection(tail) else None


def _own_markers(plan: Plan, unit: Unit, kept: list[Verdict], end: int) -> int:
    """Where the markers end that only the removed tail rests on; a sentence with one marker keeps it."""
    resting = {plan.source.citations[number].start for verdict in kept for number in verdict.citations}
    if not resting and any(verdict.label.is_claim for verdict in kept):
        return end
    return plan.past_markers(end, plan.blocks[unit.block].end, but=resting)
