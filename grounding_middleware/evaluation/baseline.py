"""The baseline every verifier has to beat: the share of a claim's words that stand anywhere in the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["Overlap"]

_WORD: Final = re.compile(r"\w+")


class Overlap:
    """Word overlap with one body of evidence; 0 to 1, and 0 for a claim without words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = {word for text in texts for word in _words(text)}

    def of(self, claim: str) -> float:
        """The share of the words of `claim` that stand in the evidence."""
        words = _words(claim)
        return len(words & self._known) / len(words) if words else 0.0


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
