"""The data tables: units against pint, generated files against CLDR and ISO 4217, lexicons against their own form."""

from __future__ import annotations

import json
import runpy
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from grounding_middleware.reading import values
from grounding_middleware.reading.values.lexicon import COVERED, lexicon
from grounding_middleware.reading.values.tables import currency_set, currency_signs, data, symbols, units, words

pint = pytest.importorskip("pint")

HERE = Path(__file__).parent
BASE = {
    "time": "second", "length": "meter", "mass": "kilogram", "volume": "meter**3", "area": "meter**2",
    "temperature": "kelvin", "data": "bit", "data_rate": "bit/second", "power": "watt", "energy": "joule",
    "charge": "coulomb", "pressure": "pascal", "frequency": "hertz", "speed": "meter/second", "voltage": "volt",
    "current": "ampere", "resistance": "ohm", "force": "newton", "torque": "newton*meter",
}  # fmt: skip
NAMES = {
    "degC": "degC", "degF": "degF", "um": "micrometer", "ug": "microgram", "us": "microsecond", "t": "metric_ton",
    "short ton": "short_ton", "long ton": "long_ton", "st": "stone", "uL": "microliter", "mm3": "millimeter**3",
    "cm3": "centimeter**3", "m3": "meter**3", "km3": "kilometer**3", "cu in": "inch**3", "cu ft": "foot**3",
    "gal": "gallon", "imp gal": "imperial_gallon", "qt": "quart", "fl oz": "fluid_ounce", "bbl": "oil_barrel",
    "mm2": "millimeter**2", "cm2": "centimeter**2", "m2": "meter**2", "km2": "kilometer**2", "ha": "hectare",
    "acre": "43560*foot**2", "sq in": "inch**2", "sq ft": "foot**2", "sq yd": "yard**2", "sq mi": "mile**2",
    "nmi": "nautical_mile",
    "quarter hour": "900*second", "half hour": "1800*second",
    "three quarter hours": "2700*second", "kohm": "kiloohm", "Mohm": "megaohm",
    "calendar day": "day", "kbit": "kilobit", "Mbit": "megabit", "Gbit": "gigabit",
    "Tbit": "terabit", "KB": "kilobyte", "hp": "horsepower", "PS": "metric_horsepower", "BTU": "Btu_it",
    "cal": "calorie", "kcal": "kilocalorie", "rpm": "revolutions_per_minute/(2*pi)", "psi": "psi", "mmHg": "mmHg",
    "ft-lb": "foot*force_pound", "in-lb": "inch*force_pound",
    "knot": "knot", "bit/s": "bit/second", "kbit/s": "kilobit/second", "Mbit/s": "megabit/second",
    "Gbit/s": "gigabit/second", "Tbit/s": "terabit/second", "KB/s": "kilobyte/second", "MB/s": "megabyte/second",
    "GB/s": "gigabyte/second", "Ah": "ampere*hour", "mAh": "milliampere*hour", "Wh": "watt*hour",
    "kWh": "kilowatt*hour", "MWh": "megawatt*hour", "GWh": "gigawatt*hour", "TWh": "terawatt*hour",
    "Nm": "newton*meter",
}  # fmt: skip
# the acre is the international one; pint's is that of the US survey


@pytest.fixture(scope="module")
def registry():
    return pint.UnitRegistry()


@pytest.mark.parametrize(
    "key", [key for key, unit in units().items() if unit.dimension in BASE and not unit.alternatives]
)
def test_factor_agrees_with_pint(registry, key):
    """Every convertible unit goes to its base unit as pint takes it there."""
    unit = units()[key]
    name = NAMES.get(key, key)
    if key == "rpm":
        expected = 1 / 60
    elif unit.dimension == "temperature":
        expected = registry.Quantity(1, name).to("kelvin").magnitude - float(unit.offset)
    else:
        expected = (1 * registry.parse_expression(name)).to(BASE[unit.dimension]).magnitude
    assert float(unit.factor) == pytest.approx(float(expected), rel=1e-9)


def test_conversion_goes_both_ways():
    """`amount * factor + offset` and back gives the amount, exactly, for every unit."""
    for unit in units().values():
        for amount in (Fraction(-40), Fraction(1, 3), Fraction(451)):
            base = amount * unit.factor + unit.offset
            assert (base - unit.offset) / unit.factor == amount


def test_months_and_working_days_are_never_days():
    """Calendar units share no dimension with seconds: there is no factor between them."""
    assert units()["day"].dimension == "time"
    assert {units()[key].dimension for key in ("month", "year", "working day", "night")} == {
        "months",
        "working_time",
        "nights",
    }


def test_every_symbol_and_word_names_a_unit():
    """No spelling in any table leads to a unit that does not exist."""
    keys = set(units())
    assert set(symbols().values()) <= keys
    for language, tables in data("cldr.json").items():
        assert set(tables["units"].values()) <= keys, language
    for language in (*COVERED, "und"):
        assert set(words(language).get("units", {}).values()) <= keys, language


def test_every_currency_sign_leads_to_iso_codes():
    """Signs, prefixes and words mean currencies of ISO 4217, or ones that are no longer in it."""
    codes = set(data("currencies.json")["exponents"]) | {"DEM", "ZWL", "BGN", "HRK", "CUC", "SLL", "ANG"}
    for sign, found in currency_signs().items():
        assert found, sign
        assert found <= codes, sign
    for word, name in data("money.json")["words"].items():
        assert currency_set(name) <= codes, word
    assert len(data("currencies.json")["exponents"]) == 178


def test_generated_files_are_what_cldr_and_iso_say():
    """The shipped tables equal what the generator makes of babel and iso4217; run it to bring them up to date."""
    pytest.importorskip("babel")
    pytest.importorskip("iso4217")
    for name, content in runpy.run_path(str(HERE / "cldr_tables.py"))["files"]().items():
        assert json.loads(json.dumps(content)) == data(name), name


# ways of telling a time or an age that not every language has
_OF_SOME = {"ages_after", "hours", "bare_minutes", "minute_words", "offset", "offset_said", "offset_after"}


@pytest.mark.parametrize("language", sorted(COVERED))
def test_lexicon_has_the_same_sections_as_english(language):
    """A language that counts as covered has every table English has."""
    folder = Path(values.__file__).parent / "data" / "words"
    own = tomllib.loads((folder / f"{language}.toml").read_text(encoding="utf-8"))
    english = tomllib.loads((folder / "en.toml").read_text(encoding="utf-8"))
    for section in ("number", "ordinal", "bound", "approx", "range", "per", "date", "time", "name"):
        assert section in own, section
        missing = set(english[section]) - set(own[section]) - _OF_SOME
        assert not missing, (section, missing)


def test_limit_codes_are_known():
    """Every limit word has a code the reader knows."""
    codes = {
        ">=!",
        "<=!",
        ">",
        "<",
        "from",
        "since",
        "after",
        "before",
        "by",
        "through",
        "until",
        "within",
        "over",
        "older",
    }
    for language in (*COVERED, "und"):
        for place in ("before", "after"):
            assert set(words(language)["bound"][place].values()) <= codes, language


def test_months_of_twenty_one_languages_and_more():
    """Month names of at least 21 languages are known by their own lexicon."""
    named = [language for language in data("cldr.json") if len(set(lexicon(language).months.values())) == 12]
    assert len([language for language in named if data("cldr.json")[language]["months"]]) >= 21
