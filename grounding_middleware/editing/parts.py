"""What the policy took out, sentence by sentence: a whole sentence, or its last part if the rest stands by itself."""

from __future__ import annotations

from bisect import bisect_left

from grounding_middleware.editing.json_fields import fields_out
from grounding_middleware.editing.plan import REMOVED, Plan
from grounding_middleware.editing.ranges import Ranges
from grounding_middleware.editing.units import Unit
from grounding_middleware.editing.words import candidates, opening
from grounding_middleware.records import Range, Verdict

_UNBALANCED = frozenset('*_"“”„«»()[]{}「」『』`')


def take_out(plan: Plan) -> None:
    """Remove what the verdicts say; a sentence loses one part alone only when that is safe, else it goes as a whole."""
    for unit in plan.units:
        out = {member for member in unit.members if plan.source.verdicts[member].treatment in REMOVED}
        if not out or unit.gone or unit.fields:
            continue
        if len(out) < len(unit.members):
            unit.cut = _tail(plan, unit, out)
        if not unit.cut:
            partly = len(out) < len(unit.members)
            plan.remove(unit, "another part of this sentence was removed" if partly else "removed by the policy")


def take_fields(plan: Plan) -> tuple[tuple[Range, Verdict], ...]:
    """The ranges of the JSON fields that go, each with a verdict in it; all of the JSON goes when no field would stay.

    The same happens to JSON that cannot be read: cutting it would break it further.
    """
    verdicts = plan.source.verdicts
    units = [unit for unit in plan.units if unit.fields]
    found = (verdict for unit in units for verdict in plan.verdicts(unit) if verdict.treatment in REMOVED)
    out = sorted(found, key=lambda verdict: verdict.start)
    if not out:
        return ()
    try:
        cuts = fields_out(plan.source.answer, [(verdict.start, verdict.end) for verdict in out])
    except LookupError:
        cuts = ()
    kept = [n for unit in units for n in unit.members if verdicts[n].treatment not in REMOVED]
    within = Ranges(cuts)
    left = [n for n in kept if verdicts[n].start not in within]
    if not cuts or not left:
        for unit in units:
            plan.remove(unit, "no field of this JSON is left")
        return ()
    plan.cascaded.update(dict.fromkeys(set(kept) - set(left), "the JSON object around it was removed"))
    starts = [verdict.start for verdict in out]
    return tuple((cut, out[bisect_left(starts, cut[0])]) for cut in cuts)


def _tail(plan: Plan, unit: Unit, out: set[int]) -> Range | None:
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
