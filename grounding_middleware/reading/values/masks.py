"""Digits that are no values by the words and letters beside them: places in a text, and codes.

Callers get the ranges with the reason, so that "no value here" can be told from "not understood".
"""

from __future__ import annotations

from typing import Final

from grounding_middleware.reading.values.addresses import addresses
from grounding_middleware.reading.values.model import Masked
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import currency_signs, symbols

_HYPHENS: Final = frozenset("-‐‑_/#:.@&")
# words that may stand before a hyphen and a number without making a code of it
_PREFIXES: Final = frozenset(
    (
        "mid",
        "pre",
        "post",
        "early",
        "late",
        "sub",
        "top",
        "under",
        "over",
        "plus",
        "circa",
        "non",
        "inter",
        "ex",
        "ca",
        "anti",
    )
)
_PRE_RELEASE: Final = frozenset(("rc", "beta", "alpha"))  # 2.0.0-rc1 is a version
_QUARTERS: Final = frozenset(("q", "h", "t", "fy", "v"))
_SUFFIXES: Final = frozenset(
    ("st", "nd", "rd", "th", "am", "pm", "k", "m", "bn", "b", "t", "x", "s", "h", "a", "z", "u", "q", "in")
)
_AMOUNT_SIGNS: Final = frozenset(("%", "€", "$", "°"))
_LONGEST_REFERENCE: Final = 8  # characters of a paragraph number; longer digits are amounts
_LONGEST_CODE: Final = 24  # tokens of one code; a longer glued run is cut, so that reading stays linear


def mask(page: Page) -> list[Masked]:
    """Everything on the page that holds no value, marked as taken; in order of position."""
    found = [each for each in addresses(page.scan.text) if each.why != "list_number" or not _is_amount(page, each)]
    _take_ranges(page, found)
    found += _references(page)
    found += _identifiers(page)
    return sorted(found, key=lambda each: each.start)


def _take_ranges(page: Page, masks: list[Masked]) -> None:
    scan, at = page.scan, 0
    for each in masks:
        while scan.ends[at] <= each.start:
            at += 1
        last = at
        while scan.starts[last] < each.end and last < scan.size:
            page.taken[last] = 1
            last += 1


def _is_amount(page: Page, numeral: Masked) -> bool:
    """Reads "3. April", "2.5 GB" at the start of a line: the next word says that the number counts."""
    words = page.scan.text[numeral.end : numeral.end + 24].lstrip(".) \t").split(None, 1)
    if not words:
        return False
    raw = words[0].rstrip(",.;:")
    dates, dotted = page.lexicon.date, "." in page.scan.text[numeral.start : numeral.end]
    dated = (
        raw.casefold() in page.lexicon.months
        or raw.casefold() in dates.get("quarter", ())
        or raw.casefold() in dates.get("half", ())
    )
    counted = raw in symbols() or raw in currency_signs() or raw.casefold() in page.lexicon.scales
    return dated or (dotted and counted and not (len(raw) == 1 and raw.isalpha()))


# references: section 4.2, s. 4.4(2), §§ 12 and 14, passage 2


def _references(page: Page) -> list[Masked]:
    """A place in a text, not an amount."""
    scan, words = page.scan, page.lexicon.name["references"]
    found: list[Masked] = []
    present = (words | {"§"}) & page.vocabulary
    for index in [index for index, word in enumerate(scan.folded) if word in present] if present else ():
        if page.taken[index] or not (
            len(scan.folded[index]) > 2 or scan.folded[index + 1] == "." or scan.folded[index] == "§"
        ):
            continue  # "s 4", "p 12": abbreviations need their full stop
        last = _reference_end(page, index + 1)
        if last is not None:
            found.append(Masked(scan.starts[index], scan.ends[last], "reference"))
            page.take(index, last)
    return found


def _reference_end(page: Page, index: int) -> int | None:
    """Last token of the numbers that a reference word at `index - 1` introduces; None when no number follows."""
    scan = page.scan
    while scan.folded[index] in (".", "§", "no", "nr", "#", "n", "º") and page.joined(index - 1):
        index += 1
    if scan.shapes[index] != "d" or "\n" in scan.gap(index - 1) or len(scan.raw(index)) > _LONGEST_REFERENCE:
        return None
    if _unit_follows(page, index) or scan.folded[index + 1] in _AMOUNT_SIGNS:
        return None
    last = index
    while last - index < _LONGEST_CODE:
        step = _reference_step(page, last)
        if step is None:
            break
        last = step
    return last


def _reference_step(page: Page, last: int) -> int | None:
    """The next token of a reference: (2), a letter, "-5", ", 7", "and 9"."""
    scan = page.scan
    after = scan.folded[last + 1]
    if scan.glued(last):
        if scan.shapes[last + 1] == "d":
            return last + 1
        if after in (".", ":"):
            return last + 1 if scan.glued(last + 1) and scan.shapes[last + 2] == "d" else None
        letters = after.isalpha() and len(after) <= (4 if scan.folded[last] == "(" else 1)
        if after in ("(", ")", "-", "–", "/") or letters:
            return last + 1
    listed = (
        after in (",", "to", "&", "–", "-") or after in page.lexicon.range["and"] or after in page.lexicon.range["or"]
    )
    return last + 2 if listed and scan.shapes[last + 2] == "d" and _is_bare(page, last + 2) else None


