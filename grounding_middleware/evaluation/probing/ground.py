"""What a transformation knows about a statement and its evidence, and how it proves that a change made it false.

A proof is cheap and errs on the side of not changing anything: whatever the evidence might state in other words is left
alone, so that what a probe calls a leak is one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from grounding_middleware.checks.library import shelve
from grounding_middleware.evaluation.probing.statements import Change, Statement, edited
from grounding_middleware.evaluation.probing.words import Words, words_of
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.reader import read
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Value, find

__all__ = ["Subject"]

_SAME: Final = 0.9
"""Share of a statement's words in a unit that says the same thing."""
_NEAR: Final = 0.66
"""Share of a changed statement's words from which on another unit might state it."""
_CLAUSE: Final = 3  # words between a relative pronoun and its verb
_CUES: Final = ("negation", "modality", "certainty", "quantity", "condition")
_DIGITS: Final = re.compile(r"\d+(?:[.,'’\u202f\u00a0]\d+)*")


@dataclass(frozen=True)
class Subject:
    """One supported statement, read; its evidence, read; the words of its language; seeded chance.

    `pool` are other statements of the same documents, for transformations that mix two of them.
    """

    statement: Statement
    chance: random.Random
    pool: Sequence[Statement] = ()

    @cached_property
    def unit(self) -> Unit:
        """The statement, read; offsets are those of the answer."""
        return self.read(self.answer, self.statement.start, self.statement.end)

    @property
    def answer(self) -> str:
        """The whole answer."""
        return self.statement.attempt.answer

    @cached_property
    def words(self) -> Words:
        """Closed-class words of the language; empty where there are none."""
        return words_of(self.statement.language)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the statement."""
        return self.unit.tokens

    @property
    def values(self) -> tuple[Value, ...]:
        """Numbers, dates, times and versions of the statement."""
        return self.unit.values

    @cached_property
    def norms(self) -> list[str]:
        """What comparisons use of each token."""
        return [token.norm for token in self.tokens]

    @cached_property
    def units(self) -> tuple[tuple[Unit, str], ...]:
        """Every unit of the evidence with the id of its span, delivered or not, in force or not."""
        return tuple(
            (unit, span.id) for span in self.statement.attempt.evidence for unit in self._units(span.text, span.section)
        )

    @cached_property
    def evidence_text(self) -> str:
        """All the evidence, case folded, white space collapsed."""
        return " ".join(
            " ".join(f"{span.section} {span.text}".split()) for span in self.statement.attempt.evidence
        ).casefold()

    @cached_property
    def evidence_values(self) -> tuple[Value, ...]:
        """Every value of the evidence."""
        return tuple(value for unit, _ in self.units for value in unit.values)

    def read(self, text: str, start: int, end: int) -> Unit:
        """A range of a text, read in the language of the statement."""
        return read(text, [(start, end)], self.statement.language or "en")[0]

    def has(self, table: str) -> bool:
        """Whether the statement holds a word of this table: negation, modality, condition, ..."""
        return bool(self.unit.of(table))

    def restricts(self, start: int) -> bool:
        """Whether what stands there says which cases are meant, not what holds of them: a condition, a relative clause.

        To say more there is to claim less.
        """
        conditions = [cue for cue in self.unit.of("condition") if cue.start < start]
        if conditions and "," not in self.answer[conditions[-1].start : start]:
            return True
        relatives = lexicon(self.statement.language).relatives | {"that"}
        near = [token.norm for token in self.tokens if token.end <= start][-_CLAUSE:]
        return bool(relatives.intersection(near))

    def changed(self, change: Change) -> Unit:
        """The statement with the change applied, read."""
        answer, _ = edited(self.answer, change.edits)
        grown = sum(len(new) - (end - start) for start, end, new in change.edits)
        return self.read(answer, self.statement.start, self.statement.end + grown)

    # proofs

    def written(self, text: str) -> bool:
        """Whether these characters stand anywhere in the evidence, as words of their own."""
        piece = re.escape(" ".join(text.casefold().split()))
        return re.search(rf"(?<!\w){piece}(?!\w)", self.evidence_text) is not None

    def numeral_known(self, numeral: str) -> bool:
        """Whether this number, however its thousands are separated, is written anywhere in the evidence."""
        return _bare(numeral) in self._numerals

    def value_known(self, value: Value) -> bool:
        """Whether any value of the evidence that can be compared with this one is the same."""
        return any(_same(value, other) for other in self.evidence_values)

    def restated(self, change: Change) -> bool:
        """Whether some unit of the evidence might state what the statement became.

        A unit that says what the statement said counts as the statement's own, unless its negations, modals,
        quantifiers or conditions differ; any other that has half of the new statement's words counts as its source.
        """
        became = self.changed(change)
        return any(
            _share(became, unit) >= _NEAR and not self._own(number, unit) for number, (unit, _) in enumerate(self.units)
        )

    @cached_property
    def stated(self) -> bool:
        """Whether one unit of the evidence has nearly all words and all values of the statement: nothing to derive."""
        return any(
            _share(self.unit, unit) >= _SAME
            and all(any(_same(value, one) for one in unit.values) for value in self.values)
            for unit, _ in self.units
        )

    @cached_property
    def home_units(self) -> frozenset[int]:
        """Numbers of the units that share most of the statement's words."""
        shares = [_share(self.unit, unit) for unit, _ in self.units]
        most = max(shares, default=0.0)
        return frozenset(number for number, share in enumerate(shares) if share >= min(most, _SAME) and share > 0)

    def _own(self, number: int, unit: Unit) -> bool:
        return number in self.home_units and (unit.tabular or _cues(unit) == _cues(self.unit))

    @cached_property
    def _numerals(self) -> frozenset[str]:
        return frozenset(map(_bare, _DIGITS.findall(self.evidence_text)))

    def _units(self, text: str, section: str) -> Iterator[Unit]:
        yield from shelve(text, section, self.statement.language or "en").units

    def values_of(self, text: str) -> tuple[Value, ...]:
        """The values of any text in the language of the statement."""
        return find(text, self.statement.language or "en")


def shared(items: Sequence[Item], unit: Unit) -> float:
    """Share of the items that a unit, its title or its context name."""
    if not items:
        return 0.0
    keys = {key for item in unit.items for key in item.keys} | unit.context | unit.title
    return sum(bool(item.keys & keys) for item in items) / len(items)


def _share(claim: Unit, unit: Unit) -> float:
    return shared(claim.items, unit)


def _cues(unit: Unit) -> tuple[str, ...]:
    return tuple(sorted(cue.name for cue in unit.cues if cue.table in _CUES))


def _bare(numeral: str) -> str:
    """Digits alone, so that 1,500 and 1.500 and 1500.00 are one number."""
    return re.sub(r"\D", "", re.sub(r"[.,]0{1,2}$", "", numeral)).lstrip("0") or "0"


def _same(left: Value, right: Value) -> bool:
    """Equal numbers of one dimension, or of none on one side; magnitudes count, not the limits they stand in."""
    if left.date or right.date:
        return left.date is not None and left.date == right.date
    if left.dimension != right.dimension and left.dimension and right.dimension:
        return False
    ends = {end for end in (left.low, left.high, left.written) if end is not None}
    return bool(ends & {end for end in (right.low, right.high, right.written) if end is not None})
