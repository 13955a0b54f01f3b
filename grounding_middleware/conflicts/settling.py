"""What a contradiction within the evidence does to a verdict, and the records of it for the report (SPEC EV-6).

| the statement the claim rests on        | the claim is                                         |
|-----------------------------------------|------------------------------------------------------|
| nothing contradicts it                  | as it was                                            |
| prevails over all that contradict it    | as it was; the finding names the rule                |
| is overridden by one of them            | CONTRADICTED                                         |
| no rule decides                         | INSUFFICIENT_EVIDENCE, kind conflicting_sources      |

No judge is asked to choose: a conflict is never resolved by picking whichever text entails the claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from grounding_middleware.checks.alignment import align
from grounding_middleware.conflicts.disputes import Dispute, at, said, stated
from grounding_middleware.records import Conflict, Finding, Kind, Label, Outcome, Quote, Verdict

if TYPE_CHECKING:
    from grounding_middleware.checks.library import Shelf
    from grounding_middleware.reading.units import Unit
    from grounding_middleware.verdicts import Setting

__all__ = ["CHECK", "conflicts_of", "settled"]

CHECK: Final = "conflicts"
"""The name of these findings."""

_TOUCHED: Final = 3  # sentences nearest to a claim that nothing was quoted for
_NEAR: Final = 0.6  # share of the claim's words such a sentence has


def settled(verdict: Verdict, setting: Setting, unit: Unit | None = None) -> Verdict:
    """The verdict with what the evidence says against itself; `unit` is the claim as it was read, if it was.

    Only a SUPPORTED claim changes its label. Settled again it stays as it is.
    """
    if not verdict.label.is_claim or verdict.label is Label.INVALID_CITATION:
        return verdict
    verdict = verdict.replace(findings=tuple(one for one in verdict.findings if one.check != CHECK))
    resting = _quoted(verdict, setting)
    disputes = _disputes(resting or _touched(unit, setting), setting)
    if not disputes:
        return verdict
    if verdict.label is Label.SUPPORTED:
        return _ruled(verdict, disputes, setting)
    undecided = verdict.label is Label.UNVERIFIED
    return _with(verdict, disputes, setting, Outcome.DOUBT if undecided else Outcome.CANNOT_TELL)


def conflicts_of(verdicts: Sequence[Verdict], setting: Setting) -> tuple[Conflict, ...]:
    """Every contradiction that a claim touches, each once with all claims that do, whatever the order of the spans."""
    claims: dict[tuple[str, int, str, int], list[str]] = {}
    found: dict[tuple[str, int, str, int], Dispute] = {}
    for verdict in verdicts:
        for finding in verdict.findings:
            if finding.check != CHECK or finding.span_range is None:
                continue
            shelves = at(setting.library, finding.span_id, finding.span_range)
            for dispute in _disputes(shelves, setting):
                ordered = _ordered(dispute)
                place = _place(ordered)
                found[place] = ordered
                if verdict.id not in claims.setdefault(place, []):
                    claims[place].append(verdict.id)
    return tuple(_record(found[place], tuple(claims[place]), setting) for place in sorted(found))


def _quoted(verdict: Verdict, setting: Setting) -> list[Shelf]:
    places = [(quote.span_id, (quote.start, quote.end)) for quote in verdict.quotes]
    return [shelf for span_id, place in places for shelf in at(setting.library, span_id, place)]


def _touched(unit: Unit | None, setting: Setting) -> list[Shelf]:
    """The sentences with most of the claim's words, for a claim that rests on nothing."""
    if unit is None or not unit.items:
        return []
    near = [places[0] for places in setting.library.alike(unit, _TOUCHED)]
    return [shelf for shelf in near if align(unit, shelf.unit, shelf.span_id).covered >= _NEAR]


def _disputes(shelves: Sequence[Shelf], setting: Setting) -> tuple[Dispute, ...]:
    return tuple(dispute for shelf in shelves for dispute in setting.disputes.of(shelf, setting.library))


def _ruled(verdict: Verdict, disputes: tuple[Dispute, ...], setting: Setting) -> Verdict:
    """Each statement the claim rests on is ruled on by itself; the worst result counts."""
    results = [_result(first, disputes, setting) for first in dict.fromkeys(one.first for one in disputes)]
    lost = next((dispute for dispute in results if isinstance(dispute, Dispute)), None)
    if lost is not None:
        return _overridden(verdict, lost, disputes, setting)
    if all(results):
        return _with(verdict, disputes, setting, Outcome.MATCH)
    return _undetermined(verdict, disputes, setting)


