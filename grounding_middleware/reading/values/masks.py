"""Digits that are no values: addresses, codes, references to places in a text, numerals of lists, citation markers.

Callers get the ranges with the reason, so that "no value here" can be told from "not understood".
"""

from __future__ import annotations

import re
from typing import Final

from grounding_middleware.reading.values.lexicon import currency_signs, symbols
from grounding_middleware.reading.values.model import Masked
from grounding_middleware.reading.values.page import Page

_ADDRESSES: Final = re.compile(
    r"(?P<url>(?:https?|ftp)://[^\s<>\"')\]}]+|\bwww\.[^\s<>\"')\]}]+"
    r"|(?<![\w.-])(?:[a-z0-9-]{1,63}\.)+(?:com|org|net|io|gov|edu|example|test|eu|uk|de|fr|info|dev|app)\b(?:/[^\s<>\"')\]}]*)?)"
    r"|(?P<email>(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<citation>\[(?:\^?[\w#.:/@-]{1,80})(?:[,;] ?[\w#.:/@-]{1,80})*\])"
    r"|(?P<phone>\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}(?!\d)|\(\d{3}\) ?\d{3}-\d{4}|(?<![\d-])(?:1-)?\d{3}-\d{3}-\d{4}(?![\d-]))"
    r"|(?P<ip>(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]\d))"
    r"|(?P<idiom>\b24/7\b)",
    re.ASCII,
)
_QUICK: Final = re.compile(r"://|www\.|@|\[|\+\d|\d-\d|\(\d|24/7|\.[a-z]{2}|\d\.\d{1,3}\.\d", re.ASCII)
_LIST: Final = re.compile(
    r"(?m)^[ \t>]*(?:[-*•][ \t]+)?(?:#{1,6}[ \t]+)?\(?(\d{1,3}(?:\.\d{1,2})*)(?:[.)]|(?<=\.\d)|(?<=\.\d\d)|(?<=# \d))[ \t]+(?=\S)"
)
# "... the heat. 2  Then", "... the first one. 7. Now": steps that lost their line breaks
_STEP: Final = re.compile(r"(?:(?<=[a-z)][.!?:])|(?<=[.!?:)] ))(\d{1,2})(?:\.? {2,}(?=\S)|\. ?(?=[A-Z]))")
_INLINE: Final = re.compile(r"(?:(?<=[:;,.] )|(?<=and )|(?<=or ))\((\d{1,2})\)(?= [^\W\d])")
_HYPHENS: Final = frozenset("-‐‑_/#:.@&")
# words that may stand before a hyphen and a number without making a code of it
_PREFIXES: Final = frozenset(
    "mid pre post early late sub top under over plus circa non inter twenty ex ca anti".split()
)
_GLUED_LEFT: Final = frozenset(("v", "q", "h", "fy", "t"))


def addresses(text: str) -> list[Masked]:
    """URLs, e-mail addresses, phone numbers, citation markers and list numerals, in order of position."""
    found = []
    if _QUICK.search(text):
        for match in _ADDRESSES.finditer(text):
            found.append(Masked(match.start(), match.end(), match.lastgroup or ""))
    found += [Masked(match.start(1), match.end(1), "list_number") for match in _LIST.finditer(text)]
    found += [Masked(match.start(1), match.end(1), "list_number") for match in _INLINE.finditer(text)]
    found += [Masked(match.start(1), match.end(1), "list_number") for match in _STEP.finditer(text)]
    return sorted(found, key=lambda mask: mask.start)


def references(page: Page) -> list[Masked]:
    """Section 4.2, s. 4.4(2), §§ 12 and 14, passage 2: a place in a text, not an amount."""
    scan, words = page.scan, page.lexicon.name["references"]
    found = []
    for index, word in enumerate(scan.folded):
        if word == "§" or (word in words and _capital_or_long(page, index)):
            last = _reference_end(page, index + 1)
            if last is not None:
                found.append(Masked(scan.starts[index], scan.ends[last], "reference"))
                page.take(index, last)
    return found


def _capital_or_long(page: Page, index: int) -> bool:
    """One-letter and two-letter abbreviations need their full stop ("s. 4", "p. 12")."""
    return len(page.scan.folded[index]) > 2 or page.scan.word(index + 1) == "."


def _reference_end(page: Page, index: int) -> int | None:
    """Last token of the numbers that a reference word at `index - 1` introduces; None when no number follows."""
    scan = page.scan
    while scan.word(index) in (".", "§", "no", "nr", "#", "n", "º") and page.joined(index - 1):
        index += 1
    if scan.shape(index) != "d" or "\n" in scan.gap(index - 1) or len(scan.raw(index)) > 8:
        return None
    if symbol_after(page, index) or scan.word(index + 1) in ("%", "€", "$"):
        return None
    last = index
    while last + 1 < len(scan):
        after = scan.word(last + 1)
        if scan.glued(last) and (after in ("(", ")", ".", "-", "–", "/", ":") or len(after) == 1 and after.isalpha()):
            if after in (".", ":") and not (scan.glued(last + 1) and scan.shape(last + 2) == "d"):
                break
            last += 1
        elif scan.shape(last + 1) == "d" and scan.glued(last):
            last += 1
        elif (
            after in (",", "and", "or", "und", "et", "y", "to", "&", "–", "-")
            and scan.shape(last + 2) == "d"
            and _is_bare(page, last + 2)
        ):
            last += 2
        else:
            break
    return last


