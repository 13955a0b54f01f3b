"""`score`: one example checked by a grounder and set beside its gold labels.

A pure function of both, so any engine that can map a function over a set can evaluate one: write each result with
`runs.line_of`, put files of parts together with `running.merge`. Sinks of the grounder are not called: measuring leaves
no audit record and fills no review queue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from grounding_middleware.evaluation.baseline import Overlap
from grounding_middleware.evaluation.facts import scored_facts
from grounding_middleware.evaluation.fates import Fates, repair_outcomes
from grounding_middleware.evaluation.golden import Example, GoldClaim
from grounding_middleware.evaluation.matching import about, unclaimed, worst
from grounding_middleware.evaluation.runs import Scored, ScoredClaim, TierCost
from grounding_middleware.evaluation.segmenting import derived
from grounding_middleware.grounder import Grounder
from grounding_middleware.labels import Label, Outcome
from grounding_middleware.records import CallRecord, FrozenDict, Report, Verdict

__all__ = ["Checked", "achecked", "ascore", "checked", "crashed", "inputs", "score", "scored"]

Checked = tuple[Scored, Report | None]

EXCERPT: Final = 240  # characters of a cited passage kept for a claim that nothing was quoted for
QUOTES: Final = 3
REASON: Final = 400
_TELLING: Final = (Outcome.CONFLICT, Outcome.DOUBT)


def score(example: Example, grounder: Grounder) -> Scored:
    """What `grounder` makes of `example`; a check that raises is an error in the result, never a score."""
    return checked(example, grounder)[0]


async def ascore(example: Example, grounder: Grounder) -> Scored:
    """As `score`, without blocking while a model answers."""
    return (await achecked(example, grounder))[0]


def checked(example: Example, grounder: Grounder) -> Checked:
    """As `score`, with the whole report; None when there is none because the check raised."""
    try:
        report = _for(example, grounder).check(example.answer, **inputs(example))
    except Exception as error:  # noqa: BLE001  # one broken example must not end a run of many; it is counted apart
        return crashed(example, error), None
    return scored(example, report), report


async def achecked(example: Example, grounder: Grounder) -> Checked:
    """As `checked`, without blocking while a model answers."""
    try:
        report = await _for(example, grounder).acheck(example.answer, **inputs(example))
    except Exception as error:  # noqa: BLE001  # as above
        return crashed(example, error), None
    return scored(example, report), report


def inputs(example: Example) -> dict[str, Any]:
    """The keyword arguments of `Grounder.check` for this example."""
    return {
        "evidence": example.sources,
        "question": example.question,
        "as_of": example.as_of,
        "requester": example.requester,
    }


def scored(example: Example, report: Report) -> Scored:
    """A report set beside the gold labels; one without gold has the verifier's own labels alone."""
    fates = Fates(report)
    before = Counter(verdict.label.value for verdict in report.claims)
    after = Counter(label for label in map(fates.after, report.claims) if label)
    repairs = repair_outcomes(report)
    return Scored(
        id=example.id,
        question=example.question,
        answer=report.answer,
        text=report.text,
        segments={**derived(report), **example.segments},
        claims=tuple(sorted(_claims(example, report, fates), key=lambda claim: (claim.start, claim.end))),
        facts=scored_facts(example.facts, report.answer, report.text if fates.shown else ""),
        action=report.action,
        actions=example.actions,
        reason=_short(report.decision.reason),
        shown=fates.shown,
        before=FrozenDict(before),
        after=FrozenDict(after),
        answerable=example.answerable,
        abstained=not _asserts(before),
        silent=not _asserts(after),
        leaked=tuple(text for text in example.forbidden if text in report.text),
        forbidden=len(example.forbidden),
        markers=FrozenDict(Counter(one.kind.value if one.kind else "resolved" for one in report.citations)),
        repairs_tried=len(repairs),
        repairs_made=sum(repairs.values()),
        elapsed_ms=report.elapsed_ms,
        tiers=tuple(_tiers(report.calls)),
        completed=example.completed,
        review_seconds=example.review_seconds,
    )


