"""How much: digits, words, fractions and scale words become one exact number.

A numeral knows nothing of units; it says which tokens it covers, its value, its last written place and what else the
same characters may mean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values import shares
from grounding_middleware.reading.values.digits import Reading, readings
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.scan import FRACTION_SIGNS
from grounding_middleware.reading.values.spelled import Spelled
from grounding_middleware.reading.values.tables import currency_signs

_LETTER_SCALES: Final = {"k": 3, "K": 3, "M": 6}
_MONEY_SCALES: Final = {"k": 3, "K": 3, "m": 6, "M": 6, "b": 9, "B": 9, "t": 12, "T": 12}
_MONEY_ONLY: Final = frozenset(("mm", "mi", "bi"))  # "5 mm" is a length, "$5 mm" five million
_POWERS: Final = frozenset(Fraction(10) ** power for power in (2, 3, 6, 9, 12))
_TEN, _TWENTY = 10, 20
_THOUSAND: Final = 1000
_ONE_THOUSAND: Final = frozenset(("mil", "mille", "tysiąc"))  # a number by themselves; "miles" and "millions" are not
_MAX_SCALES: Final = 2  # "5 hundred thousand"; more scale words do not follow each other


@dataclass(frozen=True, slots=True)
class Numeral:
    """Tokens `first` to `last` say `value`; `written` is the number before scale words.

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

    def grown(self, last: int, value: Fraction, *, share: bool = False) -> Numeral:
        """The numeral with tokens up to `last` taken in, which make it `value`."""
        return replace(self, last=last, value=value, written=value, share=share, others=())


def numeral_at(page: Page, index: int, spelled: dict[int, Spelled]) -> Numeral | None:
    """The number that starts at token `index`; None when none does."""
    shape, part = page.scan.shapes[index], shares.named_part(page, index)
    if shape == "d":
        numeral = _from_digits(page, index)
    elif part is not None:
        numeral = _exact(index, *part, share=True, spelled=True)
    elif index in spelled:
        numeral = _from_words(page, spelled[index])
    elif shape == "s":
        numeral = _exact(index, index, shares.sign_value(page.scan.folded[index]))
    else:
        numeral = _from_article(page, index, spelled)
    if numeral is None:
        return None
    whole = _powered(page, _repeated(page, numeral))
    timed = shares.of_a_unit(page, whole.last, whole.value) if whole.share else None
    if timed is not None:
        return whole.grown(timed, whole.value)  # "a quarter of an hour" is an amount, no share
    return _scaled(page, _with_half(page, _ratio(page, whole, spelled)))


def _exact(
    first: int, last: int, value: Fraction | None, *, share: bool = False, spelled: bool = False
) -> Numeral | None:
    return None if value is None else Numeral(first, last, value, Fraction(1), value, share=share, spelled=spelled)


# digits


def _from_digits(page: Page, index: int) -> Numeral | None:
    scan = page.scan
    last = _space_groups(page, index)
    literal = scan.raw(index)
    if last > index:
        literal = "\u202f".join(scan.raw(each) for each in range(index, last + 1))
    found = readings(literal, page.lexicon.decimal)
    if not found:
        return None
    numeral = Numeral(index, last, found[0].value, found[0].quantum, found[0].value, found[1:])
    return _mixed(page, numeral)


def _space_groups(page: Page, index: int) -> int:
    """Last token of `1 247 900`; one plain space groups where the language writes it so, or twice in a row anywhere."""
    scan = page.scan
    first = scan.raw(index)
    if scan.shapes[index + 1] != "d" or len(first) > 3 or not first.isdigit() or first[0] == "0":
        return index
    last = index
    while scan.gap(last) == " " and scan.shapes[last + 1] == "d" and not page.taken[last + 1] and last - index < 6:
        group = scan.raw(last + 1)
        if not (
            group[:3].isdigit() and (len(group) == 3 or (len(group) > 4 and group[3] in ".," and group[4:].isdigit()))
        ):
            break
        last += 1
        if len(group) > 3:
            break
    more = scan.shapes[last + 1] == "d" and scan.gap(last) == " "
    wanted = page.lexicon.space_groups or last - index > 1 or page.lexicon.decimal == ","
    return last if wanted and not more else index


def _mixed(page: Page, numeral: Numeral) -> Numeral:
    """3½, 3 1/2 and 1/2."""
    scan, last = page.scan, numeral.last
    sign = scan.folded[last + 1]
    if sign and sign in FRACTION_SIGNS and page.joined(last):
        return numeral.grown(last + 1, numeral.value + (shares.sign_value(sign) or 0))
    at = last + 2 if scan.folded[last + 1] == "-" else last + 1
    part = shares.slash(page, at) if scan.gap(last) in (" ", "-") or at > last + 1 else None
    if part and numeral.value.denominator == 1 and part[1] < 1:
        return numeral.grown(part[0], numeral.value + part[1])
    own = shares.slash(page, numeral.first) if numeral.first == last else None
    return numeral.grown(*own, share=True) if own else numeral


