"""What the model gets to read of a source: a run of sentences near the claim, sometimes with others around it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grounding_middleware.claims.sentences import sentences
from grounding_middleware.judges.nli.selection import nearest, words
from grounding_middleware.records import Range

Count = Callable[[str], int]
_PIECE = 64  # tokens; longer sentences and lines without a stop are cut between words


@dataclass(frozen=True, slots=True)
class Source:
    """A source cut into sentences and lines, with the tokens of each."""

    text: str
    pieces: tuple[Range, ...]
    sizes: tuple[int, ...]

    @property
    def size(self) -> int:
        """Tokens of the whole."""
        return sum(self.sizes)

    def near(self, claim: str, room: int, language: str) -> str:
        """The run of at most `room` tokens that holds most words of the claim."""
        found = [self.text[start:end].strip() for start, end in runs(self.pieces, self.sizes, room)]
        return next((found[at] for at in nearest(claim, found, language)), "")

    def far(self, claim: str, room: int, language: str) -> str:
        """A run that holds less than half of the claim's words although it is of the same source, or nothing."""
        asked = set(words(claim, language))
        for start, end in sorted(runs(self.pieces, self.sizes, room), key=lambda run: run[0] % 7):
            part = self.text[start:end].strip()
            shared = len(asked & set(words(part, language)))
            if 0.15 * len(asked) <= shared < 0.5 * len(asked):
                return part
        return ""

    def sentence(self, chance: random.Random) -> str:
        """Any one piece."""
        return self.text[slice(*chance.choice(self.pieces))].strip() if self.pieces else ""


def runs(pieces: Sequence[Range], sizes: Sequence[int], room: int) -> tuple[Range, ...]:
    """For each piece the longest run of pieces from it on whose `sizes` fit in `room`; none inside another."""
    found: list[Range] = []
    end = total = 0
    for start in range(len(pieces)):
        while end < len(pieces) and (total + sizes[end] <= room or end == start):
            total += sizes[end]
            end += 1
        run = (pieces[start][0], pieces[end - 1][1])
        if not found or run[1] > found[-1][1]:
            found.append(run)
        total -= sizes[start]
    return tuple(found)


def cut(text: str, language: str, count: Count) -> Source:
    """`text` in pieces of at most 64 tokens: sentences, lines, parts of long ones."""
    lines: list[Range] = []
    at = 0
    for line in text.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    whole = [
        (low + start, low + end)
        for low, high in lines
        if low < high
        for start, end in sentences(text[low:high], language)
    ]
    pieces = [part for low, high in whole for part in _halves(text, low, high, count)]
    return Source(text, tuple(pieces), tuple(count(text[low:high]) for low, high in pieces))


def _halves(text: str, low: int, high: int, count: Count) -> list[Range]:
    if high - low < 8 or count(text[low:high]) <= _PIECE:
        return [(low, high)]
    middle = text.rfind(" ", low + 1, (low + high) // 2)
    middle = middle if middle > low else (low + high) // 2
    return [*_halves(text, low, middle, count), *_halves(text, middle, high, count)]


def surrounded(premise: str, others: list[str], chance: random.Random) -> str:
    """The premise with sentences of other sources before and behind it."""
    at = chance.randint(0, len(others))
    return " ".join(part for part in [*others[:at], premise, *others[at:]] if part)
