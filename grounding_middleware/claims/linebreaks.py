"""Line breaks that end a statement without a stop, told from breaks where a long line was wrapped.

A break is meant when the next word would still have fitted on the line, and the text does not run on: the next line
does not begin in lower case and the line does not end in a comma, a dash or a word that asks for more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grounding_middleware.claims.lexicon import words
from grounding_middleware.records import Range

__all__ = ["chunks"]

_NARROWEST = 60  # columns; nobody wraps running text earlier, in letters of normal width
_RUNS_ON = ",;–—-/(«„“\"'+&"


def chunks(answer: str, lines: Sequence[Range], language: str) -> Iterator[Sequence[Range]]:
    """`lines` in groups of which each is running text."""
    width = max((end - start for start, end in lines), default=0)
    first = 0
    for number in range(1, len(lines)):
        if _meant(answer, lines[number - 1], lines[number], max(width, _NARROWEST), language):
            yield lines[first:number]
            first = number
    if lines:
        yield lines[first:]


def _meant(answer: str, line: Range, following: Range, width: int, language: str) -> bool:
    start, end = line
    begins = answer[following[0]]
    if begins.islower() or answer[end - 1] in _RUNS_ON:
        return False
    if _is_hard(answer, end, following[0]):
        return True
    last = answer[start:end].rsplit(maxsplit=1)[-1].lower()
    if any(last in words(language, key) for key in ("determiner", "preposition", "finite", "joining")):
        return False
    word = answer[slice(*following)].split(maxsplit=1)[0]
    return end - start + 1 + len(word) <= width


def _is_hard(answer: str, end: int, start: int) -> bool:
    """Markdown's own line break: two spaces or a backslash before it."""
    return answer[end - 1] == "\\" or answer[end:start].startswith("  ")
