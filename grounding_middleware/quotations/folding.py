"""The normalisation ladder: what may differ between a quotation and its source, each rung with a map back.

1. EXACT: nothing. 2. TYPOGRAPHY: style of quotation marks, apostrophes and dashes; kind and number of blanks (line
breaks included); composed or decomposed accents; ligatures; full-width and half-width forms; invisible characters.
3. LAYOUT: words hyphenated at a line end, line wraps inside scripts without blanks, markdown emphasis and backticks.
Letter case, digits, words and every other character are kept. Nothing here is fuzzy; all of it is linear.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from grounding_middleware.records import Range


class Rung(StrEnum):
    """How far down the ladder two texts had to go to be equal."""

    EXACT = "exact"
    TYPOGRAPHY = "typography"
    LAYOUT = "layout"


@dataclass(frozen=True, slots=True)
class Folded:
    """A normalised text that knows where each of its characters came from.

    It is a row of pieces: piece `i` begins at `starts[i]` here and covers `origins[i]` there. Only pieces of equal
    length on both sides were left as they were, or changed character by character.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[Range, ...]

    def original(self, start: int, end: int) -> Range:
        """The smallest range of the original text that folds to `text[start:end]`; the range must not be empty."""
        return self._place(start)[0], self._place(end - 1)[1]

    def _place(self, index: int) -> Range:
        """Where one character came from; all of the origin when the piece changed its length."""
        piece = bisect_right(self.starts, index) - 1
        low, high = self.origins[piece]
        after = self.starts[piece + 1] if piece + 1 < len(self.starts) else len(self.text)
        if high - low != after - self.starts[piece]:
            return low, high
        at = low + index - self.starts[piece]
        return at, at + 1


_INVISIBLE = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff"
_HYPHENS = "\\-\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"
_LONG_DASHES = "\u2014\u2015\ufe58"
_MARKS = "\"'\u00ab\u00bb\u00b4\u2018-\u201f\u2032-\u2036\u2039\u203a\u300c-\u300f\u301d-\u301f\uff02\uff07\uff62\uff63"
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"

_TYPOGRAPHY = rf"""
    (?P<blank> (?:\ (?=[\s{_INVISIBLE}{_HYPHENS}{_LONG_DASHES}\u00bb\u203a;:!?]) | [^\S\ ]) [\s{_INVISIBLE}]* )
        (?: (?P<dash> [{_LONG_DASHES}]\s* | (?:--|[{_HYPHENS}])\s+ )
          | (?P<shut> [\u00bb\u203a;:!?](?![^\s.,;:!?)\]]) ) )?
  | (?P<open> (?<![^\s(\[]) [\u00ab\u2039]\s+ )
  | (?P<long> [{_LONG_DASHES}]\s* | (?<!-)--(?!-)\s* )
  | (?P<hyphen> [\u2010-\u2013\u2212\ufe63\uff0d] )
  | (?P<mark> ''|``|[{_MARKS}] )
  | (?P<dots> \u2026 )
  | (?P<invisible> [{_INVISIBLE}]+ )
  | (?P<form> [\ufb00-\ufb06\uff01-\uff5e\uffe0-\uffe6] | [\uff65-\uff9f][\uff9e\uff9f]?
             | [^\W_][\u0300-\u036f\u3099\u309a]+ )
"""
_LAYOUT = rf"""
    (?P<wrap> (?<=\w)[-\u2010\u2011\u00ad][^\S\n]*\n\s*(?=\w) )
  | (?P<line> (?<=[{_SPACELESS}])[^\S\n]*\n\s*(?=[{_SPACELESS}]) )
  | (?P<ticks> `+ | ~~ )
  | (?P<stars> (?<![\w*])\*{{1,3}}(?=[^\s*]) | (?<=[^\s*])\*{{1,3}}(?![\w*]) )
"""
_PATTERNS = {
    Rung.TYPOGRAPHY: re.compile(_TYPOGRAPHY, re.VERBOSE),
    Rung.LAYOUT: re.compile(f"{_LAYOUT} | {_TYPOGRAPHY}", re.VERBOSE),
}
# Where a change can begin. Looking there only is five times faster than trying every character: most blanks are a
# single plain one before an ordinary character and need no change.
_RARE = re.compile(
    rf"[^\S ]|[{_INVISIBLE}{_LONG_DASHES}\-\u2010-\u2013\u2212\ufe63\uff0d{_MARKS}\u2026"
    r"\ufb00-\ufb06\uff01-\uff5e\uff61-\uff9f\uffe0-\uffe6`~*]"
)
_SPACED = re.compile(rf" (?=[\s{_INVISIBLE}{_HYPHENS}{_LONG_DASHES}\u00bb\u203a;:!?])")
_COMBINING = re.compile(r"[\u0300-\u036f\u3099\u309a]")
_UNDERLINED = re.compile(r"(?<!\w)(__?)(?=[^\s_])[^_\n]*(?<=[^\s_])(\1)(?!\w)")
_COMPOUND = re.compile(r"(?<!\w)\w++(?:[-\u2010\u2011]\w++)+")
_WORD_BEFORE = re.compile(r"[\w\-\u2010\u2011]*\Z")
_WORD_AFTER = re.compile(r"[\w\-\u2010\u2011]*")
_LONGEST_WORD = 80