def _result(first: Shelf, disputes: tuple[Dispute, ...], setting: Setting) -> Dispute | bool:
    """The dispute this statement loses; else whether its side prevails over all that contradict it."""
    own = [one for one in disputes if one.first is first]
    against = [one.second for one in own]
    same = _same_side(first, against, setting)
    library = setting.library
    if any(setting.disputes.prevails(one, against, library) for one in same):
        return True
    return next((one for one in own if setting.disputes.prevails(one.second, same, library)), False)


def _same_side(first: Shelf, against: Sequence[Shelf], setting: Setting) -> list[Shelf]:
    """The statements that say the same as this one: contradicted by all that contradict it, and by nothing else."""
    rivals = {other.number for other in against}
    others = {one.second.number: one.second for rival in against for one in _disputes([rival], setting)}
    found = [other for number, other in sorted(others.items()) if number not in rivals]
    sides = [one for one in found if {two.second.number for two in _disputes([one], setting)} >= rivals]
    return [first, *(one for one in sides if one is not first)]


def _overridden(verdict: Verdict, lost: Dispute, disputes: tuple[Dispute, ...], setting: Setting) -> Verdict:
    reason = f"{_told(lost, setting)}; the answer follows the overridden one"
    changed = verdict.replace(
        label=Label.CONTRADICTED,
        kind=lost.difference.kind,
        reason=reason,
        quotes=(stated(lost.second, setting.library), *verdict.quotes),
        decided_by="checks",
        window_only=False,
        confidence=None,
    )
    return _with(changed, disputes, setting, Outcome.CONFLICT)


def _undetermined(verdict: Verdict, disputes: tuple[Dispute, ...], setting: Setting) -> Verdict:
    reason = "; ".join(dict.fromkeys(_told(dispute, setting) for dispute in disputes))
    against = tuple(stated(dispute.second, setting.library) for dispute in disputes)
    changed = verdict.replace(
        label=Label.INSUFFICIENT_EVIDENCE,
        kind=Kind.CONFLICTING_SOURCES,
        reason=reason,
        quotes=tuple(dict.fromkeys((*verdict.quotes, *against))),
        decided_by="checks",
        window_only=False,
        confidence=None,
    )
    return _with(changed, disputes, setting, Outcome.CONFLICT)


def _with(verdict: Verdict, disputes: tuple[Dispute, ...], setting: Setting, outcome: Outcome) -> Verdict:
    """The verdict with one finding for each dispute, in the order of its text."""
    findings = {_place(_ordered(one)): _finding(verdict, one, setting, outcome) for one in disputes}
    return verdict.replace(findings=(*verdict.findings, *(findings[place] for place in sorted(findings))))


def _finding(verdict: Verdict, dispute: Dispute, setting: Setting, outcome: Outcome) -> Finding:
    return Finding(
        check=CHECK,
        rule="sources-differ"
        if setting.disputes.ruling(dispute.first, dispute.second, setting.library) is None
        else "precedence",
        outcome=outcome,
        message=_told(dispute, setting),
        kind=None if outcome is Outcome.MATCH else Kind.CONFLICTING_SOURCES,
        claim_range=(verdict.start, verdict.end),
        span_id=dispute.first.span_id,
        span_range=dispute.difference.first,
    )


def _told(dispute: Dispute, setting: Setting) -> str:
    """Both places and what they say, and which prevails; in the same order whichever of them the claim rests on."""
    ordered = _ordered(dispute)
    library = setting.library
    first, second = (
        said(ordered.first, ordered.difference.first, library),
        said(ordered.second, ordered.difference.second, library),
    )
    one, other = _name(first), _name(second)
    ruling = setting.disputes.ruling(ordered.first, ordered.second, library)
    end = f"{ruling.prevails} prevails by {ruling.rule}" if ruling else "no rule says which prevails"
    return f"sources contradict each other: {one}, {other}; {end}"


def _name(quote: Quote) -> str:
    return f"{quote.span_id} '{quote.text}'"


def _ordered(dispute: Dispute) -> Dispute:
    turned = Dispute(dispute.second, dispute.first, dispute.difference.turned())
    return min(dispute, turned, key=_place)


def _place(dispute: Dispute) -> tuple[str, int, str, int]:
    first, second = dispute.first, dispute.second
    return first.span_id, first.unit.start, second.span_id, second.unit.start


def _record(dispute: Dispute, claim_ids: tuple[str, ...], setting: Setting) -> Conflict:
    library = setting.library
    ruling = setting.disputes.ruling(dispute.first, dispute.second, library)
    return Conflict(
        kind=dispute.difference.kind,
        first=stated(dispute.first, library),
        second=stated(dispute.second, library),
        first_differs=said(dispute.first, dispute.difference.first, library),
        second_differs=said(dispute.second, dispute.difference.second, library),
        prevails=ruling.prevails if ruling else "",
        rule=ruling.rule if ruling else "",
        claim_ids=claim_ids,
    )
