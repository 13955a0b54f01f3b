"""The language of one answer, decided once: by script, or for Latin letters by a vote of closed-class words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from grounding_middleware.claims.lexicon import load

__all__ = ["detect", "detect_beside"]

_CLEAR = 4  # votes ahead: two words
_SAMPLE = 4000  # characters; an answer keeps its language
_WORD = re.compile(r"[^\W\d_]+")
_SCRIPTS = (
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ar", re.compile(r"[\u0600-\u06ff]")),
    ("he", re.compile(r"[\u0590-\u05ff]")),
    ("hi", re.compile(r"[\u0900-\u097f]")),
    ("th", re.compile(r"[\u0e00-\u0e7f]")),
    ("el", re.compile(r"[\u0370-\u03ff]")),
    ("ru", re.compile(r"[\u0400-\u04ff]")),
)
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]")
# Letters that only one of the languages of a script uses.
_FINER = {"ru": (("uk", "іїєґ"),), "ar": (("ur", "ٹڈڑں"), ("fa", "پچژگیک"))}


def detect(text: str, question: str = "", beside: str = "") -> str:
    """ISO 639-1 code of the language of `text`; "" when nothing tells.

    Few words tell little ("Le car part le 21 mai" may be French or Italian): then `beside`, the sources an answer was
    written from, and after them `question` decide between the languages the words allow.
    """
    text, question, beside = text[:_SAMPLE], question[:_SAMPLE], beside[:_SAMPLE]
    if script := _script(text):
        return script
    votes = _votes(text)
    found = _elected(votes)
    if _ahead(votes, found):
        return found
    for expected in (*map(_clear, (beside, question)), *map(_detect, (beside, question))):
        if expected and votes[found] - votes[expected] < _CLEAR and (votes[expected] or not found):
            return expected
    return found


def detect_beside(text: str, expected: str) -> str:
    """The language of a source next to an answer in `expected`: another one only if its words clearly say so.

    A source of one short sentence often has no telling word, or one that several languages share.
    """
    text = text[:_SAMPLE]
    if script := _script(text):
        return script
    found = _elected(_votes(text))
    if found in ("", expected):
        return expected
    votes = _votes(" ".join(set(_WORD.findall(text))))  # each word once: "per bay, per level" is one vote
    return found if votes[found] - votes[expected] >= _CLEAR else expected


def _ahead(votes: Counter[str], found: str) -> bool:
    """No other language comes near."""
    return (
        bool(found) and votes[found] - max((votes[code] for code in votes if code != found), default=-_CLEAR) >= _CLEAR
    )


def _clear(text: str) -> str:
    """As `_detect`, "" when two languages are close: then another text decides."""
    votes = _votes(text)
    found = _elected(votes)
    return _script(text) or (found if _ahead(votes, found) else "")


def _detect(text: str) -> str:
    return _script(text) or _elected(_votes(text))


def _script(text: str) -> str:
    """The language whose letters outweigh the Latin ones; "" when none do."""
    if text.isascii():
        return ""
    latin = len(_LATIN.findall(text))
    for code, letters in _SCRIPTS:
        count = len(letters.findall(text))
        # Han and kana carry about a word in two letters, so that a few of them outweigh Latin product names.
        if count * (3 if code in ("ja", "ko", "zh") else 1) > latin:
            return next((finer for finer, marks in _FINER.get(code, ()) if any(mark in text for mark in marks)), code)
    return ""


def _elected(votes: Counter[str]) -> str:
    """The language with most votes, the first of several; "" without any."""
    return max(votes, key=votes.__getitem__, default="")


def _votes(text: str) -> Counter[str]:
    """Two votes for a word, one for a word of one letter, one for each telling letter that occurs."""
    votes: Counter[str] = Counter()
    if not _LATIN.search(text):
        return votes
    lower, voters = text.lower(), _voters()
    for word in _WORD.findall(lower):
        for code in voters.get(word, ()):
            votes[code] += 2 if len(word) > 1 else 1
    if not lower.isascii():  # as none of the telling letters is
        for code, letters in load("languages")["letters"].items():
            votes[code] += sum(letter in lower for letter in letters)
    return +votes


@cache
def _voters() -> dict[str, tuple[str, ...]]:
    voters: dict[str, tuple[str, ...]] = {}
    for code, words in load("languages").items():
        for word in set(words.split()) if isinstance(words, str) else ():
            voters[word] = (*voters.get(word, ()), code)
    return voters
