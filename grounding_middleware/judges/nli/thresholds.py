"""From which probability on a local model is believed; between the thresholds it abstains.

Raw probabilities of such models are not calibrated: 0.9 may be right seven times in ten. Thresholds are therefore
measured on labelled pairs of the model's own use, for a wanted precision, and kept beside the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pydantic import Field

from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Label, Record

NEVER = 1.01
"""A threshold no probability reaches."""


class Band(Record):
    """The least probabilities for claims in one `language`, held against so many windows of text or fewer."""

    language: str
    windows: int = Field(ge=1)
    supported: float = Field(gt=0, le=NEVER)
    contradicted: float = Field(gt=0, le=NEVER)


class Thresholds(Record):
    """The least probability for each label a local model may give.

    `bands` are measured apart, by language and by how much text a claim is held against: the best of many windows is
    high by chance. The first band that fits holds; where there are bands and none fits, no label is given. `nearest`
    is the number of windows looked at, those nearest to the claim by their words; without it all are. `measured` tells
    what they were measured on; without it they are only cautious, and no confidence is reported.
    """

    supported: float = Field(default=0.98, gt=0.5, le=NEVER)
    contradicted: float = Field(default=0.98, gt=0.5, le=NEVER)
    measured: str = ""
    bands: tuple[Band, ...] = ()
    nearest: int | None = Field(default=None, ge=1)

    def least(self, language: str, windows: int) -> tuple[float, float]:
        """From which probability on a claim is supported, and contradicted."""
        if not self.bands:
            return self.supported, self.contradicted
        fits = (band for band in self.bands if band.language == language and windows <= band.windows)
        band = next(fits, None)
        return (band.supported, band.contradicted) if band else (NEVER, NEVER)


class Scored(NamedTuple):
    """A labelled pair as a model sees it: probabilities of entailment and of contradiction, and the true label."""

    entailment: float
    contradiction: float
    label: Label


def calibrate(
    rows: Iterable[Scored], *, precision: float = 0.95, at_least: int = 30, measured: str = "own rows"
) -> Thresholds:
    """The lowest thresholds at which each label is right in `precision` of its `rows`, never fewer than `at_least`.

    A label that no threshold makes precise enough is never given. Raises `ConfigError` for a wrong precision.
    """
    if not 0.5 < precision <= 1:
        raise ConfigError(f"precision is {precision!r}; allowed is more than 0.5 and at most 1")
    pairs = list(rows)
    return Thresholds(
        supported=_lowest([(row.entailment, row.label is Label.SUPPORTED) for row in pairs], precision, at_least),
        contradicted=_lowest(
            [(row.contradiction, row.label is Label.CONTRADICTED) for row in pairs], precision, at_least
        ),
        measured=measured,
    )


def _lowest(scored: Sequence[tuple[float, bool]], precision: float, at_least: int) -> float:
    """The lowest score from which on, all rows with it or more included, enough of them are right."""
    best, right = NEVER, 0
    ordered = sorted(scored, reverse=True)
    for count, (score, is_right) in enumerate(ordered, start=1):
        right += is_right
        last_of_its_score = count == len(ordered) or ordered[count][0] < score
        if last_of_its_score and score > 0.5 and count >= at_least and right >= precision * count:
            best = score
    return best
