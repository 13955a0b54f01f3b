"""`probe`: controls and mutants through a verifier, bounded and seeded."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.probing.catalogue import TRANSFORMATIONS, Transformation
from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.judging import Grade, Verify, grade
from grounding_middleware.evaluation.probing.records import Controls, Example, Probed, Row
from grounding_middleware.evaluation.probing.shrinking import smallest
from grounding_middleware.evaluation.probing.statements import Mutant, Statement
from grounding_middleware.evaluation.probing.words import LANGUAGES
from grounding_middleware.records import FrozenDict

__all__ = ["MOST", "probe"]

MOST: Final = 25
"""Mutants of one transformation."""
_SHOWN: Final = 5  # flagged controls that are named
_LEAKS: Final = frozenset({Grade.PASSED, Grade.LEFT})
_CONTROL: Final = {
    Grade.PASSED: "supported",
    Grade.LEFT: "undecided",
    Grade.CAUGHT: "flagged",
    Grade.HELD: "held",
    Grade.FAILED: "failed",
}


def probe(
    verify: Verify,
    statements: Iterable[Statement],
    *,
    transformations: Sequence[Transformation] = TRANSFORMATIONS,
    most: int = MOST,
    seed: int = 0,
) -> Probed:
    """What `verify` makes of supported statements after each transformation, and of the statements themselves.

    At most `most` mutants of each transformation, one of a statement first, drawn by `seed`: the same input gives the
    same result. A statement that is falsely flagged unchanged is not changed: catching it then would prove nothing.
    Raises `InputError` when there is no statement, or `most` is below 1.
    """
    if most < 1:
        raise InputError(f"most: got {most}; allowed is 1 or more")
    pool = list(statements)
    if not pool:
        raise InputError(
            "no supported statement to probe with; give documents with plain sentences, or labelled answers"
        )
    run = _Run(verify, pool, most, seed)
    rows, examples = [], []
    for one in transformations:
        row, example = run.row(one)
        rows.append(row)
        examples += [example] if example else []
    languages = Counter(statement.language or "?" for statement in pool)
    unread = {code: count for code, count in languages.items() if code not in LANGUAGES}
    return Probed(
        statements=len(pool),
        languages=FrozenDict(languages),
        unread=FrozenDict(unread),
        seed=seed,
        most=most,
        rows=tuple(rows),
        controls=run.controls(),
        examples=tuple(examples),
    )


@dataclass
class _Run:
    """One probe: which statements were verified unchanged already, and with what result."""

    verify: Verify
    pool: list[Statement]
    most: int
    seed: int
    graded: dict[int, Grade] = field(default_factory=dict)
    subjects: dict[int, Subject] = field(default_factory=dict)

    def row(self, one: Transformation) -> tuple[Row, Example | None]:
        """The mutants of one transformation, graded, and the smallest of its worst."""
        counts: Counter[Grade] = Counter()
        languages: Counter[str] = Counter()
        leaks: list[tuple[Grade, Mutant]] = []
        for mutant in self._mutants(one):
            found = grade(self.verify, mutant.attempt, (mutant.start, mutant.end), mutant.changed)
            counts[found] += 1
            languages[mutant.origin.language or "?"] += 1
            leaks += [(found, mutant)] if found in _LEAKS else []
        row = Row(
            name=one.name,
            summary=one.summary,
            tried=counts.total(),
            languages=FrozenDict(languages),
            **{found.value: counts[found] for found in Grade},
        )
        return row, self._example(leaks)

    def controls(self) -> Controls:
        """The statements as they were, as far as they were needed."""
        counts = Counter(_CONTROL[found] for found in self.graded.values())
        flagged = [self.pool[number].text for number, found in sorted(self.graded.items()) if found is Grade.CAUGHT]
        return Controls(tried=len(self.graded), examples=tuple(flagged[:_SHOWN]), **counts)

    def _mutants(self, one: Transformation) -> Iterator[Mutant]:
        """First one of each statement, in drawn order, then the others."""
        order = list(range(len(self.pool)))
        random.Random(f"{self.seed} {one.name}").shuffle(order)  # noqa: S311  # repeatable, not secret
        spare: list[Mutant] = []
        given = 0
        for number in order:
            mutants = list(one.mutants(self._subject(number, one)))
            if not mutants or not self._sound(number):
                continue
            yield mutants[0]
            spare += mutants[1:]
            given += 1
            if given == self.most:
                return
        yield from spare[: self.most - given]

    def _subject(self, number: int, one: Transformation) -> Subject:
        """The statement, read once, with chance that does not depend on what was drawn before."""
        if number not in self.subjects:
            chance = random.Random(f"{self.seed} {number}")  # noqa: S311  # as above
            self.subjects[number] = Subject(self.pool[number], chance, self.pool)
        subject = self.subjects[number]
        subject.chance.seed(f"{self.seed} {number} {one.name}")
        return subject

    def _sound(self, number: int) -> bool:
        """Whether the statement, unchanged, is not flagged."""
        if number not in self.graded:
            statement = self.pool[number]
            self.graded[number] = grade(self.verify, statement.attempt, (statement.start, statement.end))
        return self.graded[number] not in (Grade.CAUGHT, Grade.FAILED)

    def _example(self, leaks: Sequence[tuple[Grade, Mutant]]) -> Example | None:
        if not leaks:
            return None
        worst = min(leaks, key=lambda leak: (leak[0] is not Grade.PASSED, len(leak[1].text)))
        found, mutant = worst[0], smallest(worst[1], self.verify)
        attempt = mutant.attempt
        return Example(
            transformation=mutant.transformation,
            grade=found,
            answer=attempt.answer,
            start=mutant.start,
            end=mutant.end,
            changed=mutant.changed,
            was=mutant.origin.text,
            note=mutant.note,
            evidence=attempt.evidence,
            question=attempt.question,
            as_of=str(attempt.as_of or ""),
            language=mutant.origin.language,
            origin=mutant.origin.origin,
        )
