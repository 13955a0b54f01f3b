"""The words around values, by language: loaded on first use, shared afterwards, never changed.

Signs and words of scripts that leave no doubt stand in `und.toml` and hold for every language. A language without a
file of its own still has its months, weekdays and units (CLDR); `covered` says whether its limits are understood.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from grounding_middleware.reading.values.scan import fold, phrase

COVERED: Final = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "pl"})
Phrases = Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
"""Phrase tables, keyed by the token that is looked up first; longest phrase first."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: its dimension and how to get to the base unit (`amount * factor + offset`)."""

    key: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything the readers look up for one language; see the comments in `data/words/*.toml`."""

    language: str
    covered: bool
    orders: tuple[str, ...]
    decimal: str
    space_groups: bool
    scales: Mapping[str, Fraction]
    cjk_scales: Mapping[str, Fraction]
    number: Mapping[str, Any]
    ordinal: Mapping[str, Any]
    before: Phrases
    after: Phrases
    approx_before: Phrases
    approx_after: Phrases
    range: Mapping[str, frozenset[str]]
    per: Mapping[str, Any]
    date: Mapping[str, Any]
    time: Mapping[str, Any]
    name: Mapping[str, frozenset[str]]
    months: Mapping[str, int]
    own_months: frozenset[str]
    weekdays: Mapping[str, int]
    units: Phrases
    cjk_units: Mapping[str, str]
    money: Phrases
    cjk_money: Mapping[str, str]
    cjk_before: tuple[tuple[str, str], ...]
    cjk_after: tuple[tuple[str, str], ...]
    cjk_approx: tuple[tuple[str, str], ...]
    adverbs: Phrases
    starters: frozenset[str]


@lru_cache(maxsize=1)
def units() -> Mapping[str, Unit]:
    """Every unit by its key."""
    rows = _json("units.json")
    return {
        key: Unit(
            key,
            row.get("dimension", rows[row["one_of"][0]]["dimension"] if "one_of" in row else ""),
            Fraction(row.get("factor", rows[row["one_of"][0]]["factor"] if "one_of" in row else "1")),
            Fraction(row.get("offset", "0")),
            tuple(row.get("one_of", ())),
        )
        for key, row in rows.items()
    }


@lru_cache(maxsize=1)
def symbols() -> Mapping[str, str]:
    """Unit symbols, exactly as written -> unit key."""
    return {symbol: key for key, row in _json("units.json").items() for symbol in row.get("symbols", ())}


@lru_cache(maxsize=1)
def currency_signs() -> Mapping[str, frozenset[str]]:
    """Signs, prefixes and codes -> the ISO codes they may mean."""
    data = _json("money.json")
    found = {code: frozenset({code}) for code in _json("currencies.json")["exponents"]}
    for sign, name in {**data["symbols"], **data["prefixes"]}.items():
        found[sign] = currency_set(name)
    return found


@lru_cache(maxsize=512)
def currency_set(name: str) -> frozenset[str]:
    """ISO codes behind a set name (`$`, `kr`, `pound`) or a list of codes."""
    return frozenset(str(_json("money.json")["sets"].get(name, name)).split())


@lru_cache(maxsize=1)
def minor_words() -> frozenset[str]:
    """Words for a hundredth of a currency unit."""
    return frozenset(_json("money.json")["minor"])


@lru_cache(maxsize=64)
def lexicon(language: str) -> Lexicon:
    """The words of `language` (BCP 47; only the first subtag counts); English when empty or unknown."""
    code = language.replace("_", "-").split("-")[0].lower()
    cldr = _json("cldr.json")
    code = "nb" if code in ("no", "nn") else code if code in cldr else "en"
    common, own = _toml("und"), _toml(code) if code in COVERED else {}
    number = own.get("number", {})
    return Lexicon(
        language=code,
        covered=code in COVERED,
        orders=tuple(str(own.get("order", "ymd" if code in ("ja", "zh", "ko", "hu") else "dmy")).split()),
        decimal=str(own.get("decimal", "." if code in ("ja", "zh", "ko", "th", "he", "hi") else ",")),
        space_groups=bool(own.get("space_groups", code not in COVERED)),
        scales={
            fold(word): Fraction(text)
            for table in (common["number"]["scales"], number.get("scales", {}))
            for word, text in table.items()
        },
        cjk_scales={sign: Fraction(text) for sign, text in common["number"]["cjk"].items()},
        number=_number(number),
        ordinal=_frozen(own.get("ordinal", {"suffixes": [], "before": []})),
        before=_by_last(common["bound"]["before"], own.get("bound", {}).get("before", {})),
        after=_by_first(common["bound"]["after"], own.get("bound", {}).get("after", {})),
        approx_before=_by_last(common["approx"]["before"], own.get("approx", {}).get("before", {})),
        approx_after=_by_first(common["approx"]["after"], own.get("approx", {}).get("after", {})),
        range=_frozen(
            own.get("range", dict.fromkeys(("between", "and", "from", "to", "or", "gap", "filler", "change"), ()))
        ),
        per=_frozen(own.get("per", {"words": [], "articles": [], "adverbs": {}, "nouns": []})),
        date=_frozen(own.get("date", {})),
        time=_frozen(own.get("time", {})),
        name=_frozen(own.get("name", dict.fromkeys(("references", "nouns", "plain", "versions", "stop"), ()))),
        months=_months(code),
        own_months=frozenset(cldr[code]["months"]) | (frozenset(cldr["en"]["months"]) if code == "en" else frozenset()),
        weekdays=_weekdays(code),
        units=_by_first(_unit_words(code, own)),
        cjk_units=_cjk_units(common["units"]),
        money=_by_first(_money_words(code)),
        cjk_money={word: name for word, name in common["money"].items() if not word[0].isascii() and _is_cjk(word)},
        cjk_before=_cjk_phrases(common["bound"]["before"]),
        cjk_after=_cjk_phrases(common["bound"]["after"]),
        cjk_approx=_cjk_phrases({**common["approx"]["before"], **common["approx"]["after"]}),
        adverbs=_by_first(own.get("per", {}).get("adverbs", {})),
        starters=_starters(code, own),
    )


def _cjk_phrases(table: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(((word, code) for word, code in table.items() if _is_cjk(word)), key=lambda row: -len(row[0])))


def _starters(code: str, own: Mapping[str, Any]) -> frozenset[str]:
    """Every word a value may begin with (spelled-out numbers apart): others are skipped in one look-up."""
    number, date, time = own.get("number", {}), own.get("date", {}), own.get("time", {})
    words = {
        *number.get("articles", ()),
        *number.get("shares", {}),
        *number.get("whole", {}),
        *number.get("times", {}),
        *number.get("folds", {}),
    }
    words |= {
        *date.get("quarter_ordinals", {}),
        *date.get("fiscal", ()),
        *date.get("eras_before", ()),
        "q",
        "h",
        "t",
        "fy",
    }
    words |= {phrase(text)[0] for text in (*time.get("words", {}), *time.get("past", {}))}
    days = {fold(word) for word in _weekdays(code)}
    plural = date.get("weekday_plurals", "")
    return frozenset({fold(word) for word in words} | set(_months(code)) | days | {day + plural for day in days})


def _is_cjk(word: str) -> bool:
    return "\u3005" <= word[0] <= "\u9fff" or "\uac00" <= word[0] <= "\ud7af"


def _number(own: Mapping[str, Any]) -> Mapping[str, Any]:
    fractions = ("dozens", "shares", "whole", "times", "folds")
    tables: dict[str, Any] = {name: {fold(w): Fraction(t) for w, t in own.get(name, {}).items()} for name in fractions}
    tables["halves"] = sorted(
        ((phrase(w), Fraction(t)) for w, t in own.get("halves", {}).items()), key=lambda row: -len(row[0])
    )
    tables["in"] = sorted((phrase(w) for w in own.get("in", ())), key=len, reverse=True)
    tables["of"] = frozenset(phrase(w)[0] for w in own.get("of", ()))
    for name in ("articles", "pronouns", "bare_shares", "minus"):
        tables[name] = frozenset(own.get(name, ()))
    return tables


def _frozen(table: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: frozenset(part) if isinstance(part, (list, tuple)) else part for name, part in table.items()}


def _months(code: str) -> Mapping[str, int]:
    """Months of every language whose spelling is not disputed, then English, then the language's own."""
    return _merged("months", code)


