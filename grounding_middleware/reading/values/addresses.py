"""Digits that a look at the plain characters shows to be no values: addresses, citation markers, numerals of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.reading.tokens import DASHED
from grounding_middleware.reading.values.model import Masked

# why, a string that stands in every hit, the pattern; one pass over the text for each that may hit at all. A pattern
# begins with what the hit begins with, so that the search skips from candidate to candidate.
_PATTERNS: Final = (
    ("url", "://", re.compile(r"(?:https?|ftp)://[^\s<>\"')\]}]+", re.ASCII)),
    ("url", "www.", re.compile(r"www\.[^\s<>\"')\]}]+", re.ASCII)),
    ("citation", "[", re.compile(r"\[\^?[\w#.:/@-]{1,80}(?:[,;] ?[\w#.:/@-]{1,80})*\]", re.ASCII)),
    ("phone", "+", re.compile(r"\+\d{1,3}(?:[ .-]?\(?\d{1,4}\)?){2,5}(?!\d)", re.ASCII)),
    ("phone", "(", re.compile(r"\(\d{3}\) ?\d{3}-\d{4}(?![\d-])", re.ASCII)),
    ("code", "-", re.compile(DASHED, re.ASCII)),
    ("idiom", "24/7", re.compile(r"24/7\b", re.ASCII)),
)
# found by a rarer sign in their middle, then walked back
_PHONE_END: Final = re.compile(r"-\d{3}-\d{4}(?![\d-])", re.ASCII)
_PHONE_HEAD: Final = re.compile(r"(?<![\d-])(?:1-)?\d{3}\Z", re.ASCII)
_IP_END: Final = re.compile(r"\.\d{1,3}\.\d{1,3}\.\d{1,3}(?!\.?\d)", re.ASCII)
_IP_HEAD: Final = re.compile(r"(?<![\d.])\d{1,3}\Z", re.ASCII)
_EMAIL_END: Final = re.compile(r"@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_EMAIL_CHARS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")
_DOMAIN_END: Final = re.compile(
    r"\.(?:com|org|net|io|gov|edu|example|test|eu|uk|de|fr|info|dev|app)\b(?:/[^\s<>\"')\]}]*)?", re.ASCII
)
_DOMAIN_CHARS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-.")
_LONGEST_NAME: Final = 253  # characters of a domain; longer runs are no addresses
_LINE: Final = re.compile(
    r"[ \t>]*(?:[-*•][ \t]+)?(?:(?P<heading>#{1,6}[ \t]+)|\()?(?P<n>\d{1,3}(?>(?:\.\d{1,2})*))"
    r"(?:[.)](?=[ \t]+\S)|(?(heading)(?=[ \t]+\S)|(?:(?<=\.\d)|(?<=\.\d\d))(?=[ \t]+[A-Z])))"
)
# "... the heat. 2  Then", "... the first one. 7. Now": steps that lost their line breaks
_STEP: Final = re.compile(r"[.!?:)](?:(?<=[a-z)][.!?:])| )(\d{1,2})(?:\.? {2,}(?=\S)|\. ?(?=[A-Z]))")
_INLINE: Final = re.compile(r"\)(?= [^\W\d])")
_NUMERAL: Final = re.compile(r"(?<=[( ])\d{1,2}\Z", re.ASCII)
_LINE_STARTS: Final = frozenset(" \t>-*•#(0123456789")
_BEFORE_INLINE: Final = (":", ";", ",", ".", " and", " or")


def addresses(text: str) -> list[Masked]:
    """URLs, e-mail addresses, phone numbers, citation markers and list numerals, in order of position."""
    found = [
        Masked(match.start(), match.end(), why)
        for why, sign, pattern in _PATTERNS
        if sign in text
        for match in pattern.finditer(text)
        if not _inside(text, match.start())
    ]
    if "@" in text:
        found += _walked_back(text, _EMAIL_END, _EMAIL_CHARS, "email")
    found += _phones(text) if "-" in text else []
    found += _ips(text) if "." in text else []
    known = {position for mask in found for position in range(mask.start, mask.end)}
    found += [mask for mask in _walked_back(text, _DOMAIN_END, _DOMAIN_CHARS, "url") if mask.end - 1 not in known]
    found += [Masked(start, end, "list_number") for start, end in _list_numbers(text)]
    return sorted(found, key=lambda mask: mask.start)


def _inside(text: str, start: int) -> bool:
    """True when the hit begins in the middle of a word or number."""
    return (
        start > 0
        and text[start].isalnum()
        and (text[start - 1].isalnum() or (text[start].isdigit() and text[start - 1] == "."))
    )


def _walked_back(text: str, ending: re.Pattern[str], chars: frozenset[str], why: str) -> Iterator[Masked]:
    """Addresses found by what stands in their middle or at their end, then walked back to where they begin."""
    for match in ending.finditer(text):
        start = match.start()
        while start > 0 and text[start - 1] in chars and match.start() - start < _LONGEST_NAME:
            start -= 1
        if start < match.start():
            yield Masked(start, match.end(), why)


def _phones(text: str) -> Iterator[Masked]:
    """555-123-4567, 1-800-555-1234."""
    for match in _PHONE_END.finditer(text):
        head = _PHONE_HEAD.search(text, max(0, match.start() - 6), match.start())
        if head:
            yield Masked(head.start(), match.end(), "phone")


def _ips(text: str) -> Iterator[Masked]:
    """192.168.0.1: four numbers below 256, none with a leading zero."""
    for match in _IP_END.finditer(text):
        head = _IP_HEAD.search(text, max(0, match.start() - 4), match.start())
        parts = f"{head.group()}{match.group()}".split(".") if head else ()
        if head and all(int(part) < 256 and part == str(int(part)) for part in parts):
            yield Masked(head.start(), match.end(), "ip")


def _list_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Numerals at the start of a line, of a step that lost its line break, and in brackets inside a sentence."""
    position = 0
    while position >= 0:
        head = _LINE.match(text, position) if text[position : position + 1] in _LINE_STARTS else None
        if head:
            yield head.span("n")
        following = text.find("\n", position)
        position = following + 1 if following >= 0 else -1
    for step in _STEP.finditer(text):
        yield step.span(1)
    for inline in _INLINE.finditer(text):
        numeral = _NUMERAL.search(text, max(0, inline.start() - 3), inline.start())
        if numeral:
            before = text[max(0, numeral.start() - 6) : numeral.start()].removesuffix("(")
            if before.rstrip().endswith(_BEFORE_INLINE):
                yield numeral.span()
