"""Units: one sentence, list item or table row, read into items, cues and values with exact offsets.

A unit is what a claim is aligned with. Sentences are not bags: every item knows the preposition that introduces it and
the segment (stretch between conjunctions, commas and subordinators) it stands in, every cue knows its scope.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.values.model import Value


@dataclass(frozen=True, slots=True)
class Item:
    """One content word, name or code. `keys` are its comparable forms, `prep` the preposition before its phrase."""

    text: str
    start: int
    end: int
    keys: frozenset[str]
    segment: int
    position: int
    prep: str = ""
    name: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class Cue:
    """A word or phrase that changes what is claimed: negation, modal, quantifier, certainty, condition, time relation.

    `name` is "table.entry" of the lexicon; `segment` the segment it opens or stands in.
    """

    name: str
    text: str
    start: int
    end: int
    segment: int
    position: int

    @property
    def table(self) -> str:
        """The facet: "negation", "modality", ..."""
        return self.name.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of a unit. `opener` is what opened it ("" for the first or after a comma).

    That is a cue ("condition.if"), what its conjunction does (and, or, nor, but), or any other conjunction itself.
    """

    start: int
    end: int
    opener: str = ""

    @property
    def joined(self) -> bool:
        """Opened by a conjunction, not by a cue or a comma."""
        return bool(self.opener) and "." not in self.opener


@dataclass(frozen=True)
class Unit:
    """What one stretch of text says, as far as closed-class words, values and lemmas tell.

    Offsets are relative to the text the unit was read from (span text or answer), not to the unit.
    `tabular` marks the cell of a table read with its headers: there the verb of a sentence is only implied.
    `context` holds keys of the sentence before it when its subject is a pronoun, `title` those of its section.
    """

    text: str
    start: int
    end: int
    language: str
    items: tuple[Item, ...]
    cues: tuple[Cue, ...]
    values: tuple[Value, ...]
    segments: tuple[Segment, ...]
    tokens: tuple[Token, ...]
    tabular: bool = False
    context: frozenset[str] = field(default_factory=frozenset)
    title: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every comparable form of its items."""
        return frozenset().union(*(item.keys for item in self.items))

    @cached_property
    def known(self) -> frozenset[str]:
        """Every form it is found by: those of its items, its context and its title."""
        return self.keys | self.context | self.title if self.context or self.title else self.keys

    @cached_property
    def claimed(self) -> tuple[Value, ...]:
        """The values it asserts; names such as "Order 20931" are matched as words."""
        return tuple(value for value in self.values if not value.is_name)

    def segment_at(self, offset: int) -> int:
        """The number of the segment that holds this offset of the text."""
        return max((n for n, segment in enumerate(self.segments) if segment.start <= offset), default=0)

    def of(self, table: str) -> tuple[Cue, ...]:
        """The cues of one facet, in order."""
        return tuple(cue for cue in self.cues if cue.table == table)
