"""Numbers, rates and cells as every section writes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from grounding_middleware.evaluation.measures import Better
from grounding_middleware.evaluation.metrics import Rate
from grounding_middleware.evaluation.page.blocks import Cell, Chart, Row, Table
from grounding_middleware.evaluation.page.charts import Interval, intervals
from grounding_middleware.evaluation.page.flow import AnyLabel
from grounding_middleware.evaluation.tally import NOT_COVERED

__all__ = [
    "FEW",
    "NOT_MEASURED",
    "capital",
    "count",
    "counted",
    "drawn",
    "interval",
    "label_key",
    "number",
    "percent",
    "rates_table",
    "share",
]

FEW: Final = 30
"""A rate over fewer cases is set in grey: its interval is too wide to conclude anything from a difference."""

NOT_MEASURED: Final = "n/a"
_NOTHING: Final = 1e-9  # what rounding leaves of zero
_ARROWS: Final = {
    Better.LOWER: "↓\N{NO-BREAK SPACE}lower",
    Better.HIGHER: "↑\N{NO-BREAK SPACE}higher",
    Better.NEITHER: "–",
}


def number(text: str) -> Cell:
    """A cell that is set to the right."""
    return Cell(text, number=True)


def count(amount: int, noun: str) -> str:
    """`1 answer`, `1,000 answers`."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"


def percent(share_: float) -> str:
    """A share as a percentage with one decimal; what is not zero never reads as zero, nor what is not all as all."""
    if _NOTHING < share_ < 0.0005:
        return "<0.1\N{NO-BREAK SPACE}%"
    if 0.9995 <= share_ < 1 - _NOTHING:
        return ">99.9\N{NO-BREAK SPACE}%"
    return f"{share_ * 100:.1f}\N{NO-BREAK SPACE}%"


def label_key(label: AnyLabel) -> str:
    """The name under which a summary counts a label."""
    return NOT_COVERED if label is None else str(label)


def share(rate: Rate) -> str:
    """The value of a rate, or that there is none."""
    return NOT_MEASURED if rate.value is None else percent(rate.value)


def interval(rate: Rate) -> str:
    """The 95 % interval of a rate, or that there is none."""
    return NOT_MEASURED if rate.low is None or rate.high is None else f"{percent(rate.low)} to {percent(rate.high)}"


def counted(rate: Rate) -> str:
    """`34 of 850`."""
    return f"{rate.k:,} of {rate.n:,}" if rate.n else "nothing to count from"


def rates_table(caption: str, rates: Iterable[Rate]) -> Table:
    """Rates with their intervals, one a row; those that rest on few cases, or on none, are faint."""
    found = tuple(rates)
    faint = any(rate.n < FEW for rate in found)
    return Table(
        caption,
        ("Figure", "Value", "95 % interval", "Counted", "Better", "What is counted"),
        tuple(
            Row(
                (
                    Cell(capital(rate.title)),
                    number(share(rate)),
                    number(interval(rate)),
                    number(counted(rate)),
                    number(_ARROWS[rate.better]),
                    Cell(rate.about),
                ),
                faint=rate.n < FEW,
            )
            for rate in found
        ),
        f"In grey italics: counted from fewer than {FEW} or not at all, too few to conclude anything." if faint else "",
    )


def drawn(label: str, rates: Iterable[Rate], hue: str, upto: float | None = None) -> Chart | None:
    """The rates that have a value as dots with intervals, on a scale that ends at `upto`; None without any."""
    rows = [
        Interval(capital(rate.title), rate.value, rate.low, rate.high)
        for rate in rates
        if rate.value is not None and rate.low is not None and rate.high is not None
    ]
    return Chart(intervals(rows, hue, upto), label) if rows else None


def capital(title: str) -> str:
    """The title with a capital letter at its beginning, and only there."""
    return title[:1].upper() + title[1:]
