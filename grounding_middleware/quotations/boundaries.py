"""Where a word or number may be cut: a quotation must not begin or end inside one."""

from __future__ import annotations

import re
import unicodedata

from grounding_middleware.quotations.folding import spaceless

_HYPHENS = "-\u2010\u2011\u2012\u2013\u2212"
_APOSTROPHES = "'\u2019\u02bc"
_NUMBER_MARKS = ".,:/'\u2019"
_ENCLITICS = re.compile(r"(?:t|s|m|d|ll|re|ve)\b", re.IGNORECASE)
_ELIDED = re.compile(r"\b(?:\w{1,2}|\w*qu|\w*ll|un|quest|sant)\Z", re.IGNORECASE)
_THOUSANDS = re.compile(r"\d{3}(?!\d)")


def inside_word(text: str, at: int) -> bool:
    """True when cutting `text` at index `at` would cut a word, a hyphenated word, a number or its sign or unit mark.

    "130-day", "non-refundable", "10.5", "1 000", "-5", "$10", "5%" and "can't" are not cut; "l'article" may be cut
    after the apostrophe. Scripts without blanks may be cut anywhere.
    """
    if not 0 < at < len(text):
        return False
    left, right = text[at - 1], text[at]
    if spaceless(left) or spaceless(right):
        return False
    if _wordlike(left) and _wordlike(right):
        return True
    return _inside_number(text, at, left, right) or _inside_compound(text, at, left, right)


def _wordlike(character: str) -> bool:
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"


def _inside_compound(text: str, at: int, left: str, right: str) -> bool:
    before, after = text[at - 2 : at - 1], text[at + 1 : at + 2]
    if left in _HYPHENS:
        return _wordlike(right) and bool(before) and _wordlike(before)
    if right in _HYPHENS:
        return _wordlike(left) and bool(after) and _wordlike(after)
    if left in _APOSTROPHES:
        elided = _ELIDED.search(text, max(0, at - 12), at - 1) and not _ENCLITICS.match(text, at)
        return right.isalpha() and before.isalpha() and not elided
    return right in _APOSTROPHES and left.isalpha() and after.isalpha()


def _inside_number(text: str, at: int, left: str, right: str) -> bool:
    before, after = text[at - 2 : at - 1], text[at + 1 : at + 2]
    if right.isdigit():
        if left.isspace():
            return before.isdigit() and _THOUSANDS.match(text, at) is not None
        signed = left in _HYPHENS or left == "+"
        grouped = left in _NUMBER_MARKS and before.isdigit()
        return grouped or (signed and not _wordlike(before or " ")) or unicodedata.category(left) == "Sc"
    if left.isdigit():
        if right.isspace():
            return _THOUSANDS.match(text, at + 1) is not None
        grouped = right in _NUMBER_MARKS and after.isdigit()
        return grouped or right in "%‰°" or unicodedata.category(right) == "Sc"
    return unicodedata.category(left) == "Sc" and after.isdigit() and right in _NUMBER_MARKS
