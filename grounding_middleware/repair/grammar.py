"""What may take whose place so that a sentence stays one: data of closed classes, and no when in doubt."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = ["Grammar", "cased", "grammar", "same_form"]

_LAST_WORD = re.compile(r"([^\W\d_]+)\W*\Z")
_VOWEL = re.compile(r"[aeio]", re.IGNORECASE)
_SILENT = re.compile(r"hour|honest|honou?r|heir|one\b|once|eu|us|uni", re.IGNORECASE)
_AN_NUMBER = re.compile(r"8|11(?!\d)|18(?!\d)|11[.,]\d{3}|18[.,]\d{3}")
_ENDINGS = ("ed", "ing", "er", "est", "ly", "s")


@dataclass(frozen=True, slots=True)
class Grammar:
    """The tables of one language; empty for a language without any, which allows nothing."""

    swaps: tuple[frozenset[str], ...] = ()
    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    pointers: frozenset[str] = frozenset()
    speakers: frozenset[str] = frozenset()
    persons: frozenset[str] = frozenset()
    moment: frozenset[str] = frozenset()

    def swappable(self, old: str, new: str) -> bool:
        """Whether one word or phrase may simply be put in the place of the other."""
        pair = {_folded(old), _folded(new)}
        return any(pair <= group for group in self.swaps)

    def qualifies(self, words: str, *, before: bool) -> bool:
        """Whether `words` beside a value may come, go or change; none may always."""
        known = self.before if before else self.after
        return not words.strip() or _folded(words) in known

    def article_fits(self, text_before: str, old: str, new: str) -> bool:
        """Whether an article right before the old words goes with the new ones; no when it cannot be told."""
        last = _LAST_WORD.search(text_before)
        if last is None or last[1].casefold() not in self.articles or not text_before.endswith((" ", "\u00a0")):
            return True
        sounds = {_vowel_sound(old), _vowel_sound(new)}
        return len(sounds) == 1 and None not in sounds


@cache
def grammar(language: str) -> Grammar:
    """The tables of `language`."""
    table = _data().get(language, {})
    lists = ("before", "after", "articles", "pointers", "speakers", "persons", "moment")
    return Grammar(
        swaps=tuple(frozenset(group) for group in table.get("swaps", ())),
        **{name: frozenset(table.get(name, ())) for name in lists},
    )


def cased(old: str, new: str, *, proper: bool) -> str:
    """`new` with the first letter as `old` has it; a `proper` word, a code or an acronym keeps its own."""
    if proper or not new[:1].isalpha() or not old[:1].isalpha() or new[:2].isupper():
        return new
    return (new[:1].upper() if old[:1].isupper() else new[:1].lower()) + new[1:]


def same_form(old: str, new: str) -> bool:
    """Whether two words end alike, so that one agrees with its neighbours where the other did."""
    return _ending(old) == _ending(new)


def _ending(word: str) -> str:
    return next((ending for ending in _ENDINGS if word.casefold().endswith(ending) and len(word) > len(ending) + 2), "")


def _vowel_sound(text: str) -> bool | None:
    """Whether the first sound is a vowel; None when the letters do not tell."""
    first = text.lstrip("*_\"'“‘(")
    if not first or first[0] in "uU" or _SILENT.match(first):
        return None
    if first[0].isdigit():
        return bool(_AN_NUMBER.match(first))
    if not first[0].isalpha() or first[:2].isupper():
        return None
    return bool(_VOWEL.match(first))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


@cache
def _data() -> Mapping[str, Mapping[str, list[str]]]:
    text = (files(__package__) / "grammar.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
