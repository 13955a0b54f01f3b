"""Criteria held against a comparison: what broke which limit, in words that name segment, figures and allowance."""

from __future__ import annotations

from collections.abc import Iterator

from grounding_middleware.evaluation.comparing.criteria import Criteria, Proof, RateLimit
from grounding_middleware.evaluation.comparing.differences import Difference
from grounding_middleware.evaluation.comparing.records import Breach, Comparison, SegmentDifferences

__all__ = ["breaches"]


def breaches(found: Comparison, criteria: Criteria) -> tuple[Breach, ...]:
    """Everything in `found` that the criteria do not allow, in their order; none means no regression."""
    return (*_of_changes(found, criteria), *_of_rates(found, criteria), *_of_costs(found, criteria))


def _of_changes(found: Comparison, criteria: Criteria) -> Iterator[Breach]:
    for change, allowed in criteria.changes.items():
        count = found.changes.get(change, 0)
        if count > allowed:
            worst = ", ".join(f"{one.name} {one.changes[change]}" for one in found.segments_with(change)[:6])
            where = f"; by segment: {worst}" if worst else ""
            things = f"{'answer' if change == 'crashed' else 'claim'}{'' if count == 1 else 's'}"
            text = f"{count} {things} {change}; allowed: {allowed}{where}"
            yield Breach(limit=f"changes.{change}", text=text, change=change)


def _of_rates(found: Comparison, criteria: Criteria) -> Iterator[Breach]:
    for number, limit in enumerate(criteria.rates):
        for segment, rate in _held(found, limit):
            for text in _faults(limit, rate):
                yield Breach(
                    limit=f"rates[{number}]",
                    segment=segment.segment if segment else "",
                    value=segment.value if segment else "",
                    text=f"{rate.title}{f' ({segment.name})' if segment else ''}: {text}",
                )


def _held(found: Comparison, limit: RateLimit) -> Iterator[tuple[SegmentDifferences | None, Difference]]:
    if not limit.segment:
        yield None, found.difference(limit.measure)
        return
    for one in found.segments:
        if one.segment == limit.segment and limit.value in ("", one.value):
            yield one, one.difference(limit.measure)


def _faults(limit: RateLimit, rate: Difference) -> Iterator[str]:
    if rate.after is None or rate.n < limit.least:
        return
    if limit.at_most is not None and rate.after > limit.at_most:
        yield f"{rate.after:.3f} is above {limit.at_most:g}"
    if limit.at_least is not None and rate.after < limit.at_least:
        yield f"{rate.after:.3f} is below {limit.at_least:g}"
    worse = rate.surely if limit.proof is Proof.INTERVAL else rate.worsening
    if limit.max_worse is not None and worse is not None and worse > limit.max_worse:
        yield (
            f"from {rate.before:.3f} to {rate.after:.3f}, worse by {rate.worsening:.3f} "
            f"[{_interval(rate)}]; allowed is {limit.max_worse:g}"
        )


def _interval(rate: Difference) -> str:
    return f"{rate.low:+.3f}, {rate.high:+.3f}"


def _of_costs(found: Comparison, criteria: Criteria) -> Iterator[Breach]:
    for cost, factor in criteria.costs.items():
        before, after = found.costs_before.get(cost), found.costs_after.get(cost)
        if before is not None and after is not None and after > before * factor:
            text = f"{cost}: from {before:.1f} to {after:.1f} an answer; allowed are {factor:g} times as much"
            yield Breach(limit=f"costs.{cost}", text=text)
