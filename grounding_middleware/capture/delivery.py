"""Which parts of a span really stood in the prompts a model saw, whole or in pieces (EV-4).

Frameworks pack, cut and overlap: one span may stand in three prompts and whole in none of them. White space may differ
between span and prompt, words may not.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from grounding_middleware.records import Range, Span

_WORD = re.compile(r"\S+")
_SEED = 6  # words in a row that make a piece recognisable
_CANDIDATES = 32  # places looked at for one seed: boilerplate may repeat without end
_SHORTEST = 4  # words a shorter piece at either end of a span must have

Places = Mapping[tuple[str, ...], Sequence[tuple[int, int]]]


def deliver(spans: Sequence[Span], prompts: Sequence[str]) -> tuple[Span, ...]:
    """Each span marked by what of its text stood in any of `prompts`, the runs that wrote one answer.

    Linear in the length of spans and prompts.
    """
    shown = _Shown(prompts)
    return tuple(_marked(span, shown) for span in spans)


class _Shown:
    """The words of all prompts; the index of word sequences is only built when a span does not stand there whole."""

    def __init__(self, prompts: Sequence[str]) -> None:
        self.prompts = [prompt.split() for prompt in prompts]
        self._joined = [f" {' '.join(words)} " for words in self.prompts]
        self._places: Places | None = None

    def holds(self, words: Sequence[str]) -> bool:
        """Whether the words stand in one prompt in a row; its own punctuation may touch their outer ends."""
        text = " ".join(words)
        return any(text in joined for joined in self._joined)

    def places(self) -> Places:
        if self._places is None:
            places: defaultdict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
            for number, words in enumerate(self.prompts):
                for at in range(len(words) - _SEED + 1):
                    found = places[tuple(words[at : at + _SEED])]
                    if len(found) < _CANDIDATES:
                        found.append((number, at))
            self._places = places
        return self._places


def _marked(span: Span, shown: _Shown) -> Span:
    matches = list(_WORD.finditer(span.text))
    words = [match.group() for match in matches]
    found = [(0, len(words))] if words and shown.holds(words) else _pieces(words, shown)
    if found == [(0, len(words))]:
        return span.replace(delivered=True, delivered_ranges=None)
    ranges = tuple((matches[low].start(), matches[high - 1].end()) for low, high in found)
    return span.replace(delivered=bool(ranges), delivered_ranges=ranges or None)


def _pieces(words: Sequence[str], shown: _Shown) -> list[Range]:
    """Pieces as ranges of words, neighbours joined; what is left at either end may be a shorter piece.

    Nothing short is looked for in between: "not be", left out by a compressor, stands somewhere in every prompt.
    """
    pieces = list(_long(words, shown))
    low, high = (pieces[0][0], pieces[-1][1]) if pieces else (0, 0)
    ends = [(start, end) for start, end in ((0, low), (high, len(words))) if end - start >= _SHORTEST]
    pieces += [(start, end) for start, end in ends if shown.holds(words[start:end])]
    return _joined(sorted(pieces))


def _joined(pieces: Sequence[Range]) -> list[Range]:
    joined: list[Range] = []
    for low, high in pieces:
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined


def _long(words: Sequence[str], shown: _Shown) -> Iterator[Range]:
    at = 0
    while at <= len(words) - _SEED:
        found = shown.places().get(tuple(words[at : at + _SEED]), ())
        length = max((_match(words, at, shown.prompts[number], place) for number, place in found), default=0)
        if length:
            yield at, at + length
        at += length or 1


def _match(words: Sequence[str], at: int, prompt: Sequence[str], place: int) -> int:
    length = 0
    while at + length < len(words) and place + length < len(prompt) and words[at + length] == prompt[place + length]:
        length += 1
    return length
