"""`find`: every value of a text, in order, and the ledger of what was read as something else or not at all."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values import masks
from grounding_middleware.reading.values.amounts import KINDS, amount
from grounding_middleware.reading.values.context import surround
from grounding_middleware.reading.values.dates import date_at, interval_of, is_year
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.lexicon import currency_set, lexicon, units
from grounding_middleware.reading.values.measures import cjk_measure, money_at, money_before, unit_at
from grounding_middleware.reading.values.model import Interval, Masked, PartialDate, Value, ValueKind
from grounding_middleware.reading.values.numerals import Numeral, kanji_at, numeral_at
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.ranges import join
from grounding_middleware.reading.values.scan import FRACTION_SIGNS, scan
from grounding_middleware.reading.values.spelled import Spelled, is_cardinal_word, spelled_numbers
from grounding_middleware.reading.values.times import time_at

_KANJI_DIGITS: Final = frozenset("〇一二三四五六七八九十百千万亿億两兩零")


def find(text: str, language: str = "en") -> tuple[Value, ...]:
    """Every value of `text`, ordered and without overlap, with `text[v.start:v.end] == v.text`; linear in the text."""
    return tuple(draft.finish(text) for draft in _drafts(_page(text, language)))


def masked(text: str, language: str = "en") -> tuple[Masked, ...]:
    """Ranges read as addresses, codes, references, citation markers or list numerals: digits there are no values."""
    page = Page(scan(text), lexicon(language), bytearray(0))
    page.taken.extend(bytes(len(page.scan)))
    return tuple(_mask(page))


def unread(text: str, values: tuple[Value, ...], language: str = "en") -> tuple[tuple[int, int], ...]:
    """Ranges with digits or number words that are in no value and no mask: what was not understood (coverage ledger)."""
    page = Page(scan(text), lexicon(language), bytearray(0))
    page.taken.extend(bytes(len(page.scan)))
    held = sorted([value.phrase for value in values] + [(mask.start, mask.end) for mask in _mask(page)])
    tokens = page.scan
    missing, at = [], 0
    for index, shape in enumerate(tokens.shapes):
        numeric = shape == "d" or tokens.folded[index] in FRACTION_SIGNS or (shape == "w" and _number_word(page, index))
        if not numeric:
            continue
        start, end = tokens.starts[index], tokens.ends[index]
        while at < len(held) and held[at][1] <= start:
            at += 1
        if not any(low < end and high > start for low, high in held[at : at + 2]):
            missing.append((start, end))
    return tuple(missing)


def _number_word(page: Page, index: int) -> bool:
    """A number word, or one of the words for vague amounts (dozens, hundreds); not a pronoun such as "one"."""
    word, number = page.scan.folded[index], page.lexicon.number
    if word in number["pronouns"] or word in ("second", "seconds", "first"):
        return False
    return (
        is_cardinal_word(word, page.lexicon.language)
        or word in number["dozens"]
        or (word in page.lexicon.scales and len(word) > 3)
    )


def _page(text: str, language: str) -> Page:
    page = Page(scan(text), lexicon(language), bytearray(0))
    page.taken.extend(bytes(len(page.scan)))
    _mask(page)
    return page


def _mask(page: Page) -> list[Masked]:
    """Mark what holds no value, and say why."""
    found = masks.addresses(page.scan.text)
    at = 0
    kept = []
    for mask in found:
        if mask.why == "list_number" and _before_month(page, mask):
            continue
        while at < len(page.scan) and page.scan.ends[at] <= mask.start:
            at += 1
        last = at
        while last < len(page.scan) and page.scan.starts[last] < mask.end:
            page.taken[last] = 1
            last += 1
        kept.append(mask)
    kept += masks.references(page)
    kept += masks.identifiers(page)
    return sorted(kept, key=lambda mask: mask.start)


def _before_month(page: Page, mask: Masked) -> bool:
    """ "3. April" at the start of a line is a date."""
    word = page.scan.text[mask.end : mask.end + 24].lstrip(".) \t").split(None, 1)
    return bool(word) and word[0].rstrip(",.").casefold() in page.lexicon.months


def _drafts(page: Page) -> list[Draft]:
    spelled = spelled_numbers(page)
    drafts: list[Draft] = []
    index, size = 0, len(page.scan)
    shapes, folded, starters = page.scan.shapes, page.scan.folded, page.lexicon.starters
    while index < size:
        shape = shapes[index]
        possible = (
            shape == "d"
            or shape == "c"
            or index in spelled
            or (shape == "w" and folded[index] in starters)
            or folded[index] in FRACTION_SIGNS
        )
        found = _at(page, index, spelled) if possible and not page.taken[index] else None
        if not found:
            index += 1
            continue
        drafts.extend(found)
        page.take(found[0].first, found[-1].last)
        index = found[-1].last + 1
    drafts = _finish_dates(page, join(page, drafts))
    for draft in drafts:
        surround(page, draft)
    return drafts


def _at(page: Page, index: int, spelled: dict[int, Spelled]) -> list[Draft]:
    """What begins at token `index`, most specific first."""
    if page.scan.shapes[index] == "c":
        return _kanji(page, index)
    special = date_at(page, index) or time_at(page, index) or _version(page, index) or _multiple(page, index)
    if special and page.free(special.first, special.last):
        return [special]
    decade = _decade(page, index)
    if decade:
        return [decade]
    numeral = numeral_at(page, index, spelled) or _single_unit(page, index)
    if numeral is None or not page.free(numeral.first, numeral.last):
        return _split(page, index)
    if numeral.spelled and numeral.ordinal and not _ordinal_here(page, index, numeral.last):
        return []
    if (
        numeral.spelled
        and not numeral.share
        and numeral.first == numeral.last
        and _scale_alone(page, index, numeral.value)
    ):
        return []
    if numeral.spelled and _pronoun(page, numeral.first, numeral.last):
        return []
    draft = amount(page, numeral)
    _ordinal_digits(page, draft)
    return [_year(page, draft) or _named(page, draft)]


def _split(page: Page, index: int) -> list[Draft]:
    """ "lines 2,4,7": digits with separators that are no one number are several."""
    scan = page.scan
    raw = scan.raw(index)
    if "," not in raw or scan.shapes[index] != "d" or len(raw) > 60:
        return []
    drafts, position = [], scan.starts[index]
    for piece in raw.split(","):
        if piece.isdigit() and len(piece) < 10:
            value = Fraction(int(piece))
            drafts.append(
                Draft(
                    index, index, position, position + len(piece), ValueKind.NUMBER, Interval.point(value), value, value
                )
            )
        position += len(piece) + 1
    return drafts


def _pronoun(page: Page, first: int, last: int) -> bool:
    """ "one" is a number only with a unit, a scale or a half behind it."""
    scan, pronouns = page.scan, page.lexicon.number["pronouns"]
    if first != last or scan.folded[first] not in pronouns:
        return False
    after = last + 2 if scan.word(last + 1) == "-" else last + 1
    if unit_at(page, after) or money_at(page, after):
        return scan.word(after) in ("time", "times") and scan.word(after - 1) != "-"
    strict = scan.word(first - 1) in (
        "only",
        "exactly",
        "just",
        "least",
        "most",
        "than",
        "to",
        "nur",
        "genau",
        "mindestens",
    )
    return not (strict and scan.shape(after) == "w" and scan.word(after) not in page.lexicon.name["stop"])


def _scale_alone(page: Page, index: int, value: Fraction) -> bool:
    """ "hundreds of", "EUR thousand", "million": a scale word by itself is no amount."""
    return (
        value in (100, 1000, 10**6, 10**9, 10**12)
        and page.scan.folded[index] in page.lexicon.scales
        and page.lexicon.language != "it"
    )


def _ordinal_here(page: Page, first: int, last: int) -> bool:
    """The third Monday, a second reminder; not "First, ..." nor "sixty seconds"."""
    scan, ordinal = page.scan, page.lexicon.ordinal
    before, after = scan.word(first - 1), scan.shape(last + 1)
    if page.lexicon.language == "en" and scan.folded[last].endswith("ds") or scan.folded[last].endswith("ths"):
        return False
    return before in ordinal["before"] and after in ("w", "-") or (first != last and after == "w")


def _ordinal_digits(page: Page, draft: Draft) -> None:
    """1st, 2e, 3º; a German full stop only before a lower-case or capital noun is left alone."""
    scan, at = page.scan, draft.last + 1
    if draft.unit or draft.currency or draft.first != draft.last or not scan.glued(draft.last):
        return
    if scan.word(at) in page.lexicon.ordinal["suffixes"] or scan.word(at) in ("st", "nd", "rd", "th", "º", "ª"):
        draft.kind, draft.last, draft.end = ValueKind.ORDINAL, at, scan.ends[at]


def _multiple(page: Page, index: int) -> Draft | None:
    """Twice, thrice, double; "once" only with a rate behind it."""
    scan, number = page.scan, page.lexicon.number
    word = scan.folded[index]
    value = number["times"].get(word)
    if value is not None:
        rated = (
            scan.word(index + 1) in page.lexicon.per["articles"]
            or scan.word(index + 1) in page.lexicon.per["words"]
            or page.phrase_at(page.lexicon.adverbs, index + 1)
        )
        if word == "once" and not rated:
            return None
    else:
        value = number["folds"].get(word)
    if value is None:
        return None
    draft = Draft(
        index, index, scan.starts[index], scan.ends[index], ValueKind.MULTIPLE, Interval.point(value), value, value
    )
    draft.unit, draft.spelled = units()["times"], True
    return draft


def _kanji(page: Page, index: int) -> list[Draft]:
    """三十日, 二千五百円: CJK numerals count only with a unit or currency behind them."""
    scan, text = page.scan, page.scan.text
    position, end = scan.starts[index], scan.ends[index]
    while position < end:
        if text[position] not in _KANJI_DIGITS:
            position += 1
            continue
        hit = kanji_at(text, position, end, dict(page.lexicon.cjk_scales))
        measure = cjk_measure(page, text, hit[0], end) if hit else None
        if hit and measure:
            draft = Draft(
                index,
                index,
                position,
                measure[0],
                ValueKind.NUMBER,
                Interval.point(hit[1]),
                hit[1],
                hit[1],
                spelled=True,
            )
            draft.unit_text = text[hit[0] : measure[0]]
            if measure[2]:
                draft.currency, draft.kind = currency_set(measure[2]), ValueKind.MONEY
            elif measure[1] in units():
                draft.unit = units()[str(measure[1])]
                draft.interval, draft.kind = Interval.point(draft.convert(hit[1])), kind_of(draft.unit.dimension)
            return [draft]
        position = hit[0] if hit else position + 1
    return []


def kind_of(dimension: str) -> ValueKind:
    """Kind of an amount of this dimension."""

    return KINDS.get(dimension, ValueKind.QUANTITY)


# years, names, versions


def _year(page: Page, draft: Draft) -> Draft | None:
    """Four digits that are a year: by the word before, or by what does not follow."""
    scan, at = page.scan, draft.first
    raw = scan.raw(at)
    spelled = (
        draft.spelled
        and draft.raw is not None
        and 1100 <= draft.raw <= 2099
        and draft.last > draft.first
        and scan.word(draft.first) in ("nineteen", "twenty", "eighteen", "seventeen", "sixteen")
    )
    plain = draft.first == draft.last and len(raw) == 4 and raw.isdigit() and draft.raw is not None
    if draft.unit or draft.currency or draft.scale or not (plain or spelled):
        return None
    number = int(draft.raw or 0)
    if not is_year(number):
        return None
    after, gap = scan.word(draft.last + 1), scan.gap(draft.last)
    era = page.lexicon.date.get("eras_after", {}).get(after)
    if era:
        return _date(draft, PartialDate(number * era), draft.last + 1, scan.ends[draft.last + 1])
    before = scan.word(at - 1) if scan.word(at - 1) not in ("(", "'", "-") else scan.word(at - 2)
    if (
        scan.shape(draft.last + 1) == "w"
        and scan.raw(draft.last + 1)[:1].isupper()
        and before in ("the", "a")
        and 1500 <= number <= 2100
    ):
        return _date(draft, PartialDate(number), draft.last, draft.end)
    noun = (
        scan.shape(draft.last + 1) == "w"
        and len(gap) <= 1
        and scan.raw(draft.last + 1)[:1].islower()
        and after not in page.lexicon.name["stop"]
    )
    introduced = before in page.lexicon.date.get("before_year", ())
    modern = 1900 <= number <= 2100
    if after in ("%",) or (noun and not (introduced and modern)) or not (introduced or modern):
        return None
    if before in page.lexicon.name["nouns"] and not introduced:
        return None
    other = replace(draft, others=[])
    dated = _date(draft, PartialDate(number), draft.last, draft.end)
    dated.others = [other]
    return dated


def _decade(page: Page, index: int) -> Draft | None:
    """1990s, the 1990's: ten years."""
    scan, raw = page.scan, page.scan.raw(index)
    if not (len(raw) == 4 and raw.isdigit() and raw[3] == "0" and is_year(int(raw)) and scan.glued(index)):
        return None
    last = (
        index + 1
        if scan.word(index + 1) == "s"
        else index + 2
        if scan.word(index + 1) == "'" and scan.word(index + 2) == "s"
        else None
    )
    if last is None or scan.glued(last) and scan.shape(last + 1) == "d":
        return None
    part = PartialDate(int(raw), year_to=int(raw) + 9)
    return Draft(index, last, scan.starts[index], scan.ends[last], ValueKind.DATE, interval_of(part), date=part)


