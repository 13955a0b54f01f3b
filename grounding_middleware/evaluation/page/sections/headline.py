"""Headline figures with intervals, what changed since the run before, and the trend over all runs given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grounding_middleware.evaluation.measures import Better
from grounding_middleware.evaluation.metrics import Rate, Summary
from grounding_middleware.evaluation.page.blocks import (
    Block,
    Card,
    Cards,
    Cell,
    Chart,
    Group,
    Note,
    Part,
    Row,
    Section,
    Table,
)
from grounding_middleware.evaluation.page.charts import Point, trend
from grounding_middleware.evaluation.page.passages import line
from grounding_middleware.evaluation.page.sections.telling import capital, count, counted, interval, number, share

__all__ = ["section"]

WITH_GOLD: Final = (
    *("unsupported_before", "unsupported_after", "escapes", "contradiction_escapes", "false_positives"),
    *("supported_lost", "missing_facts_after", "unverified_after", "escalation"),
)
WITHOUT: Final = (
    *("found_wrong_before", "found_wrong_after", "unverified_before", "unverified_after"),
    *("abstention_after", "escalation"),
)
TREND_WITH_GOLD: Final = ("unsupported_after", "escapes", "false_positives", "missing_facts_after")
TREND_WITHOUT: Final = ("found_wrong_after", "unverified_after", "escalation")
NO_GOLD: Final = (
    "This run has no gold labels: every figure here is the verifier's own opinion. It cannot say how often the "
    "verifier is wrong, in either direction."
)


def section(summary: Summary, earlier: Sequence[Summary]) -> Section:
    """`earlier` are runs before this one, the oldest first."""
    return Section("headline", "Headline figures", "", tuple(_blocks(summary, earlier)))


def _blocks(summary: Summary, earlier: Sequence[Summary]) -> Iterator[Block]:
    gold = bool(summary.confusion)
    if not summary.answers:
        yield Note("The run holds no answers, so nothing can be said about anything.", warning=True)
        return
    if not gold:
        yield Note(NO_GOLD, warning=True)
    before = next((one for one in reversed(earlier) if _comparable(one, summary)), None)
    yield Cards(tuple(_card(name, summary, before) for name in (WITH_GOLD if gold else WITHOUT)))
    yield from _trend(TREND_WITH_GOLD if gold else TREND_WITHOUT, summary, earlier)


def _comparable(one: Summary, other: Summary) -> bool:
    return one.header.golden_sha256 == other.header.golden_sha256


def _card(name: str, summary: Summary, before: Summary | None) -> Card:
    rate = summary.rate(name)
    told, better = _change(rate, before.rate(name)) if before else ("", None)
    return Card(
        name=capital(rate.title),
        value=share(rate),
        interval=f"95 % interval {interval(rate)}" if rate.n else "not measured",
        counted=f"{counted(rate)}: {rate.about}",
        change=told,
        better=better,
    )


def _change(now: Rate, before: Rate) -> tuple[str, bool | None]:
    """The difference in percentage points and whether it is one for the better; None where the intervals overlap."""
    if now.value is None or before.value is None:
        return "", None
    points = (now.value - before.value) * 100
    if abs(points) < 0.05:
        return "= as in the run before", None
    told = f"{'▲' if points > 0 else '▼'} {abs(points):.1f} points since the run before"
    apart = None not in (now.low, before.low) and (now.low > before.high or now.high < before.low)  # type: ignore[operator]
    if not apart or now.better is Better.NEITHER:
        return f"{told}: no clear change, the intervals overlap", None
    better = (points < 0) is (now.better is Better.LOWER)
    return f"{told}: {'better' if better else 'worse'}", better


def _trend(names: Sequence[str], summary: Summary, earlier: Sequence[Summary]) -> Iterator[Block]:
    runs = [*(one for one in earlier if _comparable(one, summary)), summary]
    if len(runs) < len(earlier) + 1:
        left_out = count(len(earlier) + 1 - len(runs), "run")
        yield Note(f"Left out of the trend: {left_out} on another golden set, which cannot be compared.", warning=True)
    if len(runs) == 1:
        yield Note("There is no earlier run to compare with; name some after this one to see a trend.")
        return
    parts = tuple(part for name in names for part in _line(name, runs))
    if parts:
        yield Group(parts)
    titles = tuple(summary.rate(name).title for name in names)
    yield Table(
        "Trend, the oldest run first",
        ("Run", "Made", *map(capital, titles)),
        tuple(
            Row(
                (
                    Cell(_named(run, number_)),
                    number(f"{run.header.created:%Y-%m-%d}"),
                    *(number(f"{share(run.rate(name))} ({interval(run.rate(name))})") for name in names),
                )
            )
            for number_, run in enumerate(runs, 1)
        ),
        "These are intervals of single runs; grounding compare pairs two runs claim by claim and sees smaller changes.",
    )


def _line(name: str, runs: Sequence[Summary]) -> Iterator[Part]:
    points = [
        Point(_named(run, at), rate.value, rate.low, rate.high)
        for at, run in enumerate(runs, 1)
        for rate in (run.rate(name),)
        if rate.value is not None and rate.low is not None and rate.high is not None
    ]
    if points:
        title = capital(runs[-1].rate(name).title)
        told = f"{title} over {count(len(points), 'run')}, with 95 % intervals; figures in the table below."
        yield Part(title, "", (Chart(trend(points, "unverified"), told),))


def _named(run: Summary, at: int) -> str:
    """Number and name: names may be equal, and then two runs would fall on one point."""
    return f"{at}. {line(run.header.name, 24) or f'{run.header.created:%Y-%m-%d}'}"
