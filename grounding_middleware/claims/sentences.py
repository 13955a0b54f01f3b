"""Sentence boundaries in clean text: sentencex, corrected by a merge rule and three extra cuts.

Not handled, because no rule is safe: scripts without stops (Thai), emoji as the only end, names that end in "!".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sentencex

from grounding_middleware.claims.lexicon import abbreviations, months, ordinal_before
from grounding_middleware.claims.quoted import bounded
from grounding_middleware.records import Range

__all__ = ["sentences"]

_LAST_WORD = re.compile(r"(?:^|[\s(\[„“\"'’«/])((?:[^\W\d_]{1,8}\.[  ]?)*[^\W\d_]{1,12}[.º°]?[.]?)$")
_NUMBER_END = re.compile(r"(?:([^\W\d_]+)\s+|^|[\s(])[vV]?\d+(?:\.\d+)*\.$")
_LONE_NUMBER = re.compile(r"\s*\d{1,3}\.\s*")
_FIRST = re.compile(r"[\s(\[„“\"'«`*_]*(\w+)?")
_TAIL = 48  # characters before a cut that hold the longest abbreviation; keeps the merge rule linear
_WINDOW = 4000  # characters; no paragraph that somebody wrote is longer
_STOP_AND_SPACE = re.compile(r"[.!?]\s+(?=[^\W\da-zß-ÿ])|[。！？؟।]\s*")
# "fees.) Fees", "are final.” Fees": a stop inside closing marks ends the sentence around it too
_CLOSED_STOP = re.compile(r"(?<=[^.\s][.])[)\]”\"»’」』]{1,3}\s+(?=[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-Я])")
_ELLIPSIS = re.compile(r"(?<=\w)(?:…|\.\.\.)\s+(?=[A-ZÀ-ÖØ-ÞА-Я][a-zà-öø-ÿа-я])")


def sentences(text: str, language: str) -> tuple[Range, ...]:
    """Ranges that tile `text`, one for each sentence; white space belongs to the sentence before it."""
    merged: list[Range] = []
    for start, end in _pieces(text, language or "en"):
        if merged and _belongs_together(text, merged[-1], (start, end), language):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return tuple(merged)


def _pieces(text: str, language: str) -> Iterator[Range]:
    for start, end in _windows(bounded(text), language):
        cuts = sorted(match.end() for rule in (_CLOSED_STOP, _ELLIPSIS) for match in rule.finditer(text, start, end))
        for cut in cuts:
            if start < cut < end and not _in_brackets(text, start, cut):
                yield start, cut
                start = cut
        yield start, end


def _windows(text: str, language: str) -> Iterator[Range]:
    """What the engine finds; long paragraphs are handed over in windows, as its time can grow with their square."""
    low = 0
    while low < len(text):
        high = len(text) if len(text) - low <= _WINDOW else _window_end(text, low, low + _WINDOW)
        for boundary in sentencex.get_sentence_boundaries(language, text[low:high]):
            yield low + boundary["start_index"], low + boundary["end_index"]
        low = high


def _window_end(text: str, low: int, high: int) -> int:
    """Behind the last stop in the window, else behind its last white space, else its end."""
    stops = [match.end() for match in _STOP_AND_SPACE.finditer(text, low, high)]
    if stops:
        return stops[-1]
    space = max(text.rfind(" ", low, high), text.rfind("\n", low, high))
    return space + 1 if space > low else high


def _in_brackets(text: str, start: int, cut: int) -> bool:
    """True when a round bracket opened since `start` is still open at `cut`."""
    return text.count("(", start, cut) > text.count(")", start, cut)


def _belongs_together(text: str, left: Range, right: Range, language: str) -> bool:
    """Whether a cut between two pieces is a false one: an abbreviation, an ordinal, a version, a lone mark."""
    piece = text[max(left[0], left[1] - _TAIL) : left[1]].rstrip()
    first = _FIRST.match(text, *right)
    word = first.group(1) if first else None
    if word is None:
        return not any(letter.isalnum() for letter in text[slice(*right)])
    if left[0] == 0 and _LONE_NUMBER.fullmatch(text, *left):
        return True
    if number := _NUMBER_END.search(piece):
        is_ordinal = number.group(1) is not None and number.group(1).lower() in ordinal_before(language)
        return word[0].islower() or word.casefold() in months() or is_ordinal
    match = _LAST_WORD.search(piece) if piece.endswith((".", "º", "°")) else None
    if not match:
        return False
    last = match.group(1).rstrip(".").replace(" ", "").replace("\u00a0", "").casefold()
    never, rarely = abbreviations(language)
    runs_on = word[0].islower() or word[0].isdigit()
    if last in never:
        return True
    return (last in rarely and (runs_on or len(word) == 1)) or (runs_on and (len(last) == 1 or "." in last))
