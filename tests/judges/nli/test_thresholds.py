"""Thresholds are measured for a wanted precision; what cannot be made precise is never said."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.nli import Scored, Thresholds, calibrate
from grounding_middleware.judges.nli.thresholds import NEVER
from grounding_middleware.records import Label

YES, NO, OPEN = Label.SUPPORTED, Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE


def test_lowest_threshold_of_the_wanted_precision() -> None:
    """All rows above the threshold together are precise enough, and a lower one would not be."""
    rows = [Scored(0.99, 0, YES)] * 40 + [Scored(0.9, 0, YES)] * 40 + [Scored(0.8, 0, OPEN)] * 40
    found = calibrate(rows, precision=0.95)
    assert found.supported == 0.9
    assert found.contradicted == NEVER
    assert found.measured == "own rows"


def test_equal_scores_are_one_group() -> None:
    """A threshold lets in all rows of one score, so the wrong ones among them count."""
    rows = [Scored(0.99, 0, YES)] * 50 + [Scored(0.9, 0, YES)] * 30 + [Scored(0.9, 0, OPEN)] * 30
    assert calibrate(rows, precision=0.9).supported == 0.99


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [Scored(0.99, 0, YES)] * 29,
        [Scored(0.99, 0, OPEN)] * 100,
        [Scored(0.4, 0.4, YES)] * 100,
    ],
)
def test_never(rows: list[Scored]) -> None:
    """Too few rows, too many wrong ones, or nothing above one half: the label is never given."""
    assert calibrate(rows).supported == NEVER


def test_contradiction_has_its_own() -> None:
    """Each label is measured by itself."""
    rows = [Scored(0, 0.97, NO)] * 60 + [Scored(0.97, 0, OPEN)] * 60
    assert calibrate(rows) == Thresholds(supported=NEVER, contradicted=0.97, measured="own rows")


@pytest.mark.parametrize("precision", [0.5, 0, 1.1])
def test_wrong_precision(precision: float) -> None:
    """What is no better than a coin is no precision."""
    with pytest.raises(ConfigError, match="precision"):
        calibrate([], precision=precision)


@pytest.mark.parametrize("value", [0.5, 0.0, 1.5, float("nan")])
def test_wrong_thresholds(value: float) -> None:
    """Both thresholds lie above one half, so that they exclude each other."""
    with pytest.raises(ValidationError):
        Thresholds(supported=value)
