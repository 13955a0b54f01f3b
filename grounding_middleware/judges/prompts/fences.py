"""Sections that text inside them cannot close, open or imitate.

A section begins with a line that starts with the boundary code of the request and ends at the next such line. The code
is a hash of everything in the request and is changed until no text of the request contains it, however disguised.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from grounding_middleware.records import sha256

_LENGTH = 8
_IGNORABLE = re.compile(r"[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff]+")
_NOT_ONE_LINE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def boundary(texts: Iterable[str]) -> str:
    """The code for a request made of `texts`: the same texts give the same code, and none of them contains it."""
    everything = "\x00".join(texts)
    plain = _IGNORABLE.sub("", unicodedata.normalize("NFKC", everything)).casefold()
    digest = sha256(everything)
    while digest[:_LENGTH] in plain:
        digest = sha256(digest)
    return digest[:_LENGTH]


def section(code: str, header: str, body: str) -> str:
    """One section; `header` is ours or went through `one_line`, `body` is anything."""
    return f"{code} {header}\n{body}\n"


def one_line(text: str, limit: int) -> str:
    """`text` on one line and at most `limit` characters long."""
    line = _NOT_ONE_LINE.sub(" ", text).strip()
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