def _is_bare(page: Page, index: int) -> bool:
    """A short number with nothing behind it that would make it an amount."""
    scan = page.scan
    counted = scan.folded[index + 1] in _AMOUNT_SIGNS or _unit_follows(page, index)
    return len(scan.raw(index)) <= 5 and not counted


def _unit_follows(page: Page, index: int) -> bool:
    """True when a unit symbol or unit word of two letters and more follows token `index`."""
    raw = page.scan.raw(index + 1)
    return len(raw) > 1 and (raw in symbols() or page.phrase_at(page.lexicon.units, index + 1) is not None)


# codes: AX-4471, ls-1, 3D, x86


def _identifiers(page: Page) -> list[Masked]:
    """Glued runs that mix letters and digits, and are no amount with its unit."""
    scan = page.scan
    found: list[Masked] = []
    for index in page.digits:
        if not page.taken[index] and (_code_left(page, index) or _code_right(page, index)):
            first, last = _extent(page, index)
            found.append(Masked(scan.starts[first], scan.ends[last], "identifier"))
            page.take(first, last)
    return found


def _code_left(page: Page, index: int) -> bool:
    """True when letters are glued to the left of the digits, directly or by a hyphen, and are no known prefix."""
    scan = page.scan
    if index == 0 or not scan.glued(index - 1):
        return False
    if scan.shapes[index - 1] == "w":
        return not (_known_prefix(page, index) or _power(page, index))
    sign = scan.folded[index - 1]
    if sign not in _HYPHENS or not scan.glued(index - 2):
        return False
    if scan.shapes[index - 2] != "w":
        return sign in "_#@" and scan.shapes[index - 2] in ("d", "c")
    return _joined_code(page, index - 2, sign)


def _power(page: Page, index: int) -> bool:
    """The 2 of "120 m2", behind its number."""
    scan = page.scan
    measured = scan.shapes[index - 2] == "d" and scan.between(index - 1, index) in symbols() and page.joined(index - 2)
    return measured and not (scan.glued(index) and scan.shapes[index + 1] in ("w", "d"))


def _known_prefix(page: Page, index: int) -> bool:
    """EUR50, v2, Q1, 5kg7: letters directly before the digits that make no code of them."""
    scan = page.scan
    if scan.raw(index - 1) in currency_signs() or (
        scan.folded[index - 1] in _PRE_RELEASE and scan.shapes[index - 3] == "d"
    ):
        return True
    if scan.folded[index - 1] in _QUARTERS and len(scan.raw(index)) < 8:
        return scan.folded[index - 1] == "v" or not (scan.glued(index) and scan.folded[index + 1] == "-")
    return index > 1 and scan.glued(index - 2) and scan.shapes[index - 2] == "d"


def _joined_code(page: Page, index: int, sign: str) -> bool:
    """Letters, a sign, digits: a code unless the letters are a prefix, a month or the unit of a number before them."""
    scan = page.scan
    left = scan.folded[index]
    if sign in "/&.:":
        return sign != ":" and len(left) < 3
    if left in _PREFIXES or left in page.lexicon.months:
        return False
    return not (index > 0 and scan.shapes[index - 1] == "d")


def _code_right(page: Page, index: int) -> bool:
    """True when letters glued to the right are neither unit, scale, ordinal ending nor clock."""
    scan = page.scan
    if not scan.glued(index):
        return False
    if scan.shapes[index + 1] == "w":
        numbered = scan.folded[index - 1] in page.lexicon.name["nouns"] and len(scan.raw(index + 1)) == 1
        return numbered or not _known_suffix(page, index + 1)  # "Part 1A", "room 5B"
    if scan.folded[index + 1] == "-" and scan.glued(index + 1) and scan.shapes[index + 2] == "w":
        raw = scan.raw(index + 2)
        return raw.isupper() and raw not in symbols() and raw not in currency_signs()
    return scan.folded[index + 1] in _SEPARATORS and scan.shapes[index + 2] in ("w", "d")


_SEPARATORS: Final = frozenset("_#@")


def _known_suffix(page: Page, index: int) -> bool:
    scan, lexicon = page.scan, page.lexicon
    raw, word = scan.raw(index), scan.folded[index]
    if raw == "p":  # 50p is money, 1080p a format
        return len(scan.raw(index - 1)) < 3
    if word in _SUFFIXES or raw in symbols() or raw in currency_signs():
        return True
    if word in lexicon.scales or word in lexicon.ordinal["suffixes"] or word in lexicon.months:
        return True
    return page.phrase_at(lexicon.units, index) is not None or page.phrase_at(lexicon.money, index) is not None


def _extent(page: Page, index: int) -> tuple[int, int]:
    """The whole glued run of letters, digits and inner signs around token `index`."""
    scan = page.scan
    first = last = index
    while first > 0 and index - first < _LONGEST_CODE and scan.glued(first - 1) and _code_part(page, first - 1):
        first -= 1
    while last - index < _LONGEST_CODE and scan.glued(last) and _code_part(page, last + 1):
        last += 1
    return first, last


def _code_part(page: Page, index: int) -> bool:
    """A letter group, a digit group, or a sign with both sides glued to one."""
    scan = page.scan
    if page.taken[index]:
        return False
    if scan.shapes[index] in ("w", "d"):
        return True
    inner = scan.folded[index] in _HYPHENS and scan.glued(index) and index > 0 and scan.glued(index - 1)
    return inner and scan.shapes[index + 1] in ("w", "d") and scan.shapes[index - 1] in ("w", "d")