def _is_bare(page: Page, index: int) -> bool:
    """A short number with nothing behind it that would make it an amount."""
    scan = page.scan
    after = scan.word(index + 1)
    return (
        len(scan.raw(index)) <= 5
        and not after.isalpha()
        and after not in ("%", "€", "$", "°")
        or after in ("and", "or", "of", "to")
    )


def symbol_after(page: Page, index: int) -> bool:
    """True when a unit symbol or unit word follows token `index` directly."""
    raw = page.scan.raw(index + 1)
    return (
        bool(raw) and len(raw) > 1 and (raw in symbols() or page.phrase_at(page.lexicon.units, index + 1) is not None)
    )


def identifiers(page: Page) -> list[Masked]:
    """Codes that mix letters and digits (AX-4471, ls-1, 3D, x86): the whole glued run."""
    scan = page.scan
    found = []
    index = 0
    while index < len(scan):
        if (
            scan.shapes[index] == "d"
            and not page.taken[index]
            and (_code_left(page, index) or _code_right(page, index))
        ):
            first, last = _extent(page, index)
            found.append(Masked(scan.starts[first], scan.ends[last], "identifier"))
            page.take(first, last)
            index = last
        index += 1
    return found


def _code_left(page: Page, index: int) -> bool:
    """True when letters are glued to the left of the digits, directly or by a hyphen, and are no known prefix."""
    scan = page.scan
    if index == 0 or not scan.glued(index - 1):
        return False
    if scan.shapes[index - 1] == "w":
        raw = scan.raw(index - 1)
        if (
            raw in currency_signs()
            or scan.folded[index - 1] in _GLUED_LEFT
            and len(scan.raw(index)) < 5
            and not _hyphen_right(page, index)
        ):
            return False
        return scan.starts[index - 1] == 0 or not scan.text[scan.starts[index - 1] - 1].isdigit()
    sign = scan.folded[index - 1]
    if sign not in _HYPHENS or index < 2 or not scan.glued(index - 2):
        return False
    left = scan.folded[index - 2]
    if scan.shapes[index - 2] != "w":
        return sign in "_#@" and scan.shapes[index - 2] != "s"
    if sign in ("/", "&", ".", ":"):
        return sign != ":" and len(left) < 3
    return left not in _PREFIXES and left not in page.lexicon.months and not _unit_before(page, index - 2)


def _hyphen_right(page: Page, index: int) -> bool:
    return page.scan.glued(index) and page.scan.word(index + 1) == "-"


def _unit_before(page: Page, index: int) -> bool:
    """ "5 kg-7 kg", "2 h-3 h": the letters belong to the number before them."""
    return index > 0 and page.scan.shapes[index - 1] == "d"


def _code_right(page: Page, index: int) -> bool:
    """True when letters glued to the right are neither unit, scale, ordinal ending nor clock."""
    scan = page.scan
    if not scan.glued(index):
        return False
    if scan.shapes[index + 1] == "w":
        return not _known_suffix(page, index + 1)
    if scan.folded[index + 1] == "-" and scan.glued(index + 1) and scan.shape(index + 2) == "w":
        raw = scan.raw(index + 2)
        return raw.isupper() and raw not in symbols() and raw not in currency_signs()
    return scan.folded[index + 1] in "_#@" and scan.shape(index + 2) in ("w", "d")


def _known_suffix(page: Page, index: int) -> bool:
    scan, lexicon = page.scan, page.lexicon
    raw, word = scan.raw(index), scan.folded[index]
    if word in (
        "st",
        "nd",
        "rd",
        "th",
        "am",
        "pm",
        "k",
        "m",
        "bn",
        "b",
        "t",
        "x",
        "s",
        "h",
        "p",
        "a",
        "z",
        "u",
        "w",
        "º",
        "ª",
    ):
        return True
    if raw in symbols() or raw in currency_signs() or word in lexicon.scales or word in lexicon.ordinal["suffixes"]:
        return True
    return (
        page.phrase_at(lexicon.units, index) is not None
        or page.phrase_at(lexicon.money, index) is not None
        or word in lexicon.months
    )


def _extent(page: Page, index: int) -> tuple[int, int]:
    """The whole glued run of letters, digits and inner signs around token `index`."""
    scan = page.scan
    first = last = index
    while (
        first > 0
        and scan.glued(first - 1)
        and not page.taken[first - 1]
        and (scan.shapes[first - 1] in "wd" or _inner(page, first - 1))
    ):
        first -= 1
    while (
        last + 1 < len(scan)
        and scan.glued(last)
        and not page.taken[last + 1]
        and (scan.shapes[last + 1] in "wd" or _inner(page, last + 1))
    ):
        last += 1
    return first, last


def _inner(page: Page, index: int) -> bool:
    """A sign inside a code: glued on both sides to letters or digits."""
    scan = page.scan
    if scan.folded[index] not in _HYPHENS or not scan.glued(index) or index == 0 or not scan.glued(index - 1):
        return False
    return scan.shape(index + 1) in ("w", "d") and scan.shapes[index - 1] in "wd"
