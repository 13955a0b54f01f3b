"""The evidence's own value in the place of a conflicting one, where the anchor is exact (SPEC RE-5).

Only what one finding names on both sides is changed, and only when the sentence around it surely survives: article,
number, unit, case and language fit. Whatever comes out is verified like any other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Value, ValueKind
from grounding_middleware.records import Finding, Outcome, Range
from grounding_middleware.repair.drafts import Change
from grounding_middleware.repair.grammar import cased, grammar, same_form
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.proposals import Proposal
from grounding_middleware.repair.recite import marked
from grounding_middleware.repair.settings import Step
from grounding_middleware.repair.targets import Target
from grounding_middleware.repair.values import exchanged

__all__ = ["corrected"]

_VALUES: Final = frozenset({"value-differs", "value-of-another"})
_WORDS: Final = frozenset({"modal-shift", "hedge-to-certainty", "quantifier-widened", "connective-turned"})
_NAMES: Final = frozenset({"name-differs", "code-differs"})
_OPPOSITES: Final = frozenset({"antonym-flipped"})
_FORMS: Final = ("sentence", "list_item", "quote", "table_row", "json_field", "heading")
_PROSE: Final = ("sentence", "list_item", "quote")
_PROPER: Final = (ValueKind.MONEY, ValueKind.DATE, ValueKind.VERSION)


class _Spot(NamedTuple):
    """One finding with what it sets against each other."""

    finding: Finding
    claim: Unit
    source: Unit
    ours: Range
    theirs: Range


def corrected(target: Target, ground: Ground) -> Iterator[Proposal]:
    """The statement with one conflicting place corrected, then with all of them, as far as each can be."""
    found = [changes for spot in _spots(target, ground) if (changes := _exchange(spot, ground))]
    alone = [changes for changes in found if not _asked_for(changes, ground)]
    yield from (_cited(Proposal(target, Step.CORRECT, changes), ground) for changes in alone)
    together = tuple(sorted({change for changes in found for change in changes}))
    if len(found) > 1 and all(left.end <= right.start for left, right in pairwise(together)):
        yield _cited(Proposal(target, Step.CORRECT, together), ground)


def _cited(proposal: Proposal, ground: Ground) -> Proposal:
    """With a citation of its own where only other statements cite, so that none of theirs gets hold of it."""
    findings = (finding for verdict in proposal.target.verdicts for finding in verdict.findings)
    spans = tuple(dict.fromkeys(one.span_id for one in findings if one.outcome is Outcome.CONFLICT and one.span_id))
    prose = all(verdict.form in _PROSE for verdict in proposal.target.verdicts)
    if proposal.target.citations or not ground.cites or not prose or len(spans) != 1:
        return proposal
    marks = marked(proposal.target, ground, spans)
    return replace(proposal, changes=(*proposal.changes, *marks), span_ids=spans) if marks else proposal


def _spots(target: Target, ground: Ground) -> Iterator[_Spot]:
    for verdict in target.verdicts:
        if verdict.form not in _FORMS:
            continue
        claim = ground.unit(verdict)
        for finding in verdict.findings:
            if finding.outcome is not Outcome.CONFLICT or not finding.claim_range or not finding.span_range:
                continue
            shelf = ground.shelf(finding.span_id, finding.span_range)
            same_language = shelf is not None and shelf.unit.language == claim.language
            if shelf is not None and shelf.whole and same_language:
                yield _Spot(finding, claim, shelf.unit, finding.claim_range, finding.span_range)


def _exchange(spot: _Spot, ground: Ground) -> tuple[Change, ...]:
    rule = spot.finding.rule
    if rule in _VALUES:
        return _value(spot, ground)
    old, new = _texts(spot, ground)
    if rule in _WORDS and grammar(spot.claim.language).swappable(old, new):
        return _plain(spot, ground, cased(old, new, proper=False))
    if rule in _OPPOSITES and same_form(old, new) and old.isalpha() and new.isalpha():
        return _plain(spot, ground, cased(old, new, proper=False))
    return _plain(spot, ground, new) if rule in _NAMES else ()


def _texts(spot: _Spot, ground: Ground) -> tuple[str, str]:
    span = ground.library.span(spot.finding.span_id)
    return ground.answer[slice(*spot.ours)], span.text[slice(*spot.theirs)]


def _plain(spot: _Spot, ground: Ground, new: str) -> tuple[Change, ...]:
    """One stretch of text for another, if the article before it allows that and no mark of emphasis is torn."""
    start, end = spot.ours
    old = ground.answer[start:end]
    if not new.strip() or "\n" in new or not _fits_article(spot, ground, start, old, new):
        return ()
    return () if re.search(r"[*_\[\]|]", old) and old != new else (Change(start, end, new),)


def _fits_article(spot: _Spot, ground: Ground, start: int, old: str, new: str) -> bool:
    before = ground.answer[spot.claim.start : start].rstrip("*_`\"“'")
    return grammar(spot.claim.language).article_fits(before, old, new)


def _value(spot: _Spot, ground: Ground) -> tuple[Change, ...]:
    mine, theirs = _value_at(spot.claim, spot.ours), _value_at(spot.source, spot.theirs)
    if mine is None or theirs is None:
        return ()
    span = ground.library.span(spot.finding.span_id)
    changes = exchanged(mine, theirs, ground.answer, span.text, spot.claim.language)
    if not changes:
        return ()
    first = changes[0]
    if not _fits_article(spot, ground, first.start, ground.answer[first.start : first.end], first.text):
        return ()
    sentence_start = theirs.start == spot.source.start and mine.start != spot.claim.start
    proper = theirs.kind in _PROPER or spot.claim.language == "de" or not sentence_start
    if mine.start == spot.claim.start:
        proper = False
    text = cased(ground.answer[first.start : first.end], first.text, proper=proper)
    return (Change(first.start, first.end, text), *changes[1:])


def _value_at(unit: Unit, place: Range) -> Value | None:
    return next((value for value in unit.values if (value.start, value.end) == place), None)


def _asked_for(changes: tuple[Change, ...], ground: Ground) -> bool:
    """Whether the words to be replaced are those the reader asked about: then the other side is the wrong one."""
    question = ground.setting.question.casefold()
    old = " ".join(ground.answer[change.start : change.end] for change in changes).casefold()
    asked = any(char.isdigit() for char in old) and re.search(rf"(?<!\w){re.escape(old)}(?!\w)", question)
    return bool(asked)
