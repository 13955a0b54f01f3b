"""Golden tables of this folder: their rows, and how one compact line says what a value must be.

A test with an argument `row` runs once for each row of the tables that `TABLES` of its module names for it.

`text => kind amount [extras]`. The amount is a number with a unit key (`14 day`), a range `[3,5]`, a limit `>=`, `>`,
`<=`, `<`, a date (`2026-03-17`, `2026-03`, `--03-17`, `2026-Q1`, `2026-H2`, `1990..1999`, `a/b` for ranges), a clock
time (`17:00`) or a version (`v4.10`). Extras: `EUR` or `EUR|USD`, `per=month`, `noun=units`, `approx=about`,
`sense=of`, `zone=utc`, `edge=end`, `weekday=0`, `quantum=0.01`, `name`, `loss`, `others=1`. An extra that is not
written must be absent from the value where that matters: approximation, rate, name, other readings.
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from grounding_middleware.reading.values import PartialDate, Value, ValueKind
from grounding_middleware.reading.values.tables import units

HERE = Path(__file__).parent
_AMOUNT = re.compile(r"(?P<sign>>=|<=|>|<)?(?P<body>\S+)")
_DATE = re.compile(r"(?P<y>-?\d{1,4}|-)(?:-(?P<m>\d\d)(?:-(?P<d>\d\d))?)?$")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each row of the tables named for it."""
    if "row" in metafunc.fixturenames:
        tables = metafunc.module.TABLES[metafunc.function.__name__]
        found = [row for table in tables for row in rows(table)]
        metafunc.parametrize("row", found, ids=[str(next(iter(row.values())))[:70] for row in found])


def rows(name: str) -> list[dict]:
    """The rows of one table, in order."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@pytest.fixture
def faults():
    """What differs between a value and its expected line."""
    return check


def check(value: Value, spec: str) -> list[str]:
    """What differs between `value` and its expected line; empty when nothing does."""
    text, _, rest = spec.partition(" => ")
    kind, _, rest = rest.partition(" ")
    words = rest.split()
    wrong = []
    if value.text != text:
        wrong.append(f"text {value.text!r} is not {text!r}")
    if value.kind != kind:
        wrong.append(f"kind {value.kind} is not {kind}")
    extras = _extras(words)
    wrong += _check_amount(value, words, extras)
    wrong += _check_extras(value, extras)
    return wrong


def _extras(words: list[str]) -> dict[str, str]:
    found = {}
    for word in words:
        name, equals, content = word.partition("=")
        if equals and name.isalpha():
            found[name] = content
        elif word in ("name", "loss"):
            found[word] = "yes"
        elif re.fullmatch(r"[A-Z]{3}(\|[A-Z]{3})*", word):
            found["currency"] = word
    return found


def _check_amount(value: Value, words: list[str], extras: dict[str, str]) -> list[str]:
    match = _AMOUNT.match(words[0]) if words else None
    if match is None:
        return ["no amount in the expected line"]
    sign, body = match["sign"] or "", match["body"]
    found_sign = value.bound.sign if value.bound else ""
    wrong = [] if sign == found_sign else [f"limit {found_sign!r} is not {sign!r}"]
    if value.kind is ValueKind.DATE:
        return wrong + _check_date(value, body, extras)
    if value.kind is ValueKind.VERSION:
        return wrong + ([] if ".".join(value.version) == body[1:] else [f"version {value.version} is not {body}"])
    unit = words[1] if len(words) > 1 and words[1] in units() else ""
    low, high = _ends(body, unit, clock=value.kind is ValueKind.TIME)
    expected = (None if sign.startswith("<") else low, None if sign.startswith(">") else high)
    found = (value.low, value.high)
    return wrong if found == expected else [*wrong, f"amount {found} is not {expected}"]


def _ends(body: str, unit: str, *, clock: bool) -> tuple[Fraction, Fraction]:
    pieces = body[1:-1].split(",") if body.startswith("[") else [body, body]
    numbers = []
    for piece in pieces:
        if clock:
            hour, _, minute = piece.partition(":")
            numbers.append(Fraction(int(hour) * 60) + Fraction(minute))
        else:
            meaning = units().get(unit)
            number = Fraction(piece)
            numbers.append(number * meaning.factor + meaning.offset if meaning else number)
    return numbers[0], numbers[1]


def _check_date(value: Value, body: str, extras: dict[str, str]) -> list[str]:
    first, _, last = body.partition("/")
    wrong = []
    for found, expected in ((value.date, first), (value.date_to, last)):
        if expected and found != _date(expected, extras):
            wrong.append(f"date {found} is not {expected}")
        if not expected and found is not None:
            wrong.append(f"unexpected end {found}")
    return wrong


def _date(text: str, extras: dict[str, str]) -> PartialDate:
    edge, fiscal = extras.get("edge", ""), "fiscal" in extras
    weekday = int(extras["weekday"]) if "weekday" in extras else None
    if text == "*":
        return PartialDate(weekday=weekday)
    start, dots, end = text.partition("..")
    if dots:
        return PartialDate(int(start), year_to=int(end), fiscal=fiscal)
    period = re.fullmatch(r"(\d{4}|-)-([QH])(\d)", text)
    if period:
        year = None if period[1] == "-" else int(period[1])
        part = {"quarter" if period[2] == "Q" else "half": int(period[3])}
        return PartialDate(year, edge=edge, **part)
    match = _DATE.match(text)
    assert match, f"no date: {text}"
    year = None if match["y"] == "-" else int(match["y"])
    return PartialDate(
        year,
        int(match["m"]) if match["m"] else None,
        int(match["d"]) if match["d"] else None,
        weekday=weekday,
        edge=edge,
        fiscal=fiscal,
    )


def _check_extras(value: Value, extras: dict[str, str]) -> list[str]:
    found = {
        "per": value.per,
        "approx": value.approx,
        "name": "yes" if value.is_name else "",
        "loss": "yes" if value.negative_notation else "",
        "others": str(len(value.others)) if value.others else "",
        "zone": value.zone,
    }
    if "currency" in extras:
        found["currency"] = "|".join(sorted(value.currency))
        extras["currency"] = "|".join(sorted(extras["currency"].split("|")))
    elif value.currency and "set" not in extras:
        found["currency"] = "|".join(sorted(value.currency))
    if "set" in extras and extras["set"] not in value.currency:
        return [f"{extras['set']} is not among {sorted(value.currency)}"]
    for name in ("noun", "sense", "scale"):
        if name in extras:
            found[name] = getattr(value, name)
    if "quantum" in extras:
        found["quantum"] = str(value.quantum)
    skipped = ("edge", "weekday", "fiscal", "set")
    names = {*found, *(name for name in extras if name not in skipped)}
    return [
        f"{name} {found.get(name, '')!r} is not {extras.get(name, '')!r}"
        for name in sorted(names)
        if found.get(name, "").replace(" ", "_") != extras.get(name, "")
    ]
