"""Putting what no rule decided to the judges, and their opinions into the verdicts (SPEC JU-2, JU-4, CH-9)."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from typing import Final

from grounding_middleware.conflicts import settled
from grounding_middleware.evidence import delivered_ranges
from grounding_middleware.judges import Batch, Cascade, JudgeItem, JudgeTask, Opinion, Replies
from grounding_middleware.policy import Policy
from grounding_middleware.records import Kind, Label, Outcome, Span, Verdict
from grounding_middleware.verdicts import Setting, cited_spans

__all__ = ["as_delivered", "consulted", "is_undecided", "judged"]

_HOLE: Final = "\ufffc"  # stands for text the model did not see; no quotation can run across it


def judged(
    verdicts: tuple[Verdict, ...], setting: Setting, cascade: Cascade, policy: Policy, answer_id: str
) -> Generator[Batch, Replies, tuple[Verdict, ...]]:
    """The verdicts with the opinions of the judges; what a check calls a conflict is not theirs to overrule (CH-9)."""
    asked = frozenset(verdict.id for verdict in verdicts if _open(verdict))
    if not (any(map(_flagged, verdicts)) or policy.samples(answer_id)):
        return verdicts
    return (yield from consulted(verdicts, asked, setting, cascade, policy.risk))


def consulted(
    verdicts: tuple[Verdict, ...], asked: Collection[str], setting: Setting, cascade: Cascade, risk: str
) -> Generator[Batch, Replies, tuple[Verdict, ...]]:
    """The verdicts with the opinions of the judges on those whose ids are `asked`; the others are left alone."""
    items = tuple(_item(verdict, setting, n) for n, verdict in _numbered(verdicts) if verdict.id in asked)
    if not items:
        return verdicts
    usable = tuple(as_delivered(span) for span in setting.evidence.usable)
    task = JudgeTask(
        question=setting.question,
        answer=setting.answer,
        evidence=usable,
        items=items,
        risk=risk,
        as_of=setting.evidence.as_of,
        requester=setting.evidence.requester,
    )
    opinions = yield from cascade.judge(task)
    by_claim = {opinion.claim_id: opinion for opinion in opinions}
    return tuple(
        settled(_with_opinion(verdict, by_claim.get(verdict.id), cascade.name), setting)
        if verdict.id in asked
        else verdict
        for verdict in verdicts
    )


def is_undecided(verdict: Verdict) -> bool:
    """Whether no rule decided this claim and nobody else was asked."""
    return verdict.label is Label.UNVERIFIED and verdict.kind is Kind.UNDECIDED


def _flagged(verdict: Verdict) -> bool:
    """Whether the checks saw anything wrong, or in doubt: then the answer goes to the judge in any case (JU-11)."""
    wrong = verdict.label.is_claim and verdict.label is not Label.SUPPORTED and verdict.decided_by != "nobody"
    return wrong or any(finding.outcome is Outcome.DOUBT for finding in verdict.findings)


def _doubtful_abstention(verdict: Verdict) -> bool:
    """An abstention about something the evidence does mention: only a judge can tell whether it is answered."""
    return verdict.label is Label.ABSTENTION and any(f.outcome is Outcome.DOUBT for f in verdict.findings)


def _open(verdict: Verdict) -> bool:
    return is_undecided(verdict) or _doubtful_abstention(verdict)


def _numbered(verdicts: Sequence[Verdict]) -> list[tuple[int, Verdict]]:
    """The claims with their place in the answer, from 1; abstentions are numbered behind them."""
    claims = [verdict for verdict in verdicts if verdict.label.is_claim]
    return list(enumerate([*claims, *filter(_doubtful_abstention, verdicts)], 1))


def _item(verdict: Verdict, setting: Setting, number: int) -> JudgeItem:
    doubts = tuple(finding for finding in verdict.findings if finding.outcome is Outcome.DOUBT)
    spans = tuple(sorted(cited_spans(verdict, setting)))
    return JudgeItem(claim=verdict, span_ids=spans, doubts=doubts, number=number)


def as_delivered(span: Span) -> Span:
    """The span cut to what the model saw; its own offsets no longer fit and are dropped."""
    ranges = delivered_ranges(span)
    if ranges == ((0, len(span.text)),):
        return span
    pieces = [span.text[low:high] for low, high in ranges]
    gaps = [low - before for before, (low, _) in zip((0, *(high for _, high in ranges)), ranges, strict=False)]
    text = "".join(_HOLE * gap + piece for gap, piece in zip(gaps, pieces, strict=True))
    return span.replace(text=text, sha256="", start=None, end=None, delivered_ranges=None)


def _with_opinion(verdict: Verdict, opinion: Opinion | None, judge: str) -> Verdict:
    """The verdict with the judge's opinion; a judge that was asked and said nothing failed, it did not agree."""
    if _doubtful_abstention(verdict):
        return _answered_after_all(verdict, opinion, judge)
    if not is_undecided(verdict):
        return verdict
    if opinion is None:
        reason = "the judge was asked and gave no verdict"
        return verdict.replace(kind=Kind.VERIFIER_FAILURE, reason=reason, decided_by=judge)
    if verdict.statement == "abstention" and opinion.label in (Label.SUPPORTED, Label.INSUFFICIENT_EVIDENCE):
        return _confirmed(verdict, opinion, opinion.judge or judge)
    kind = opinion.kind or (Kind.VERIFIER_FAILURE if opinion.label is Label.UNVERIFIED else None)
    return verdict.replace(
        label=opinion.label,
        kind=Kind.FALSE_ABSTENTION if _is_false_abstention(verdict, opinion) else kind,
        reason=opinion.reason,
        quotes=opinion.quotes,
        confidence=opinion.confidence,
        decided_by=opinion.judge or judge,
    )


def _confirmed(verdict: Verdict, opinion: Opinion, judge: str) -> Verdict:
    """ABSTENTION when the judge finds nothing that answers; undecided as before when it quotes something."""
    if opinion.label is Label.INSUFFICIENT_EVIDENCE and not opinion.quotes:
        return verdict.replace(label=Label.ABSTENTION, kind=None, reason=opinion.reason, quotes=(), decided_by=judge)
    reason = f"says that the sources do not answer, and the judge agrees with a quotation of them: {opinion.reason}"
    return verdict.replace(reason=reason, quotes=opinion.quotes or verdict.quotes)


def _is_false_abstention(verdict: Verdict, opinion: Opinion) -> bool:
    return verdict.statement == "abstention" and opinion.label is Label.CONTRADICTED


def _answered_after_all(verdict: Verdict, opinion: Opinion | None, judge: str) -> Verdict:
    """A false abstention when the judge quotes the answer from the evidence; every other opinion leaves it as it is."""
    if opinion is None or opinion.label is not Label.CONTRADICTED or not opinion.quotes:
        return verdict
    return verdict.replace(
        label=Label.CONTRADICTED,
        kind=Kind.FALSE_ABSTENTION,
        reason=opinion.reason or "says that the sources do not answer, but one does",
        quotes=opinion.quotes,
        decided_by=opinion.judge or judge,
    )