def crashed(example: Example, error: Exception) -> Scored:
    """The result of an example whose check raised: it counts as an error, with its gold claims matched by nothing."""
    claims = tuple(_gold(claim, example) for claim in example.claims)
    return Scored(
        id=example.id,
        question=example.question,
        answer=example.answer,
        segments=example.segments,
        claims=tuple(ScoredClaim(**claim) for claim in claims),
        answerable=example.answerable,
        actions=example.actions,
        error=_short(f"{type(error).__name__}: {error}"),
    )


def _for(example: Example, grounder: Grounder) -> Grounder:
    """The grounder without sinks, or with a judge that gives the reply the example was labelled for."""
    reply = example.judge_reply
    return grounder.silent() if reply is None else grounder.silent().judged_by(lambda _prompt: reply)


def _claims(example: Example, report: Report, fates: Fates) -> Iterator[ScoredClaim]:
    """Every gold claim, then every statement that nobody labelled."""
    overlap = Overlap(span.text for span in report.evidence.spans)
    for gold in example.claims:
        verdicts = about((gold.start, gold.end), report.claims)
        found = _found(verdicts, report, fates)
        fate = {} if found else {"fate": fates.of_place((gold.start, gold.end))}
        yield ScoredClaim(**_gold(gold, example), **found, **fate, overlap=overlap.of(gold.text))
    for verdict in unclaimed(report.claims, [(claim.start, claim.end) for claim in example.claims]):
        place = {"text": verdict.text, "start": verdict.start, "end": verdict.end}
        yield ScoredClaim(**place, **_found((verdict,), report, fates))


def _gold(claim: GoldClaim, example: Example) -> dict[str, Any]:
    return {
        "id": claim.id,
        "text": claim.text,
        "start": claim.start,
        "end": claim.end,
        "gold": claim.label,
        "also_ok": claim.also_ok,
        "gold_kind": claim.kind,
        "gold_cites": claim.cites,
        "gold_supported_by": claim.supported_by,
        "segments": {name: value for name, value in claim.segments.items() if example.segments.get(name) != value},
    }


def _found(verdicts: Sequence[Verdict], report: Report, fates: Fates) -> dict[str, Any]:
    """What the verifier says about a statement: its worst part speaks for it; nothing when no verdict covers it."""
    speaker = worst(verdicts)
    if speaker is None:
        return {}
    citations = [report.citations[index] for one in verdicts for index in one.citations]
    cited = tuple(dict.fromkeys(span_id for one in citations if one.valid for span_id in one.span_ids))
    findings = (finding for one in verdicts for finding in one.findings if finding.outcome in _TELLING)
    return {
        "label": speaker.label,
        "kind": speaker.kind,
        "severity": speaker.severity,
        "risk": speaker.risk,
        "language": speaker.language,
        "decided_by": speaker.decided_by,
        "reason": _short(speaker.reason),
        "rules": tuple(dict.fromkeys(f"{one.outcome} {one.check}.{one.rule}" for one in findings)),
        "quotes": speaker.quotes[:QUOTES],
        "excerpt": "" if speaker.quotes or not cited else _excerpt(report, cited[0]),
        "cited": cited,
        "markers": len(citations),
        "invalid_markers": sum(not one.valid for one in citations),
        "supported_elsewhere": speaker.supported_elsewhere,
        "fate": fates.of(speaker),
    }


def _excerpt(report: Report, span_id: str) -> str:
    span = report.evidence.span(span_id)
    return span.text[:EXCERPT] if span else ""


def _tiers(calls: Sequence[CallRecord]) -> Iterator[TierCost]:
    for tier in dict.fromkeys(call.tier for call in calls):
        own = [call for call in calls if call.tier == tier]
        yield TierCost(
            tier=tier,
            calls=len(own),
            failed=sum(bool(call.error) for call in own),
            input_tokens=_sum([call.input_tokens for call in own]),
            output_tokens=_sum([call.output_tokens for call in own]),
            latency_ms=round(sum(call.latency_ms for call in own), 3),
        )


def _sum(counts: Sequence[int | None]) -> int | None:
    """The total of what was counted; None when nobody counted."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _asserts(labels: Mapping[str, int]) -> bool:
    return any(Label(name).is_claim for name, count in labels.items() if count)


def _short(text: str) -> str:
    return text if len(text) <= REASON else f"{text[:REASON].rstrip()} ..."
