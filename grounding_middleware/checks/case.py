"""What a check gets and gives: one claim beside the units it may rest on, findings with both places."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.library import Library
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Cue, Item, Segment, Unit
from grounding_middleware.reading.values import Value
from grounding_middleware.records import Claim, Finding, Kind, Outcome, Range


@dataclass(frozen=True, slots=True)
class Case:
    """One claim, read, with its best alignments in the cited spans (best first) and the library they come from.

    `antecedent` is the subject its first pronoun refers to, `before` the statement before it, `above` the words of the
    heading and of the line it stands under in the answer, each alone.
    """

    claim: Claim
    unit: Unit
    alignments: tuple[Alignment, ...]
    library: Library
    cited: frozenset[str]
    question: str = ""
    antecedent: tuple[Item, ...] = ()
    before: Unit | None = None
    above: tuple[tuple[Item, ...], ...] = ()

    @property
    def anchored(self) -> tuple[Alignment, ...]:
        """The alignments in which every content word of the claim was found."""
        return tuple(alignment for alignment in self.alignments if alignment.anchored)


Positioned = Item | Cue | Segment | Value | Unit | Token

Check = Callable[[Case], Iterator[Finding]]
"""A check looks at one facet and yields what it saw; yielding nothing means it could not tell."""


@dataclass(frozen=True, slots=True)
class Reporter:
    """Builds the findings of one check, so that every finding names its rule and both places."""

    check: str

    def conflict(self, rule: str, message: str, kind: Kind, at: Place) -> Finding:
        """Both statements cannot hold, or the claim says what the evidence does not say; near certain."""
        return self._finding(Outcome.CONFLICT, rule, message, kind, at)

    def doubt(self, rule: str, message: str, kind: Kind | None, at: Place) -> Finding:
        """Something looks off but the anchor is incomplete; blocks SUPPORTED and goes to the judge."""
        return self._finding(Outcome.DOUBT, rule, message, kind, at)

    def match(self, rule: str, message: str, at: Place) -> Finding:
        """This facet of the claim is stated by the evidence; says nothing about the others."""
        return self._finding(Outcome.MATCH, rule, message, None, at)

    def _finding(self, outcome: Outcome, rule: str, message: str, kind: Kind | None, at: Place) -> Finding:
        return Finding(
            check=self.check,
            rule=rule,
            outcome=outcome,
            message=message,
            kind=kind,
            claim_range=at.claim,
            span_id=at.span_id,
            span_range=at.source,
        )


@dataclass(frozen=True, slots=True)
class Place:
    """Where a finding was made: a range of the answer and a range of a span's text, either may be missing."""

    claim: Range | None = None
    span_id: str = ""
    source: Range | None = None


def place(alignment: Alignment, here: Positioned | None, there: Positioned | None) -> Place:
    """The place of two words, cues or values; whole units where one side has none."""
    claim = (here.start, here.end) if here else (alignment.claim.start, alignment.claim.end)
    source = (there.start, there.end) if there else (alignment.source.start, alignment.source.end)
    return Place(claim, alignment.span_id, source)
