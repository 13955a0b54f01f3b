"""Definitions: "X (born 1970) is a former French actor and singer", read into who X is and what is said of it.

English only, by closed-class words: the name is what stands before the first form of "to be", without what stands in
brackets or behind a comma; the predicate is the noun phrase behind it, up to the word that hangs something else on it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Unit

_COPULAS: Final = frozenset({"is", "are", "was", "were"})
_OPEN: Final = frozenset({"(", "["})
_CLOSE: Final = frozenset({")", "]"})
_MARKS: Final = frozenset({'"', "“", "”", "'", "`", "‘", "’", "-", "–", "/", "*"})
_ONLY: Final = frozenset({"only", "solely", "exclusively", "strictly", "merely", "purely"})
_DENIALS: Final = frozenset({"not", "never"})
_ADVERBS: Final = frozenset({"also", "currently", "still", "now", "actually", "really", "originally", "both"})
_ALIAS: Final = frozenset({"as", "officially", "abbreviated", "or", "called", "nicknamed"})
_GENERATIONS: Final = frozenset({"jr", "sr", "ii", "iii", "iv"})
_IRREGULAR: Final = frozenset(
    {"set", "written", "made", "built", "known", "born", "found", "led", "held", "run", "sung", "drawn"}
)
_COUNTS: Final = frozenset(["and", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
_LAST_LATIN: Final = "\u024f"  # the name in another script stands behind the name, not in it
_LONGEST: Final = 24  # words of a predicate looked at
_SHORT_FORM: Final = 2  # words: a single one may be the name of many


@dataclass(frozen=True, slots=True)
class Definition:
    """What one sentence says its subject is.

    `names` are the ways the subject is named (folded words, no articles), `copula` the form of "to be", `words` the
    predicate's noun phrases without articles, `heads` the noun each of them ends with, `end` where they end.
    """

    unit: Unit
    names: tuple[tuple[str, ...], ...]
    copula: Token
    words: tuple[Token, ...]
    heads: tuple[Token, ...]
    article: bool
    denied: bool
    only: bool
    end: int


def definition(unit: Unit) -> Definition | None:
    """The definition a sentence gives of its subject; None when it is no such sentence."""
    if unit.language != "en" or unit.tabular:
        return None
    tokens = _level(unit.tokens)
    at = _copula(tokens)
    if at is None:
        return None
    names = tuple(_names(tokens[:at]))
    rest = tokens[at + 1 :]
    denied = only = False
    while rest and rest[0].norm in _DENIALS | _ONLY | _ADVERBS:
        denied, only = denied or rest[0].norm in _DENIALS, only or rest[0].norm in _ONLY
        if denied and only:
            return None  # "is not only a"
        rest = rest[1:]
    words = lexicon("en")
    article = bool(rest) and rest[0].norm in words.articles
    phrase, heads = _phrase(rest)
    if not names or not heads:
        return None
    return Definition(unit, names, tokens[at], phrase, heads, article, denied, only, phrase[-1].end)


def same_subject(claim: Definition, source: Definition) -> bool:
    """Both sentences define the same thing, as far as its names tell."""
    return any(same_name(mine, theirs) for mine in claim.names[:1] for theirs in source.names)


def same_name(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Equal, or one is a shorter form of the other that ends with the same word (Ada Lovelace, Ada King Lovelace)."""
    if tuple(mine) == tuple(theirs):
        return True
    short, long = sorted((tuple(mine), tuple(theirs)), key=len)
    function = lexicon("en").function
    if len(short) < _SHORT_FORM or short[-1] != long[-1] or any(word in function for word in long):
        return False
    rest = iter(long)
    return all(any(_same_word(word, other) for other in rest) for word in short)


def _same_word(mine: str, theirs: str) -> bool:
    """Equal, or an initial of it."""
    return mine == theirs or (len(mine) == 1 and theirs.startswith(mine))


