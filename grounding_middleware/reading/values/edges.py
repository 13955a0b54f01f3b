"""Parts of dates that stand apart: "end of 2026", "mid-2025", "Monday, 2 March", "March 3 to 5, 2026"."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from grounding_middleware.reading.values.days import interval_of
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval
from grounding_middleware.reading.values.page import Page

_REACH: Final = 4  # tokens between "end" and its period
_ARTICLES: Final = frozenset(("", "the", "den", "le", "der", "dem", "el", "de", "il", "em"))


def complete(page: Page, drafts: list[Draft]) -> list[Draft]:
    """The same drafts with those parts taken into their date."""
    found: list[Draft] = []
    for draft in drafts:
        merged = _merged(page, found[-1], draft) if found and draft.date and found[-1].date else None
        if merged:
            found[-1] = merged
        else:
            found.append(draft)
    for draft in found:
        _edge(page, draft)
    return found


def _merged(page: Page, left: Draft, right: Draft) -> Draft | None:
    between = page.scan.text[left.end : right.start]
    if "\n" in between or left.date is None or right.date is None:
        return None
    if (
        left.date_to
        and _only_year(right)
        and between.strip() in (",", "")
        and left.date_to.day
        and not left.date_to.year
    ):
        return _with_year(left, right)
    weekday = left.date.weekday is not None and left.date.day is None and left.date_to is None
    if weekday and right.date.day and right.date.weekday is None and between.strip(" ,.") in _ARTICLES:
        return replace(right, first=left.first, start=left.start, date=replace(right.date, weekday=left.date.weekday))
    return None


def _only_year(draft: Draft) -> bool:
    date = draft.date
    return (
        date is not None
        and bool(date.year)
        and not (date.month or date.quarter or date.half or date.year_to or draft.date_to)
    )


def _with_year(left: Draft, right: Draft) -> Draft | None:
    if left.date is None or left.date_to is None or right.date is None:
        return None
    first, last = replace(left.date, year=right.date.year), replace(left.date_to, year=right.date.year)
    interval = Interval(interval_of(first).low, interval_of(last).high)
    return replace(left, last=right.last, end=right.end, date=first, date_to=last, interval=interval)


def _edge(page: Page, draft: Draft) -> None:
    """Take in the word for the beginning, middle or end of the period before it."""
    if draft.date is None or draft.date.day or draft.date_to or draft.date.weekday is not None:
        return
    scan, words = page.scan, page.lexicon.date
    at = draft.first - 1
    while at > draft.first - _REACH and (scan.folded[at] in words.get("joiners", ()) or scan.folded[at] == "-"):
        at -= 1
    edge = words.get("edges", {}).get(scan.folded[at])
    bare = at == draft.first - 1 and scan.folded[at] in words.get("joined_edges", ())  # "the end 2026" says nothing
    if edge and not page.taken[at] and page.joined(at) and not bare:
        draft.date = replace(draft.date, edge=edge)
        draft.first, draft.start, draft.interval, draft.others = at, scan.starts[at], interval_of(draft.date), []
        page.take(at, draft.last)
