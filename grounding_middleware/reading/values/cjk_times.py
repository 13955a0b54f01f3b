"""Clock times in Chinese, Japanese and Korean: 8時30分, 午後3時半, 下午三点半, 오후 3시 30분."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.clock import below, clock
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Interval
from grounding_middleware.reading.values.page import Page

_HOURS: Final = frozenset("时時點点시")
_MINUTES: Final = frozenset("分분")
_AFTERNOON: Final = ("午後", "下午", "晚上", "오후")
_MORNING: Final = ("午前", "上午", "早上", "凌晨", "오전")
_PARTS: Final = {"半": 30, "반": 30, "一刻": 15, "三刻": 45}
_BEHIND: Final = re.compile(r" ?(半|반|一刻|三刻)(?!径|徑)")


def cjk_time_at(page: Page, index: int) -> Draft | None:
    """The time whose hour is the digits at token `index`; None when none is."""
    scan, text = page.scan, page.scan.text
    if scan.shapes[index + 1] != "c" or not scan.glued(index):
        return None
    hour, start = below(page, index, 25), scan.starts[index + 1]
    if hour is None or text[start] not in _HOURS:
        return None
    if text[start + 1 : start + 2] in ("間", "间", "간"):
        return None  # 8時間: a duration
    draft = clock(page, index, index + 1, _hour(text, scan.starts[index], hour) * 60)
    draft.end = start + 1
    _minutes(page, draft)
    return draft


def _hour(text: str, start: int, hour: int) -> int:
    """The hour in the half of the day that is written before it."""
    before = text[max(0, start - 3) : start].rstrip()
    if before.endswith(_AFTERNOON) and hour < 12:
        return hour + 12
    return 0 if before.endswith(_MORNING) and hour == 12 else hour


def _minutes(page: Page, draft: Draft) -> None:
    """Take in the minutes behind the hour: 30分, 半, 一刻."""
    scan, text, hour = page.scan, page.scan.text, draft.interval.low or Fraction(0)
    part = _BEHIND.match(text, draft.end)
    if part:
        draft.interval, draft.end = Interval.point(hour + _PARTS[part.group(1)]), part.end()
        draft.last += draft.end > scan.ends[draft.last]
        return
    index = draft.last + 1
    signed = scan.shapes[index + 1] == "c" and text[scan.starts[index + 1]] in _MINUTES
    minute = below(page, index, 60) if draft.end == scan.ends[draft.last] and signed else None
    if minute is not None:
        draft.interval, draft.last = Interval.point(hour + minute), index + 1
        draft.end = scan.starts[index + 1] + 1