_ONE_UNIT: Final = frozenset(
    "within for in about almost nearly than least most to takes lasts after under over last binnen innerhalb dans pendant entro dentro en".split()
)


def _single_unit(page: Page, index: int) -> Numeral | None:
    """Within a week, takes an hour: the article is the number one when a duration stands in a place for one."""
    scan = page.scan
    if (
        scan.word(index) not in page.lexicon.number["articles"]
        or scan.word(index - 1) not in _ONE_UNIT
        and scan.word(index + 1) != "fortnight"
    ):
        return None
    unit = unit_at(page, index + 1)
    if (
        unit is None
        or unit.unit is None
        or unit.unit.dimension not in ("time", "months", "working_time")
        or unit.unit.key in ("second", "minute", "quarter", "century")
    ):
        return None
    return Numeral(index, index, Fraction(1), Fraction(1), Fraction(1), spelled=True)


def _date(draft: Draft, part: PartialDate, last: int, end: int) -> Draft:
    return replace(
        draft,
        kind=ValueKind.DATE,
        date=part,
        interval=interval_of(part),
        last=last,
        end=end,
        raw=None,
        others=[],
        quantum=Fraction(1),
    )


def _named(page: Page, draft: Draft) -> Draft:
    """Invoice 4471, step 2, Java 17: the number names something."""
    scan, name = page.scan, page.lexicon.name
    if draft.unit or draft.currency or draft.scale or draft.spelled or draft.kind is not ValueKind.NUMBER:
        return draft
    at = draft.first - 1
    while scan.word(at) in (".", "#", "№", ":") and scan.glued(at - 1) or scan.word(at) in ("#", "№"):
        at -= 1
    word = scan.word(at)
    follows = (
        scan.shape(draft.last + 1) == "w"
        and len(scan.gap(draft.last)) <= 1
        and scan.word(draft.last + 1) not in name["stop"]
    )
    plural = follows and scan.word(draft.last + 1).endswith("s") and not scan.raw(draft.last + 1)[:1].isupper()
    if scan.word(draft.first - 1) in ("#", "№") or (word in name["nouns"] and not plural and len(scan.gap(at)) <= 1):
        draft.is_name = True
    elif (_capital_inside(page, at) or _label(page, at, draft)) and not follows and len(scan.gap(at)) == 1:
        draft.is_name = True
    if draft.is_name or word in name["versions"]:
        _as_version(page, draft, word)
    return draft


