"""How much: digits, words, fractions and scale words become one exact number.

A numeral knows nothing of units; it says which tokens it covers, its value, its last written place and what else the
same characters may mean.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values.digits import Reading, readings
from grounding_middleware.reading.values.lexicon import currency_signs
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.scan import FRACTION_SIGNS
from grounding_middleware.reading.values.spelled import Spelled

_LETTER_SCALES: Final = {"k": Fraction(1000), "K": Fraction(1000), "M": Fraction(10**6), "B": Fraction(10**9)}
_MONEY_SCALES: Final = {
    "k": 10**3,
    "K": 10**3,
    "m": 10**6,
    "M": 10**6,
    "b": 10**9,
    "B": 10**9,
    "t": 10**12,
    "T": 10**12,
    "G": 10**9,
}
_KANJI: Final = {sign: value for value, sign in enumerate("〇一二三四五六七八九")} | {"两": 2, "兩": 2, "零": 0}
_MAX_KANJI: Final = 20
_KANJI_SMALL: Final = {"十": 10, "百": 100, "千": 1000}


@dataclass(frozen=True, slots=True)
class Numeral:
    """Tokens `first` to `last` say `value`.

    `rest` is where the unread part of token `last` begins (a CJK run holds number and unit in one token), else 0.
    `share` marks a fraction of something (half, two thirds, three in four).
    """

    first: int
    last: int
    value: Fraction
    quantum: Fraction
    written: Fraction
    others: tuple[Reading, ...] = ()
    scale: str = ""
    spelled: bool = False
    ordinal: bool = False
    share: bool = False
    rest: int = 0


def numeral_at(page: Page, index: int, spelled: dict[int, Spelled]) -> Numeral | None:
    """The number that starts at token `index`; None when none does."""
    shape = page.scan.shape(index)
    if shape == "d":
        numeral = _from_digits(page, index)
    elif index in spelled:
        numeral = _from_words(page, spelled[index])
    elif shape == "s" and page.scan.folded[index] in FRACTION_SIGNS:
        numeral = _exact(index, index, _sign_value(page.scan.folded[index]))
    elif shape == "w":
        numeral = _from_article(page, index, spelled)
    else:
        numeral = None
    return numeral and _scaled(page, _with_half(page, _ratio(page, _repeated(page, numeral), spelled)))


def _exact(first: int, last: int, value: Fraction, *, share: bool = False) -> Numeral:
    return Numeral(first, last, value, Fraction(1), value, share=share)


def _sign_value(sign: str) -> Fraction:
    return Fraction(unicodedata.numeric(sign)).limit_denominator(100)


def _from_digits(page: Page, index: int) -> Numeral | None:
    scan = page.scan
    last = _space_groups(page, index)
    literal = "".join(scan.raw(each) if each == index else "\u202f" + scan.raw(each) for each in range(index, last + 1))
    found = readings(literal, page.lexicon.decimal)
    if not found:
        return None
    numeral = Numeral(index, last, found[0].value, found[0].quantum, found[0].value, found[1:])
    return _mixed(page, numeral)


def _space_groups(page: Page, index: int) -> int:
    """Last token of `1 247 900`; one plain space groups where the language writes it so, or twice in a row anywhere."""
    scan = page.scan
    first = scan.raw(index)
    if not (len(first) <= 3 and first.isdigit() and first[0] != "0"):
        return index
    last = index
    while scan.gap(last) == " " and scan.shape(last + 1) == "d" and not page.taken[last + 1]:
        group = scan.raw(last + 1)
        whole = group[:3].isdigit() and (
            len(group) == 3 or (len(group) > 4 and group[3] in ".," and group[4:].isdigit())
        )
        if not whole:
            break
        last += 1
        if len(group) > 3:
            break
    if last == index or scan.shape(last + 1) == "d" and scan.gap(last) == " ":
        return index
    return last if page.lexicon.space_groups or last - index > 1 or page.lexicon.decimal == "," else index


def _mixed(page: Page, numeral: Numeral) -> Numeral:
    """3½, 3 1/2 and 1/2."""
    scan, last = page.scan, numeral.last
    after = scan.word(last + 1)
    if after and after in FRACTION_SIGNS and page.joined(last):
        return replace(
            numeral,
            last=last + 1,
            value=numeral.value + _sign_value(after),
            written=numeral.value + _sign_value(after),
            others=(),
        )
    part = _slash(page, last + 1) if scan.gap(last) in (" ", "-") or scan.word(last + 1) == "-" else None
    if part and numeral.value.denominator == 1 and part[1] < 1:
        total = numeral.value + part[1]
        return replace(numeral, last=part[0], value=total, written=total, others=())
    own = _slash(page, numeral.first) if numeral.first == last else None
    if own:
        return replace(numeral, last=own[0], value=own[1], written=own[1], others=(), share=True)
    return numeral


def _slash(page: Page, index: int) -> tuple[int, Fraction] | None:
    """`a/b` with small whole numbers, glued: its last token and its value."""
    scan = page.scan
    if scan.word(index) == "-":
        index += 1
    if scan.shape(index) != "d" or scan.word(index + 1) != "/" or scan.shape(index + 2) != "d":
        return None
    top, bottom = scan.raw(index), scan.raw(index + 2)
    if not (
        scan.glued(index)
        and scan.glued(index + 1)
        and top.isdigit()
        and bottom.isdigit()
        and len(top) < 3
        and len(bottom) < 4
    ):
        return None
    if scan.glued(index + 2) and scan.word(index + 3) == "/":
        return None
    return (index + 2, Fraction(int(top), int(bottom))) if int(bottom) else None


def _from_words(page: Page, number: Spelled) -> Numeral:
    first, quantum = number.first, Fraction(1)
    if number.value.denominator != 1:
        quantum = Fraction(1, number.value.denominator)
    numeral = Numeral(first, number.last, number.value, quantum, number.value, spelled=True, ordinal=number.ordinal)
    return _share(page, numeral)


def _share(page: Page, numeral: Numeral) -> Numeral:
    """Two thirds, three-quarters, one fifth."""
    scan, shares = page.scan, page.lexicon.number["shares"]
    at = numeral.last + 2 if scan.word(numeral.last + 1) == "-" else numeral.last + 1
    part = shares.get(scan.word(at))
    if part is None or numeral.ordinal or numeral.value.denominator != 1:
        return numeral
    if page.lexicon.language == "en" and (numeral.value != 1) != scan.word(at).endswith("s"):
        return numeral  # "two half-sheet pans", "one thirds"
    value = numeral.value * part
    return replace(numeral, last=at, value=value, written=value, ordinal=False, share=True, spelled=True)


def _from_article(page: Page, index: int, spelled: dict[int, Spelled]) -> Numeral | None:
    """Words that are numbers only together with their neighbours: a dozen, half, a third of, anderthalb."""
    scan, number = page.scan, page.lexicon.number
    word = scan.folded[index]
    if word in number["whole"]:
        return _share(page, replace(_exact(index, index, number["whole"][word]), spelled=True))
    if word in number["articles"]:
        after = scan.word(index + 1)
        if after in number["dozens"]:
            return replace(_exact(index, index + 1, number["dozens"][after]), spelled=True)
        if index + 1 in spelled and spelled[index + 1].value >= 100:  # "a hundred and fifty"
            return replace(_from_words(page, spelled[index + 1]), first=index)
        if (
            after in page.lexicon.scales
            and after not in number["shares"]
            and page.lexicon.scales[after] >= 100
            and not after.endswith("s")
        ):
            return replace(_exact(index, index, Fraction(1)), spelled=True)
        if after in number["shares"] and _is_share(page, index + 1):
            return replace(_exact(index, index + 1, number["shares"][after], share=True), spelled=True)
    if word in number["shares"] and _is_bare_share(page, index):
        return _half_of(page, index, number["shares"][word])
    return None


def _is_share(page: Page, index: int) -> bool:
    """A third *of*, a quarter *of*; not "a third party"."""
    scan, number = page.scan, page.lexicon.number
    after = scan.word(index + 1)
    if scan.word(index) in number["bare_shares"]:
        return True
    return (
        after in number["of"]
        or after in ("less", "more", "fewer", "off", "weniger", "mehr")
        or scan.word(index - 2) in ("by", "um", "to")
    )


def _is_bare_share(page: Page, index: int) -> bool:
    """Half the, half a million, half an hour, media hora, eine halbe Stunde; not "the second half"."""
    scan, number = page.scan, page.lexicon.number
    before, after = scan.word(index - 1), scan.word(index + 1)
    if before in page.lexicon.date.get("quarter_ordinals", {}) or before in ("other", "better", "this", "that"):
        return False
    if page.phrase_at(page.lexicon.units, index + (2 if after == "-" else 1)):
        return number["shares"][scan.word(index)] == Fraction(1, 2)
    if scan.word(index) not in number["bare_shares"]:
        return False
    return (
        after in number["of"]
        or after in number["articles"]
        or before in ("by", "um", "de", "à", "about", "than", "least", "most")
    )


def _half_of(page: Page, index: int, value: Fraction) -> Numeral:
    """Half a million, half a dozen, half an hour: the article belongs to the number when a scale or unit follows."""
    scan, lexicon = page.scan, page.lexicon
    last = index
    if scan.word(index + 1) in lexicon.number["articles"]:
        after = scan.word(index + 2)
        if after in lexicon.scales or page.phrase_at(lexicon.units, index + 2):
            last = index + 1
    return replace(_exact(index, last, value, share=last == index), spelled=True)


def _repeated(page: Page, numeral: Numeral) -> Numeral:
    """Thirty (30) days: the bracket repeats the words."""
    scan, at = page.scan, numeral.last + 1
    if scan.word(at) == "(" and scan.shape(at + 1) == "d" and scan.word(at + 2) == ")":
        again = readings(scan.raw(at + 1), page.lexicon.decimal)
        if again and again[0].value == numeral.value:
            return replace(numeral, last=at + 2)
    return numeral


def _ratio(page: Page, numeral: Numeral, spelled: dict[int, Spelled]) -> Numeral:
    """Three in four, 1 in 5, 3 out of 10."""
    scan = page.scan
    if numeral.share or numeral.ordinal or numeral.value.denominator != 1:
        return numeral
    for words in page.lexicon.number["in"]:
        at = numeral.last + 1
        if tuple(scan.folded[at : at + len(words)]) != words:
            continue
        at += len(words)
        whole, last = _whole_at(page, at, spelled)
        if whole is None or not 0 < numeral.value < whole or not (whole <= 20 or whole in (100, 1000, 10000)):
            continue
        if page.phrase_at(page.lexicon.units, last + 1) or scan.word(last + 1) in page.lexicon.scales:
            continue
        value = numeral.value / whole
        return replace(numeral, last=last, value=value, written=value, share=True, others=())
    return numeral


def _whole_at(page: Page, index: int, spelled: dict[int, Spelled]) -> tuple[Fraction | None, int]:
    if index in spelled and not spelled[index].ordinal:
        return spelled[index].value, spelled[index].last
    raw = page.scan.raw(index)
    if page.scan.shape(index) == "d" and raw.isdigit() and len(raw) < 6:
        return Fraction(int(raw)), index
    return None, index


def _with_half(page: Page, numeral: Numeral) -> Numeral:
    """One and a half, deux et demi."""
    if numeral.share or numeral.ordinal:
        return numeral
    scan, at = page.scan, numeral.last + 1
    for words, part in page.lexicon.number["halves"]:
        if tuple(scan.folded[at : at + len(words)]) == words:
            value = numeral.value + part
            return replace(numeral, last=at + len(words) - 1, value=value, written=value)
    return numeral


def _scaled(page: Page, numeral: Numeral) -> Numeral:
    """Million, k, Mio., 万: the number and its last place grow together."""
    if numeral.ordinal or (numeral.share and numeral.value.denominator not in (2, 4)):
        return numeral
    scan = page.scan
    grown = numeral
    for _ in range(2):  # "hundred thousand million": two scale words at most
        at = grown.last + 2 if scan.word(grown.last + 1) == "-" and scan.glued(grown.last) else grown.last + 1
        factor = _scale_at(page, grown, at)
        if factor is None:
            break
        text = scan.raw(at)
        grown = replace(
            grown,
            last=at,
            value=grown.value * factor,
            quantum=grown.quantum * factor,
            others=tuple(Reading(other.value * factor, other.quantum * factor) for other in grown.others),
            scale=f"{grown.scale} {text}".strip(),
            share=False,
        )
        if (
            scan.word(at + 1) == "."
            and scan.glued(at)
            and scan.gap(at + 1) != "\n"
            and scan.text[scan.ends[at + 1] : scan.ends[at + 1] + 2].strip()[:1].islower()
        ):
            grown = replace(grown, last=at + 1)
    return grown


def _scale_at(page: Page, numeral: Numeral, index: int) -> Fraction | None:
    scan = page.scan
    word, raw = scan.word(index), scan.raw(index)
    if not word or "\n" in scan.gap(index - 1):
        return None
    if word in page.lexicon.scales and scan.shape(index) == "w" and len(word) > 1:
        if word in ("mm", "mi") and not _money_near(page, numeral, index):
            return None
        return page.lexicon.scales[word] if not (raw in currency_signs() and raw.isupper()) else None
    if len(raw) != 1 or numeral.scale:
        return None
    near = _money_near(page, numeral, index)
    if near and raw in _MONEY_SCALES and (scan.glued(index - 1) or raw in "MmkKbB"):
        return Fraction(_MONEY_SCALES[raw])
    return _LETTER_SCALES.get(raw) if scan.glued(index - 1) and raw != "B" else None


def _money_near(page: Page, numeral: Numeral, index: int) -> bool:
    """A currency sign before the number or right after the scale letter."""
    scan, signs = page.scan, currency_signs()
    return scan.raw(numeral.first - 1) in signs or scan.raw(index + 1) in signs


def kanji_at(text: str, start: int, end: int, scales: dict[str, Fraction]) -> tuple[int, Fraction] | None:
    """The number that a CJK run begins with (三十, 二千五百): where it ends and its value."""
    total = section = digit = 0
    seen = position = start
    end = min(end, start + _MAX_KANJI)
    while position < end:
        sign = text[position]
        if sign in _KANJI:
            digit = digit * 10 + _KANJI[sign]
        elif sign in _KANJI_SMALL:
            section += (digit or 1) * _KANJI_SMALL[sign]
            digit = 0
        elif sign in scales and sign not in _KANJI_SMALL:
            total += (section + digit or 1) * int(scales[sign])
            section = digit = 0
        else:
            break
        position += 1
        seen = position
    return (seen, Fraction(total + section + digit)) if seen > start else None