def _weekdays(code: str) -> Mapping[str, int]:
    own = _json("cldr.json")[code]["weekdays"]
    return {**{word: day for word, day in _json("cldr.json")["en"]["weekdays"].items() if len(word) > 3}, **own}


def _merged(table: str, code: str) -> Mapping[str, int]:
    cldr = _json("cldr.json")
    found: dict[str, set[int]] = {}
    for tables in cldr.values():
        for word, number in tables[table].items():
            if len(word) > 3 or not word.isascii():
                found.setdefault(fold(word), set()).add(number)
    undisputed = {word: next(iter(numbers)) for word, numbers in found.items() if len(numbers) == 1}
    english = {word: number for word, number in cldr["en"][table].items() if code == "en" or len(word) > 3}
    return {**undisputed, **english, **{fold(word): number for word, number in cldr[code][table].items()}}


def _unit_words(code: str, own: Mapping[str, Any]) -> Mapping[str, str]:
    """Words of every language (four letters and more), then English, then the language's own."""
    cldr = _json("cldr.json")
    foreign: dict[str, set[str]] = {}
    for language, tables in cldr.items():
        for word, key in tables["units"].items():
            if language != "en" and (len(word) > 3 or not word.isascii()):
                foreign.setdefault(word, set()).add(key)
    undisputed = {word: next(iter(keys)) for word, keys in foreign.items() if len(keys) == 1}
    english = {word: key for key, row in _json("units.json").items() for word in row.get("words", ())}
    return {
        **undisputed,
        **cldr["en"]["units"],
        **english,
        **_toml("und")["units"],
        **cldr[code]["units"],
        **own.get("units", {}),
    }


