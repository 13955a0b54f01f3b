"""Tokens with exact offsets in any script.

A token is a word (inner hyphens and apostrophes included), a code such as `AX-4471` or `--force`, a number, one
character of a script written without spaces, or one punctuation mark. White space is in no token.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Shape(StrEnum):
    """What a token looks like; meaning is decided elsewhere."""

    WORD = "word"
    CODE = "code"
    NUMBER = "number"
    IDEOGRAPH = "ideograph"
    PUNCT = "punct"


class Token(NamedTuple):
    """`text[start:end]` of the text it was read from; `norm` is what comparisons use."""

    text: str
    start: int
    end: int
    shape: Shape
    norm: str

    @property
    def capital(self) -> bool:
        """Starts with an upper-case letter."""
        return self.text[:1].isupper()


_IDEOGRAPH = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\u0e00-\u0e7f"
_WORD = rf"[^\W\d_{_IDEOGRAPH}]"
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc\u09be-\u09cd\u0a3c-\u0a4d\u0abc\u0abe-\u0acd\u0b3c\u0b3e-\u0b4d\u0bbe-\u0bcd\u0c3e-\u0c4d\u0cbc\u0cbe-\u0ccd"
    "\u0d3e-\u0d4d"
)
"""Signs that belong to the letter before: accents of decomposed text, vowels of Hebrew, Arabic and Indic scripts."""
_LETTERS = rf"[^\W{_IDEOGRAPH}]++(?>(?:[{_MARKS}]++[^\W{_IDEOGRAPH}]*+)*)"
DASHED = r"(?<![\w.,/-])(?:\d{3,}+-\d{1,2}[A-Za-z]|\d++-0\d++[A-Za-z]\w*+)(?![\w-])"
"""A part number that begins with digits, 3312-07B: no range, since it does not ascend, and no amount."""

_PATTERN = re.compile(
    rf"(?P<address>(?:https?://|www\.)[^\s<>\"')\]}}]*[^\s<>\"')\]}}.,;:!?]|(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)+)"
    rf"|(?P<dashed>{DASHED})"
    r"|(?P<bracket>-[LR][RS]B-)"
    rf"|(?P<number>\d++(?>(?:[.,'’\u202f\u00a0]\d++)*)(?![\w-]*[^\W\d_{_IDEOGRAPH}]-?\d))"
    rf"|(?P<ideograph>[{_IDEOGRAPH}])"
    rf"|(?P<word>(?:(?<!\w)--?(?=[^\W\d_]))?{_LETTERS}(?>(?:(?:[-'’._/·\u00ad\u2010\u2011]|-\n(?=[^\W\d_A-Z]))(?=[^\W_{_IDEOGRAPH}]){_LETTERS})*))"
    rf"|(?P<punct>\S)",
    re.UNICODE,
)
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]"}
"""How treebanks, and text that went through their tools, write brackets."""
_REMEMBERED = 32  # characters of the longest word remembered
_CODE = re.compile(r"\d|_|^--?\w|[a-z][A-Z]|\w[./]\w|@|://")
_CLITIC = re.compile(r"(?i)^(.+?)(n't|n’t)$|^(can)(not)$")
_VERB_CLITIC = re.compile(r"(?i)^(i|you|he|she|it|we|they|that|there|who|what|this)['’](ll|ve|re|m|d)$")
_VERBS = {"ll": "will", "ve": "have", "re": "are", "m": "am", "d": "d"}
_POSSESSIVE = re.compile(r"['’]s?$")
_BROKEN = re.compile(r"-\n|\u00ad")
_ELISION = re.compile(
    r"(?i)^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|d?all|dell|nell|sull|quell|quest|un|nessun|alcun|tutt|anch|com|dov)['’](?=\w)"
)


def tokenize(text: str) -> tuple[Token, ...]:
    """Every token of `text` in order; linear in its length."""
    tokens: list[Token] = []
    for match in _PATTERN.finditer(text):
        tokens.extend(_tokens(match))
    return tuple(tokens)


def _tokens(match: re.Match[str]) -> list[Token]:
    piece, start = match.group(), match.start()
    if match.lastgroup in ("punct", "bracket"):
        return [Token(piece, start, match.end(), Shape.PUNCT, _BRACKETS.get(piece, piece))]
    if match.lastgroup in ("number", "ideograph"):
        shape = Shape.NUMBER if match.lastgroup == "number" else Shape.IDEOGRAPH
        return [Token(piece, start, match.end(), shape, piece)]
    if match.lastgroup in ("address", "dashed"):
        return [Token(piece, start, match.end(), Shape.CODE, piece.casefold())]
    found = _remembered(piece) if len(piece) <= _REMEMBERED else _apart(piece)
    return [Token(text, start + low, start + high, shape, norm) for text, low, high, shape, norm in found]


def _apart(piece: str) -> tuple[Token, ...]:
    """The tokens of a word or code, placed as if the text were nothing else."""
    if _CODE.search(piece):
        return (Token(piece, 0, len(piece), Shape.CODE, piece.casefold()),)
    return tuple(_words(piece, 0))


_remembered = lru_cache(maxsize=1 << 14)(_apart)
"""Few words make up most of a text; bounded in number and, by `_REMEMBERED`, in size."""


def _words(piece: str, start: int) -> list[Token]:
    """One word; contracted negations, verbs and elided articles become tokens of their own."""
    clitic = _CLITIC.match(piece)
    if clitic:
        cut = start + len(clitic.group(1) or clitic.group(3))
        head, tail = piece[: cut - start], piece[cut - start :]
        return [_word(head, start), Token(tail, cut, cut + len(tail), Shape.WORD, "not")]
    verb = _VERB_CLITIC.match(piece)
    if verb:
        cut = start + verb.end(1)
        head, tail = piece[: cut - start], piece[cut - start :]
        norm = _VERBS[verb.group(2).casefold()]
        return [_word(head, start), Token(tail, cut, cut + len(tail), Shape.WORD, norm)]
    elided = _ELISION.match(piece)
    if elided:
        cut = start + elided.end()
        return [_word(piece[: elided.end()], start), *_words(piece[elided.end() :], cut)]
    return [_word(piece, start)]


def _word(piece: str, start: int) -> Token:
    folded = piece.casefold() if piece.isascii() else unicodedata.normalize("NFKC", piece).casefold()
    norm = _POSSESSIVE.sub("", folded) or folded
    norm = _BROKEN.sub("", norm).replace("’", "'").replace("\u2010", "-").replace("\u2011", "-")
    return Token(piece, start, start + len(piece), Shape.WORD, norm)