_SPACELESS_CHARACTER = re.compile(f"[{_SPACELESS}]")


def spaceless(character: str) -> bool:
    """True for a script without blanks between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    return _SPACELESS_CHARACTER.match(character) is not None


def fold(text: str, rung: Rung, compounds: frozenset[str] = frozenset()) -> Folded:
    """`text` with everything up to `rung` normalised.

    A hyphen at a line end is dropped ("sched-/uler") unless that would break up one of `compounds`, the hyphenated
    words of the other text ("long-/term").
    """
    if rung is Rung.EXACT:
        return _assemble(text, ())
    changes = ((match.span(), _replacement(match, compounds)) for match in _matches(text, _PATTERNS[rung]))
    if rung is Rung.TYPOGRAPHY:
        return _assemble(text, changes)
    return _assemble(text, sorted(chain(changes, _underscores(text))))


def compounds(text: str) -> frozenset[str]:
    """The hyphenated words of `text`, in lower case and with plain hyphens."""
    return frozenset(_plain(match.group()) for match in _COMPOUND.finditer(text))


def _assemble(text: str, changes: Iterable[tuple[Range, str]]) -> Folded:
    pieces, starts, origins, length, done = [], [], [], 0, 0
    for (start, end), replacement in chain(changes, [((len(text), len(text)), "")]):
        for piece, origin in ((text[done:start], (done, start)), (replacement, (start, end))):
            if piece:
                pieces.append(piece)
                starts.append(length)
                origins.append(origin)
                length += len(piece)
        done = end
    return Folded("".join(pieces), tuple(starts), tuple(origins))


def _matches(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """What `pattern.finditer(text)` gives, faster."""
    places = {match.start() for trigger in (_RARE, _SPACED) for match in trigger.finditer(text)}
    places.update(match.start() - 1 for match in _COMBINING.finditer(text))
    done = 0
    for place in sorted(places):
        if place >= done and (match := pattern.match(text, place)):
            done = match.end()
            yield match


def _underscores(text: str) -> Iterator[tuple[Range, str]]:
    """Only pairs are emphasis: a lone underscore belongs to an identifier."""
    for match in _UNDERLINED.finditer(text):
        yield match.span(1), ""
        yield match.span(2), ""


def _replacement(match: re.Match[str], keep: frozenset[str]) -> str:  # noqa: PLR0911  # one line for each kind
    found, kind = match.group(), match.lastgroup
    if kind in ("dash", "long"):
        return " - "
    if kind == "shut":
        return "'" if found[-1] in "\u00bb\u203a" else found[-1]
    if kind == "blank":
        return " "
    if kind == "hyphen":
        return "-"
    if kind in ("open", "mark"):
        return "'"
    if kind == "dots":
        return "..."
    if kind == "form":
        return unicodedata.normalize("NFC" if found[0].isalpha() and found[0] < "\ufb00" else "NFKC", found)
    if kind == "wrap":
        return _unwrapped(match, keep)
    return ""


def _unwrapped(match: re.Match[str], keep: frozenset[str]) -> str:
    """What remains of a hyphen at a line end."""
    text, (start, end) = match.string, match.span()
    if text[start] == "\u00ad":
        return ""
    if not (text[start - 1].isalpha() and text[end].islower()):
        return "-"
    before = _WORD_BEFORE.search(text, max(0, start - _LONGEST_WORD), start)
    after = _WORD_AFTER.match(text, end, end + _LONGEST_WORD)
    word = f"{before.group() if before else ''}-{after.group() if after else ''}"
    return "-" if _plain(word) in keep else ""


def _plain(word: str) -> str:
    return word.replace("\u2010", "-").replace("\u2011", "-").lower()
