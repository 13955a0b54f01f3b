"""From a report to the probable cause of every failed claim; the first cause with evidence of its own wins.

Order: provenance, failed verifier, sources in conflict, wrong source, a place that states the claim after all,
contradiction, merge; silence is what is left. Accepted claims are looked at for what a judge may have missed and for
exceptions lost in packing. Claims nobody was asked about have not failed; they only get the cause that can be seen
without a judge, context loss.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import claimed
from grounding_middleware.conflicts.settling import CHECK
from grounding_middleware.diagnosis.looking import Looking, Place, Standing, sources_of
from grounding_middleware.diagnosis.records import Cause, Diagnosis
from grounding_middleware.labels import Kind, Label, Outcome
from grounding_middleware.reading.subjects import leans_back
from grounding_middleware.reading.values import Relation, compare
from grounding_middleware.records import Finding, Quote, Report, Verdict

_OURS: Final = frozenset({"claims", "provenance", "checks", "nobody"})
"""Who may decide besides judges."""

_SURE_OF_VALUES: Final = ("values", "exact", "polarity")
"""Checks whose doubts a judge that accepts the claim has probably overlooked: values, codes, negation and antonyms."""

_NARROWING: Final = ("condition.unless", "condition.exception", "condition.only_if", "quantity.only")
_HALF: Final = 2  # words each of two merged passages must give to the claim


def diagnose(report: Report) -> tuple[Diagnosis, ...]:
    """One diagnosis for each failed or wrongly accepted claim, in the order of the claims; the same every time."""
    looking = Looking(report)
    found = (_diagnosed(verdict, looking) for verdict in report.claims if verdict.label.is_claim)
    return tuple(diagnosis for diagnosis in found if diagnosis is not None)


def failed(verdict: Verdict) -> bool:
    """A claim that did not become SUPPORTED although somebody could check it."""
    undecided = verdict.label is Label.UNVERIFIED and verdict.decided_by == "nobody" and verdict.kind is Kind.UNDECIDED
    return verdict.label.is_claim and verdict.label is not Label.SUPPORTED and not undecided


def _diagnosed(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    if not failed(verdict):
        return _accepted(verdict, looking)
    if verdict.label is Label.INVALID_CITATION:
        return _provenance(verdict, looking)
    if verdict.label is Label.UNVERIFIED:
        return _failure(verdict, looking)
    if verdict.kind is Kind.FALSE_ABSTENTION:
        return _contradiction(verdict, looking)
    return (
        _contested(verdict, looking)
        or _stated_after_all(verdict, looking)
        or _attributed(verdict, looking)
        or (_contradiction(verdict, looking) if verdict.label is Label.CONTRADICTED else None)
        or _merged(verdict, looking)
        or _extrapolated(verdict, looking)
    )


def _accepted(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    """What may be wrong with a claim that did not fail."""
    if verdict.label is Label.SUPPORTED:
        return _missed(verdict, looking) or _exception_lost(verdict, looking)
    place = looking.place(verdict)
    lost = place is not None and place.standing is Standing.UNDELIVERED
    return _lost(verdict, place, looking) if lost and place is not None else None


def _missed(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    doubts = tuple(
        finding
        for finding in verdict.findings
        if finding.check in _SURE_OF_VALUES and finding.outcome in (Outcome.DOUBT, Outcome.CONFLICT)
    )
    if verdict.decided_by in _OURS or not doubts:
        return None
    reason = f"{verdict.decided_by} accepted it, a check doubts it: {doubts[0].message}"
    return _told(verdict, looking, Cause.FALSE_NEGATIVE, reason, quotes=verdict.quotes, findings=doubts)


def _exception_lost(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    """The sentence that supports the claim goes on, or is narrowed by the next one, in text the model did not see."""
    for quote in verdict.quotes:
        lost = looking.lost_beside(quote)
        if lost is not None and _narrows(lost, looking):
            reason = f"it rests on text whose exception in {quote.span_id} did not reach the model"
            return _told(verdict, looking, Cause.CONTEXT_LOSS, reason, quotes=(quote, lost))
    return None


def _narrows(lost: Quote, looking: Looking) -> bool:
    unit = looking.unit_of(lost)
    names = {cue.name for cue in unit.cues}
    return bool(names & set(_NARROWING)) or (bool(unit.of("negation")) and leans_back(unit))


def _contested(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    """The claim says what one passage says; another contradicts it, and prevails or is not ruled out."""
    conflicts = tuple(one for one in verdict.findings if one.check == CHECK and one.outcome is Outcome.CONFLICT)
    if not conflicts:
        return None
    return _told(verdict, looking, Cause.SOURCE_CONFLICT, verdict.reason, quotes=verdict.quotes, findings=conflicts)


def _provenance(verdict: Verdict, looking: Looking) -> Diagnosis:
    """The marker failed; an undelivered passage that does state the claim was lost in packing, the model saw its id."""
    place = looking.place(verdict)
    broken = tuple(index for index in verdict.citations if not looking.report.citations[index].valid)
    if place is not None and verdict.kind is Kind.UNDELIVERED and place.standing is Standing.UNDELIVERED:
        return _lost(verdict, place, looking)
    told = f"; {place.quotes[0].span_id} states it" if place and place.standing < Standing.UNDELIVERED else ""
    named = [looking.report.citations[index] for index in broken]
    ids = [span_id for citation in named for span_id in citation.span_ids or (citation.ref,)]
    return _told(
        verdict,
        looking,
        Cause.RESOLVER,
        f"{verdict.reason}{told}",
        quotes=place.quotes if place else (),
        citations=broken,
        spans=ids,
    )


def _failure(verdict: Verdict, looking: Looking) -> Diagnosis:
    calls = looking.report.calls
    asked = tuple(number for number, call in enumerate(calls) if verdict.id in call.claim_ids)
    errors = dict.fromkeys(f"{calls[number].tier}: {calls[number].error}" for number in asked if calls[number].error)
    reason = "; ".join(errors) or verdict.reason or "the judge gave no usable verdict"
    return _told(verdict, looking, Cause.VERIFIER_FAILURE, reason, calls=asked, spans=_cited(verdict, looking))


def _attributed(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    """Wrong attribution as checks or a judge named it."""
    if not verdict.supported_elsewhere and verdict.kind is not Kind.WRONG_ATTRIBUTION:
        return None
    right = verdict.supported_elsewhere or next((quote.span_id for quote in verdict.quotes), "")
    reason = f"the prompt held it in {right}, which is not cited" if right else verdict.reason
    return _told(
        verdict, looking, Cause.ALIGNMENT, reason, quotes=verdict.quotes, citations=verdict.citations, spans=[right]
    )


def _stated_after_all(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    """The evidence does state the claim; what kept it from counting is the cause."""
    place = looking.place(verdict)
    if place is None:
        return None
    if place.standing is Standing.UNDELIVERED:
        return _lost(verdict, place, looking)
    where = place.quotes[-1].span_id
    if place.standing is Standing.CITED:
        reason = f"{verdict.decided_by} refused it, {where} says it nearly word for word"
        refused = verdict.decided_by not in _OURS
        return _told(verdict, looking, Cause.FALSE_POSITIVE, reason, quotes=place.quotes) if refused else None
    if _other_version(verdict, where, looking) or place.standing is Standing.VOID:
        reason = f"{where} states it, {_hindrance(where, looking)}"
        return _told(verdict, looking, Cause.RESOLVER, reason, quotes=place.quotes, citations=verdict.citations)
    reason = f"the prompt held it in {where}, which is not cited"
    return _told(verdict, looking, Cause.ALIGNMENT, reason, quotes=place.quotes, citations=verdict.citations)


def _other_version(verdict: Verdict, span_id: str, looking: Looking) -> bool:
    """The claim cites one version of a source and states what another version says."""
    evidence = looking.report.evidence
    right = evidence.span(span_id)
    cited = [evidence.span(one) for one in _cited(verdict, looking)]
    return right is not None and any(
        span is not None and span.source_id == right.source_id and span.version != right.version for span in cited
    )


def _hindrance(span_id: str, looking: Looking) -> str:
    status = looking.report.evidence.status(span_id)
    return status.reason if status and not status.usable else "another version of the source it cites"


def _lost(verdict: Verdict, place: Place, looking: Looking) -> Diagnosis:
    where = ", ".join(dict.fromkeys(quote.span_id for quote in place.quotes))
    reason = f"{where} states it in text that was retrieved and did not reach the model"
    return _told(verdict, looking, Cause.CONTEXT_LOSS, reason, quotes=place.quotes, citations=verdict.citations)


def _contradiction(verdict: Verdict, looking: Looking) -> Diagnosis:
    conflicts = tuple(finding for finding in verdict.findings if finding.outcome is Outcome.CONFLICT)
    quotes = verdict.quotes or tuple(_quoted(conflicts, looking))
    return _told(
        verdict, looking, Cause.CONTRADICTION, verdict.reason or str(verdict.kind), quotes=quotes, findings=conflicts
    )


def _quoted(findings: Iterable[Finding], looking: Looking) -> Iterable[Quote]:
    for finding in findings:
        span = looking.report.evidence.span(finding.span_id)
        if span is not None and finding.span_range is not None:
            low, high = finding.span_range
            yield Quote(span_id=span.id, start=low, end=high, text=span.text[low:high])


def _merged(verdict: Verdict, looking: Looking) -> Diagnosis | None:
    """Two passages of different spans have the claim between them, and neither has it alone."""
    pair = _halves(looking.closest(verdict))
    if pair is None and verdict.kind is not Kind.MERGED_FACTS:
        return None
    quotes = tuple(looking.quote(half) for half in pair) if pair else verdict.quotes
    joined = " and ".join(dict.fromkeys(quote.span_id for quote in quotes)) or "two passages"
    reason = f"joins what {joined} say about different things"
    return _told(verdict, looking, Cause.MERGE, reason, quotes=quotes, findings=_doubts(verdict))


def _halves(alignments: tuple[Alignment, ...]) -> tuple[Alignment, Alignment] | None:
    for number, first in enumerate(alignments):
        for second in alignments[number + 1 :]:
            if first.span_id != second.span_id and _complete(first, second):
                return first, second
    return None


def _complete(first: Alignment, second: Alignment) -> bool:
    """Every word and value of the claim stands in one of the two, and each gives what the other lacks."""
    mine, theirs = ({here.position for here, _ in one.pairs} for one in (first, second))
    words = {item.position for item in first.claim.items}
    here, there = (_values(one) for one in (first, second))
    everything = words == mine | theirs and here | there == set(range(len(claimed(first.claim))))
    return everything and min(len(mine - theirs) + len(here - there), len(theirs - mine) + len(there - here)) >= _HALF


def _values(alignment: Alignment) -> set[int]:
    """Which values of the claim this passage states."""
    return {
        number
        for number, value in enumerate(claimed(alignment.claim))
        if any(compare(value, other).relation is Relation.ENTAILED for other in alignment.source.values)
    }


def _extrapolated(verdict: Verdict, looking: Looking) -> Diagnosis:
    """Silence: the words nothing stands behind, else those the closest passage lacks."""
    closest = looking.closest(verdict)[:1]
    nowhere = looking.nowhere(closest[0]) if closest else []
    missing = nowhere or [item for one in closest for item in one.claim_left]
    said = ", ".join(f"'{item.text}'" for item in missing)
    who = "no passage says" if nowhere else "the closest passage does not say"
    return _told(
        verdict,
        looking,
        Cause.EXTRAPOLATION,
        f"{who} {said}" if said else verdict.reason or "no passage says it",
        quotes=verdict.quotes or tuple(looking.quote(one) for one in closest),
        findings=_doubts(verdict),
        words=tuple((item.start, item.end) for item in missing),
        spans=_cited(verdict, looking),
    )


def _doubts(verdict: Verdict) -> tuple[Finding, ...]:
    return tuple(one for one in verdict.findings if one.outcome in (Outcome.DOUBT, Outcome.CONFLICT))


def _cited(verdict: Verdict, looking: Looking) -> list[str]:
    return [span_id for index in verdict.citations for span_id in looking.report.citations[index].span_ids]


def _told(verdict: Verdict, looking: Looking, cause: Cause, reason: str, **evidence: Any) -> Diagnosis:
    """The diagnosis; it concerns the sources of `spans`, else those it quotes."""
    spans = evidence.pop("spans", None) or [quote.span_id for quote in evidence.get("quotes", ())]
    return Diagnosis(
        answer_id=looking.report.answer_id,
        claim_id=verdict.id,
        cause=cause,
        reason=reason,
        label=verdict.label,
        decided_by=verdict.decided_by,
        sources=sources_of(filter(None, spans), looking.report.evidence),
        **evidence,
    )
