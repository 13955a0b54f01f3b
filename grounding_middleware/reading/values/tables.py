"""Tables that hold for every language: units, symbols, currencies, CLDR words; loaded on first use, never changed."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

_TOKEN: Final = re.compile(r"[^\W\d_]+|\S")
_DATA: Final = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: its dimension and how to get to the base unit (`amount * factor + offset`).

    Base units: second, month, working day, metre, kilogram, cubic metre, square metre, kelvin, bit, joule, watt,
    pascal, hertz, metre a second, volt, ampere, ohm, newton, 1 for ratios. Months and working days are never days: no
    factor exists. `alternatives` are the units an ambiguous word (ton) may mean.
    """

    key: str
    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)
    alternatives: tuple[str, ...] = ()


@lru_cache(maxsize=8)
def data(name: str) -> dict[str, Any]:
    """One of our own JSON files."""
    return json.loads((_DATA / name).read_text(encoding="utf-8"))  # type: ignore[no-any-return]  # our own, tested


@lru_cache(maxsize=16)
def words(language: str) -> dict[str, Any]:
    """The hand-written words of one language."""
    return tomllib.loads((_DATA / "words" / f"{language}.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def units() -> Mapping[str, Unit]:
    """Every unit by its key."""
    rows = data("units.json")
    return {key: _unit(key, rows[row["one_of"][0]] if "one_of" in row else row, row) for key, row in rows.items()}


def _unit(key: str, meaning: Mapping[str, Any], row: Mapping[str, Any]) -> Unit:
    factor, offset = Fraction(meaning["factor"]), Fraction(meaning.get("offset", "0"))
    return Unit(key, meaning["dimension"], factor, offset, tuple(row.get("one_of", ())))


@lru_cache(maxsize=1)
def symbols() -> Mapping[str, str]:
    """Unit symbols, exactly as written -> unit key."""
    return {symbol: key for key, row in data("units.json").items() for symbol in row.get("symbols", ())}


@lru_cache(maxsize=1)
def currency_signs() -> Mapping[str, frozenset[str]]:
    """Signs, prefixes and codes -> the ISO codes they may mean."""
    money = data("money.json")
    found = {code: frozenset({code}) for code in data("currencies.json")["exponents"]}
    return {**found, **{sign: currency_set(name) for sign, name in {**money["symbols"], **money["prefixes"]}.items()}}


@lru_cache(maxsize=2)
def sign_tokens(end: int) -> frozenset[str]:
    """First (0) or last (-1) tokens of all currency signs: most words are none, and need no further look."""
    return frozenset(_TOKEN.findall(sign)[end] for sign in currency_signs())


@lru_cache(maxsize=1)
def symbol_tokens() -> frozenset[str]:
    """First tokens of all unit symbols."""
    return frozenset(_TOKEN.findall(symbol)[0] for symbol in symbols())


@lru_cache(maxsize=512)
def currency_set(name: str) -> frozenset[str]:
    """ISO codes behind a set name (`$`, `kr`, `pound`) or a list of codes."""
    return frozenset(str(data("money.json")["sets"].get(name, name)).split())


@lru_cache(maxsize=1)
def minor_words() -> frozenset[str]:
    """Words for a hundredth of a currency unit."""
    return frozenset(data("money.json")["minor"])


@lru_cache(maxsize=4)
def undisputed(table: str) -> Mapping[str, Any]:
    """CLDR words of all languages together that mean the same wherever they are used; short Latin ones are left out."""
    found: dict[str, set[Any]] = {}
    for tables in data("cldr.json").values():
        for word, meaning in tables[table].items():
            if len(word) > 3 or not word.isascii():
                found.setdefault(word, set()).add(meaning)
    return {word: next(iter(meanings)) for word, meanings in found.items() if len(meanings) == 1}
