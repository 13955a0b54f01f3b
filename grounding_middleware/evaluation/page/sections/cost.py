"""Time, calls, tokens and money, per answer and per tier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from grounding_middleware.evaluation.metrics import Costs, Latency, Summary
from grounding_middleware.evaluation.page.blocks import Block, Cell, Note, Row, Section, Table
from grounding_middleware.evaluation.page.flow import ORDER
from grounding_middleware.evaluation.page.passages import line
from grounding_middleware.evaluation.page.sections.telling import NOT_MEASURED, label_key, number
from grounding_middleware.evaluation.page.words import label_words
from grounding_middleware.evaluation.tally import NOT_COVERED
from grounding_middleware.judges.costs import MILLION, Price

__all__ = ["section"]

_STAGES: Final = {
    "claims": "the splitter: nothing to check",
    "provenance": "provenance, before any meaning",
    "checks": "the deterministic checks",
    "judge": "a judge",
    "nobody": "nobody",
    NOT_COVERED: "no verdict",
}


NO_PRICES: Final = (
    " No prices were given, so no money can be told: --price TIER=IN,OUT names them for a million tokens."
)


def section(summary: Summary, prices: Mapping[str, Price]) -> Section:
    """Says so where nothing was measured; `prices` are by tier."""
    return Section(
        "cost",
        "Latency and cost",
        "Half of the answers took at most p50; one in twenty longer than p95; one in a hundred longer than p99.",
        tuple(_blocks(summary, prices)),
    )


def _blocks(summary: Summary, prices: Mapping[str, Price]) -> Iterator[Block]:
    yield _deciders(summary)
    if not summary.latency:
        yield Note("This run holds no times.")
    else:
        yield Table(
            "Milliseconds an answer",
            ("What", "Answers", "p50", "p95", "p99", "Mean"),
            tuple(map(_time, summary.latency)),
        )
    if summary.review_seconds:
        yield Table(
            "Seconds a person took to review an answer",
            ("What", "Answers", "p50", "p95", "p99", "Mean"),
            (_time(summary.review_seconds),),
        )
    if not summary.costs:
        yield Note("No model was called: the rules decided alone, or nobody did.")
        return
    yield Table(
        "Calls, tokens and money by tier",
        (
            *("Tier", "Answers that reached it", "Calls", "Failed", "Calls an answer", "Tokens in", "Tokens out"),
            *("Tokens an answer", "Money", "Money for 1,000 answers"),
        ),
        tuple(_cost(tier, summary.answers, prices.get(tier.tier)) for tier in summary.costs),
        f"Per answer: of the whole run, whether it reached the tier or not.{'' if prices else NO_PRICES}",
    )


def _deciders(summary: Summary) -> Table:
    """Which part of the cascade gave which labels."""
    labels = [label for label in ORDER if any(label_key(label) in counts for counts in summary.stages.values())]
    return Table(
        "Statements by who decided them",
        ("Decided by", *(str(label_words(label)) for label in labels), "All"),
        tuple(
            Row(
                (
                    Cell(_STAGES[stage]),
                    *(number(f"{counts.get(label_key(label), 0):,}") for label in labels),
                    number(f"{sum(counts.values()):,}"),
                )
            )
            for stage, counts in sorted(summary.stages.items(), key=lambda item: tuple(_STAGES).index(item[0]))
        ),
    )


def _time(times: Latency) -> Row:
    values = (times.p50, times.p95, times.p99, times.total / times.answers if times.answers else 0)
    return Row((Cell(line(times.name)), number(f"{times.answers:,}"), *(number(f"{value:,.1f}") for value in values)))


def _cost(tier: Costs, answers: int, price: Price | None) -> Row:
    tokens = tier.input_tokens + tier.output_tokens
    known = bool(tokens) or not tier.calls  # no model reads nothing: then nobody counted
    money = (tier.input_tokens * price.input + tier.output_tokens * price.output) / MILLION if price and known else None
    return Row(
        (
            Cell(line(tier.tier)),
            *(number(f"{value:,}") for value in (tier.answers, tier.calls, tier.failed)),
            number(f"{tier.calls / answers:.2f}"),
            *(number(f"{value:,}" if known else NOT_MEASURED) for value in (tier.input_tokens, tier.output_tokens)),
            number(f"{tokens / answers:,.0f}" if known else NOT_MEASURED),
            number(NOT_MEASURED if money is None else f"{money:,.2f}"),
            number(NOT_MEASURED if money is None else f"{money / answers * 1000:,.2f}"),
        )
    )
