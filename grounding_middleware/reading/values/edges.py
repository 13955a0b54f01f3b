"""Parts of dates that stand apart: "end of 2026", "mid-2025", "Monday, 2 March", "March 3 to 5, 2026"."""

from __future__ import annotations

from dataclasses import replace

from grounding_middleware.reading.values.dates import interval_of
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page


def edges(page: Page, drafts: list[Draft]) -> list[Draft]:
    """The same drafts with those parts taken into their date."""
    found: list[Draft] = []
    for draft in drafts:
        before = found[-1] if found else None
        if before and draft.date and before.date and _weekday_before(page, before, draft):
            date = replace(draft.date, weekday=before.date.weekday)
            found[-1] = replace(draft, first=before.first, start=before.start, date=date)
        elif before and draft.date and before.date_to and _late_year(page, before, draft):
            found[-1] = _with_year(before, draft)
        else:
            found.append(draft)
    for draft in found:
        if draft.date and draft.date.weekday is None:
            _edge(page, draft)
    return found


def _weekday_before(page: Page, left: Draft, right: Draft) -> bool:
    gap = page.scan.text[left.end : right.start].strip(" ,.")
    alone = left.date is not None and left.date.weekday is not None and left.date.day is None and left.date_to is None
    has_day = right.date is not None and right.date.day is not None and right.date.weekday is None
    return (
        alone
        and has_day
        and gap in ("", "the", "den", "le", "der", "el", "de", "il")
        and "\n" not in page.scan.text[left.end : right.start]
    )


def _late_year(page: Page, left: Draft, right: Draft) -> bool:
    if left.date_to is None or left.date_to.year is not None or left.date_to.day is None or right.date is None:
        return False
    only_year = (
        right.date.year is not None
        and right.date.month is None
        and right.date.quarter is None
        and right.date_to is None
    )
    return only_year and page.scan.text[left.end : right.start].strip() in (",", "")


def _with_year(left: Draft, right: Draft) -> Draft:
    year = right.date.year if right.date else None
    first = replace(left.date, year=year) if left.date else None
    last = replace(left.date_to, year=year) if left.date_to else None
    if first is None or last is None:
        return left
    interval = Interval(interval_of(first).low, interval_of(last).high)
    return replace(left, last=right.last, end=right.end, date=first, date_to=last, interval=interval)


def _edge(page: Page, draft: Draft) -> None:
    """The word for the beginning, middle or end of the period, before it."""
    scan, words = page.scan, page.lexicon.date.get("edges", {})
    if (
        draft.date is None
        or draft.date.day is not None
        or draft.date_to is not None
        or draft.kind is not ValueKind.DATE
    ):
        return
    at = draft.first - 1
    while (
        scan.word(at) in ("of", "the", "-", "des", "de", "du", "del", "van", "di", "do", "january")
        and at > draft.first - 4
        and not page.taken[at]
    ):
        at -= 1
    edge = words.get(scan.word(at))
    if (
        edge
        and not page.taken[at]
        and len(scan.gap(at)) <= 1
        and not (at == draft.first - 1 and scan.word(at) in ("end", "start", "close", "beginning"))
    ):
        draft.date = replace(draft.date, edge=edge)
        draft.first, draft.start = at, scan.starts[at]
        draft.interval = interval_of(draft.date)
        draft.others = []
        page.take(at, draft.last)
