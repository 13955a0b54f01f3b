"""Tokens as fine as values need them: digit groups, words, single signs; offsets exact, linear in the text.

Finer than `reading.tokens`: a hyphen or apostrophe is always a token of its own, so that "14-day", "jusqu'à" and
"Q1'24" can be taken apart.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

FRACTION_SIGNS: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒"
CJK: Final = "\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af"
_MARKS: Final = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
_ARABIC_MARKS = re.compile("[\u064b-\u0652\u0670\u0640]")
_TOKEN = re.compile(
    r"(?P<e>\*\*|(?<=\S)\*|\*(?=\S))|"
    rf"(?P<d>(?:(?<![\w.)\]])\.(?=\d))?\d++(?:[.,'’٬٫\u00a0\u202f\u2009]\d++)*+)"
    rf"|(?P<c>[{CJK}]++)"
    rf"|(?P<w>[^\W\d_{CJK}{FRACTION_SIGNS}](?:[^\W\d_{CJK}{FRACTION_SIGNS}]|[{_MARKS}])*+)"
    r"|(?P<s>\S)"
)


@dataclass(frozen=True, slots=True)
class Scan:
    """The tokens of one text in parallel tuples: `text[starts[i]:ends[i]]`, its folded form and its shape.

    Shapes: "d" digits with inner separators, "c" a run of CJK letters, "w" a word, "s" one sign.
    """

    text: str
    starts: list[int]
    ends: list[int]
    folded: list[str]
    shapes: list[str]

    def __len__(self) -> int:
        return len(self.starts)

    def word(self, index: int) -> str:
        """Folded form of token `index`; empty outside the text, so that callers need no bounds check."""
        return self.folded[index] if 0 <= index < len(self.folded) else ""

    def raw(self, index: int) -> str:
        """Token `index` as written; empty outside the text."""
        return self.text[self.starts[index] : self.ends[index]] if 0 <= index < len(self.starts) else ""

    def shape(self, index: int) -> str:
        """Shape of token `index`; empty outside the text."""
        return self.shapes[index] if 0 <= index < len(self.shapes) else ""

    def gap(self, index: int) -> str:
        """What stands between token `index` and the next one; a line break when there is none."""
        if not 0 <= index < len(self.starts) - 1:
            return "\n"
        return self.text[self.ends[index] : self.starts[index + 1]]

    def glued(self, index: int) -> bool:
        """True when nothing stands between token `index` and the next."""
        return 0 <= index < len(self.starts) - 1 and self.ends[index] == self.starts[index + 1]


def scan(text: str) -> Scan:
    """Every token of `text`, in order."""
    starts: list[int] = []
    ends: list[int] = []
    folded: list[str] = []
    shapes: list[str] = []
    for match in _TOKEN.finditer(text):
        shape = match.lastgroup or "s"
        if shape == "e":  # markdown emphasis stands between a number and its unit without meaning anything
            continue
        piece = match.group()
        starts.append(match.start())
        ends.append(match.end())
        shapes.append(shape)
        folded.append(fold(piece) if shape == "w" else "'" if piece == "’" else piece)
    return Scan(text, starts, ends, folded, shapes)


def fold(word: str) -> str:
    """The form word tables are keyed by: lower case, composed, no Arabic vowel signs."""
    low = word.lower()
    if low.isascii():
        return low
    return _ARABIC_MARKS.sub("", unicodedata.normalize("NFC", low))


def phrase(words: str) -> tuple[str, ...]:
    """A table entry as the tokens a text would give."""
    return tuple(scan(words).folded)
