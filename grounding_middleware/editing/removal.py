"""From treated verdicts to the shortened text, the edits that led there, and the verdicts that had to go along."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grounding_middleware.editing.announcing import announced
from grounding_middleware.editing.backward import Backward
from grounding_middleware.editing.forward import Forward
from grounding_middleware.editing.inline import Cut, cuts
from grounding_middleware.editing.layout import BlockKind, arrange
from grounding_middleware.editing.lines import scan
from grounding_middleware.editing.numbering import renumbered
from grounding_middleware.editing.parts import take_fields, take_out
from grounding_middleware.editing.plan import REMOVED, Plan
from grounding_middleware.editing.ranges import Ranges
from grounding_middleware.editing.steps import numbered_references
from grounding_middleware.editing.together import whole_blocks
from grounding_middleware.editing.units import Source, Unit
from grounding_middleware.editing.whole_lines import line_cuts
from grounding_middleware.records import Citation, Edit, Range, Treatment, Verdict


def edit(
    answer: str, verdicts: Sequence[Verdict], citations: Sequence[Citation]
) -> tuple[str, tuple[Edit, ...], tuple[Verdict, ...]]:
    """The answer without the statements to be removed, the edits, and all verdicts with their final treatment.

    REMOVE, REPAIR and BLOCK take a statement out. A statement that cannot stand without a removed one goes too: its
    verdict comes back as REMOVE with the reason. Nothing to remove returns the identical string. Raises `InputError`
    when a verdict does not fit the answer.
    """
    verdicts = tuple(verdicts)
    if not any(verdict.treatment in REMOVED for verdict in verdicts):
        return answer, (), verdicts
    plan = Plan(Source(answer, verdicts, citations, arrange(answer, scan(answer))))
    take_out(plan)
    fields = take_fields(plan)
    announces = announced(plan)
    backward, forward = Backward(plan, announces), Forward(plan, announces)
    while any((whole_blocks(plan), backward(), forward(), numbered_references(plan))):
        pass  # rules only ever remove, so this ends; in practice after the second round
    edits = _edits(plan, fields)
    return apply(answer, edits), edits, tuple(_final(plan))


def apply(answer: str, edits: Sequence[Edit]) -> str:
    """The text after `edits`, which index the original answer and do not overlap; worked from right to left."""
    pieces: list[str] = []
    behind = len(answer)
    for change in sorted(edits, key=lambda change: change.start, reverse=True):
        pieces += (answer[change.end : behind], change.replacement)
        behind = change.start
    pieces.append(answer[:behind])
    return "".join(reversed(pieces))


def _edits(plan: Plan, fields: Sequence[tuple[Range, Verdict]]) -> tuple[Edit, ...]:
    answer = plan.source.answer
    lines = line_cuts(plan)
    inner = [
        cut
        for number, block in enumerate(plan.blocks)
        if block.kind is not BlockKind.CODE and plan.touched(number)
        for cut in cuts(plan, number)
    ]
    found = [_edit(plan, cut) for cut in (*lines, *inner)]
    dropped = Ranges([(cut.start, cut.end) for cut in lines])
    found += [_field_edit(answer, cut, verdict) for cut, verdict in fields if cut[0] not in dropped]
    for (start, end), marker in renumbered(answer, plan.layout, dropped):
        found.append(Edit(start=start, end=end, removed=answer[start:end], replacement=marker, reason="renumbered"))
    return tuple(sorted(found, key=lambda change: change.start))


def _field_edit(answer: str, cut: Range, verdict: Verdict) -> Edit:
    removed = answer[slice(*cut)]
    return Edit(start=cut[0], end=cut[1], removed=removed, reason=verdict.treatment_reason, claim_id=verdict.id)


def _edit(plan: Plan, cut: Cut) -> Edit:
    return Edit(
        start=cut.start,
        end=cut.end,
        removed=plan.source.answer[cut.start : cut.end],
        replacement=cut.replacement,
        reason=_reason(plan, cut.unit),
        claim_id=next((verdict.id for verdict in plan.verdicts(cut.unit)), ""),
    )


def _reason(plan: Plan, unit: Unit) -> str:
    stated = (verdict.treatment_reason for verdict in plan.verdicts(unit) if verdict.treatment in REMOVED)
    return next(stated, "") or unit.gone or "removed by the policy"


def _final(plan: Plan) -> Iterator[Verdict]:
    for number, verdict in enumerate(plan.source.verdicts):
        reason = plan.cascaded.get(number)
        if reason is None:
            yield verdict
        else:
            yield verdict.model_copy(update={"treatment": Treatment.REMOVE, "treatment_reason": f"dependent: {reason}"})
