"""The words around values, by language: loaded on first use, shared afterwards, never changed.

Signs and words of scripts that leave no doubt stand in `und.toml` and hold for every language. A language without a
file of its own still has its months, weekdays and units (CLDR); `covered` says whether its limits are understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from grounding_middleware.reading.values.scan import fold, phrase
from grounding_middleware.reading.values.tables import data, undisputed, words

COVERED: Final = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "pl"})
Phrases = Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
"""Phrase tables, keyed by the token that is looked up first; longest phrase first."""

_YEAR_FIRST: Final = frozenset({"ja", "zh", "ko", "hu"})
_DECIMAL_POINT: Final = frozenset({"ja", "zh", "ko", "th", "he", "hi"})
_NUMBER_LISTS: Final = (
    "articles", "pronouns", "bare_shares", "minus", "more", "by", "one_after", "one_unit_after", "in_millions",
    "million_of", "ages_after", "part_nouns",
)  # fmt: skip
_RANGE_LISTS: Final = (
    "between", "and", "from", "to", "or", "gap", "filler", "change", "definite", "negators", "through", "lasting", "by",
    "change_after", "change_to",
)  # fmt: skip
_NAME_LISTS: Final = ("references", "nouns", "versions", "stop")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Lexicon:
    """Everything the readers look up for one language; the files in `data/words` say what each table is for."""

    language: str
    covered: bool
    orders: tuple[str, ...]
    decimal: str
    space_groups: bool
    scales: Mapping[str, Fraction]
    number: Mapping[str, Any]
    ordinal: Mapping[str, frozenset[str]]
    before: Phrases
    after: Phrases
    approx_before: Phrases
    approx_after: Phrases
    newer: Phrases
    range: Mapping[str, frozenset[str]]
    per: Mapping[str, frozenset[str]]
    adverbs: Phrases
    date: Mapping[str, Any]
    eras: Phrases
    time: Mapping[str, Any]
    name: Mapping[str, frozenset[str]]
    months: Mapping[str, int]
    own_months: frozenset[str]
    weekdays: Mapping[str, int]
    units: Phrases
    money: Phrases
    cjk_scales: Mapping[str, Fraction]
    cjk_units: Mapping[str, str]
    cjk_money: Mapping[str, str]
    cjk_before: tuple[tuple[str, str], ...]
    cjk_after: tuple[tuple[str, str], ...]
    cjk_approx: tuple[tuple[str, str], ...]
    starters: frozenset[str]


@lru_cache(maxsize=64)
def lexicon(language: str) -> Lexicon:
    """The words of `language` (BCP 47; only the first subtag counts); English when empty or unknown."""
    code = _code(language)
    every, own = words("und"), words(code) if code in COVERED else {}
    number, date, time, per = (own.get(part, {}) for part in ("number", "date", "time", "per"))
    bound, approx = own.get("bound", {}), own.get("approx", {})
    months, weekdays = _months(code), _weekdays(code)
    return Lexicon(
        language=code,
        covered=code in COVERED,
        orders=tuple(str(own.get("order", "ymd" if code in _YEAR_FIRST else "dmy")).split()),
        decimal=str(own.get("decimal", "." if code in _DECIMAL_POINT else ",")),
        space_groups=bool(own.get("space_groups", code not in COVERED)),
        scales=_fractions({**every["number"]["scales"], **number.get("scales", {})}),
        number=_number(number),
        ordinal=_lists(own.get("ordinal", {}), ("suffixes", "before")),
        before=_by_last({**every["bound"]["before"], **bound.get("before", {})}),
        after=_by_first({**every["bound"]["after"], **bound.get("after", {})}),
        approx_before=_by_last({**every["approx"]["before"], **approx.get("before", {})}),
        approx_after=_by_first({**every["approx"]["after"], **approx.get("after", {})}),
        newer=_by_first(dict.fromkeys(own.get("newer", ()), "")),
        range=_lists(own.get("range", {}), _RANGE_LISTS),
        per=_lists(per, ("words", "articles", "measured", "nouns")),
        adverbs=_by_first(per.get("adverbs", {})),
        date={name: frozenset(part) if isinstance(part, list) else part for name, part in date.items()},
        eras=_by_first({text: str(sign) for text, sign in date.get("eras_after", {}).items()}),
        time=_time(time),
        name=_lists(own.get("name", {}), _NAME_LISTS),
        months=months,
        own_months=frozenset(fold(word) for word in data("cldr.json")[code]["months"]),
        weekdays=weekdays,
        units=_by_first(_unit_words(code, own)),
        money=_by_first(_money_words(code)),
        cjk_scales={sign: Fraction(text) for sign, text in every["number"]["cjk"].items()},
        cjk_units=_cjk_units(),
        cjk_money={word: name for word, name in every["money"].items() if _is_cjk(word)},
        cjk_before=_cjk_phrases(every["bound"]["before"]),
        cjk_after=_cjk_phrases(every["bound"]["after"]),
        cjk_approx=_cjk_phrases({**every["approx"]["before"], **every["approx"]["after"]}),
        starters=_starters(number, date, time, (*months, *weekdays)),
    )


def covers(language: str) -> bool:
    """True when the limit, approximation and rate words of `language` are known; digits are read in every language."""
    return lexicon(language).covered and language.replace("_", "-").split("-")[0].lower() in COVERED


def _code(language: str) -> str:
    code = language.replace("_", "-").split("-")[0].lower()
    if code in ("no", "nn"):
        return "nb"
    return code if code in data("cldr.json") else "en"


def _fractions(table: Mapping[str, str]) -> dict[str, Fraction]:
    return {fold(word): Fraction(text) for word, text in table.items()}


def _lists(table: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, frozenset[str]]:
    return {name: frozenset(table.get(name, ())) for name in names}


def _number(own: Mapping[str, Any]) -> dict[str, Any]:
    tables: dict[str, Any] = {
        name: _fractions(own.get(name, {})) for name in ("dozens", "shares", "parts", "whole", "times", "folds")
    }
    tables["halves"] = _by_first(own.get("halves", {}))
    tables["below_zero"] = _by_first(dict.fromkeys(own.get("below_zero", ()), ""))
    tables["days_for_weeks"] = own.get("days_for_weeks", {})
    tables["in"] = _by_first(dict.fromkeys(own.get("in", ()), ""))
    tables["of"] = frozenset(phrase(text)[0] for text in own.get("of", ()))
    return {**tables, **_lists(own, _NUMBER_LISTS)}


def _time(own: Mapping[str, Any]) -> dict[str, Any]:
    lists: dict[str, Any] = {name: frozenset(part) for name, part in own.items() if isinstance(part, list)}
    phrases = {
        name: _by_first({text: str(part) for text, part in own.get(name, {}).items()})
        for name in ("parts", "words", "past", "past_after", "minutes", "offset", "offset_said")
    }
    flags = {name: part for name, part in own.items() if isinstance(part, bool)}
    return {**lists, **flags, **phrases, "hours": own.get("hours", {})}


# words from CLDR


def _months(code: str) -> dict[str, int]:
    """Months of every language whose spelling is not disputed, then English, then the language's own."""
    cldr = data("cldr.json")
    english = {word: number for word, number in cldr["en"]["months"].items() if code == "en" or len(word) > 3}
    return {fold(word): number for word, number in {**undisputed("months"), **english, **cldr[code]["months"]}.items()}


