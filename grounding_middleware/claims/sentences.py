"""Sentence boundaries in clean text: sentencex, corrected by a merge rule and four kinds of extra cuts.

Not handled, because no rule is safe: scripts without stops (Thai), emoji as the only end, names that end in "!".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

import sentencex

from grounding_middleware.claims.lexicon import abbreviations, months, openers, ordinal_before
from grounding_middleware.claims.quoted import bounded, quotations
from grounding_middleware.records import Range

__all__ = ["sentences"]

_LAST_WORD = re.compile(r"(?:^|[\s(\[„“\"'’«/-])((?:[^\W\d_]{1,8}\.[  ]?)*[^\W\d_]{1,12}[.º°]?[.]?)$")
_NUMBER_END = re.compile(r"(?:([^\W\d_]+)\s+|^|[\s(])[vV]?\d+(?:\.\d+)*\.$")
_LONE_NUMBER = re.compile(r"\s*\d{1,3}\.\s*")
_FIRST = re.compile(r"[\s(\[„“\"'«`*_]*(\w+)?")
_TAIL = 48  # characters before a cut that hold the longest abbreviation; keeps the merge rule linear
_WINDOW = 4000  # characters; no paragraph that somebody wrote is longer
_STOP_AND_SPACE = re.compile(r"[.!?]\s+(?=[^\W\da-zß-ÿ])|[。！？؟।]\s*")
# "fees.) Fees", "are final.” Fees": a stop inside closing marks ends the sentence around it too
_CLOSED_STOP = re.compile(r"(?<=[^.\s][.])[)\]”\"»’」』]{1,3}\s+(?=[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-Я])")
_STOP_AND_CAPITAL = re.compile(r"(?<!\w)([^\W\d_]{1,40})\.\s+([A-ZÀ-ÖØ-Þ][^\W\d_]*)")
_SHORTEST_WORD = 3
_ALSO_STREET = frozenset({"st"})
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
    """What the engine finds, with the cuts it misses."""
    quoted = quotations(text)
    for start, end in _windows(bounded(text), language):
        low = start
        for cut in sorted(_missed(text, start, end, language)):
            if low < cut < end and not _is_inside(text, low, cut, quoted):
                yield low, cut
                low = cut
        yield low, end


def _missed(text: str, start: int, end: int, language: str) -> Iterator[int]:
    """Places behind a stop where a sentence may end that the engine runs on over."""
    for rule in (_CLOSED_STOP, _ELLIPSIS):
        yield from (match.end() for match in rule.finditer(text, start, end))
    never, rarely = abbreviations(language)
    for match in _STOP_AND_CAPITAL.finditer(text, start, end):
        last, word = match.group(1), match.group(2)
        if last.lower() in never and not last.isupper():
            continue
        # "in Goleta, CA. It offers"; in English also "for the ill. Holmes", where other languages capitalise nouns
        plain = language == "en" and last.islower() and len(last) >= _SHORTEST_WORD and last not in rarely
        if plain or word.lower() in openers(language):
            yield match.start(2)


def _is_inside(text: str, start: int, cut: int, quoted: Sequence[Range]) -> bool:
    """Whether a cut lies between brackets that opened since `start`, or inside a quotation."""
    if text.count("(", start, cut) > text.count(")", start, cut):
        return True
    at = bisect_left(quoted, (cut, -1)) - 1
    return at >= 0 and quoted[at][1] > cut


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


def _belongs_together(text: str, left: Range, right: Range, language: str) -> bool:
    """Whether a cut between two pieces is a false one: an abbreviation, an ordinal, a version, a lone mark."""
    first = _FIRST.match(text, *right)
    word = first.group(1) if first else None
    if word is None:
        return not any(letter.isalnum() for letter in text[slice(*right)])
    if left[0] == 0 and _LONE_NUMBER.fullmatch(text, *left):
        return True
    piece = text[max(left[0], left[1] - _TAIL) : left[1]].rstrip()
    if number := _NUMBER_END.search(piece):
        is_ordinal = number.group(1) is not None and number.group(1).lower() in ordinal_before(language)
        return word[0].islower() or word.casefold() in months() or is_ordinal
    match = _LAST_WORD.search(piece) if piece.endswith((".", "º", "°")) else None
    return match is not None and _is_abbreviation(match.group(1).rstrip("."), word, language)


def _is_abbreviation(written: str, word: str, language: str) -> bool:
    """Whether what was `written` before a stop is one that does not end a sentence before `word`."""
    if len(written) > 1 and written.isupper() and written.isalpha():
        return False  # "CA." is California, not circa
    last = written.replace(" ", "").replace("\u00a0", "").casefold()
    never, rarely = abbreviations(language)
    if last in never:
        return last not in _ALSO_STREET or word.lower() not in openers(language)
    runs_on = word[0].islower() or word[0].isdigit()
    return (last in rarely and (runs_on or len(word) == 1)) or (runs_on and (len(last) == 1 or "." in last))
