"""Which parts of the evidence a claim should be held against: those that hold most of its words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from grounding_middleware.reading.lemmas import keys

_WORD = re.compile(r"[^\W_]+")
_NO_SPACES = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")  # scripts that write no spaces between words


def nearest(claim: str, parts: Sequence[str], language: str = "en", most: int = 1) -> tuple[int, ...]:
    """Places of the `most` texts among `parts` that hold most of the claim's words, best first.

    A word weighs more the fewer parts hold it; of equal parts the first is taken.
    """
    asked = set(words(claim, language))
    held = [asked.intersection(words(part, language)) for part in parts]
    spread = Counter(word for one in held for word in one)
    weight = {word: math.log(1 + len(parts) / count) for word, count in spread.items()}
    ranked = sorted(range(len(parts)), key=lambda at: -sum(sorted(weight[word] for word in held[at])))
    return tuple(ranked[:most])


def words(text: str, language: str) -> Sequence[str]:
    """The words of `text` in a form that can be compared; pairs of letters where a script writes no spaces."""
    folded = text.casefold()
    if _NO_SPACES.search(folded):
        return [one + two for one, two in pairwise(folded)]
    return [min(keys(match.group(), language), key=_by_length) for match in _WORD.finditer(folded)]


def _by_length(form: str) -> tuple[int, str]:
    """Of several forms of a word the shortest stands for all, the same one everywhere."""
    return len(form), form