def _capital_inside(page: Page, index: int) -> bool:
    """A capitalised word that does not begin its sentence and is no function word."""
    scan = page.scan
    raw = scan.raw(index)
    if scan.shape(index) != "w" or not raw[:1].isupper() or page.lexicon.language == "de" or len(raw) < 2:
        return False
    before = scan.word(index - 1)
    return (
        before not in ("", ".", "!", "?", ":", "\n", "|", "*", "•", '"', "“")
        and "\n" not in scan.gap(index - 1)
        and scan.folded[index] not in page.lexicon.name["stop"]
        and scan.folded[index] not in page.lexicon.months
    )


def _label(page: Page, index: int, draft: Draft) -> bool:
    """ "Method 1:", "Phase 2 -" at the start of a line or sentence."""
    scan = page.scan
    raw = scan.raw(index)
    labelled = scan.word(draft.last + 1) in (":", "–", "—") and scan.raw(draft.first).isdigit()
    return (
        labelled
        and raw[:1].isupper()
        and scan.shape(index) == "w"
        and scan.folded[index] not in page.lexicon.name["stop"]
    )


def _as_version(page: Page, draft: Draft, word: str) -> None:
    """A named number that is compared by its parts."""
    raw = page.scan.raw(draft.first)
    if word in page.lexicon.name["versions"] or (draft.is_name and "." in raw):
        draft.kind, draft.version = ValueKind.VERSION, tuple(raw.split("."))
        draft.others = []
        return
    newer = page.scan.word(draft.last + 2) in (
        "newer",
        "later",
        "neuer",
        "später",
        "ultérieure",
        "ultérieur",
        "posterior",
        "superior",
        "nieuwer",
        "nowsza",
        "nowszy",
        "higher",
        "above",
    )
    if draft.is_name and newer:
        draft.kind, draft.version = ValueKind.VERSION, tuple(raw.split("."))


