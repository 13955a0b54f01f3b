"""What is wrong with a spec: file, line, field, value and what is allowed, one line for each fault."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from grounding_middleware.errors import ConfigError
from grounding_middleware.policy.settings import allowed
from grounding_middleware.spec.references import SECRETS, is_reference, references
from grounding_middleware.strict_documents import Place, StrictDocument

__all__ = ["faults"]

_RECORD = re.compile(r"a valid dictionary or (?:instance of \w+|object to extract fields from)")
_CHOICE = re.compile(r"\AInput should be (?='[^']*'(?:,| or) )")
_QUOTED = re.compile(r"'([^']*)'")
_WORDS = ("literal_error", "enum")  # one of a few words is allowed
_NO_REFERENCE = f" refers to the environment; only {' and '.join(SECRETS)} may, allowed is the value itself"
_OFF = ("false", "none", "no", "off")
_CHOOSING = ("kind", "by")  # fields that say which of several mappings is meant
_SHOWN = 80  # characters of a wrong value in a message
_SECRETS = ("api_key", "env", "database", "base_url")  # what may stand there by mistake must not reach a log


def faults(errors: Sequence[ErrorDetails], document: StrictDocument, model: type[BaseModel]) -> ConfigError:
    """One `ConfigError` for all faults of a document, in the order of its lines."""
    named = dict(references(document.data))
    placed = [(one, _in_document(one, document.data)) for one in errors]
    deepest = [(one, place) for one, place in placed if not any(_inside(other, place) for _, other in placed)]
    told = [(place, f"{document.at(place)}: {text}") for place, text in named.items()]
    told += [(place, _told(one, place, document, model)) for one, place in deepest if place not in named]
    found = sorted((document.line(place) or 0, text) for place, text in told)
    return ConfigError("\n".join(dict.fromkeys(text for _, text in found)))


def _inside(place: Place, around: Place) -> bool:
    """A list with a wrong item is reported as too short as well; only the item is worth a line."""
    return len(place) > len(around) and place[: len(around)] == around


def _told(found: ErrorDetails, place: Place, document: StrictDocument, model: type[BaseModel]) -> str:
    where = document.at(place) if place else f"{document.at(())}: the document"
    cause = found.get("ctx", {}).get("error")
    if isinstance(cause, ConfigError):
        return f"{where}: {cause}"
    fields = _fields(model, found["loc"][:-1] if found["type"] == "extra_forbidden" else found["loc"])
    if found["type"] in _OF_FIELDS:
        return f"{where}{_OF_FIELDS[found['type']](found, fields)}"
    if place and place[-1] == "api_key":
        return f"{where} is a value; allowed is a reference to the environment, such as {{env: OPENAI_API_KEY}}"
    if place and place[-1] in _SECRETS:
        return f"{where}: {_plainly(allowed(found['msg']))}"
    return f"{where}{_wrong_value(found, fields)}"


def _wrong_value(found: ErrorDetails, fields: tuple[str, ...]) -> str:
    if is_reference(found["input"]):
        return _NO_REFERENCE
    value = _short(found["input"])
    odd = _lookalike(value) if found["type"] in _WORDS else ""
    return f" is {value}{odd}: {_plainly(allowed(found['msg']))}{_example(found, fields)}{_near(found)}"


def _example(found: ErrorDetails, fields: tuple[str, ...]) -> str:
    """What the right form looks like, where the value has the wrong one."""
    given = found["input"]
    if found["type"] == "tuple_type" and isinstance(given, str) and given.isidentifier():
        return f", such as [{given:.40}]"
    if found["type"] != "model_type":
        return ""
    off = str(given).casefold() in _OFF
    return f": {', '.join(fields)}{'; leave the section out to do without' if off else ''}"


def _missing(_: ErrorDetails, __: tuple[str, ...]) -> str:
    return " is missing; it must be given"


def _unknown_kind(found: ErrorDetails, _: tuple[str, ...]) -> str:
    given, expected = str(found["ctx"]["tag"]), str(found["ctx"]["expected_tags"])
    near = difflib.get_close_matches(given, _QUOTED.findall(expected), n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f".{_choosing(found)} is {given!r:.80}{_lookalike(given)}: allowed are {expected}{hint}"


def _no_kind(found: ErrorDetails, _: tuple[str, ...]) -> str:
    return f".{_choosing(found)} is missing; it must be given"


def _choosing(found: ErrorDetails) -> str:
    """The field that says which of several mappings is meant; pydantic quotes it."""
    return str(found["ctx"]["discriminator"]).strip("'")


def _unknown(found: ErrorDetails, fields: tuple[str, ...]) -> str:
    name = str(found["loc"][-1])
    return _NO_REFERENCE if name == "env" else f" is no field here{_lookalike(name)}; {_instead(name, fields)}"


_OF_FIELDS: Final[Mapping[str, Callable[[ErrorDetails, tuple[str, ...]], str]]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "union_tag_invalid": _unknown_kind,
    "union_tag_not_found": _no_kind,
}


def _lookalike(text: str) -> str:
    """Which character it is that looks like another one, or cannot be seen; fields and their words are plain ASCII."""
    odd = next((char for char in text if not char.isascii()), None)
    return "" if odd is None else f" (U+{ord(odd):04X}, {unicodedata.name(odd, 'a character')}, stands in it)"


def _plainly(message: str) -> str:
    """Pydantic's words for what a YAML file holds."""
    message = message.replace("a valid tuple", "a list").replace("Tuple should have", "the list should have")
    return _RECORD.sub("a mapping of fields", _CHOICE.sub("allowed are ", message))


def _near(found: ErrorDetails) -> str:
    """The allowed word that was probably meant."""
    words = _QUOTED.findall(found["msg"]) if found["type"] in _WORDS else []
    near = difflib.get_close_matches(str(found["input"]).casefold(), words, n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""


def _in_document(found: ErrorDetails, data: Any) -> Place:
    """The location without the names of alternatives that pydantic puts between the keys."""
    loc = found["loc"]
    place: list[str | int] = []
    for number, part in enumerate(loc):
        absent = number == len(loc) - 1 and found["type"] == "missing"
        if isinstance(data, Mapping) and (part in data or absent):
            place.append(part)
            data = data.get(part)
        elif isinstance(data, list | tuple) and isinstance(part, int) and part < len(data):
            place.append(part)
            data = data[part]
    return tuple(place)


def _instead(name: str, fields: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(name, fields, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}allowed are {', '.join(fields)}" if fields else f"{hint}no field is allowed there"


def _fields(model: type[BaseModel], loc: tuple[str | int, ...]) -> tuple[str, ...]:
    """The fields of the model at `loc`, whose parts are fields, list positions and names of alternatives."""
    models = [model]
    for part in loc:
        if isinstance(part, int):
            continue
        named = [one for one in models if part in _kinds(one)]
        inside = [field.annotation for one in models for name, field in one.model_fields.items() if name == part]
        if named or inside:  # else the name of an alternative
            models = named or [inner for annotation in inside for inner in _models(annotation)]
    return tuple(models[0].model_fields) if models else ()


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
        return
    for inner in get_args(annotation):
        yield from _models(inner)


def _kinds(model: type[BaseModel]) -> tuple[Any, ...]:
    fields = (model.model_fields[name] for name in _CHOOSING if name in model.model_fields)
    return tuple(word for field in fields for word in get_args(field.annotation))


def _short(value: object) -> str:
    text = repr(_public(value))
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _public(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: "..." if key in _SECRETS else _public(inner) for key, inner in value.items()}
    return [_public(inner) for inner in value] if isinstance(value, list) else value
