"""Amounts fused into one word: zweijährig, vierzehntägige, Dreimonatsfrist, driedaagse, dwuletnia, 24-stündig apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

from grounding_middleware.reading.values.amounts import settle
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.lexicon import lexicon
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.spelled import cardinal
from grounding_middleware.reading.values.tables import units

_PATTERNS: Final[Mapping[str, str]] = {
    "de": r"(.{2,30})(jährig|monatig|wöchig|tägig|stündig|minütig|prozentig)(?:e[nmrs]?)?"
    r"|(.{2,30})?(jahres|monats|wochen)frist",
    "nl": r"(.{2,30}?)(jarige?|daagse?|maandse|weekse|urige?)",
    "pl": r"(.{3,20}o|dwu|trzy)(letn|dniow|tygodniow|miesięczn|godzinn|minutow|procentow)"
    r"i?(?:[yaeąi]|ego|ej|ym|im|ych|ich)?",
}
_UNITS: Final[Mapping[str, str]] = {
    "jährig": "year", "monatig": "month", "wöchig": "week", "tägig": "day", "stündig": "hour", "minütig": "minute",
    "prozentig": "percent", "jahres": "year", "monats": "month", "wochen": "week",
    "jarig": "year", "jarige": "year", "daags": "day", "daagse": "day", "maandse": "month", "weekse": "week",
    "urig": "hour", "urige": "hour",
    "letn": "year", "dniow": "day", "tygodniow": "week", "miesięczn": "month", "godzinn": "hour",
    "minutow": "minute", "procentow": "percent",
}  # fmt: skip
_STEMS: Final[Mapping[str, int]] = {
    "jedno": 1, "dwu": 2, "trzy": 3, "cztero": 4, "pięcio": 5, "sześcio": 6, "siedmio": 7, "ośmio": 8, "dziewięcio": 9,
    "dziesięcio": 10, "dwunasto": 12, "czternasto": 14, "piętnasto": 15, "dwudziesto": 20, "trzydziesto": 30,
}  # fmt: skip
_CACHED: Final = 1 << 14


@lru_cache(maxsize=_CACHED)
def amount_in(word: str, language: str) -> tuple[Fraction, str] | None:
    """The number and the unit key that `word` is made of; None for other words ("langjährig", "ganztägig")."""
    if language not in _PATTERNS or len(word) < len("dwuletni"):
        return None
    match = re.fullmatch(_PATTERNS[language], word)
    if match is None:
        return None
    number, unit, *term = match.groups()
    if unit is None:
        value = Fraction(1) if term[0] is None else _number(term[0], language)
        return (value, _UNITS[term[1]]) if value else None
    value = _number(number, language)
    half_a_day = value is not None and value < 1 and _UNITS[unit] == "day"  # "halbtägig" is no twelve hours
    return (value, _UNITS[unit]) if value and not half_a_day else None


def _number(word: str, language: str) -> Fraction | None:
    if language == "pl":
        return Fraction(_STEMS[word]) if word in _STEMS else None
    if word == "halb" and language == "de":
        return Fraction(1, 2)
    return lexicon(language).number["whole"].get(word) or cardinal(word, language)


def fused_at(page: Page, index: int) -> Draft | None:
    """The amount that the word at token `index` is."""
    scan = page.scan
    found = amount_in(scan.folded[index], page.lexicon.language)
    if found is None or not page.free(index, index):
        return None
    point = Interval.point(found[0])
    draft = Draft(index, index, scan.starts[index], scan.ends[index], ValueKind.NUMBER, point, found[0], spelled=True)
    draft.unit, draft.unit_text = units()[found[1]], scan.raw(index)
    settle(draft)
    return draft
