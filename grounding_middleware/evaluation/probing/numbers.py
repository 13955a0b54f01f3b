"""Numbers: ten times, another digit, unit, currency, scale word, end of a range, spelled-out numbers, the limit itself.

A number below a condition ("claims above 500 must ...") is made smaller, one in a rule larger: what follows from the
rule must not pass for a false statement of it. No new number stands anywhere in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.phrases import Edit, change_of, put
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.values import Value, ValueKind

__all__ = ["currency", "direction", "other_digit", "range_end", "scale", "spelled", "ten_times", "threshold", "unit"]

_PLAIN: Final = frozenset(
    {
        ValueKind.NUMBER,
        ValueKind.COUNT,
        ValueKind.PERCENT,
        ValueKind.PERCENTAGE_POINT,
        ValueKind.MONEY,
        ValueKind.QUANTITY,
        ValueKind.DURATION,
        ValueKind.CALENDAR_DURATION,
    }
)
_NUMERAL: Final = re.compile(r"\d+(?:[.,'’\u202f\u00a0]\d+)*")
_GROUPED: Final = re.compile(r"\d{1,3}([.,'’\u202f\u00a0])\d{3}(?:\1\d{3})*")
_SYMBOLS_UP: Final = {
    "mm": "cm",
    "cm": "m",
    "m": "km",
    "g": "kg",
    "kg": "t",
    "ml": "l",
    "mg": "g",
    "MB": "GB",
    "GB": "TB",
    "kB": "MB",
    "h": "d",
    "min": "h",
    "ms": "s",
    "s": "min",
    "kW": "MW",
    "W": "kW",
}
_SYMBOLS_DOWN: Final = {new: old for old, new in _SYMBOLS_UP.items()}
_CURRENCIES: Final = {
    "EUR": "USD",
    "USD": "EUR",
    "GBP": "EUR",
    "CHF": "EUR",
    "SGD": "USD",
    "AUD": "EUR",
    "CAD": "USD",
    "JPY": "USD",
    "€": "$",
    "$": "€",
    "£": "€",
    "¥": "$",
}


def ten_times(subject: Subject) -> Iterator[Change]:
    """A number became ten times as large, or a tenth of it below a condition."""
    for value, start, end in _numerals(subject):
        numeral = subject.answer[start:end]
        new = _tenth(numeral) if direction(subject, value) < 0 else _tenfold(numeral, value)
        if new and value.written:
            yield from _proved(subject, value, (start, end, new))


def other_digit(subject: Subject) -> Iterator[Change]:
    """The last digit of an exact number is another one."""
    for value, _, end in _numerals(subject):
        if value.approx:
            continue
        digit, down = int(subject.answer[end - 1]), direction(subject, value) < 0
        if digit == (0 if down else 9):
            continue
        yield from _proved(subject, value, (end - 1, end, str(digit - 1 if down else digit + 1)))


def spelled(subject: Subject) -> Iterator[Change]:
    """A spelled-out number is another one: two days became ten."""
    for value in _plain(subject):
        if not value.spelled or value.interval.is_range:
            continue
        table = "spelled_down" if direction(subject, value) < 0 else "spelled_up"
        for at, length, new in subject.words.found(table, subject.norms):
            edit = put(subject, at, length, new)
            if value.start <= edit[0] < value.end and not subject.written(_after(subject, value, edit)):
                yield from _proved(subject, value, edit, numeral=False)


def unit(subject: Subject) -> Iterator[Change]:
    """The same number of another unit."""
    for value in _plain(subject):
        if value.kind is not ValueKind.MONEY:
            yield from _unit(subject, value, "units_down" if direction(subject, value) < 0 else "units_up")


def currency(subject: Subject) -> Iterator[Change]:
    """The same amount in another currency."""
    for value in subject.values:
        if value.kind is not ValueKind.MONEY:
            continue
        for sign, new in _CURRENCIES.items():
            at = value.text.find(sign)
            if at >= 0 and not _glued(value.text, at, sign):
                start = value.start + at
                yield from _unknown(subject, value, (start, start + len(sign), new))
                break
        else:
            yield from _unit(subject, value, "units_up")


def scale(subject: Subject) -> Iterator[Change]:
    """A million became a billion."""
    for value in subject.values:
        if not value.scale:
            continue
        for at, length, new in subject.words.found("scale", subject.norms):
            edit = put(subject, at, length, new)
            if value.start <= edit[0] < value.end:
                yield from _unknown(subject, value, edit)


def range_end(subject: Subject) -> Iterator[Change]:
    """A range is another one, which neither holds the old one nor lies in it."""
    for value in subject.values:
        found = list(_NUMERAL.finditer(value.text))
        if value.kind not in _PLAIN or not value.interval.is_range or len(found) != 2:
            continue
        if not (found[0][0].isdigit() and found[1][0].isdigit()):
            continue
        low, high = int(found[0][0]), int(found[1][0])
        middle, beyond = str((low + high) // 2), str(2 * high)
        if low < int(middle) < high and not subject.numeral_known(middle) and not subject.numeral_known(beyond):
            places = [(value.start + one.start(), value.start + one.end()) for one in found]
            yield change_of(subject, (*places[0], middle), (*places[1], beyond))


def threshold(subject: Subject) -> Iterator[Change]:
    """A limit is turned round: above became below, at least became at most."""
    if subject.has("negation"):
        return
    for at, length, new in subject.words.found("threshold", subject.norms):
        edit = put(subject, at, length, new)
        change = change_of(subject, edit)
        limits = any(_limits(edit, value) for value in subject.values)
        if limits and not _same_limit(subject, at, length) and not subject.restated(change):
            yield change


def _limits(edit: Edit, value: Value) -> bool:
    """Whether the words stand before the value they limit."""
    close = 0 <= value.start - edit[1] <= 1 or (
        value.bound is not None and value.bound.start <= edit[0] < value.bound.end
    )
    return close and edit[1] <= value.start and not value.is_name


def _same_limit(subject: Subject, at: int, length: int) -> bool:
    """Whether nothing is turned round: "up to a day before" and "at least a day before" say the same."""
    phrase = " ".join(subject.norms[at : at + length])
    before = any(cue.name == "time.before" for cue in subject.unit.cues)
    return before and phrase in subject.words.list("spanning")


def _plain(subject: Subject) -> Iterator[Value]:
    """Numbers that can be made to say more, in a direction that is known."""
    found = (value for value in subject.values if value.kind in _PLAIN and not value.is_name)
    return (value for value in found if direction(subject, value))


def _numerals(subject: Subject) -> Iterator[tuple[Value, int, int]]:
    """Values written with one numeral, and where it stands; not next to letters or dots that make it a code."""
    for value in _plain(subject):
        found = list(_NUMERAL.finditer(value.text))
        if len(found) != 1 or value.interval.is_range or value.spelled:
            continue
        start, end = value.start + found[0].start(), value.start + found[0].end()
        if not re.search(r"[\w/.-]$", subject.answer[:start]) and subject.numeral_known(subject.answer[start:end]):
            yield value, start, end


def direction(subject: Subject, value: Value) -> int:
    """1: a larger number says more; -1: a smaller one does; 0: nobody can tell.

    A limit that says which cases are meant ("claims above 500 must be reviewed") holds of fewer cases anyway, so only a
    number that takes in more of them is news. Where the limit is what is said ("took less than four minutes", "must
    give at least two weeks' notice") it is the reverse, but for the upper limit of a rule: within ten days is not
    within two. What does not exceed 12 does not exceed 18 either.
    """
    if set(subject.words.list("exceeding")) & {token.norm for token in subject.tokens if token.end <= value.start}:
        return -1 if subject.has("negation") else 0
    if value.bound is None or (value.bound.normative and value.bound.sign in ("<", "<=")):
        return 1
    wider = -1 if value.bound.sign in (">", ">=") else 1
    if subject.restricts(value.start):
        return wider
    words = lexicon(subject.statement.language)
    verbs = [token.start for token in subject.tokens if token.norm in words.auxiliaries]
    verbs += [cue.start for cue in subject.unit.of("modality")]
    if any(start > value.start for start in verbs):
        return wider
    return -wider if verbs else 0


def _tenfold(numeral: str, value: Value) -> str:
    grouped = _GROUPED.fullmatch(numeral)
    if grouped and value.written is not None and value.written >= 1000:
        digits = re.sub(r"\D", "", numeral) + "0"
        return _regrouped(digits, grouped[1])
    if numeral.isdigit():
        return f"{numeral}0"
    whole, separator, rest = (
        re.split(r"([.,])", numeral, maxsplit=1) if re.fullmatch(r"\d+[.,]\d+", numeral) else ("", "", "")
    )
    if not separator:
        return ""
    moved = f"{whole}{rest[0]}".lstrip("0") or "0"
    return moved + (separator + rest[1:] if rest[1:] else "")


def _tenth(numeral: str) -> str:
    digits = re.sub(r"\D", "", numeral)
    if not digits.endswith("0") or len(digits) < 2 or not (numeral.isdigit() or _GROUPED.fullmatch(numeral)):
        return ""
    return digits[:-1]


def _regrouped(digits: str, separator: str) -> str:
    head = len(digits) % 3 or 3
    return separator.join([digits[:head], *(digits[at : at + 3] for at in range(head, len(digits), 3))])


def _unit(subject: Subject, value: Value, table: str) -> Iterator[Change]:
    for at, length, new in subject.words.found(table, subject.norms):
        edit = put(subject, at, length, new)
        elided = subject.answer[edit[0] - 1] in "'’"  # l'euro, d'euros
        if value.start <= edit[0] < value.end and not elided:
            yield from _unknown(subject, value, edit)
            return
    symbols = _SYMBOLS_DOWN if table == "units_down" else _SYMBOLS_UP
    symbol = value.unit
    if symbol in symbols and value.text.endswith(symbol):
        yield from _unknown(subject, value, (value.end - len(symbol), value.end, symbols[symbol]))


def _proved(subject: Subject, value: Value, edit: Edit, *, numeral: bool = True) -> Iterator[Change]:
    """The change, unless the new number is written in the evidence or reads as the old one."""
    whole = _NUMERAL.search(_after(subject, value, edit))
    if numeral and (whole is None or subject.numeral_known(whole[0])):
        return
    yield from _unknown(subject, value, edit)


def _unknown(subject: Subject, value: Value, edit: Edit) -> Iterator[Change]:
    change = change_of(subject, edit)
    became = _read_again(subject, value, edit, change)
    if became is None or (
        became.interval == value.interval and became.currency == value.currency and became.unit_key == value.unit_key
    ):
        return
    if not subject.written(became.text) and not _known(subject, became):
        yield change


def _known(subject: Subject, became: Value) -> bool:
    """A currency or unit of its own makes an amount another one, whatever number stands beside it."""
    same_kind = (
        other for other in subject.evidence_values if other.kind is became.kind and other.currency == became.currency
    )
    return any(
        became.interval.low in (other.low, other.high) and became.interval.high in (other.low, other.high)
        for other in same_kind
    )


def _read_again(subject: Subject, value: Value, edit: Edit, change: Change) -> Value | None:
    """The value as the changed statement reads: one that begins where the old one did."""
    values = subject.changed(change).values
    return next((one for one in values if one.start <= edit[0] <= one.end and abs(one.start - value.start) <= 1), None)


def _after(subject: Subject, value: Value, edit: Edit) -> str:
    start, end, new = edit
    return subject.answer[value.start : start] + new + subject.answer[end : value.end]


def _glued(text: str, at: int, sign: str) -> bool:
    """Whether the sign is part of a longer one: the "$" of "S$"."""
    around = text[max(0, at - 1) : at] + text[at + len(sign) : at + len(sign) + 1]
    return any(letter.isalpha() for letter in around)