def _version(page: Page, index: int) -> Draft | None:
    """v2.1, 1.2.3, version 4.10, release 4.9: compared part by part."""
    scan, versions = page.scan, page.lexicon.name["versions"]
    if scan.shapes[index] != "d":
        return None
    raw = scan.raw(index)
    first = index
    if index and scan.folded[index - 1] == "v" and scan.glued(index - 1):
        first = index - 1
    parts = raw.split(".")
    named = _version_word(page, first, versions)
    if not (first < index or len(parts) > 2 or named) or not all(part.isdigit() for part in parts) or len(raw) > 30:
        return None
    if named and len(parts) == 1 and len(raw) == 4 and is_year(int(raw)) and scan.word(index + 1) == "-":
        return None
    if len(parts) == 2 and named and (unit_at(page, index + 1, glued=scan.glued(index)) or money_before(page, index)):
        return None
    last, end = index, scan.ends[index]
    if (
        scan.word(index + 1) == "-"
        and scan.glued(index)
        and scan.glued(index + 1)
        and scan.word(index + 2) in ("rc", "beta", "alpha", "b", "a")
    ):
        last = index + 3 if scan.shape(index + 3) == "d" and scan.glued(index + 2) else index + 2
        end = scan.ends[last]
        parts.append(scan.text[scan.starts[index + 2] : end])
    elif (
        len(parts) > 2
        and all(len(part) == 3 for part in parts[1:])
        and len(parts[0]) <= 3
        and not named
        and first == index
    ):
        return None
    draft = Draft(first, last, scan.starts[first], end, ValueKind.VERSION, Interval(None, None))
    draft.version, draft.is_name = tuple(parts), True
    return draft


def _version_word(page: Page, first: int, versions: frozenset[str]) -> bool:
    scan = page.scan
    at = first - 1
    if scan.word(at) == "." and scan.glued(at - 1):
        at -= 1
    return scan.word(at) in versions and len(scan.gap(at)) <= 1 and len(scan.word(at)) > 1


def _finish_dates(page: Page, drafts: list[Draft]) -> list[Draft]:
    """ "end of 2026", "mid-2025", a weekday before its date, a year behind a joined range (March 3 to 5, 2026)."""
    from grounding_middleware.reading.values.edges import edges

    return edges(page, drafts)