def subject_names(tokens: Sequence[Token]) -> Iterator[tuple[str, ...]]:
    """The ways the words before a verb name its subject; auxiliaries at their end are no part of it."""
    words = lexicon("en")
    level = _level(tokens)
    while level and level[-1].norm in words.auxiliaries:
        level = level[:-1]
    yield from _names(level)


def fold(word: str) -> str:
    """Without accents: Sánchez and Sanchez are one name."""
    if word.isascii():
        return word
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


def _level(tokens: Sequence[Token]) -> list[Token]:
    """The tokens outside of brackets, without quotation marks."""
    found: list[Token] = []
    depth = 0
    for token in tokens:
        if token.norm in _OPEN:
            depth += 1
        elif token.norm in _CLOSE:
            depth = max(0, depth - 1)
        elif not depth and token.text not in _MARKS:
            found.append(token)
    return found


def _copula(tokens: Sequence[Token]) -> int | None:
    """The first form of "to be" that is not part of a relative clause."""
    words = lexicon("en")
    for position, token in enumerate(tokens):
        if token.norm in _COPULAS and position:
            return None if tokens[position - 1].norm in words.relatives | {"that", "there", "it"} else position
        if token.shape is Shape.PUNCT and token.text not in ",.:":
            return None
    return None


def _names(tokens: Sequence[Token]) -> Iterator[tuple[str, ...]]:
    """The name before the first comma, then those that "also known as" and the like introduce."""
    words = lexicon("en")
    parts: list[list[Token]] = [[]]
    for token in tokens:
        if token.text == ",":
            parts.append([])
        elif token.shape is not Shape.PUNCT:
            parts[-1].append(token)
    if parts[0] and parts[0][0].norm in words.prepositions and len(parts) > 1:
        parts = parts[1:]  # "In mathematics, a group is a set"
    first = parts[0]
    if not first or first[0].norm in words.pronouns:
        return
    yield _name(first)
    for part in parts[1:]:
        last = max((n for n, token in enumerate(part) if token.norm in _ALIAS), default=None)
        if last is not None and part[last + 1 :]:
            yield _name(part[last + 1 :])


def _name(tokens: Sequence[Token]) -> tuple[str, ...]:
    articles = lexicon("en").articles
    found = [fold(token.norm) for token in tokens if token.norm not in _GENERATIONS]
    found = [word for word in found if max(word) <= _LAST_LATIN] or found
    return tuple(found[1:] if found[:1] and found[0] in articles and len(found) > 1 else found)


def _phrase(tokens: Sequence[Token]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The words of the predicate's noun phrases, and the last word of each."""
    words = lexicon("en")
    found: list[Token] = []
    heads: list[Token] = []
    open_ = False
    for position, token in enumerate(tokens[:_LONGEST]):
        after = tokens[position + 1] if position + 1 < len(tokens) else None
        if token.text == "," or token.norm in ("and", "or"):
            if open_:
                heads.append(found[-1])
            open_ = False
        elif token.norm in words.articles and not open_:
            continue
        elif token.shape is Shape.PUNCT or _ends(token, after, open_=open_):
            break
        else:
            found.append(token)
            open_ = True
    if open_:
        heads.append(found[-1])
    return tuple(found), tuple(heads)


def _ends(token: Token, after: Token | None, *, open_: bool) -> bool:
    """A word no noun phrase goes on with: a preposition, relative, verb, or a participle that governs what follows."""
    words = lexicon("en")
    closed = words.prepositions | words.relatives | words.auxiliaries | words.pronouns | words.articles
    if not token.text.islower():
        return False  # "US" is no pronoun, the "D" of "3D" no auxiliary
    if token.norm in closed or (token.norm,) in words.cues:
        return token.text[1:] != "s" or open_
    if not (token.norm.endswith(("ed", "ing")) or token.norm.rpartition("-")[2] in _IRREGULAR):
        return False
    governs = after is None or after.shape is Shape.PUNCT or after.norm in closed | _COUNTS
    return governs or (open_ and after is not None and after.capital)