# words


def _from_words(page: Page, number: Spelled) -> Numeral:
    value = number.value
    quantum = Fraction(1, value.denominator)
    numeral = Numeral(number.first, number.last, value, quantum, value, spelled=True, ordinal=number.ordinal)
    part = shares.part_after(page, number.last, value)
    return numeral.grown(*part, share=True) if part and not number.ordinal else numeral


def _from_article(page: Page, index: int, spelled: dict[int, Spelled]) -> Numeral | None:
    """Words that are numbers only together with their neighbours: a dozen, half, a third of, anderthalb."""
    scan, words = page.scan, page.lexicon.number
    word = scan.folded[index]
    if word in words["whole"]:
        if _tens(page, index):
            return _exact(index, index + 1, words["whole"][word] + words["whole"][scan.folded[index + 1]], spelled=True)
        part = shares.part_after(page, index, words["whole"][word])
        if part:
            return _exact(index, part[0], part[1], share=True, spelled=True)
        if word in words["pronouns"]:
            return None
        return _exact(index, index, words["whole"][word], spelled=True)
    if word in words["articles"]:
        found = _after_article(page, index, spelled)
        if found:
            return found
    half = shares.bare_share(page, index)
    return _exact(index, half[0], half[1], share=half[0] == index, spelled=True) if half else None


def _tens(page: Page, index: int) -> bool:
    """Tens with their units, where the words of the lexicon are all that is known: "dwadzieścia pięć"."""
    whole, folded = page.lexicon.number["whole"], page.scan.folded
    one, two = whole[folded[index]], whole.get(folded[index + 1], Fraction(0))
    return bool(one % 10 == 0 and one >= _TWENTY and 0 < two < _TEN)


def _after_article(page: Page, index: int, spelled: dict[int, Spelled]) -> Numeral | None:
    """A hundred and fifty, a dozen, a million, a third of."""
    words, after = page.lexicon.number, page.scan.folded[index + 1]
    if index + 1 in spelled and spelled[index + 1].value >= 100:
        return replace(_from_words(page, spelled[index + 1]), first=index)
    if after in words["dozens"]:
        return _exact(index, index + 1, words["dozens"][after], spelled=True)
    part = shares.named_part(page, index + 1)
    if part is not None:
        return _exact(index, *part, share=True, spelled=True)
    if after in words["shares"] and shares.is_share(page, index + 1):
        return _exact(index, index + 1, words["shares"][after], share=True, spelled=True)
    scale = page.lexicon.scales.get(after, Fraction(0))
    singular = not (page.lexicon.language == "en" and after.endswith("s"))
    return _exact(index, index, Fraction(1), spelled=True) if scale >= 100 and singular and len(after) > 2 else None


def is_scale_alone(page: Page, numeral: Numeral) -> bool:
    """Reads "hundreds of", "EUR thousand", "million": a scale word by itself is no amount ("mille", "cento" are)."""
    alone = numeral.first == numeral.last and numeral.spelled and not numeral.share and numeral.value in _POWERS
    word = page.scan.folded[numeral.first]
    counted = page.lexicon.language in ("en", "de", "nl") or (numeral.value >= _THOUSAND and word not in _ONE_THOUSAND)
    return alone and counted and word in page.lexicon.scales


def _repeated(page: Page, numeral: Numeral) -> Numeral:
    """Thirty (30) days: the bracket repeats the words."""
    scan, at = page.scan, numeral.last + 1
    if scan.folded[at] == "(" and scan.shapes[at + 1] == "d" and scan.folded[at + 2] == ")":
        again = readings(scan.raw(at + 1), page.lexicon.decimal)
        if again and again[0].value == numeral.value:
            return replace(numeral, last=at + 2)
    return numeral


def _powered(page: Page, numeral: Numeral) -> Numeral:
    """1.0 × 10−5, 3 x 10^6, 10−9 without a unit: powers of ten as science writes them."""
    scan = page.scan
    if numeral.spelled or numeral.share or numeral.scale:
        return numeral
    if scan.folded[numeral.last + 1] in ("×", "x", "·") and scan.raw(numeral.last + 2) == "10":
        last, power = _exponent(page, numeral.last + 2)
        factor = Fraction(10) ** power
        if last > numeral.last + 2:
            return replace(
                numeral, last=last, value=numeral.value * factor, quantum=numeral.quantum * factor, others=()
            )
    if scan.raw(numeral.first) == "10" and numeral.first == numeral.last:
        last, power = _exponent(page, numeral.last)
        if last > numeral.last and (power < 0 or scan.folded[numeral.last + 1] == "^"):
            return replace(numeral, last=last, value=Fraction(10) ** power, quantum=Fraction(10) ** power, others=())
    return numeral