def _weekdays(code: str) -> dict[str, int]:
    cldr = data("cldr.json")
    english = {word: day for word, day in cldr["en"]["weekdays"].items() if len(word) > 3}
    return {fold(word): day for word, day in {**english, **cldr[code]["weekdays"]}.items()}


def _unit_words(code: str, own: Mapping[str, Any]) -> dict[str, str]:
    """Words of every language that are not disputed, then English, then the language's own."""
    cldr = data("cldr.json")
    english = {word: key for key, row in data("units.json").items() for word in row.get("words", ())}
    every = words("und")["units"]
    return {
        **undisputed("units"),
        **cldr["en"]["units"],
        **english,
        **every,
        **cldr[code]["units"],
        **own.get("units", {}),
    }


def _cjk_units() -> dict[str, str]:
    cldr = data("cldr.json")
    found = {word: key for code in ("ja", "zh", "ko") for word, key in cldr[code]["units"].items() if _is_cjk(word)}
    return {**found, **{word: key for word, key in words("und")["units"].items() if _is_cjk(word)}}


def _money_words(code: str) -> dict[str, str]:
    """Names of currencies in two and more words (CLDR), and the bare ones (dollars, kroner) that are shared."""
    names = data("currencies.json")["names"]
    full = {
        word: iso
        for table in (names["en"], names.get(code, {}))
        for word, iso in table.items()
        if " " in word or "-" in word
    }
    shared = {word: name for word, name in words("und")["money"].items() if not _is_cjk(word)}
    return {**full, **shared, **data("money.json")["words"]}


def _is_cjk(word: str) -> bool:
    return "\u3005" <= word[0] <= "\u9fff" or "\uac00" <= word[0] <= "\ud7af"


def _cjk_phrases(table: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(((word, code) for word, code in table.items() if _is_cjk(word)), key=lambda row: -len(row[0])))


# indexes


def _by_first(table: Mapping[str, str]) -> Phrases:
    return _indexed(table, 0)


def _by_last(table: Mapping[str, str]) -> Phrases:
    return _indexed(table, -1)


def _indexed(table: Mapping[str, str], end: int) -> Phrases:
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for text, meaning in table.items():
        tokens = (fold(text),) if text.isalpha() else phrase(text)
        found.setdefault(tokens[end], {})[tokens] = meaning
    return {key: tuple(sorted(rows.items(), key=lambda row: -len(row[0]))) for key, rows in found.items()}


def _starters(
    number: Mapping[str, Any], date: Mapping[str, Any], time: Mapping[str, Any], calendar: Iterable[str]
) -> frozenset[str]:
    """Every word a value may begin with (spelled-out numbers apart): others are skipped in one look-up."""
    found = {"q", "h", "t", "fy", *calendar}
    for table in (
        number.get("articles", ()),
        *(number.get(name, {}) for name in ("shares", "parts", "whole", "times", "folds")),
    ):
        found |= set(table)
    found |= {*date.get("quarter_ordinals", {}), *date.get("fiscal", ()), *date.get("days", {}), "i", "ii", "iii", "iv"}
    found |= {phrase(text)[0] for name in ("words", "past", "past_after", "hours") for text in time.get(name, {})}
    plural = date.get("weekday_plurals", "")
    return frozenset({fold(word) for word in found} | {word + plural for word in calendar})
