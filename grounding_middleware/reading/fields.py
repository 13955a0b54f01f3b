"""JSON fields as units: what identifies the object, the key and the value together say what a sentence says (CL-2)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from grounding_middleware.reading.reader import read
from grounding_middleware.reading.tables import moved
from grounding_middleware.reading.units import Cue, Item, Segment, Unit
from grounding_middleware.reading.values import find_cell
from grounding_middleware.reading.values.keyed import unit_of
from grounding_middleware.records import Range

_FIELD: Final = re.compile(r"\s*\"(?P<key>(?:[^\"\\\\]|\\\\.)*)\"\s*:\s*(?P<value>.*)", re.DOTALL)
_WORDS: Final = re.compile(r"(?<=[a-z])(?=[A-Z])|[_\-.]+")
_SILENT: Final = frozenset({"source", "sources", "citation", "citations", "ref", "id", "currency", "unit"})
_TRUTH: Final = {"true": "boolean.true", "false": "boolean.false"}
_HEADS: Final = ("currency", "unit")


def field_unit(text: str, at: Range, context: str, language: str) -> Unit | None:
    """The unit of one field at `text[start:end]`; `context` is "key: value; key: value" of the fields beside it.

    None when the text is no field. A currency or unit beside the field belongs to its number.
    """
    match = _FIELD.fullmatch(text, *at)
    if match is None:
        return None
    pairs = [pair.partition(":") for pair in context.split(";")]
    beside = {key.strip(): value.strip() for key, _, value in pairs}
    about = " ".join(value for key, value in beside.items() if key.casefold() not in _SILENT)
    words = _WORDS.sub(" ", match["key"]).split()
    unit = words.pop() if len(words) > 1 and unit_of(words[-1]) else ""  # weight_kg
    head = " ".join(beside[key] for key in _HEADS if beside.get(key)) or (f"({unit})" if unit else "")
    value = match.span("value")
    own = read(text, [value], language)[0]
    truth = _TRUTH.get(match["value"].strip())
    items = (*_said(about, at, language), *_said(" ".join(words), at, language), *(() if truth else own.items))
    values = tuple(moved(found, value[0]) for found in find_cell(text[slice(*value)], head, "", language))
    return Unit(
        text=text[slice(*at)],
        start=at[0],
        end=at[1],
        language=language,
        items=tuple(replace(item, segment=0, position=n) for n, item in enumerate(items)),
        cues=(Cue(truth, match["value"].strip(), *value, 0, 0),) if truth else own.cues,
        values=values,
        segments=(Segment(*at),),
        tokens=own.tokens,
        tabular=True,
    )


def heads(context: str) -> str:
    """Of the fields beside one, those that belong to its number."""
    return "; ".join(pair for pair in context.split(";") if pair.partition(":")[0].strip() in _HEADS)


def _said(words: str, at: Range, language: str) -> list[Item]:
    """Content words told elsewhere, placed at the field they are said of."""
    unit = read(words, [(0, len(words))], language)[0]
    return [replace(item, start=at[0], end=at[1]) for item in unit.items]
