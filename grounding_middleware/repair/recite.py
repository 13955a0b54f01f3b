"""The right citation for a statement that cites the wrong one, or none (SPEC CI-3, CI-7, RE-5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from grounding_middleware.records import Kind, Label, Quote, Range, Verdict
from grounding_middleware.repair.drafts import Change
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.marking import may_cite, own_markers, placed_at
from grounding_middleware.repair.proposals import Proposal
from grounding_middleware.repair.settings import Step
from grounding_middleware.repair.targets import Target

__all__ = ["CITE", "added", "marked", "recited", "supporters"]

CITE: Final = "cite"
"""The name of what is no repair of a claim: a citation for one that had none."""

_PROSE: Final = ("sentence", "list_item", "quote")
_MOST_SPANS: Final = 3
_JOINTS: Final = frozenset(" \t,;")


def recited(target: Target, ground: Ground) -> Iterator[Proposal]:
    """The statement as it is, with the citation of each span that may state it, the likeliest first."""
    verdict = target.first
    if len(target.verdicts) > 1 or verdict.form not in _PROSE:
        return
    for span_id in _right_spans(verdict, ground):
        changes = marked(target, ground, (span_id,))
        if changes:
            yield Proposal(target, Step.RECITE, changes, (span_id,))


def _right_spans(verdict: Verdict, ground: Ground) -> Iterator[str]:
    """The span that was named as the right one; for a citation that leads nowhere, those with the claim's words."""
    cited = {span_id for n in verdict.citations for span_id in ground.setting.citations[n].span_ids}
    if verdict.kind is Kind.WRONG_ATTRIBUTION:
        named = [verdict.supported_elsewhere, *(quote.span_id for quote in verdict.quotes)]
        found = [span_id for span_id in dict.fromkeys(named) if span_id and span_id not in cited]
    elif verdict.label is Label.INVALID_CITATION:
        usable = frozenset(span.id for span in ground.setting.evidence.usable)
        shelves = ground.library.candidates(ground.unit(verdict), usable)
        found = list(dict.fromkeys(shelf.span_id for shelf in shelves))
    else:
        found = []
    yield from (span_id for span_id in found[:_MOST_SPANS] if may_cite(ground.setting.evidence, span_id))


def marked(target: Target, ground: Ground, span_ids: Sequence[str], *, at: int | None = None) -> tuple[Change, ...]:
    """The change that makes the statement cite exactly these spans; nothing when that cannot be written.

    Its own markers are replaced where they stand. One that other statements rest on stays, and a new one is added
    behind the words, or at `at`.
    """
    citations = ground.setting.citations
    marker = ground.scribe.marker(span_ids)
    if not marker:
        return ()
    own = own_markers(citations, target.citations, ground.others(target))
    if own:
        return _replaced(ground.answer, own, marker)
    place = placed_at(ground.answer, *target.place) if at is None else at
    return (Change(place, place, f" {marker}" if _spaced(ground) else marker),)


def _replaced(answer: str, own: Sequence[Range], marker: str) -> tuple[Change, ...]:
    """One marker in the place of a run of them; markers with words between them are left alone."""
    start, end = own[0][0], own[-1][1]
    between = [answer[left[1] : right[0]] for left, right in pairwise(own)]
    return (Change(start, end, marker),) if all(_JOINTS.issuperset(gap) for gap in between) else ()


def _spaced(ground: Ground) -> bool:
    """Whether a space stands before markers: not in scripts that are written without spaces."""
    return ground.setting.language not in ("ja", "zh", "th")


def added(ground: Ground) -> Iterator[Proposal]:
    """For each supported statement without a citation, the one that supports it ("cite for me", CI-7)."""
    for verdict in ground.verdicts:
        if verdict.citations or verdict.label is not Label.SUPPORTED or verdict.form not in _PROSE:
            continue
        spans = supporters(verdict.quotes, ground)
        target = Target((verdict,), whole=True)
        changes = marked(target, ground, spans) if spans else ()
        if changes:
            yield Proposal(target, CITE, changes, spans)


def supporters(quotes: Sequence[Quote], ground: Ground) -> tuple[str, ...]:
    """The spans these quotes come from, if each may be cited for them and they are few."""
    found = dict.fromkeys(quote.span_id for quote in quotes)
    sound = all(may_cite(ground.setting.evidence, quote.span_id, (quote.start, quote.end)) for quote in quotes)
    return tuple(found) if sound and len(found) <= _MOST_SPANS else ()
