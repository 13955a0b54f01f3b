"""Every transformation by name, in the order of the report (SPEC ME-5 and more)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.probing import (
    abstaining,
    citing,
    conditions,
    dates,
    exact,
    mixing,
    names,
    numbers,
    wording,
)
from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.statements import Change, Mutant
from grounding_middleware.evaluation.probing.words import LANGUAGES

__all__ = ["TRANSFORMATIONS", "Transformation", "chosen"]

_ANY: Final[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class Transformation:
    """One way to make a supported statement unsupported; `languages` it is limited to, none for any language."""

    name: str
    change: Callable[[Subject], Iterator[Change]]
    languages: tuple[str, ...] = LANGUAGES

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        return (self.change.__doc__ or "").strip().split("\n", maxsplit=1)[0]

    def reads(self, language: str) -> bool:
        """Whether it can change statements in this language."""
        return not self.languages or language in self.languages

    def mutants(self, subject: Subject) -> Iterator[Mutant]:
        """Every mutant of one statement; none that reads as the statement did."""
        if not self.reads(subject.statement.language):
            return
        for change in self.change(subject):
            mutant = Mutant.of(self.name, subject.statement, change)
            if change.attempt is not None or mutant.text != subject.statement.text:
                yield mutant


TRANSFORMATIONS: Final[tuple[Transformation, ...]] = (
    Transformation("negation", wording.negation),
    Transformation("ten_times", numbers.ten_times, _ANY),
    Transformation("other_digit", numbers.other_digit, _ANY),
    Transformation("spelled_number", numbers.spelled),
    Transformation("unit", numbers.unit, _ANY),
    Transformation("currency", numbers.currency, _ANY),
    Transformation("scale_word", numbers.scale),
    Transformation("range_end", numbers.range_end, _ANY),
    Transformation("threshold_direction", numbers.threshold),
    Transformation("year", dates.year, _ANY),
    Transformation("month", dates.month),
    Transformation("day_of_month", dates.day_of_month, _ANY),
    Transformation("hour", dates.hour, _ANY),
    Transformation("modality_raised", wording.modality_raised),
    Transformation("duty_weakened", wording.duty_weakened),
    Transformation("automatic_approval", wording.automatic_approval),
    Transformation("automatic", wording.automatic),
    Transformation("hedge_removed", wording.hedge_removed),
    Transformation("quantifier_widened", wording.quantifier_widened),
    Transformation("condition_cut", conditions.condition_cut),
    Transformation("exception_cut", conditions.exception_cut),
    Transformation("opposite", wording.opposite),
    Transformation("detail_added", wording.detail_added),
    Transformation("entity_replaced", names.entity_replaced, ("en", "fr", "es")),
    Transformation("entities_swapped", names.entities_swapped, ("en", "fr", "es")),
    Transformation("roles_swapped", names.roles_swapped),
    Transformation("owner_swapped", mixing.owner_swapped, _ANY),
    Transformation("identifier_digit", exact.identifier, _ANY),
    Transformation("version", exact.version, _ANY),
    Transformation("address", exact.address, _ANY),
    Transformation("quotation_altered", mixing.quotation_altered),
    Transformation("irrelevant_citation", citing.irrelevant_citation, _ANY),
    Transformation("wrong_paragraph", citing.wrong_paragraph, _ANY),
    Transformation("invented_citation", citing.invented_citation, _ANY),
    Transformation("superseded_source", citing.superseded, _ANY),
    Transformation("expired_source", citing.expired, _ANY),
    Transformation("not_yet_in_force", citing.not_yet_in_force, _ANY),
    Transformation("undelivered_source", citing.undelivered, _ANY),
    Transformation("false_abstention", abstaining.false_abstention, ("en", "fr", "es")),
)


def chosen(names: Iterable[str]) -> tuple[Transformation, ...]:
    """The transformations with these names, all when none is given; `InputError` for one that there is not."""
    wanted = tuple(names)
    known = {one.name for one in TRANSFORMATIONS}
    for name in wanted:
        if name not in known:
            raise InputError(f"transformation {name!r:.60} does not exist; allowed are {', '.join(sorted(known))}")
    return tuple(one for one in TRANSFORMATIONS if not wanted or one.name in wanted)
