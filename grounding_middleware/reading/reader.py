"""Reads text into units: tokens, values and closed-class words once, each unit a slice of them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Final, TypeVar

from grounding_middleware.reading.apart import Gap, told_apart
from grounding_middleware.reading.frames import frame_length, tail_length
from grounding_middleware.reading.legal_forms import LEGAL_FORMS
from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.separable import rejoined
from grounding_middleware.reading.tokens import Shape, Token, tokenize
from grounding_middleware.reading.units import Cue, Item, Segment, Unit
from grounding_middleware.reading.values import Value, find

_BREAKS: Final = frozenset(",;:()[]–—|•…，、；：（）。.!?！？")
_OPENING_TABLES: Final = ("condition", "time")
_NOT_OPENING: Final = ("time.still", "time.ended", "condition.inclusion")

_AUXILIARY: Final = 2  # words from an auxiliary to its participle
_TEXTS: Final = 4  # texts kept apart: those of one claim, and the answer they are read out of again and again

Range = tuple[int, int]
_Placed = TypeVar("_Placed", Token, Value)
_start = attrgetter("start")


def read(text: str, ranges: Iterable[Range], language: str) -> tuple[Unit, ...]:
    """One unit for each range of `text`, in order; `ranges` are ascending and do not overlap.

    A text just read is not taken apart again: asking for every clause of an answer costs one reading, not one each.
    """
    tokens, values = _apart(text, language)
    return tuple(
        _Reader(text, start, end, language).unit(_within(tokens, start, end), _within(values, start, end))
        for start, end in ranges
    )


def within(unit: Unit, text: str, place: Range) -> Unit:
    """The part of `unit`, which was read from `text`, at this place of the text, as a unit of its own."""
    tokens, values = _within(unit.tokens, *place), _within(unit.values, *place)
    return _Reader(text, *place, unit.language).unit(tokens, values)


@lru_cache(maxsize=_TEXTS)
def _apart(text: str, language: str) -> tuple[tuple[Token, ...], tuple[Value, ...]]:
    return tokenize(text), find(text, language)


def _within(things: Sequence[_Placed], start: int, end: int) -> tuple[_Placed, ...]:
    """Those of `things`, sorted by start, that begin in the range."""
    first = bisect_left(things, start, key=_start)
    return tuple(things[first : bisect_left(things, end, first, key=_start)])


class _Reader:
    """State of one unit while its tokens are walked once."""

    def __init__(self, text: str, start: int, end: int, language: str) -> None:
        self.text, self.start, self.end, self.language = text, start, end, language
        self.words: Lexicon = lexicon(language)
        self.items: list[Item] = []
        self.cues: list[Cue] = []
        self.segments: list[Segment] = [Segment(start, end)]
        self.prep = ""
        self.apart: dict[int, Gap] = {}
        self.opened = -1  # the position behind a cue that opened a segment

    def unit(self, tokens: tuple[Token, ...], values: tuple[Value, ...]) -> Unit:
        """Walk the tokens: values first, then cues, connectives, function words; what is left has content."""
        covered = _covered(tokens, values)
        norms = [token.norm for token in tokens]
        self.apart = told_apart(norms, self.words)
        position = frame_length(norms, self.words)
        end = len(tokens) - tail_length(norms, self.words)
        while position < end:
            position += self._step(tokens, norms, position, covered)
        return Unit(
            text=self.text[self.start : self.end],
            start=self.start,
            end=self.end,
            language=self.language,
            items=rejoined(self.items, tokens, self.segments, self.words),
            cues=tuple(self.cues),
            values=values,
            segments=tuple(self.segments),
            tokens=tokens,
        )

    def _step(self, tokens: tuple[Token, ...], norms: list[str], position: int, covered: dict[int, Value]) -> int:
        token = tokens[position]
        if position in covered:
            if covered[position].is_name:
                self._item(token, position, code=True)
            else:
                self.prep = ""
            return 1
        gap = self.apart.get(position)
        if gap is not None and gap.name:
            return self._cue((gap.name, 1), tokens, position, gap.last)
        if gap is not None and not gap.last:
            return 1
        cue = self.words.cue_at(norms, position)
        if cue is None and norms[position] in self.words.opening and not self._begun():
            cue = ("condition.if", 1)
        if cue is not None and self._verb(norms, position):
            cue = None
        if cue is not None and not any(position + offset in covered for offset in range(cue[1])):
            return self._cue(cue, tokens, position)
        connective = self.words.connective_at(norms, position) or self._paraphrase(tokens, norms, position)
        if connective:
            return connective
        self._plain(token, position)
        return 1

    def _paraphrase(self, tokens: tuple[Token, ...], norms: list[str], position: int) -> int:
        """The length of a phrase read as the preposition or the word it stands for; 0 when there is none."""
        preposition = self.words.preposition_at(norms, position)
        if preposition:
            self.prep = preposition[0]
            return preposition[1]
        phrase = self.words.phrase_at(norms, position)
        if phrase is None:
            return 0
        word, _, behind = phrase[0].partition(" ")
        first, last = tokens[position], tokens[position + phrase[1] - 1]
        piece = self.text[first.start : last.end]
        place = len(self.segments) - 1
        self.items.append(Item(piece, first.start, last.end, self.words.forms(word), place, position, self.prep))
        self.prep = behind or self.prep
        return phrase[1]

    def _verb(self, norms: list[str], position: int) -> bool:
        """A participle behind its auxiliary is the verb: "no está incluido"; "IVA incluido" says what is counted."""
        before = norms[max(0, position - _AUXILIARY) : position]  # "n'est pas compris"
        return norms[position] in self.words.participles and not self.words.auxiliaries.isdisjoint(before)

    def _cue(self, cue: tuple[str, int], tokens: tuple[Token, ...], position: int, end: int = 0) -> int:
        """`end` is the position of the last word of a cue told in two."""
        name, length = cue
        first, last = tokens[position], tokens[end or position + length - 1]
        if name.partition(".")[0] in _OPENING_TABLES and name not in _NOT_OPENING:
            if position != self.opened:  # "except in case of" opens one segment
                self._break(first.start, name)
            self.opened = position + length
        elif first.norm in self.words.conjunctions:
            self._break(first.start, self._joining(first))
        piece = self.text[first.start : last.end]
        self.cues.append(Cue(name, piece, first.start, last.end, len(self.segments) - 1, position))
        if name.startswith("modality"):
            self.prep = ""
        return length

    def _plain(self, token: Token, position: int) -> None:
        if token.shape is Shape.PUNCT:
            if token.norm in _BREAKS and position != self.opened:  # "es sei denn, ..." opens one segment
                self._break(token.end, "")
        elif self._letter(token, position):
            self._item(token, position, code=True)
        elif token.norm in self.words.conjunctions:
            self._break(token.start, self._joining(token))
        elif token.norm in self.words.prepositions:
            self.prep = self.words.contractions.get(token.norm, token.norm)
        elif token.norm in self.words.auxiliaries or token.norm in self.words.relatives or self._new_phrase(token):
            self.prep = ""
        elif token.norm in LEGAL_FORMS and self._follows_name(position):
            return
        elif token.norm not in self.words.function:
            self._item(token, position, code=token.shape in (Shape.CODE, Shape.NUMBER))

    def _joining(self, token: Token) -> str:
        """What a conjunction does, whatever the language: and, or, nor, but; the word itself for all others."""
        return self.words.joins.get(token.norm, token.norm)

    def _new_phrase(self, token: Token) -> bool:
        """An article after the phrase of a preposition begins a phrase without one ("In Norland | the age")."""
        last = self.items[-1] if self.items else None
        return token.norm in self.words.articles and last is not None and bool(self.prep) and last.prep == self.prep

    def _follows_name(self, position: int) -> bool:
        last = self.items[-1] if self.items else None
        return last is not None and last.position == position - 1 and last.text[:1].isupper()

    def _letter(self, token: Token, position: int) -> bool:
        """A single capital that names what stands before it: "User A", "cold room B", "Vitamin C"."""
        last = self.items[-1] if self.items else None
        single = len(token.text) == 1 and token.capital and token.text != "I"
        return single and last is not None and last.position == position - 1

    def _item(self, token: Token, position: int, *, code: bool) -> None:
        name = token.capital and self.language != "de" and (position > 0 or self._opens_name(token))
        forms = frozenset({token.norm}) if code else self.words.forms(token.norm)
        place = len(self.segments) - 1
        self.items.append(Item(token.text, token.start, token.end, forms, place, position, self.prep, name, code))

    def _opens_name(self, token: Token) -> bool:
        """The first word of a sentence hides its capital, unless the next word has one too ("Tarn Avionics")."""
        follows = self.text[token.end : token.end + 2]
        return len(follows) > 1 and follows[0] == " " and follows[1].isupper() and token.text[1:].islower()

    def _begun(self) -> bool:
        """The open segment has a word or a cue."""
        here = [*(item.segment for item in self.items[-1:]), *(cue.segment for cue in self.cues[-1:])]
        return len(self.segments) - 1 in here

    def _break(self, start: int, opener: str) -> None:
        """Open a segment; an empty one before it is replaced, so that ", and" opens one segment, not two."""
        last = self.segments[-1]
        self.prep = ""
        if not self._begun():
            self.segments[-1] = Segment(last.start, self.end, opener or last.opener)
            return
        self.segments[-1] = Segment(last.start, start, last.opener)
        self.segments.append(Segment(start, self.end, opener))


def _covered(tokens: tuple[Token, ...], values: tuple[Value, ...]) -> dict[int, Value]:
    """Token position -> the value whose phrase it belongs to; both are sorted, one pass."""
    found: dict[int, Value] = {}
    position = 0
    for value in values:
        low, high = value.phrase if value.phrase != (0, 0) else (value.start, value.end)
        while position < len(tokens) and tokens[position].end <= low:
            position += 1
        here = position
        while here < len(tokens) and tokens[here].start < high:
            found[here] = value
            here += 1
    return found
