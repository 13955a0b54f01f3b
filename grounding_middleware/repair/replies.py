"""From a raw reply of the repair model to texts that may be tried: strict, and nothing of it is believed (RE-3)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from grounding_middleware.claims import split
from grounding_middleware.judges import strict_json
from grounding_middleware.judges.parsing import refuse_echo
from grounding_middleware.judges.prompts.fences import one_line
from grounding_middleware.repair.marking import Scribe, without_stop
from grounding_middleware.validation import first_fault

__all__ = ["Reading", "Rewrite", "read"]

_LONGEST: Final = 600  # characters of one sentence
_MOST_SOURCES: Final = 2
_OPENING: Final = "\"'“‘„«`("
_REASON_LENGTH: Final = 300
_STRUCTURE: Final = re.compile(r"[\[\]{}|<>]|^\s*(?:#|[-*+•>]\s|\d{1,3}[.)]\s)|^\s*(?:```|~~~)")


class Rewrite(NamedTuple):
    """A sentence without its full stop, and the names of the passages it rests on."""

    text: str
    sources: tuple[str, ...]


class Reading(NamedTuple):
    """What a reply offers by statement number, and for the other statements why there is nothing."""

    rewrites: Mapping[int, Rewrite]
    problems: Mapping[int, str]


class _Raw(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    claim: int
    text: str
    sources: Annotated[list[str], Field(max_length=20)]


def read(reply: str, asked: Collection[int], names: Collection[str], data: Sequence[str], scribe: Scribe) -> Reading:
    """One rewrite or one problem for each number in `asked`; never raises, whatever the reply is.

    `names` are the passages the model was shown, `data` all texts: a reply copied from one of them counts for nothing.
    """
    try:
        value, text = strict_json.read(reply)
        refuse_echo(text, data)
        entries = _entries(value)
    except strict_json.UnreadableError as error:
        problem = one_line(f"the reply could not be read: {error}", _REASON_LENGTH)
        return Reading({}, dict.fromkeys(asked, problem))
    rewrites: dict[int, Rewrite] = {}
    problems: dict[int, str] = {}
    for number in asked:
        given = [one for one in entries if one.claim == number]
        found = _rewrite(given, names, scribe)
        if isinstance(found, Rewrite):
            rewrites[number] = found
        else:
            problems[number] = one_line(found, _REASON_LENGTH)
    return Reading(rewrites, problems)


def _entries(value: object) -> list[_Raw]:
    found = value.get("repairs") if isinstance(value, dict) else None
    if not isinstance(found, list):
        raise strict_json.UnreadableError('the JSON has no list "repairs"')
    try:
        return [_Raw.model_validate(one) for one in found]
    except ValidationError as error:
        raise strict_json.UnreadableError(first_fault(error, "repairs")) from None


def _rewrite(given: Sequence[_Raw], names: Collection[str], scribe: Scribe) -> Rewrite | str:
    if len(given) != 1:
        return f"the reply has {len(given)} texts for this statement; one is expected"
    raw = given[0]
    sources = tuple(dict.fromkeys(name.strip().removeprefix("[").removesuffix("]") for name in raw.sources))
    unknown = [name for name in sources if name not in names]
    text = raw.text.strip()
    if not text:
        return "the model says that the sources do not state it"
    if unknown:
        return f"it names a passage that it was not shown: {one_line(unknown[0], 60)}"
    if not 1 <= len(sources) <= _MOST_SOURCES:
        return f"it names {len(sources)} passages; 1 to {_MOST_SOURCES} are expected"
    return _problem(text, scribe) or Rewrite(without_stop(text), sources)


def _problem(text: str, scribe: Scribe) -> str:
    """Why a text cannot be one sentence of the answer; empty when it may be tried."""
    if len(text) > _LONGEST:
        return f"its text has {len(text)} characters; allowed are {_LONGEST}"
    if any(unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"} for char in text):
        return "its text holds a line break or an invisible character"
    if _STRUCTURE.search(text) or scribe.marks(text):
        return "its text holds a citation mark, brackets or markup"
    if text.endswith(("?", "？", "؟")) or not (text[0].isalnum() or text[0] in _OPENING):
        return "its text is a question, or does not begin like a sentence"
    statements = split(text, ())
    if len(statements) != 1 or statements[0].statement != "claim" or statements[0].form != "sentence":
        return "its text is not one sentence that states something"
    return ""
