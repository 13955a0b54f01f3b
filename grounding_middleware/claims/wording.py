"""Wording of one statement, made comparable: lower case, simple marks, no openings; and what of it is material."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from grounding_middleware.claims.lexicon import template, words

__all__ = [
    "Wording",
    "amounts",
    "covers",
    "is_echo",
    "matches",
    "material",
    "names_source",
    "plain",
    "read",
    "tokens",
    "weighty",
]

# Signs that stand for phrases that name sources, so that templates stay small: "the provided passages", "the lease".
GENERIC, NAMED = "\x01", "\x02"

_MARKUP = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)|<br ?/?>")
_SPACE = re.compile(r"[\s\x00]+")
_ARABIC_VOWELS = range(0x064B, 0x0653)  # written or not, the word is the same
_SIMPLER: dict[int, str] = {
    **dict.fromkeys(_ARABIC_VOWELS, ""),
    **dict.fromkeys(map(ord, "’‘`´"), "'"),
    **dict.fromkeys(map(ord, "“”„«»‹›「」『』"), '"'),
    **{ord(mark): simple for mark, simple in zip("…。？؟！：，、،；", "..??!:,,,;", strict=True)},
}
_OUTER_END = re.compile(r"[\s.!?:;,\"')\]]+$")
_OUTER_START = re.compile(r"^[\s\"'(\[–—¿¡-]+")
# "l'alcool", "n'est" are two words, "don't", "it's" are one
_TOKEN = re.compile(r"[^\W\d_]{1,2}(?=')(?!'(?:s|t|m|re|ve|ll|d)\b)|qu(?=')|[^\W\d_]+(?:['-][^\W\d_]+)*")
_AMOUNT = re.compile(r"\S*[\d€$£¥₹%‰]\S*")
_EDGES = ".,;:!?()[]\"'-–—"


class Wording(NamedTuple):
    """`said` is the whole statement in plain form, `bare` the same without outer marks.

    `core` is `bare` without its openings, and with a sign for each phrase that names sources. `sourced` is true when an
    opening said where the statement comes from ("Based on the passages,").
    """

    said: str
    bare: str
    core: str
    language: str
    sourced: bool


@lru_cache(maxsize=64)  # identity, risk and reference of one statement ask in a row
def plain(text: str) -> str:
    """`text` in lower case without emphasis, with simple marks and single spaces; offsets are lost."""
    return _SPACE.sub(" ", _MARKUP.sub("", text).translate(_SIMPLER).lower()).strip()


def read(text: str, language: str) -> Wording:
    """The wording of `text`; openings are "However," or "Based on the passages,"."""
    said = plain(text)
    bare = _OUTER_END.sub("", _OUTER_START.sub("", said))
    core = bare
    for key, sign in (("generic_phrase", GENERIC), ("source_phrase", NAMED)):
        phrase = template(language, key)
        core = phrase.sub(sign, core) if phrase else core
    lead, from_source = template(language, "lead"), template(language, "sourced_lead")
    sourced = False
    while lead and (match := lead.match(core)) and 0 < match.end() < len(core):
        sourced = sourced or bool(from_source and from_source.match(core))
        core = core[match.end() :]
    return Wording(said, bare, core, language, sourced)


def names_source(wording: Wording) -> bool:
    """Whether the core speaks of a source."""
    return GENERIC in wording.core or NAMED in wording.core


def tokens(said: str) -> list[str]:
    """The words of a plain text."""
    return _TOKEN.findall(said)


def matches(wording: Wording, key: str) -> bool:
    """Whether a template of the list `key` covers the whole core."""
    return _covers(wording.language, key, wording.core)


def covers(wording: Wording, key: str) -> bool:
    """The same for the bare wording, in which names of sources stand as they are."""
    return _covers(wording.language, key, wording.bare)


def _covers(language: str, key: str, text: str) -> bool:
    pattern = template(language, key)
    return bool(pattern and pattern.fullmatch(text))


def material(wording: Wording, question: str = "") -> bool:
    """Whether the core carries an amount or a weighty word that `question` did not: then it has to be verified."""
    found = _AMOUNT.findall(wording.core)
    found += [word for word in tokens(wording.core) if word in weighty(wording.language)]
    return not is_echo(found, question)


def amounts(said: str) -> list[str]:
    """Words with a digit, a currency sign or a percent sign."""
    return _AMOUNT.findall(said)


def is_echo(found: list[str], question: str) -> bool:
    """Whether every one of the words `found` stands in the question too."""
    if not found:
        return True
    asked = set(plain(question).split()) if question else set()
    asked = {word.strip(_EDGES) for word in asked}
    return all(word.strip(_EDGES) in asked for word in found)


@cache
def weighty(language: str) -> frozenset[str]:
    """Negations, strong words, conditions and spelled-out numbers."""
    keys = ("negation", "strong", "condition_word", "number_word")
    return frozenset().union(*(words(language, key) for key in keys))
