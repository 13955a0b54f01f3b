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
    for length in range(min(_LONGEST_UNIT, end - position), 0, -1):
        piece = text[position : position + length]
        if piece in lexicon.cjk_units:
            return position + length, lexicon.cjk_units[piece], ""
        if piece in lexicon.cjk_money:
            return position + length, "", lexicon.cjk_money[piece]
    return None


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
    glued = scan.glued(last) and scan.glued(last + 1)
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
    hit = measure_at(page, position, scan.ends[last])
    if hit:
        draft.last, draft.end, draft.unit_text = last, hit[0], scan.text[position : hit[0]]
        _name(draft, hit[1], hit[2])


def _name(draft: Draft, key: str, currency: str) -> None:
    if currency:
        draft.currency = currency_set(currency)
    elif key:
        draft.unit = units().get(key)


def spelled_amounts(page: Page, index: int) -> list[Draft]:
    """三十日, 二千五百円, 百分之五: CJK numerals of run `index` with a unit, a currency or percent in words."""
    scan = page.scan
    start, end = scan.starts[index], scan.ends[index]
    found = [_percent(page, index, match) for match in _PERCENT.finditer(scan.text, start, end)]
    for match in _NUMBER.finditer(scan.text, start, end):
        hit = measure_at(page, match.end(), end)
        within = any(draft.start < match.end() and match.start() < draft.end for draft in found)
        if hit is None or within or _is_ordinary(scan.text, match, hit):
            continue
        value = _kanji(page, match.group())
        draft = Draft(index, index, match.start(), hit[0], ValueKind.NUMBER, Interval.point(value), written=value)
        draft.unit_text, draft.spelled = scan.text[match.end() : hit[0]], True
        _name(draft, hit[1], hit[2])
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
