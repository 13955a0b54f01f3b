"""Tokens as fine as values need them: digit groups, words, single signs; offsets exact, linear in the text.

Finer than `reading.tokens`: a hyphen or apostrophe is always a token of its own, so that "14-day", "jusqu'à" and
"Q1'24" can be taken apart. Markdown emphasis is left out: it may stand between a number and its unit.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

FRACTION_SIGNS: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
_CJK: Final = "\u3005\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
)
_LETTER: Final = rf"[^\W\d_{_CJK}{FRACTION_SIGNS}]"
_ARABIC_MARKS: Final = re.compile("[\u064b-\u0652\u0670\u0640]")
_PATTERN: Final = (
    rf"(?P<w>{_LETTER}++(?>(?:[{_MARKS}]++{_LETTER}*+)*))"
    r"|(?P<d>(?:(?<![\w.)\]])\.(?=\d))?\d++(?>(?:[.,'’٬٫\u00a0\u202f\u2009]\d++)*))"
    rf"|(?P<c>[{_CJK}]++)"
    r"|(?P<e>\*\*|(?<=\S)\*|\*(?=\S))"
    r"|(?P<s>\S)"
)
_PADDING: Final = 32  # empty tokens behind the last one: neighbours may be looked up without a bounds check


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scan:
    """The tokens of one text in parallel lists: `text[starts[i]:ends[i]]`, its folded form and its shape.

    Shapes: "d" digits with inner separators, "c" a run of CJK letters, "w" a word, "s" one sign. Behind the last token
    stand empty ones, so that an index a little outside, also a small negative one, finds an empty token of shape "".
    """

    text: str
    size: int
    starts: list[int]
    ends: list[int]
    folded: list[str]
    shapes: list[str]

    def raw(self, index: int) -> str:
        """Token `index` as written."""
        return self.text[self.starts[index] : self.ends[index]]

    def gap(self, index: int) -> str:
        """What stands between token `index` and the next one, without markdown emphasis."""
        return self.text[self.ends[index] : self.starts[index + 1]].replace("*", "")

    def glued(self, index: int) -> bool:
        """True when nothing stands between token `index` and the next."""
        return self.ends[index] == self.starts[index + 1]

    def between(self, first: int, last: int) -> str:
        """The text from token `first` to token `last`, both included."""
        return self.text[self.starts[first] : self.ends[last]]

    def has(self, index: int, words: tuple[str, ...]) -> bool:
        """True when the tokens from `index` on are `words`."""
        return tuple(self.folded[index : index + len(words)]) == words


@lru_cache(maxsize=1)
def _tokens() -> re.Pattern[str]:
    """Compiled on first use: the letter classes take milliseconds."""
    return re.compile(_PATTERN)


def scan(text: str) -> Scan:
    """Every token of `text`, in order."""
    matches = list(_tokens().finditer(text))
    if "*" in text:
        matches = [match for match in matches if match.lastgroup != "e"]
    starts = [match.start() for match in matches]
    ends = [match.end() for match in matches]
    low = text.lower()
    if len(low) != len(text):  # "İ" grows: such a text is folded word by word
        low = text
    pieces = [low[start:end] for start, end in zip(starts, ends, strict=True)]
    folded = [piece if piece.isascii() and low is not text else _fold_token(piece) for piece in pieces]
    shapes = [match.lastgroup or "s" for match in matches]
    beyond = len(text) + 1
    return Scan(
        text,
        len(matches),
        [*starts, *(beyond,) * _PADDING],
        [*ends, *(beyond,) * _PADDING],
        [*folded, *("",) * _PADDING],
        [*shapes, *("",) * _PADDING],
    )


def _fold_token(piece: str) -> str:
    return "'" if piece == "’" else fold(piece)


def fold(word: str) -> str:
    """The form word tables are keyed by: lower case, composed, no Arabic vowel signs."""
    low = word.lower()
    if low.isascii():
        return low
    return _ARABIC_MARKS.sub("", unicodedata.normalize("NFC", low))


def phrase(words: str) -> tuple[str, ...]:
    """A table entry as the tokens a text would give."""
    found = scan(words)
    return tuple(found.folded[: found.size])
