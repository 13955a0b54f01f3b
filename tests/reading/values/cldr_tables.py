"""Builds the generated data files from CLDR (through babel) and ISO 4217 (through iso4217).

Run `python tests/reading/values/cldr_tables.py` to write them anew; `test_tables.py` compares what is shipped.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from babel import Locale
from iso4217 import Currency

DATA = Path(__file__).parents[3] / "grounding_middleware" / "reading" / "values" / "data"
LANGUAGES = [
    *("en", "de", "fr", "es", "it", "pt", "nl", "pl", "da", "sv", "nb", "fi", "cs", "sk", "hu", "ro", "tr", "ru", "uk"),
    *("bg", "el", "hr", "sl", "et", "lv", "lt", "id", "vi", "ar", "he", "fa", "hi", "ja", "ko", "zh", "ca", "th"),
]
CURRENCY_LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "ru", "ja", "ko", "zh", "ar"]
UNITS = {  # our key -> CLDR unit; symbols and English spellings stand in units.py
    "second": "duration-second",
    "minute": "duration-minute",
    "hour": "duration-hour",
    "day": "duration-day",
    "week": "duration-week",
    "month": "duration-month",
    "year": "duration-year",
    "percent": "concentr-percent",
    "km": "length-kilometer",
    "m": "length-meter",
    "cm": "length-centimeter",
    "mm": "length-millimeter",
    "mi": "length-mile",
    "ft": "length-foot",
    "in": "length-inch",
    "t": "mass-tonne",
    "kg": "mass-kilogram",
    "g": "mass-gram",
    "mg": "mass-milligram",
    "lb": "mass-pound",
    "oz": "mass-ounce",
    "L": "volume-liter",
    "mL": "volume-milliliter",
    "m3": "volume-cubic-meter",
    "km2": "area-square-kilometer",
    "m2": "area-square-meter",
    "ha": "area-hectare",
    "acre": "area-acre",
    "B": "digital-byte",
    "KB": "digital-kilobyte",
    "MB": "digital-megabyte",
    "GB": "digital-gigabyte",
    "TB": "digital-terabyte",
    "W": "power-watt",
    "kW": "power-kilowatt",
    "MW": "power-megawatt",
    "kWh": "energy-kilowatt-hour",
    "kcal": "energy-kilocalorie",
    "bar": "pressure-bar",
    "V": "electric-volt",
    "A": "electric-ampere",
    "degC": "temperature-celsius",
    "degF": "temperature-fahrenheit",
    "km/h": "speed-kilometer-per-hour",
}
_DIGIT = re.compile(r"\d")


def _clean(word: str) -> str:
    return word.replace("\xa0", " ").replace("\u202f", " ").replace("\u200f", "").strip().rstrip(".").lower()


def _names(tables, language: str) -> dict[str, int]:
    """Every spelling -> its number; spellings that name two numbers are left out."""
    found: dict[str, set[int]] = {}
    for table in tables:
        for number, name in table.items():
            word = _clean(name)
            if len(word) > 1 and not _DIGIT.search(word):
                found.setdefault(word, set()).add(int(number))
    return {word: numbers.pop() for word, numbers in sorted(found.items()) if len(numbers) == 1}


def _units(locale) -> dict[str, str]:
    """Unit words as written after a number -> our key; one-letter abbreviations are left to the symbol table."""
    found: dict[str, str] = {}
    for key, unit in UNITS.items():
        for width in ("short", "long"):
            forms = dict(locale._data["unit_patterns"].get(unit, {}).get(width, {}))
            for count, form in forms.items():
                counted = count != "per" and isinstance(form, str) and "{0}" in form
                word = _clean(form.replace("{0}", "")) if counted else ""
                if word and word[0].isalpha() and "/" not in word and (len(word) > 2 or not word.isascii()):
                    found.setdefault(word, key)
        for count, form in dict(locale._data["unit_patterns"].get(unit, {}).get("long", {})).items():
            if count != "per" and isinstance(form, str):
                word = _clean(form.replace("{0}", ""))
                if word and word[0].isalpha():
                    found[word] = key
    return dict(sorted(found.items()))


def cldr() -> dict[str, dict[str, dict[str, object]]]:
    """Month, weekday and unit words by language."""
    tables: dict[str, dict[str, dict[str, object]]] = {}
    for language in LANGUAGES:
        locale = Locale.parse(language)
        widths = [(where, width) for where in ("format", "stand-alone") for width in ("wide", "abbreviated")]
        months = _names([locale.months[where][width] for where, width in widths], language)
        days = _names([locale.days[where][width] for where, width in widths], language)
        tables[language] = {"months": months, "weekdays": days, "units": _units(locale)}
    return tables


def currencies() -> dict[str, object]:
    """ISO 4217 codes with their exponents, and the names of each currency in several languages."""
    codes = {str(row.code): row.exponent for row in Currency}
    names: dict[str, dict[str, str]] = {}
    for language in CURRENCY_LANGUAGES:
        data = Locale.parse(language)._data
        found: dict[str, set[str]] = {}
        for code in codes:
            forms = [data["currency_names"].get(code, ""), *dict(data["currency_names_plural"].get(code, {})).values()]
            for form in forms:
                word = _clean(form)
                if word and not _DIGIT.search(word) and "(" not in word and word != code.lower():
                    found.setdefault(word, set()).add(code)
        names[language] = {word: next(iter(owners)) for word, owners in sorted(found.items()) if len(owners) == 1}
    return {"exponents": dict(sorted(codes.items())), "names": names}


def files() -> dict[str, dict[str, object]]:
    """Name of each generated file -> what must stand in it."""
    return {"cldr.json": cldr(), "currencies.json": currencies()}


def main() -> None:
    """Write the generated files."""
    for name, content in files().items():
        rows = (f"{json.dumps(key)}:{json.dumps(part, ensure_ascii=False)}" for key, part in content.items())
        text = "{" + ",\n".join(rows) + "}"
        (DATA / name).write_text(text + "\n", encoding="utf-8")
        sys.stdout.write(f"{name}: {len(text)} characters\n")


if __name__ == "__main__":
    main()
