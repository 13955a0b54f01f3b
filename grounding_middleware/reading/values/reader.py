"""`find`: every value of a text, in order, and the ledger of what was read as something else or not at all."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from grounding_middleware.reading.values import cjk, names, periods, shares
from grounding_middleware.reading.values.amounts import amount, settle
from grounding_middleware.reading.values.coordination import coordinated
from grounding_middleware.reading.values.dates import date_at
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.edges import complete
from grounding_middleware.reading.values.forms import form_at
from grounding_middleware.reading.values.fused import amount_in, fused_at
from grounding_middleware.reading.values.keyed import keyed
from grounding_middleware.reading.values.masks import mask
from grounding_middleware.reading.values.measures import money_at, unit_at
from grounding_middleware.reading.values.model import Interval, Masked, Value, ValueKind
from grounding_middleware.reading.values.numerals import Numeral, is_scale_alone, numeral_at
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.ranges import join
from grounding_middleware.reading.values.spelled import Spelled, is_cardinal_word, spelled_numbers
from grounding_middleware.reading.values.surround import surround
from grounding_middleware.reading.values.tables import units
from grounding_middleware.reading.values.times import time_at

_LONGEST_LIST: Final = 60  # characters of "2,4,7" read as several numbers
_SINGLE_UNITS: Final = frozenset(
    {
        "hour",
        "day",
        "week",
        "fortnight",
        "month",
        "year",
        "working day",
        "decade",
        "quarter",
        "half year",
        "quarter hour",
        "half hour",
        "three quarter hours",
    }
)


def find(text: str, language: str = "en") -> tuple[Value, ...]:
    """Every value of `text`, ordered and without overlap, with `text[v.start:v.end] == v.text`; linear in the text."""
    page = Page.of(text, language)
    mask(page)
    drafts = names.spread(page, coordinated(page, complete(page, join(page, _drafts(page)))))
    has_cjk = page.has_cjk
    for draft in drafts:
        surround(page, draft, cjk=has_cjk)
    return tuple(draft.finish(text) for draft in drafts)


def masked(text: str, language: str = "en") -> tuple[Masked, ...]:
    """Ranges read as addresses, codes, references, citation markers or list numerals: digits there are no values."""
    return tuple(mask(Page.of(text, language)))


def unread(text: str, values: tuple[Value, ...], language: str = "en") -> tuple[tuple[int, int], ...]:
    """Ranges with digits or number words that are in no value and no mask: what was not understood (the ledger)."""
    page = Page.of(text, language)
    held = sorted([value.phrase for value in values] + [(each.start, each.end) for each in mask(page)])
    scan, missing, at = page.scan, [], 0
    for index in range(scan.size):
        if not _is_numeric(page, index):
            continue
        start, end = scan.starts[index], scan.ends[index]
        while at < len(held) and held[at][1] <= start:
            at += 1
        if at == len(held) or held[at][0] >= end:
            missing.append((start, end))
    return tuple(missing)


def _is_numeric(page: Page, index: int) -> bool:
    """Digits, a fraction sign, or a word for an amount ("hundreds" too); not a pronoun such as "one"."""
    word, shape, number = page.scan.folded[index], page.scan.shapes[index], page.lexicon.number
    if shape != "w":
        return shape == "d" or shares.sign_value(word) is not None
    if word in number["pronouns"]:
        return False
    return (
        is_cardinal_word(word, page.lexicon.language)
        or word in number["dozens"]
        or (word in page.lexicon.scales and len(word) > 3)
    )


# reading from left to right


def _drafts(page: Page) -> list[Draft]:
    spelled = spelled_numbers(page)
    drafts: list[Draft] = []
    past = -1
    for index in _candidates(page, spelled):
        if index <= past or page.taken[index]:
            continue
        found = _at(page, index, spelled)
        if found:
            drafts.extend(found)
            past = found[-1].last
            page.take(found[0].first, past)
    return drafts


def _candidates(page: Page, spelled: dict[int, Spelled]) -> list[int]:
    """Every token a value may begin with, in order; articles only before or after a word that makes them a number."""
    lexicon, folded = page.lexicon, page.scan.folded
    articles = lexicon.number["articles"] & page.vocabulary
    words = (lexicon.starters & page.vocabulary) - articles
    words |= shares.SIGNS & page.vocabulary
    found = {*page.digits, *spelled}
    if words:
        found |= {index for index, word in enumerate(folded) if word in words}
    fused = {word for word in page.vocabulary if amount_in(word, lexicon.language)}
    if fused:
        found |= {index for index, word in enumerate(folded) if word in fused}
    if articles:
        found |= {index for index, word in enumerate(folded) if word in articles and _opens(page, index, spelled)}
    if page.has_cjk:
        found |= {index for index, shape in enumerate(page.scan.shapes) if shape == "c"}
    return sorted(found)


def _opens(page: Page, index: int, spelled: dict[int, Spelled]) -> bool:
    """A dozen, a third, a hundred and fifty, within a week: the article at token `index` may be the number one."""
    words, after = page.lexicon.number, page.scan.folded[index + 1]
    if after in words["dozens"] or after in words["shares"] or after in page.lexicon.scales or index + 1 in spelled:
        return True
    return after == "fortnight" or page.scan.folded[index - 1] in words["one_unit_after"]


def _at(page: Page, index: int, spelled: dict[int, Spelled]) -> list[Draft]:
    """What begins at token `index`, most specific first."""
    if page.scan.shapes[index] == "c":
        found = cjk.spelled_amounts(page, index)
        for draft in found:
            settle(draft)
        return found
    special = _special(page, index, spelled)
    if special and page.free(special.first, special.last):
        return [special]
    fused = fused_at(page, index)
    if fused:
        return [fused]
    numeral = numeral_at(page, index, spelled) or _single_unit(page, index)
    if numeral is None or not page.free(numeral.first, numeral.last):
        return _listed(page, index)
    if numeral.spelled and not _is_amount(page, numeral):
        return []
    draft = amount(page, numeral)
    keyed(page, draft)
    _ordinal_digits(page, draft)
    return [periods.year(page, draft) or names.named(page, draft)]


def _special(page: Page, index: int, spelled: dict[int, Spelled]) -> Draft | None:
    """Dates, times, versions, multiples: forms of their own."""
    shape = page.scan.shapes[index]
    if shape == "d":
        dated = date_at(page, index, spelled) or time_at(page, index, spelled) or periods.decade(page, index)
        return dated or names.version_at(page, index) or form_at(page, index)
    return (
        (date_at(page, index, spelled) or time_at(page, index, spelled) or _multiple(page, index))
        if shape == "w"
        else None
    )


def _listed(page: Page, index: int) -> list[Draft]:
    """Reads "lines 2,4,7": digits with commas that are no one number are several."""
    scan, raw = page.scan, page.scan.raw(index)
    pieces = raw.split(",")
    listed = len(pieces) > 1 and all(piece.isdigit() and len(piece) < 10 for piece in pieces)
    if scan.shapes[index] != "d" or not listed or len(raw) > _LONGEST_LIST:
        return []
    drafts, position = [], scan.starts[index]
    for piece in pieces:
        value, end = Fraction(int(piece)), position + len(piece)
        drafts.append(Draft(index, index, position, end, ValueKind.NUMBER, Interval.point(value), value, value))
        position = end + 1
    return drafts


def _multiple(page: Page, index: int) -> Draft | None:
    """Twice, thrice, double; "once" only with a rate behind it."""
    scan, number, per = page.scan, page.lexicon.number, page.lexicon.per
    word, after = scan.folded[index], scan.folded[index + 1]
    value = number["times"].get(word, number["folds"].get(word))
    if value is None or after == "-":  # "triple-negative"
        return None
    rated = (
        after in per["articles"] or after in per["words"] or page.phrase_at(page.lexicon.adverbs, index + 1) is not None
    )
    if value == 1 and not rated:
        return None
    draft = Draft(
        index, index, scan.starts[index], scan.ends[index], ValueKind.MULTIPLE, Interval.point(value), value, value
    )
    draft.unit, draft.spelled = units()["times"], True
    return draft


def _single_unit(page: Page, index: int) -> Numeral | None:
    """Within a week, takes an hour: the article is the number one when a duration stands in a place for one."""
    scan, words = page.scan, page.lexicon.number
    if scan.folded[index] not in words["articles"] or not (
        scan.folded[index - 1] in words["one_unit_after"] or scan.folded[index + 1] == "fortnight"
    ):
        return None
    unit = unit_at(page, index + 1)
    single = unit is not None and unit.unit is not None and unit.unit.key in _SINGLE_UNITS
    return Numeral(index, index, Fraction(1), Fraction(1), Fraction(1), spelled=True) if single else None


# words that look like numbers


def _is_amount(page: Page, numeral: Numeral) -> bool:
    """False for ordinals used as adverbs, pronouns ("one of them") and scale words by themselves ("hundreds of")."""
    if numeral.ordinal:
        return _is_ordinal(page, numeral)
    return not is_scale_alone(page, numeral) and not _is_pronoun(page, numeral)


def _is_pronoun(page: Page, numeral: Numeral) -> bool:
    """Reads "one" is a number only with a unit behind it, or a noun behind and "only", "at least", ... before it."""
    scan, words, last = page.scan, page.lexicon.number, numeral.last
    if numeral.first != last or scan.folded[last] not in words["pronouns"]:
        return False
    after = last + 2 if scan.folded[last + 1] == "-" else last + 1
    if unit_at(page, after) or money_at(page, after):
        return scan.folded[after] in ("time", "times")  # "one time", "at one time"
    return not (scan.folded[last - 1] in words["one_after"] and page.noun_at(after))


def _is_ordinal(page: Page, numeral: Numeral) -> bool:
    """The third Monday, a second reminder; not "First, ...", not "thirds", not "third-party"."""
    scan, ordinal = page.scan, page.lexicon.ordinal
    word, after = scan.folded[numeral.last], numeral.last + 1
    if word in page.lexicon.number["shares"] and word.endswith("s") and page.lexicon.language == "en":
        return False
    if scan.shapes[after] == "d" or is_cardinal_word(scan.folded[after], page.lexicon.language):
        return False  # "the first two weeks" counts weeks
    determined = scan.folded[numeral.first - 1] in ordinal["before"] or numeral.first != numeral.last
    return determined and scan.shapes[after] == "w"


def _ordinal_digits(page: Page, draft: Draft) -> None:
    """1st, 2e, 3º."""
    scan, at = page.scan, draft.last + 1
    if draft.unit or draft.currency or draft.first != draft.last or not scan.glued(draft.last):
        return
    if scan.folded[at] in page.lexicon.ordinal["suffixes"]:
        draft.kind, draft.last, draft.end, draft.others = ValueKind.ORDINAL, at, scan.ends[at], []
