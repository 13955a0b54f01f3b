"""Hiding personal data before anything is written, without moving a single offset (SPEC AU-2).

What a rule finds is replaced by as many `█` as it has characters, in every text of the report: so a redacted report is
a report, `answer[claim.start:claim.end] == claim.text` holds, and a replay sees at once which claims it cannot judge.
What was found in answer, question or sources is hidden wherever else it occurs, in reasons and raw replies, too.

One thing remains: `answer_id` is a hash of answer, question and sources. Who knows all of them but the hidden text can
test guesses of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.records import Range, Report, sha256

MASK: Final = "\u2588"
"""What stands for one hidden character."""

Rule = Callable[[str], Iterable[Range]]
"""Finds what must not be written: half-open ranges of the text it is given."""

_ONES_OWN: Final = frozenset({"schema_version", "answer_id", "sha256", "prompt_version", "versions", "language", "id"})
"""Fields that hold what this package made up itself; span ids are the user's and are looked at."""

_FREE: Final = frozenset({"requester", "audience", "metadata"})
"""Fields that hold whatever the user put there, numbers of people among it."""


def _pattern(expression: str) -> Rule:
    compiled = re.compile(expression)
    return lambda text: (match.span() for match in compiled.finditer(text))


def _card(text: str) -> Iterable[Range]:
    """Runs of 13 to 19 digits whose check digit is right (Luhn)."""
    for match in re.finditer(r"(?<![\w.])\d(?:[ -]?\d){12,18}(?!\w)", text):
        digits = [int(char) for char in match[0] if char.isdecimal()]
        doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
        if (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0:
            yield match.span()


RULES: Final = MappingProxyType[str, Rule](
    {
        "email": _pattern(r"[\w.+%'-]+@[\w-]+(?:\.[\w-]+)+"),
        "phone": _pattern(
            r"(?<![\w.])(?:\+|00)\d(?:[ ()./-]{0,2}\d){6,13}(?!\w)|(?<![\w.])\(?0\d{1,4}\)?(?:[ /-]\d{2,}){2,4}(?!\w)"
        ),
        "iban": _pattern(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"),
        "card": _card,
        "ip": _pattern(
            r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\w)|(?<![\w:])(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}(?![\w:])"
        ),
    }
)
"""The rules that have a name. They know forms, not people: for names of persons give a function of your own."""


def as_rules(given: Sequence[str | Rule]) -> dict[str, Rule]:
    """Rules by name, a function by its own. Raises `ConfigError` for a name there is no rule of."""
    if isinstance(given, str):
        raise ConfigError(f"redact: got the text {given!r}, allowed is a list of names and functions")
    rules: dict[str, Rule] = {}
    for rule in given:
        if isinstance(rule, str) and rule not in RULES:
            raise ConfigError(f"redact: {rule!r} is wrong, allowed are {', '.join(RULES)}, or a function")
        if not (isinstance(rule, str) or callable(rule)):
            raise ConfigError(f"redact: got {type(rule).__name__}, allowed are {', '.join(RULES)}, or a function")
        name = rule if isinstance(rule, str) else str(getattr(rule, "__name__", type(rule).__name__))
        rules[name] = RULES[rule] if isinstance(rule, str) else rule
    return rules


def redact(report: Report, rules: Mapping[str, Rule]) -> tuple[Report, int]:
    """The report with everything hidden that `rules` find, and how many texts that changed."""
    data = report.model_dump(mode="json")
    masking = _Masking(rules, data)
    masked = masking.walk(data)
    _refit_slices(data, masked)
    _refit_hashes(masked)
    _rename_claims(data, masked)
    return (Report.model_validate(masked), masking.changed) if masking.changed else (report, 0)


def hide(text: str, rules: Mapping[str, Rule]) -> str:
    """One text, as long as it was, with everything masked that `rules` find in it."""
    return _hidden(text, list(_found(text, rules)))


class _Masking:
    """The ranges to hide in any text: what the rules find, and what they found in the texts all others come from."""

    def __init__(self, rules: Mapping[str, Rule], data: Mapping[str, Any]) -> None:
        self._rules = rules
        self._known: re.Pattern[str] | None = None
        self.changed = 0
        texts = (data["answer"], data["question"], data["text"], *(span["text"] for span in data["evidence"]["spans"]))
        hidden = {text[low:high] for text in texts for low, high in self._ranges(text)}
        if hidden:
            longest_first = sorted(hidden, key=lambda piece: (-len(piece), piece))
            self._known = re.compile("|".join(map(re.escape, longest_first)))

    def walk(self, value: Any, field: str = "") -> Any:
        if isinstance(value, str):
            return self._masked(value)
        if field in _FREE and isinstance(value, int | float) and self._ranges(str(value)):
            return self._masked(str(value))
        if isinstance(value, list):
            return [self.walk(item, field) for item in value]
        if isinstance(value, dict):
            inner = {key: field if field in _FREE else key for key in value}
            return {key: one if _own(key, field) else self.walk(one, inner[key]) for key, one in value.items()}
        return value

    def _masked(self, text: str) -> str:
        ranges = self._ranges(text)
        self.changed += bool(ranges)
        return _hidden(text, ranges)

    def _ranges(self, text: str) -> list[Range]:
        found = [match.span() for match in self._known.finditer(text)] if self._known else []
        return [*found, *_found(text, self._rules)]


def _found(text: str, rules: Mapping[str, Rule]) -> Iterator[Range]:
    for name, rule in rules.items():
        for low, high in rule(text):
            if not 0 <= low <= high <= len(text):
                raise InputError(f"redact: {name} found [{low}, {high}) in a text of {len(text)} characters")
            if low < high:
                yield low, high


def _hidden(text: str, ranges: Iterable[Range]) -> str:
    for low, high in ranges:
        text = text[:low] + MASK * (high - low) + text[high:]
    return text


def _own(key: str, parent: str) -> bool:
    return key in _ONES_OWN and parent not in _FREE and not (key == "id" and parent == "spans")


def _refit_slices(data: Any, masked: Any) -> None:
    """What was a slice of the answer or of a span is one again, also where a rule saw only a part of it."""
    answers = (data["answer"], masked["answer"])
    spans = {
        one["id"]: (one["text"], other["text"])
        for one, other in zip(data["evidence"]["spans"], masked["evidence"]["spans"], strict=True)
    }
    for name, field in (("claims", "text"), ("edits", "removed"), ("citations", "marker")):
        for one, other in zip(data[name], masked[name], strict=True):
            _refit(one, other, field, answers)
    for one, other in zip(data["claims"], masked["claims"], strict=True):
        for quote, hidden in zip(one["quotes"], other["quotes"], strict=True):
            _refit(quote, hidden, "text", spans.get(quote["span_id"], ("", "")))
    for one, other in zip(data["conflicts"], masked["conflicts"], strict=True):
        for name in ("first", "second", "first_differs", "second_differs"):  # quotes of a conflict
            _refit(one[name], other[name], "text", spans.get(one[name]["span_id"], ("", "")))


def _refit(one: Any, other: Any, field: str, texts: tuple[str, str]) -> None:
    at = slice(one["start"], one["end"])
    if texts[0][at] == one[field]:
        other[field] = texts[1][at]


def _refit_hashes(masked: Any) -> None:
    """The hash of the original passage would let anybody test guesses of what is hidden in it."""
    for span in masked["evidence"]["spans"]:
        span["sha256"] = sha256(span["text"])


def _rename_claims(data: Any, masked: Any) -> None:
    """A claim's id is a hash of its text: claims with something hidden are named by their place instead."""
    names = {
        one["id"]: f"redacted-{number}"
        for number, (one, other) in enumerate(zip(data["claims"], masked["claims"], strict=True), 1)
        if one["text"] != other["text"]
    }
    _rename(masked, names)


def _rename(value: Any, names: Mapping[str, str]) -> None:
    if isinstance(value, dict):
        for key, one in value.items():
            if isinstance(one, str) and key in {"id", "claim_id"}:
                value[key] = names.get(one, one)
            elif key == "claim_ids":
                value[key] = [names.get(name, name) for name in one]
            else:
                _rename(one, names)
    elif isinstance(value, list):
        for item in value:
            _rename(item, names)
