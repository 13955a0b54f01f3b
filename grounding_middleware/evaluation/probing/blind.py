"""Transformations of a text alone, where there is no evidence to prove anything with: training pairs, property tests.

Each changes what is said, so nothing made of a verbatim statement of a single-minded source may stay SUPPORTED. A
transformation yields nothing where it does not apply, and never yields its input. English, and no good sentences. What
probes a verifier on evidence of somebody else is in `catalogue`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

Mutation = Callable[[str], Iterator[str]]
"""A claim to the variants of it that say something else."""

_AUX: Final = r"\b(is|are|was|were|can|may|must|should|will|has|have|does|do)\b"
_DENIED: Final = r"\bnot\b|n't\b|\bno\b|\bnever\b|\bcannot\b"
_NUMBER: Final = re.compile(r"(?<![\w.,-])\d+(?:[.,]\d+)*(?![\w-])")
_MONTHS: Final = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
_UNITS: Final = {
    "minutes": "hours",
    "hours": "days",
    "days": "weeks",
    "weeks": "months",
    "months": "years",
    "years": "months",
    "kg": "g",
    "km": "m",
    "EUR": "USD",
    "USD": "EUR",
    "SGD": "USD",
    "euros": "dollars",
    "percent": "per mille",
    "%": "‰",
    "inches": "feet",
    "feet": "inches",
    "degrees": "radians",
    "miles": "kilometres",
    "pounds": "ounces",
    "million": "billion",
}
_MODALS: Final = {"may": "must", "can": "must", "must": "may", "should": "must", "could": "must", "will": "may"}
_OPPOSITES: Final = {
    "increase": "decrease",
    "increased": "decreased",
    "rise": "fall",
    "rose": "fell",
    "open": "close",
    "before": "after",
    "after": "before",
    "above": "below",
    "more": "less",
    "less": "more",
    "high": "low",
    "low": "high",
    "include": "exclude",
    "includes": "excludes",
    "accepted": "rejected",
    "allowed": "forbidden",
    "first": "last",
    "minimum": "maximum",
    "maximum": "minimum",
    "start": "end",
    "until": "from",
    "free": "chargeable",
    "all": "some",
    "every": "no",
    "always": "never",
    "never": "always",
    "with": "without",
    "without": "with",
    "and": "or",
    "up": "down",
    "warm": "cold",
    "hot": "cold",
    "left": "right",
}
_NO_NAMES: Final = frozenset(
    [
        "The",
        "This",
        "That",
        "These",
        "Those",
        "There",
        "Then",
        "When",
        "While",
        "Each",
        "Every",
        "All",
        "Some",
        "Any",
        "After",
        "Before",
        "For",
        "From",
    ]
)
_WIDER: Final = {"some": "all", "most": "all", "many": "all", "few": "most", "usually": "always", "often": "always"}


def negate(text: str) -> Iterator[str]:
    """A negation is put in, or the one there is taken out."""
    if re.search(r"\bnot\b|n't\b|\bno\b|\bnever\b", text):
        yield re.sub(r"\s?\bnot\b|n't\b|\bno\b(?= )|\bnever\b ?", "", text, count=1)
    elif re.search(_AUX, text):
        yield re.sub(_AUX, r"\1 not", text, count=1)
    else:
        yield f"It is not true that {text[:1].lower()}{text[1:]}"


def ten_times(text: str) -> Iterator[str]:
    """The first number, ten times as large."""
    yield from _first_number(
        text, lambda number: f"{number}0" if "." not in number and "," not in number else f"9{number}"
    )


def off_by_one(text: str) -> Iterator[str]:
    """The last digit of the last number, one up."""
    found = list(_NUMBER.finditer(text))
    if found:
        last = found[-1]
        digit = (int(last.group()[-1]) + 1) % 10
        yield f"{text[: last.end() - 1]}{digit}{text[last.end() :]}"


def change_unit(text: str) -> Iterator[str]:
    """Another unit or currency for the same number."""
    yield from _replaced(text, _UNITS)


def shift_modal(text: str) -> Iterator[str]:
    """May becomes must, must becomes may."""
    yield from _replaced(text, _MODALS)


def add_certainty(text: str) -> Iterator[str]:
    """Something is said to happen always or automatically."""
    for word in ("automatically", "always"):
        if word not in text:
            yield f"{text.rstrip('.')} {word}"


def widen(text: str) -> Iterator[str]:
    """Some becomes all, usually becomes always."""
    yield from _replaced(text, _WIDER)


def turn_round(text: str) -> Iterator[str]:
    """A word is replaced by its opposite."""
    yield from _replaced(text, _OPPOSITES)


def swap_names(text: str) -> Iterator[str]:
    """Two names with words between them change places; names joined by "and" or a comma do not count."""
    found = re.finditer(r"(?<!^)(?<![.!?] )\b[A-Z][a-z]+[a-z]\b|^[A-Z][a-z]{2,}\b", text)
    names = [name for name in found if name.group() not in _NO_NAMES]
    for left, right in pairwise(names):
        between = text[left.end() : right.start()]
        if len(between.split()) >= 1 and not re.search(r",|\b(and|or)\b", between) and left.group() != right.group():
            yield text[: left.start()] + right.group() + between + left.group() + text[right.end() :]
            return


def misspell_name(text: str) -> Iterator[str]:
    """One letter of a name or digit of a code is another one."""
    found = re.search(r"(?<!^)(?<![.!?] )\b[A-Z][a-z]{3,}\b|\b[A-Z]{2,}-\d+\b", text)
    if found:
        word = found.group()
        last = (
            "3"
            if word[-1].isdigit() and word[-1] != "3"
            else ("7" if word[-1].isdigit() else ("o" if word[-1] != "o" else "a"))
        )
        yield f"{text[: found.start()]}{word[:-1]}{last}{text[found.end() :]}"


def drop_condition(text: str) -> Iterator[str]:
    """A condition, exception or limit is cut off."""
    found = re.search(
        r",? ?\b(?:unless|except|provided|if|only if|until|before|within|up to|as long as)\b[^,.]*$", text
    )
    if found and found.start() > len(text) // 3:
        yield text[: found.start()]


def add_detail(text: str) -> Iterator[str]:
    """A plausible detail is added; not to what is denied, of which a part is denied, too."""
    if re.search(_DENIED, text):
        return
    for detail in ("free of charge", "within two days", "in all regions"):
        if detail not in text:
            yield f"{text.rstrip('.')} {detail}"


def shift_date(text: str) -> Iterator[str]:
    """Another month or year."""
    for month, instead in pairwise(_MONTHS):
        if re.search(rf"\d {month}\b|\b{month} \d", text):
            yield text.replace(month, instead, 1)
            return
    found = re.search(r"\b(19|20)(\d\d)\b", text)
    if found:
        yield f"{text[: found.start()]}{int(found.group()) - 3}{text[found.end() :]}"


MUTATIONS: Final[dict[str, Mutation]] = {
    "negate": negate,
    "ten_times": ten_times,
    "off_by_one": off_by_one,
    "change_unit": change_unit,
    "shift_modal": shift_modal,
    "add_certainty": add_certainty,
    "widen": widen,
    "turn_round": turn_round,
    "swap_names": swap_names,
    "misspell_name": misspell_name,
    "drop_condition": drop_condition,
    "add_detail": add_detail,
    "shift_date": shift_date,
}


def _first_number(text: str, change: Callable[[str], str]) -> Iterator[str]:
    found = next((number for number in _NUMBER.finditer(text) if number.group().strip("0.,")), None)
    if found:
        yield text[: found.start()] + change(found.group()) + text[found.end() :]


def _replaced(text: str, words: dict[str, str]) -> Iterator[str]:
    """One variant for each word of the table that stands in the text, at its first place."""
    for word, instead in words.items():
        pattern = rf"(?<![\w-]){re.escape(word)}(?![\w-])"
        changed = re.sub(pattern, instead, text, count=1)
        if changed != text:
            yield changed
