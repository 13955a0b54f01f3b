"""Direct quotations inside a text: what stands between quotation marks of any style, nested ones included (CH-8, CL-8).

Apostrophes, inch and minute signs are no quotation marks; a mark that is never closed opens nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from grounding_middleware.claims.lines import trimmed
from grounding_middleware.records import Range

__all__ = ["bounded", "quotations"]

# opening mark -> marks that may close it; styles use one sign on both sides, or the signs of others swapped
_PAIRS = {
    "“": "”",
    "„": "“”",
    "‟": "”",
    "”": "”",
    "«": "»",
    "»": "«»",
    "‹": "›",
    "›": "‹›",
    "‘": "’",
    "‚": "‘’",
    "’": "’",
    "「": "」",
    "『": "』",
    "｢": "｣",
    "〝": "〞〟",
    '"': '"',
    "＂": "＂",
    "'": "'",
}
_MARK = re.compile("|".join(re.escape(mark) for mark in {*_PAIRS, *"".join(_PAIRS.values())}))
_APOSTROPHES = "'’"
_ONLY_CLOSE = "」』｣〞〟"
_BEFORE_OPENING = " \t\r\n\u00a0\u202f\u3000([{<—–-/:=*_|>，、。：；（"


def quotations(text: str) -> tuple[Range, ...]:
    """Ranges of the quoted words, without the marks and the white space next to them, by start; linear time."""
    inner = (trimmed(text, low + 1, high) for low, high in _pairs(text))
    return tuple(sorted((low, high) for low, high in inner if low < high))


def _pairs(text: str) -> Iterator[Range]:
    """Places of an opening mark and of the mark that closes it, inner pairs before outer ones."""
    open_marks: list[tuple[str, int]] = []
    waiting: Counter[str] = Counter()  # how many open marks each closing mark could close
    for match in _MARK.finditer(text):
        mark, at = match.group(), match.start()
        if waiting[mark] and _can_close(text, mark, at):
            while open_marks:
                opened, start = open_marks.pop()
                waiting.subtract(_PAIRS[opened])
                if mark in _PAIRS[opened]:
                    yield start, at
                    break
        elif mark in _PAIRS and _can_open(text, mark, at):
            open_marks.append((mark, at))
            waiting.update(_PAIRS[mark])


def _can_open(text: str, mark: str, at: int) -> bool:
    """An opening mark begins a word; signs that also close or elide need a space or a bracket before them."""
    after = text[at + 1 : at + 2]
    if not after or (after.isspace() and mark not in "«„"):
        return False
    if mark in "«“„‟‹‘‚「『｢〝":
        return True
    before = text[at - 1 : at]
    return not before or before in _BEFORE_OPENING or (before in _PAIRS and before != mark)


def _can_close(text: str, mark: str, at: int) -> bool:
    """A closing mark ends a word; an apostrophe inside a word or before a further word of the quotation does not."""
    if mark in _ONLY_CLOSE:
        return True
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if mark in _APOSTROPHES:
        return not after.isalnum() and not before.isspace() and not _possessive(text, mark, at)
    if mark in "“«‹" and after.isalnum() and (before.isspace() or not before):
        return False  # opens a quotation inside one of another style
    return mark != '"' or not before.isspace()


_AFTER_POSSESSIVE = re.compile(r"s['’] [a-z]")
_LOOK_AHEAD = 240


def _possessive(text: str, mark: str, at: int) -> bool:
    """`users' data'`: a plural possessive, when the quotation still finds another end before a new one begins."""
    if not _AFTER_POSSESSIVE.match(text, at - 1):
        return False
    rest = text[at + 1 : at + 1 + _LOOK_AHEAD]
    for number, letter in enumerate(rest):
        if letter == mark:
            before, after = rest[number - 1 : number], rest[number + 1 : number + 2]
            return not before.isspace() and not after.isalnum()
    return False


_LONGEST = 2000  # characters of a quotation that may hide stops
_FOREIGN_TO_ENGINE = re.compile(r"(?P<code>`[^`\r\n]{1,200}`)|`|'{2,}")


def bounded(text: str) -> str:
    """`text`, same length, with every mark that opens nothing or too much replaced by commas.

    For the sentence engine, whose time grows with the square of the marks left open.
    """
    paired = {at for low, high in _pairs(text) if high - low <= _LONGEST for at in (low, high)}
    text = _MARK.sub(lambda mark: mark.group() if mark.start() in paired or mark.group() in _APOSTROPHES else ",", text)
    return _FOREIGN_TO_ENGINE.sub(lambda mark: ("X" if mark.group("code") else ",") * len(mark.group()), text)
