"""Text of others on a terminal: shown, never obeyed.

An answer or a source may hold escape sequences that recolour or rewrite the screen, bidirectional overrides that
reorder a line, and characters nobody can see. All of them are shown as escapes.
"""

from __future__ import annotations

import json
import re
import unicodedata

__all__ = ["escaped_json", "one_line", "printable"]

_UNSEEN_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_HARMLESS = {
    "\n",
    "\t",
    "\u200c",
    "\u200d",
    "\u00ad",
}  # line, tab, the two joiners that scripts and emoji need, soft hyphen
_VISIBLE_FORMATS = {
    *map(chr, range(0x600, 0x606)),
    "\u06dd",
    "\u070f",
    "\u0890",
    "\u0891",
    "\u08e2",
}  # Arabic, Syriac marks
_SUSPECT = re.compile(r"[^\x20-\x7e\n\t]")


def printable(text: str) -> str:
    """The text with every control, format and surrogate character written as an escape; lines and tabs stay."""
    return _SUSPECT.sub(lambda match: _escape(match[0]), text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The text as one printable line, white space collapsed."""
    return printable(" ".join(text.split()))


def escaped_json(document: str) -> str:
    """The same JSON data, with everything `printable` would escape written as a JSON escape."""
    return _SUSPECT.sub(lambda match: json.dumps(match[0])[1:-1] if _unseen(match[0]) else match[0], document)


def _unseen(char: str) -> bool:
    return unicodedata.category(char) in _UNSEEN_CATEGORIES and char not in _HARMLESS and char not in _VISIBLE_FORMATS


def _escape(char: str) -> str:
    if not _unseen(char):
        return char
    return char.encode("unicode_escape").decode("ascii")
