"""Things that are right or wrong to the letter: identifiers, versions, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.phrases import change_of
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.reading.tokens import Shape, Token

__all__ = ["address", "identifier", "version"]

_ADDRESS: Final = re.compile(r"://|@\w|^www\.")
_CODE: Final = re.compile(r"(?=.*[^\W\d_])(?=.*\d)[\w./-]+")
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+){1,3}")


def identifier(subject: Subject) -> Iterator[Change]:
    """Another last digit of a code of letters and digits."""
    for token in subject.tokens:
        if token.shape is Shape.CODE and _CODE.fullmatch(token.text) and not _ADDRESS.search(token.text):
            if _VERSION.fullmatch(token.text):
                continue
            at = max(place for place, letter in enumerate(token.text) if letter.isdigit())
            yield from _other(subject, token, at)


def version(subject: Subject) -> Iterator[Change]:
    """Another last part of a version."""
    for value in subject.values:
        if value.version and _VERSION.fullmatch(value.text):
            found = re.search(r"\d+$", value.text)
            if found:
                start = value.start + found.start()
                yield from _unwritten(subject, value.text, (start, value.end, str(int(found[0]) + 1)), value.start)


def address(subject: Subject) -> Iterator[Change]:
    """Another letter in a web or e-mail address."""
    for token in subject.tokens:
        if token.shape is Shape.CODE and _ADDRESS.search(token.text):
            places = [at for at, letter in enumerate(token.text) if letter.isalpha()]
            yield from _other(subject, token, places[len(places) // 2])


def _other(subject: Subject, token: Token, at: int) -> Iterator[Change]:
    letter = token.text[at]
    new = str((int(letter) + 1) % 10) if letter.isdigit() else _next_letter(letter)
    yield from _unwritten(subject, token.text, (token.start + at, token.start + at + 1, new), token.start)


def _unwritten(subject: Subject, whole: str, edit: tuple[int, int, str], start: int) -> Iterator[Change]:
    """The change, unless the new code stands somewhere in the evidence, or the old one does not."""
    low, high, new = edit
    became = whole[: low - start] + new + whole[high - start :]
    if subject.written(whole) and became.casefold() not in subject.evidence_text:
        yield change_of(subject, edit)


def _next_letter(letter: str) -> str:
    following = {"z": "y", "Z": "Y"}.get(letter) or chr(ord(letter) + 1)
    return following if following.isascii() else "x"
