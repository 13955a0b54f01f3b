"""Amounts in runs of CJK letters, where number, unit and limit share one token: 10営業日以内, 3万5千円, 三十日."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.measures import take_unit, unit_at
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import currency_set, units

_DIGITS: Final = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {"两": 2, "兩": 2, "零": 0}
_SMALL: Final = {"十": 10, "百": 100, "千": 1000}
_NUMBER: Final = re.compile("[〇零一二三四五六七八九十百千万萬亿億兆两兩]{1,20}")
_PERCENT: Final = re.compile("百分之([〇零一二三四五六七八九十百点]{1,6})")
_LONGEST_UNIT: Final = 6
_NOT_A_UNIT: Final = ("분기", "年度", "年级", "年級", "年生")  # a quarter, a fiscal year, a grade: no minutes, no years
_MONTHS_AND_A_HALF: Final = ("个半月", "個半月")
_PIECES: Final = ("个小时", "個小時")  # 两个小时
_HALF: Final = Fraction(1, 2)
_HALF_BEHIND: Final = re.compile(r" ?[半반](?![ば期数數分面径徑])")  # 2年半, 1시간 반; not 半ば
_AND_A_HALF: Final = re.compile("[个個]半(?=[小時时年月星天])")  # 一个半小时
_HALF_UNIT: Final = re.compile(
    "(?<![上下前後后大个個一二三四五六七八九十两\\d年月日天時时間间])半[个個]?(?=小时|小時|时间|時間|年|月|天|日)"
)
_COLD: Final = ("零下", "氷点下", "マイナス", "영하", "-", "−")
_TIMES: Final = ("time", "months")


@dataclass(frozen=True, slots=True)
class _Part:
    """A number so far: its value, the factor of its last scale signs, and where the text goes on."""

    value: Fraction
    factor: Fraction
    position: int
    last: int


def measure_at(page: Page, position: int, end: int) -> tuple[int, str, str] | None:
    """Longest unit or currency at `position`: where it ends, its unit key, its currency set (one of both is empty)."""
    text, lexicon = page.scan.text, page.lexicon
    if text.startswith(_NOT_A_UNIT, position):
        return None
    for length in range(min(_LONGEST_UNIT, end - position), 0, -1):
        piece = text[position : position + length]
        if piece in lexicon.cjk_units:
            return position + length, lexicon.cjk_units[piece], ""
        if piece in lexicon.cjk_money:
            return position + length, "", lexicon.cjk_money[piece]
    if text.startswith(_MONTHS_AND_A_HALF, position - 2):
        return position + 1, "month", ""
    return measure_at(page, position + 1, end) if text.startswith(_PIECES, position) else None


def follows(page: Page, last: int) -> bool:
    """True when a CJK run directly behind token `last` may hold its scale, unit or currency."""
    scan = page.scan
    if scan.shapes[last + 1] != "c" or scan.gap(last) not in ("", " ", "\u00a0"):
        return False
    start = scan.starts[last + 1]
    return (
        scan.glued(last)
        or scan.text[start] in page.lexicon.cjk_scales
        or measure_at(page, start, scan.ends[last + 1]) is not None
    )


def extend(page: Page, draft: Draft) -> None:
    """Take scale signs and the unit behind the digits of `draft` into it."""
    scan = page.scan
    part = _scaled(page, draft.interval.low or Fraction(0), draft.last + 1, scan.starts[draft.last + 1])
    total = part.value
    while part.factor > 1 and part.position == scan.ends[part.last] and _more_digits(page, part.last):
        digits = Fraction(int(scan.raw(part.last + 1)))
        part = _scaled(page, digits, part.last + 2, scan.starts[part.last + 2])
        total += part.value
    if total != draft.interval.low:
        draft.scale = scan.text[scan.ends[draft.last] : part.position]
        draft.quantum *= part.factor
        draft.interval, draft.readings = Interval.point(total), ()
        draft.end, draft.last = part.position, part.last
    _measured(page, draft, part.position, part.last)


def _scaled(page: Page, value: Fraction, last: int, position: int) -> _Part:
    """`value` times the scale signs at `position` (万, 億, 千)."""
    scan, factor = page.scan, Fraction(1)
    while position < scan.ends[last] and scan.text[position] in page.lexicon.cjk_scales:
        factor *= page.lexicon.cjk_scales[scan.text[position]]
        position += 1
    return _Part(value * factor, factor, position, last)


def _more_digits(page: Page, last: int) -> bool:
    """3万*5*千: up to four digits and another CJK run, all glued."""
    scan = page.scan
    digits = scan.raw(last + 1)
    apart = scan.gap(last) == " " and scan.text[scan.ends[last] - 1] in "만억조"  # 2만 5천
    glued = (scan.glued(last) or apart) and scan.glued(last + 1)
    return (
        glued
        and scan.shapes[last + 1] == "d"
        and digits.isdigit()
        and len(digits) <= 4
        and scan.shapes[last + 2] == "c"
    )


def _measured(page: Page, draft: Draft, position: int, last: int) -> None:
    """The unit or currency at `position`; a percent sign may follow the scale signs."""
    scan = page.scan
    if position >= scan.ends[last]:
        unit = unit_at(page, last + 1, glued=True) if scan.glued(last) else None
        if unit:
            take_unit(draft, unit)
        return
    half = _AND_A_HALF.match(scan.text, position)
    hit = measure_at(page, half.end() if half else position, scan.ends[last])
    if hit:
        draft.last, draft.end, draft.unit_text = last, hit[0], scan.text[position : hit[0]]
        _name(draft, hit[1], hit[2])
        _halved(page, draft, said=half is not None)


def _name(draft: Draft, key: str, currency: str) -> None:
    if currency:
        draft.currency = currency_set(currency)
    elif key:
        draft.unit = units().get(key)


def _halved(page: Page, draft: Draft, *, said: bool) -> None:
    """Add the half of 2年半 and 两个半月; degrees below zero are negative."""
    scan, number = page.scan, draft.interval.low or Fraction(0)
    if draft.unit is None:
        return
    if draft.unit.dimension in _TIMES:
        behind = _HALF_BEHIND.match(scan.text, draft.end)
        if behind or said:
            draft.interval, draft.written, draft.readings = Interval.point(number + _HALF), number + _HALF, ()
        if behind:
            draft.end = behind.end()
            draft.last += draft.end > scan.ends[draft.last]
    elif scan.text[max(0, draft.start - 4) : draft.start].endswith(_COLD) and draft.unit.key in ("degree", "degC"):
        draft.interval = Interval.point(-abs(number))


def _half_units(page: Page, index: int) -> list[Draft]:
    """半小时, 半年: half of a unit of time, not the first half of a year (上半年)."""
    scan, found = page.scan, []
    for match in _HALF_UNIT.finditer(scan.text, scan.starts[index], scan.ends[index]):
        hit = measure_at(page, match.end(), scan.ends[index])
        if hit and hit[1] in ("hour", "year", "month"):
            draft = Draft(index, index, match.start(), hit[0], ValueKind.NUMBER, Interval.point(_HALF), written=_HALF)
            draft.unit_text, draft.spelled = scan.text[match.end() : hit[0]], True
            _name(draft, hit[1], "")
            found.append(draft)
    return found


def spelled_amounts(page: Page, index: int) -> list[Draft]:
    """三十日, 二千五百円, 百分之五: CJK numerals of run `index` with a unit, a currency or percent in words."""
    scan = page.scan
    start, end = scan.starts[index], scan.ends[index]
    found = [_percent(page, index, match) for match in _PERCENT.finditer(scan.text, start, end)]
    found += _half_units(page, index)
    for match in _NUMBER.finditer(scan.text, start, end):
        half = _AND_A_HALF.match(scan.text, match.end())
        hit = measure_at(page, half.end() if half else match.end(), end)
        within = any(draft.start < match.end() and match.start() < draft.end for draft in found)
        if hit is None or within or (half is None and _is_ordinary(scan.text, match, hit)):
            continue
        value = _kanji(page, match.group())
        draft = Draft(index, index, match.start(), hit[0], ValueKind.NUMBER, Interval.point(value), written=value)
        draft.unit_text, draft.spelled = scan.text[match.end() : hit[0]], True
        _name(draft, hit[1], hit[2])
        _halved(page, draft, said=half is not None)
        found.append(draft)
    return sorted(found, key=lambda draft: draft.start)


def _percent(page: Page, index: int, match: re.Match[str]) -> Draft:
    """百分之五: five percent, the sign before the number."""
    head, _, tail = match.group(1).partition("点")
    value = _kanji(page, head) + (_kanji(page, tail) / 10 ** len(tail) if tail else 0)
    draft = Draft(index, index, match.start(), match.end(), ValueKind.NUMBER, Interval.point(value), written=value)
    draft.unit, draft.unit_text, draft.spelled = units()["percent"], "百分之", True
    return draft


def _is_ordinary(text: str, match: re.Match[str], hit: tuple[int, str, str]) -> bool:
    """一日中, 十分な, 千円札: single signs that are parts of ordinary words."""
    return len(match.group()) == 1 and (match.group() in "一千万百十" or text[match.end() : hit[0]] == "分")


def _kanji(page: Page, signs: str) -> Fraction:
    total = section = digit = 0
    for sign in signs:
        if sign in _DIGITS:
            digit = digit * 10 + _DIGITS[sign]
        elif sign in _SMALL:
            section += (digit or 1) * _SMALL[sign]
            digit = 0
        else:
            total += (section + digit or 1) * int(page.lexicon.cjk_scales[sign])
            section = digit = 0
    return Fraction(total + section + digit)