def _exponent(page: Page, ten: int) -> tuple[int, int]:
    """The exponent glued behind the ten at token `ten`: its last token and value; `ten` itself when there is none."""
    scan = page.scan
    at = ten + 1
    caret = scan.folded[at] == "^"
    at += caret
    negative = scan.folded[at] == "−" or (caret and scan.folded[at] == "-")
    at += negative
    raw = scan.raw(at)
    written = scan.shapes[at] == "d" and raw.isdigit() and len(raw) <= 2 and scan.ends[at] - scan.starts[ten] <= 6
    if not written or not (caret or negative) or page.phrase_at(page.lexicon.units, at + 1):
        return ten, 0
    return at, -int(raw) if negative else int(raw)


def _ratio(page: Page, numeral: Numeral, spelled: dict[int, Spelled]) -> Numeral:
    """Three in four, 1 in 5, 3 out of 10."""
    if numeral.share or numeral.ordinal or numeral.value.denominator != 1:
        return numeral
    found = shares.ratio_after(page, numeral.last, numeral.value, spelled)
    return numeral.grown(*found, share=True) if found else numeral


def _with_half(page: Page, numeral: Numeral) -> Numeral:
    """One and a half, deux et demi."""
    if numeral.share or numeral.ordinal:
        return numeral
    part = page.phrase_at(page.lexicon.number["halves"], numeral.last + 1)
    return numeral.grown(part[0], numeral.value + Fraction(part[1])) if part else numeral


# scale words


def _scaled(page: Page, numeral: Numeral) -> Numeral:
    """Million, k, Mio.: the number and its last place grow together."""
    if numeral.ordinal or (numeral.share and numeral.value.denominator not in (2, 4)):
        return numeral
    scan, grown = page.scan, numeral
    for _ in range(_MAX_SCALES):
        hyphen = scan.folded[grown.last + 1] == "-" and scan.glued(grown.last)
        at = _over_of(page, grown, grown.last + 1 + hyphen)
        factor = _scale_at(page, grown, at)
        if factor is None:
            break
        grown = replace(
            grown,
            last=_over_stop(page, at),
            value=grown.value * factor,
            quantum=grown.quantum * factor,
            others=tuple(Reading(other.value * factor, other.quantum * factor) for other in grown.others),
            scale=f"{grown.scale} {scan.raw(at)}".strip(),
            share=False,
        )
    return grown


def _over_of(page: Page, numeral: Numeral, index: int) -> int:
    """The second of two scale words, behind "de": "8,4 miles de millones"."""
    of = bool(numeral.scale) and page.scan.folded[index] in page.lexicon.number["million_of"] and page.joined(index)
    return index + 1 if of and page.scan.folded[index + 1] in page.lexicon.scales else index


def _over_stop(page: Page, index: int) -> int:
    """The full stop of "Mio." belongs to the number when the sentence goes on behind it."""
    scan = page.scan
    if scan.folded[index + 1] != "." or not scan.glued(index) or len(scan.folded[index]) > 4:
        return index
    following = scan.raw(index + 2)
    goes_on = (
        following[:1].islower()
        or following in currency_signs()
        or page.phrase_at(page.lexicon.money, index + 2) is not None
    )
    return index + 1 if goes_on and page.joined(index + 1) else index


def _scale_at(page: Page, numeral: Numeral, index: int) -> Fraction | None:
    scan = page.scan
    word, raw = scan.folded[index], scan.raw(index)
    if scan.shapes[index] != "w" or not page.joined(index - 1):
        return None
    if len(raw) == 1:
        return _letter(page, numeral, index)
    factor = page.lexicon.scales.get(word)
    if factor is None or (word in _MONEY_ONLY and not _money_near(page, numeral, index)):
        return None
    return None if raw.isupper() and raw in currency_signs() else factor


def _letter(page: Page, numeral: Numeral, index: int) -> Fraction | None:
    """K and M glued to the digits, any of k m b t beside a currency, m before people or goods ("67 m inhabitants")."""
    scan, raw = page.scan, page.scan.raw(index)
    if numeral.scale:
        return None
    glued = scan.glued(index - 1)
    if raw == "T" and page.lexicon.language == "de":
        return Fraction(_THOUSAND) if _money_near(page, numeral, index) else None
    if raw in _MONEY_SCALES and (_money_near(page, numeral, index) or (raw == "m" and _counted_next(page, index))):
        return Fraction(10 ** _MONEY_SCALES[raw])
    return Fraction(10 ** _LETTER_SCALES[raw]) if glued and raw in _LETTER_SCALES else None


def _counted_next(page: Page, index: int) -> bool:
    """People and goods are counted in millions, never measured in metres."""
    return page.scan.folded[index + 1] in page.lexicon.number["in_millions"] and page.joined(index)


def _money_near(page: Page, numeral: Numeral, index: int) -> bool:
    """A currency sign before the number or right after the scale letter."""
    scan, signs = page.scan, currency_signs()
    before = scan.raw(numeral.first - 1)
    return (before in signs and (len(before) > 1 or not before.isalpha())) or scan.raw(index + 1) in signs
