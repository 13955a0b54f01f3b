"""One YAML or JSON document, read so that nothing in it can be misread: what configuration files are loaded with.

Text that begins with a bracket or brace is read as JSON, all other as YAML. Refused are duplicate keys, tags, anchors
and aliases, a second document, nesting and sizes nobody writes by hand, keys that are no text, NaN and infinities.
Scalars are read by the rules of YAML 1.2: only `true` and `false` are booleans, so that the key `on` and the word `no`
stay what they are.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NoReturn

from grounding_middleware.errors import ConfigError

MAX_CHARACTERS: Final = 1_000_000
MAX_DEPTH: Final = 40
_LINES_TOLD: Final = 200_000
"""Longest JSON, in characters, whose lines are looked for: larger documents were written by programs."""

Place = tuple[str | int, ...]
"""Keys and indexes that lead to a value: `("guards", 0, "name")`."""

_INTEGER: Final = re.compile(r"[-+]?[0-9]{1,18}")
_FLOAT: Final = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(?:nan|inf)", re.IGNORECASE)
_HINTS: Final[Mapping[str, str]] = {
    "mapping values are not allowed": "; a text with ': ' in it needs quotes, fields begin in one column",
    "expected <block end>": "; fields begin in one column, a text that begins with a sign needs quotes",
    "character '\\t'": "; lines are indented by spaces, not by tabs",
}
_WORDS: Final[Mapping[str, Any]] = {"": None, "~": None, "null": None, "true": True, "false": False}
_JSON_START: Final = re.compile(r"\s*[\[{]")


@dataclass(frozen=True, slots=True)
class StrictDocument:
    """The data of one document, its name for messages, and the line of every value in it, as far as it is known.

    `file` is where it was read from, None for text and mappings. `inside` leads to a section of a larger document.
    """

    data: Any
    name: str
    lines: Mapping[Place, int] = field(default_factory=dict)
    file: Path | None = None
    inside: Place = ()

    def at(self, place: Place) -> str:
        """Where a value stands, for the head of a message: `guards.yaml:7: guards[0].name`."""
        known = self.line(place)
        file = self.name if known is None else f"{self.name}:{known}"
        return ": ".join(part for part in (file, spelled((*self.inside, *place))) if part)

    def line(self, place: Place) -> int | None:
        """The line of a value, or of the nearest one around it; None where no line is known."""
        whole = (*self.inside, *place)
        return next((self.lines[whole[:n]] for n in range(len(whole), -1, -1) if whole[:n] in self.lines), None)

    def section(self, name: str, data: Any) -> StrictDocument:
        """The section `name` with `data` in it, as a document whose messages still tell file, line and whole path."""
        return replace(self, data=data, inside=(*self.inside, name))


def spelled(place: Place) -> str:
    """A place as people write it; "" for the document itself."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def load(path: Path) -> StrictDocument:
    """The document in the file at `path`; raises `ConfigError` naming the file, the line and what is allowed."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    return replace(parse(text, str(path)), file=path.absolute())


def parse(text: str, name: str) -> StrictDocument:
    """The document that `text` holds; `name` is what messages call it. Raises `ConfigError` like `load`."""
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"{name}: {len(text)} characters; allowed are at most {MAX_CHARACTERS}")
    if _JSON_START.match(text):
        return StrictDocument(_json(text, name), name, _json_lines(text))
    builder = _Builder(name)
    builder.read(text)
    if builder.root is _MISSING:
        raise ConfigError(f"{name}: is empty; allowed is one YAML or JSON document")
    return StrictDocument(builder.root, name, builder.lines)


def _json(text: str, name: str) -> Any:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                raise ConfigError(f"{name}: the key {key!r} occurs twice in one object; allowed is once")
            found[key] = value
        return found

    def constant(word: str) -> NoReturn:
        raise ConfigError(f"{name}: {word} is no number; allowed are finite numbers")

    def number(word: str) -> float:
        return float(word) if math.isfinite(float(word)) else constant(word[:20])

    try:
        data = json.loads(text, object_pairs_hook=pairs, parse_constant=constant, parse_float=number)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{name}:{error.lineno}: is no JSON: {error.msg}") from None
    except RecursionError:
        raise ConfigError(_too_deep(name)) from None
    if _depth(data) > MAX_DEPTH:
        raise ConfigError(_too_deep(name))
    return data


def _json_lines(text: str) -> Mapping[Place, int]:
    """The lines of a JSON document, read as the YAML that nearly all JSON is; none where it is not."""
    builder = _Builder("")
    with suppress(ConfigError):
        if len(text) > _LINES_TOLD:
            return {}
        builder.read(text)
        return builder.lines
    return {}


def _depth(data: Any) -> int:
    level, depth = [data], 0
    while level:
        inner = [list(one.values()) if isinstance(one, dict) else one for one in level if isinstance(one, dict | list)]
        depth += bool(inner)
        level = [value for values in inner for value in values]
    return depth


def _too_deep(where: str) -> str:
    return f"{where}: is nested deeper than {MAX_DEPTH} levels"


class _Missing:
    """Stands for a value that is not there yet; None is a value."""


_MISSING: Final = _Missing()


@dataclass(slots=True)
class _Open:
    """A mapping or list that is being filled, and the key that waits for its value."""

    place: Place
    value: dict[str, Any] | list[Any]
    key: str | _Missing = _MISSING


class _Builder:
    """Builds the data from the events of the parser, without recursion, so that no nesting can hurt."""

    def __init__(self, name: str) -> None:
        self.root: Any = _MISSING
        self.lines: dict[Place, int] = {}
        self._name = name
        self._open: list[_Open] = []

    def read(self, text: str) -> None:
        """Fill `root` and `lines` from `text`."""
        import yaml  # noqa: PLC0415  # 30 ms, only for who reads a file

        try:
            for event in yaml.parse(text, Loader=yaml.SafeLoader):
                self._take(event, yaml)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            where = f"{self._name}:{mark.line + 1}" if mark else self._name
            problem = str(error.problem or error.context)
            hint = next((hint for part, hint in _HINTS.items() if part in problem), "")
            raise ConfigError(f"{where}: is no YAML: {problem}{hint}") from None
        except yaml.YAMLError as error:
            raise ConfigError(f"{self._name}: is no YAML: {' '.join(str(error).split()):.200}") from None

    def _take(self, event: Any, yaml: Any) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            self._refuse(line, "anchors (&name) and aliases (*name) are not allowed; write the value out")
        if getattr(event, "tag", None) not in (None, "!"):
            self._refuse(line, f"the tag {event.tag!r} is not allowed; write plain values")
        if isinstance(event, yaml.DocumentStartEvent) and self.root is not _MISSING:
            self._refuse(line, "a second document begins; allowed is one")
        elif isinstance(event, yaml.ScalarEvent):
            plain = event.implicit[0] and event.style is None
            self._scalar(event.value, plain=plain, line=line)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._begin({} if isinstance(event, yaml.MappingStartEvent) else [], line)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._open.pop()

    def _scalar(self, text: str, *, plain: bool, line: int) -> None:
        if self._open and isinstance(self._open[-1].value, dict) and self._open[-1].key is _MISSING:
            self._key(text, line)
        else:
            self._put(self._read(text, line) if plain else text, line)

    def _key(self, text: str, line: int) -> None:
        owner = self._open[-1]
        if text in owner.value:
            self._refuse(line, f"the key {text!r} occurs twice in one mapping; allowed is once")
        if text == "<<":
            self._refuse(line, "merge keys (<<) are not allowed; write the values out")
        owner.key = text

    def _begin(self, value: dict[str, Any] | list[Any], line: int) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise ConfigError(_too_deep(f"{self._name}:{line}"))
        if self._open and isinstance(self._open[-1].value, dict) and self._open[-1].key is _MISSING:
            self._refuse(line, "a key is a list or mapping; allowed is text")
        place = self._put(value, line)
        self._open.append(_Open(place, value))

    def _put(self, value: Any, line: int) -> Place:
        place: Place = ()
        if not self._open:
            self.root = value
        else:
            owner = self._open[-1]
            if isinstance(owner.value, list):
                place = (*owner.place, len(owner.value))
                owner.value.append(value)
            else:
                place = (*owner.place, str(owner.key))
                owner.value[str(owner.key)] = value
                owner.key = _MISSING
        self.lines[place] = line
        return place

    def _read(self, text: str, line: int) -> Any:
        if text.lower() in _WORDS and text in (text.lower(), text.upper(), text.capitalize()):
            return _WORDS[text.lower()]
        if _INTEGER.fullmatch(text):
            return int(text)
        if _FLOAT.fullmatch(text) and math.isfinite(float(text)):
            return float(text)
        if _FLOAT.fullmatch(text) or _NOT_FINITE.fullmatch(text):
            self._refuse(line, f"{text[:20]} is no number; allowed are finite numbers")
        return text

    def _refuse(self, line: int, why: str) -> NoReturn:
        raise ConfigError(f"{self._name}:{line}: {why}")


__all__ = ["MAX_CHARACTERS", "MAX_DEPTH", "Place", "StrictDocument", "load", "parse", "spelled"]
