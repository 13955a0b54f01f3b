"""Where a claim is stated, looked up in everything that was captured: cited or not, delivered or not, in force or not.

The checks and the near-verbatim rule of the pipeline do the looking; a passage that only shares words is never a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final

from grounding_middleware.checks import CHECKS, Case, Library, about_antecedent
from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.support import restates, supports
from grounding_middleware.claims.parts import parts
from grounding_middleware.evidence import delivered_ranges
from grounding_middleware.reading.reader import read
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Claim, Evidence, Kind, Quote, Range, Report, Span, SpanStatus, Verdict
from grounding_middleware.verdicts import AnswerPlace, Setting, cited_spans, in_context, masked, structured

_DEFAULT_LANGUAGE: Final = "en"
_COMPOUND: Final = 2  # main clauses that make a sentence compound


class Standing(IntEnum):
    """What keeps a passage from supporting the claim, best first."""

    CITED = 0
    DELIVERED = 1
    UNDELIVERED = 2
    VOID = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A passage that states a claim; `exact` when even the near-verbatim rule of the checks is satisfied."""

    standing: Standing
    exact: bool
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """One claim as the checks read it."""

    units: tuple[Unit, ...]
    around: AnswerPlace


class Looking:
    """Looks into the evidence of one report; reads each text once, on first use."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self._language = next((one.language for one in report.claims if one.language), "") or _DEFAULT_LANGUAGE
        self._standing = {status.span_id: status for status in report.evidence.statuses}

    def place(self, verdict: Verdict) -> Place | None:
        """The best passage that states the whole claim, or the passages that state its main clauses; None if none."""
        found = self._place(verdict, self._read[verdict.id].units)
        return found or self._piecewise(verdict)

    def closest(self, verdict: Verdict) -> tuple[Alignment, ...]:
        """The delivered, usable passages that share most words with the claim, best first."""
        unit = self._read[verdict.id].units[0]
        usable = frozenset(span.id for span in self.report.evidence.usable)
        return self._aligned(unit, self.delivered, usable)

    def nowhere(self, alignment: Alignment) -> list[Item]:
        """The words of the claim that stand nowhere in the delivered evidence."""
        return [item for item in alignment.claim.items if not self.delivered.knows(item.keys)]

    def lost_beside(self, quote: Quote) -> Quote | None:
        """What directly follows the quoted text in its span and was not delivered: its end, or the next sentence."""
        span = self.report.evidence.span(quote.span_id)
        if span is None or delivered_ranges(span) == ((0, len(span.text)),):
            return None
        units = [unit for unit, _ in self.whole.units_of({span.id}) if not unit.tabular and unit.end > quote.start]
        low, high = next((at for at in map(_place_of, units[:2]) if not _seen(span, at)), (0, 0))
        low = max([low, *(end for _, end in delivered_ranges(span) if low < end < high)])
        return self._quote(span.id, (low, high)) if low < high else None

    def unit_of(self, quote: Quote) -> Unit:
        """The quoted text, read."""
        (unit,) = read(quote.text, [(0, len(quote.text))], self._language)
        return unit

    def quote(self, alignment: Alignment) -> Quote:
        """The passage an alignment was made with."""
        return self._quote(alignment.span_id, _place_of(alignment.source))

    @cached_property
    def whole(self) -> Library:
        """All captured text, as if it had been delivered and in force; text of forbidden sources is not in a report."""
        spans = tuple(span.replace(delivered=True, delivered_ranges=None) for span in self.report.evidence.spans)
        statuses = tuple(SpanStatus(span_id=span.id, usable=True) for span in spans)
        return Library(Evidence(spans=spans, statuses=statuses), self._language)

    @cached_property
    def delivered(self) -> Library:
        """The evidence the claims were judged against."""
        return Library(self.report.evidence, self._language)

    @cached_property
    def _setting(self) -> Setting:
        report = self.report
        return Setting(
            report.answer, report.question, report.citations, report.evidence, self.delivered, self._language
        )

    @cached_property
    def _read(self) -> dict[str, _Read]:
        """Every claim as the checks read it, with the subject its pronoun refers to."""
        claims = self.report.claims
        text = masked(self.report.answer, self.report.citations)
        units = read(text, [(claim.start, claim.end) for claim in claims], self._language)
        return {
            claim.id: _Read(structured(claim, unit, self._setting), place)
            for claim, unit, place in in_context(claims, units)
        }

    def _place(self, verdict: Verdict, units: Sequence[Unit]) -> Place | None:
        """The places of all units together: as good as the worst of them."""
        found = [self._of_unit(verdict, unit) for unit in units]
        known = [place for place in found if place is not None]
        if not known or len(known) < len(found):
            return None
        return Place(
            max(place.standing for place in known),
            all(place.exact for place in known),
            tuple(quote for place in known for quote in place.quotes),
        )

    def _piecewise(self, verdict: Verdict) -> Place | None:
        pieces = [(verdict.start + low, verdict.start + high) for low, high in parts(verdict.text)]
        if len(pieces) < _COMPOUND:
            return None
        return self._place(verdict, read(masked(self.report.answer, self.report.citations), pieces, self._language))

    def _of_unit(self, verdict: Verdict, unit: Unit) -> Place | None:
        every = frozenset(span.id for span in self.report.evidence.spans)
        cited = cited_spans(verdict, self._setting)
        found = [
            self._judged(verdict, unit, alignment, cited)
            for group in (cited, every - cited)
            for alignment in self._aligned(unit, self.whole, group)
        ]
        places = [place for place in found if place is not None]
        return min(places, key=lambda place: (not place.exact, place.standing), default=None)

    def _judged(self, claim: Claim, unit: Unit, alignment: Alignment, cited: frozenset[str]) -> Place | None:
        """What one passage says about the claim: a place when it states it."""
        if not alignment.anchored:
            return None
        around = self._read[claim.id].around.parts
        case = Case(
            claim, unit, (alignment,), self.whole, frozenset({alignment.span_id}), self.report.question, *around
        )
        findings = tuple(finding for check in CHECKS for finding in check(case))
        if not about_antecedent(alignment, case) or not restates(alignment, findings):
            return None
        quote = self.quote(alignment)
        return Place(self._standing_of(quote, cited), supports(alignment, findings), (quote,))

    def _standing_of(self, quote: Quote, cited: frozenset[str]) -> Standing:
        status = self._standing[quote.span_id]
        if not status.usable and status.kind is not Kind.UNDELIVERED:
            return Standing.VOID
        span = self.report.evidence.span(quote.span_id)
        if span is None or not _seen(span, (quote.start, quote.end)):
            return Standing.UNDELIVERED
        return Standing.CITED if quote.span_id in cited else Standing.DELIVERED

    def _aligned(self, unit: Unit, library: Library, span_ids: frozenset[str]) -> tuple[Alignment, ...]:
        shelves = library.candidates(unit, span_ids)
        return tuple(
            sorted((align(unit, shelf.unit, shelf.span_id) for shelf in shelves), key=lambda one: -one.covered)
        )

    def _quote(self, span_id: str, at: Range) -> Quote:
        text = self.whole.span(span_id).text[at[0] : at[1]]
        return Quote(span_id=span_id, start=at[0], end=at[1], text=text)


def _place_of(unit: Unit) -> Range:
    """The unit without the white space around it."""
    head, tail = len(unit.text) - len(unit.text.lstrip()), len(unit.text) - len(unit.text.rstrip())
    return unit.start + head, unit.end - tail


def _seen(span: Span, at: Range) -> bool:
    """Whether all of this range stood in the prompt."""
    return any(low <= at[0] and at[1] <= high for low, high in delivered_ranges(span))


def sources_of(span_ids: Iterable[str], evidence: Evidence) -> tuple[str, ...]:
    """The source ids of these spans, each once; ids of spans that are not there stand for themselves."""
    return tuple(dict.fromkeys(_source(span_id, evidence) for span_id in span_ids))


def _source(span_id: str, evidence: Evidence) -> str:
    span = evidence.span(span_id)
    return span.source_id if span else span_id