def _cjk_units(common: Mapping[str, str]) -> Mapping[str, str]:
    cldr = _json("cldr.json")
    found = {
        word: key for language in ("ja", "zh", "ko") for word, key in cldr[language]["units"].items() if _is_cjk(word)
    }
    return {**found, **{word: key for word, key in common.items() if _is_cjk(word)}}


def _money_words(code: str) -> Mapping[str, str]:
    names = _json("currencies.json")["names"]
    merged: dict[str, set[str]] = {}
    for table in names.values():
        for word, iso in table.items():
            if " " in word or "-" in word:
                merged.setdefault(word, set()).add(iso)
    undisputed = {word: next(iter(codes)) for word, codes in merged.items() if len(codes) == 1}
    und = {word: name for word, name in _toml("und")["money"].items() if not _is_cjk(word)}
    return {
        **undisputed,
        **und,
        **{w: c for w, c in names.get(code, {}).items() if " " in w},
        **_json("money.json")["words"],
    }


def _by_first(*tables: Mapping[str, str]) -> Phrases:
    return _indexed(tables, 0)


def _by_last(*tables: Mapping[str, str]) -> Phrases:
    return _indexed(tables, -1)


def _indexed(tables: tuple[Mapping[str, str], ...], end: int) -> Phrases:
    found: dict[str, dict[tuple[str, ...], str]] = {}
    for table in tables:
        for words, meaning in table.items():
            tokens = phrase(words)
            found.setdefault(tokens[end], {})[tokens] = meaning
    return {key: tuple(sorted(rows.items(), key=lambda row: -len(row[0]))) for key, rows in found.items()}


@lru_cache(maxsize=16)
def _json(name: str) -> dict[str, Any]:
    return json.loads(_read(name))  # type: ignore[no-any-return]  # our own files, checked by tests


@lru_cache(maxsize=16)
def _toml(language: str) -> dict[str, Any]:
    return tomllib.loads(_read(f"words/{language}.toml"))


def _read(name: str) -> str:
    return (Path(__file__).parent / "data" / name).read_text(encoding="utf-8")
