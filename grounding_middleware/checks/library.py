"""The library: every usable span read once into units, looked up by word. Nothing walks all claims over all units."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Final

from grounding_middleware.claims.blocks import BlockKind
from grounding_middleware.claims.language import detect_beside
from grounding_middleware.evidence import delivered_ranges
from grounding_middleware.reading.clauses import clauses
from grounding_middleware.reading.frames import same_passage
from grounding_middleware.reading.layout import Piece, layout
from grounding_middleware.reading.reader import read, within
from grounding_middleware.reading.sections import headings
from grounding_middleware.reading.subjects import leans_back, subject
from grounding_middleware.reading.surroundings import Around, surroundings
from grounding_middleware.reading.tables import cell_units, read_lines
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Value, find, unread
from grounding_middleware.records import Evidence, Quote, Span

_CANDIDATES: Final = 6  # units aligned for one claim; the right one is nearly always the first
_ADJACENT: Final = 8  # characters between two passages of one text: a paragraph break, no more
_BOOKS: Final = 1024  # passages remembered; bounds memory whatever the number of answers
_PROSE: Final = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
_CONTRAST: Final = re.compile(
    r"(?i);(?=\s)|,\s(?=(?:while|whereas|während|wohingegen|tandis que|alors que|mientras que|mientras)\s)"
)
_BRACKET: Final = 400  # characters of the longest bracket; keeps the look back constant
_OPENING: Final = ("(", "[", "-LRB-", "-LSB-")
_CLOSING: Final = (")", "]", "-RRB-", "-RSB-")
_NOTHING: Final = Around()
_COMMON: Final = 256  # a word standing in more units than this says nothing about which one is meant


@dataclass(frozen=True, slots=True)
class Shelf:
    """One unit of the evidence. Only a `whole` one can support: no clause of a sentence, none that was cut (EV-4).

    `window` is the sentence of the passage before it that names what its first pronoun means (EV-7). `around` is what
    stands around it in its text.
    """

    span_id: str
    unit: Unit
    whole: bool
    number: int
    window: Quote | None = None
    clause: bool = False
    around: Around = _NOTHING


class Library:
    """The usable evidence of one answer, parsed and indexed."""

    def __init__(self, evidence: Evidence, language: str = "en") -> None:
        """`language` is that of the answer: short sources are read in it unless they clearly are in another."""
        self._language = language
        self.requester = evidence.requester
        self.shelves: list[Shelf] = []
        usable = evidence.usable
        self._by_span: dict[str, list[Shelf]] = {span.id: [] for span in usable}
        self._values: dict[str, tuple[Value, ...]] = {}
        self._index: defaultdict[str, list[int]] = defaultdict(list)
        self._spans = {span.id: span for span in usable}
        self._places = {span.id: number for number, span in enumerate(usable, 1)}
        self.span_ids = frozenset(self._spans)
        self._languages: dict[str, str] = {}
        self._unread: dict[tuple[str, str], bool] = {}
        self._words: list[frozenset[str]] = []
        for span in usable:
            self._add(span)

    def span(self, span_id: str) -> Span:
        """The usable span with this id; raises `KeyError` for any other."""
        return self._spans[span_id]

    def named_by(self, claim: str, span_id: str) -> bool:
        """False if the claim names the passage it rests on by a number that is not the one of this usable span."""
        return same_passage(claim, self._spans[span_id].text, self._places[span_id], len(self._places))

    def language_of(self, span_id: str) -> str:
        """The language this usable span was read in."""
        return self._languages[span_id]

    def unread(self, span_id: str, language: str) -> bool:
        """Whether this span, read in this language, has a number that was not understood; found out once an answer."""
        if (span_id, language) not in self._unread:
            text = self._spans[span_id].text
            self._unread[span_id, language] = bool(unread(text, find(text, language)))
        return self._unread[span_id, language]

    def knows(self, keys: frozenset[str]) -> bool:
        """True if any of these forms stands anywhere in the usable evidence."""
        return bool(keys & self._index.keys()) or any(not keys.isdisjoint(words) for words in self._words)

    def clauses(self, shelf: Shelf) -> Iterator[Unit]:
        """What a sentence states clause by clause, read when asked for; nothing of one that is not whole."""
        text = self._spans[shelf.span_id].text
        for place in clauses(shelf.unit) if shelf.whole else ():
            clause = within(shelf.unit, text, place)
            yield replace(clause, context=shelf.unit.context if place[0] == shelf.unit.start else frozenset())

    def units_of(self, span_ids: Iterable[str]) -> Iterator[tuple[Unit, str]]:
        """Every unit of these spans with its span id."""
        return ((shelf.unit, span_id) for span_id in self._ordered(span_ids) for shelf in self._by_span[span_id])

    def others(self, span_ids: frozenset[str]) -> frozenset[str]:
        """The usable spans that are not among these."""
        return self.span_ids - span_ids

    def shelves_of(self, span_id: str) -> Sequence[Shelf]:
        """The units of one span, none of their clauses; none for a span that is not usable."""
        return self._by_span.get(span_id, ())

    def all_units(self) -> Iterator[tuple[Unit, str]]:
        """Every unit with its span id."""
        return ((shelf.unit, shelf.span_id) for shelf in self.shelves if not shelf.clause)

    def values_of(self, span_ids: Iterable[str]) -> tuple[Value, ...]:
        """Every value of these spans."""
        return tuple(chain.from_iterable(self._values_in(span_id) for span_id in self._ordered(span_ids)))

    def _values_in(self, span_id: str) -> tuple[Value, ...]:
        if span_id not in self._values:
            self._values[span_id] = tuple(value for shelf in self._by_span[span_id] for value in shelf.unit.values)
        return self._values[span_id]

    def _ordered(self, span_ids: Iterable[str]) -> list[str]:
        """Those of these spans that are usable, in the order of the evidence; one span costs no look at all others."""
        wanted = frozenset(span_ids)
        if len(wanted) == 1:
            return [span_id for span_id in wanted if span_id in self._by_span]
        return [span_id for span_id in self._by_span if span_id in wanted]

    def candidates(self, claim: Unit, span_ids: frozenset[str]) -> list[Shelf]:
        """The units of these spans that share most of the claim's words, rare words first; best first."""
        scores: dict[int, float] = {}
        for item in claim.items:
            places = {place for key in item.keys for place in self._index.get(key, ())}
            if len(places) > max(_COMMON, 1):
                continue
            for place in places:
                scores[place] = scores.get(place, 0.0) + 1.0 + 1.0 / len(places)
        found = ((score, -place) for place, score in scores.items() if self.shelves[place].span_id in span_ids)
        return [self.shelves[-place] for _, place in heapq.nlargest(_CANDIDATES, found)]

    def alike(self, unit: Unit, most: int) -> list[list[Shelf]]:
        """The whole sentences that share most words with `unit`, each text once with all places it stands in.

        At most `most` texts, of those that share half of the words of one of the two; the order of the spans shows
        only among the places.
        """
        shared: dict[int, int] = {}
        for item in unit.items:
            for number in {place for key in item.keys for place in self._index.get(key, ())}:
                shared[number] = shared.get(number, 0) + 1
        texts: dict[str, list[Shelf]] = {}
        best: dict[str, int] = {}
        for number, words in shared.items():
            shelf = self.shelves[number]
            if shelf.whole and words * 2 >= min(len(unit.items), len(shelf.unit.items)):
                text = shelf.unit.text.strip()
                texts.setdefault(text, []).append(shelf)
                best[text] = max(words, best.get(text, 0))
        nearest = heapq.nsmallest(most, texts, key=lambda text: (-best[text], len(text), text))
        return [sorted(texts[text], key=lambda shelf: shelf.number) for text in nearest]

    def same_words(self, shelf: Shelf) -> Iterator[Shelf]:
        """The other whole sentences with the same content words, whatever their values."""
        place = _wording(shelf.unit)
        return (
            one
            for one in self._by_wording.get(place, ())
            if one is not shelf and one.unit.claimed != shelf.unit.claimed
        )

    def about(self, items: Sequence[Item]) -> list[Shelf]:
        """The sentences with all of these words in their subject, and no others that are headings."""
        places = [set().union(*(self._by_subject.get(key, ()) for key in item.keys)) for item in items]
        found = set.intersection(*places) if places else set()
        return [self.shelves[place] for place in sorted(found)]

    def headings(self, items: Sequence[Item]) -> list[Unit]:
        """The headings, titles and lead-in lines with one of these words."""
        found = {id(unit): unit for item in items for key in item.keys for unit in self._by_heading.get(key, ())}
        return list(found.values())

    @cached_property
    def _by_wording(self) -> dict[frozenset[str], list[Shelf]]:
        found: dict[frozenset[str], list[Shelf]] = {}
        for shelf in self.shelves:
            if shelf.whole and shelf.unit.items:
                found.setdefault(_wording(shelf.unit), []).append(shelf)
        return found

    @cached_property
    def _by_subject(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for shelf in self.shelves:
            if not leans_back(shelf.unit) and not shelf.clause:
                for key in {key for item in subject(shelf.unit) for key in item.keys}:
                    found.setdefault(key, set()).add(shelf.number)
        return found

    @cached_property
    def _by_heading(self) -> dict[str, list[Unit]]:
        units = {id(unit): unit for shelf in self.shelves for unit in shelf.around.above}
        found: dict[str, list[Unit]] = {}
        for unit in units.values():
            for key in unit.keys:
                found.setdefault(key, []).append(unit)
        return found

    def _add(self, span: Span) -> None:
        book = shelve(span.text, span.section, self._language)
        self._languages[span.id] = book.language
        seen = delivered_ranges(span)
        for position, (unit, around) in enumerate(zip(book.units, book.around, strict=True)):
            window = self._window(span, unit) if position == 0 else None
            if window is not None:
                unit = replace(unit, context=window[0])  # noqa: PLW2901  # the same unit, in its window
            if any(low < unit.end and unit.start < high for low, high in seen):
                end = unit.start + len(unit.text.rstrip())  # the space before the next sentence need not be delivered
                whole = any(low <= unit.start and end <= high for low, high in seen)
                self._put(Shelf(span.id, unit, whole, len(self.shelves), window[1] if window else None, around=around))
        for contrasted in book.clauses:
            if any(low <= contrasted.start and contrasted.end <= high for low, high in seen):
                self._put(Shelf(span.id, contrasted, whole=False, number=len(self.shelves), clause=True))
        self._words.append(book.words)

    def _window(self, span: Span, unit: Unit) -> tuple[frozenset[str], Quote] | None:
        """What the last sentence before a passage names, when the passage goes on about it ("Its head office ...").

        Only of the passage just before, of the same version of the same source, and only if the model saw the sentence.
        """
        last = next((shelf for shelf in reversed(self.shelves) if not shelf.clause), None)
        if last is None or not last.whole or last.unit.tabular or not leans_back(unit):
            return None
        before = self._spans[last.span_id]
        if before.id == span.id or (before.source_id, before.version) != (span.source_id, span.version):
            return None
        if span.start is not None and before.end is not None and not 0 <= span.start - before.end <= _ADJACENT:
            return None
        start, end = last.unit.start, last.unit.start + len(last.unit.text.rstrip())
        quote = Quote(span_id=before.id, start=start, end=end, text=before.text[start:end])
        return _subject(last.unit), quote

    def _put(self, shelf: Shelf) -> None:
        self.shelves.append(shelf)
        if not shelf.clause:
            self._by_span[shelf.span_id].append(shelf)
        for key in shelf.unit.known:
            self._index[key].append(shelf.number)


@dataclass(frozen=True, slots=True)
class Book:
    """One text read: its units in order, cells of tables behind their row, and every word that stands in it.

    `clauses` are the main clauses of sentences that set two things against each other ("A rose, while B fell"): what
    the sentence says of one of them must not be read together with the other.
    """

    units: tuple[Unit, ...]
    words: frozenset[str]
    language: str
    around: tuple[Around, ...]
    clauses: tuple[Unit, ...] = ()


@lru_cache(maxsize=_BOOKS)
def shelve(text: str, section: str, beside: str) -> Book:
    """The text read into units, beside an answer in the language `beside`.

    Remembered, because the same passages are retrieved again and again.
    """
    language = detect_beside(text, beside)
    pieces = layout(text, language)
    above = headings(section, language)
    title = frozenset(key for heading in above for key in _keys(heading))
    plain = read(text, [(piece.start, piece.end) for piece in pieces], language)
    cells = read_lines(text, (line for piece in pieces for line in _lines(piece)), language)
    units: list[Unit] = []
    placed: list[Around] = []
    before: Unit | None = None
    lead: frozenset[str] = frozenset()
    for piece, unit, around in zip(pieces, plain, surroundings(pieces, plain, above), strict=True):
        lead = _lead(piece, unit, lead)
        named = title | lead if piece.kind is BlockKind.LIST_ITEM else title
        context = _context(unit, before)
        if context or named:
            unit = replace(unit, context=context, title=named)  # noqa: PLW2901  # the same unit, in context
        units.append(unit)
        if piece.kind is BlockKind.TABLE_ROW and piece.header is not None:
            units += cell_units(text, (piece.start, piece.end), piece.header, cells)
        placed += [replace(around, before=before)] * (len(units) - len(placed))
        before = unit
    contrasted = read(text, _contrasted(text, pieces), language)
    return Book(
        tuple(units),
        frozenset(token.norm for unit in plain for token in unit.tokens),
        language,
        tuple(placed),
        tuple(replace(clause, title=title) for clause in contrasted),
    )


def _contrasted(text: str, pieces: Iterable[Piece]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for piece in pieces:
        cuts = [match.start() for match in _CONTRAST.finditer(text, piece.start, piece.end)]
        cuts = [cut for cut in cuts if not _bracketed(text, piece.start, cut)]
        if cuts and piece.kind in _PROSE:
            found += pairwise([piece.start, *cuts, piece.end])
    return found


def _bracketed(text: str, start: int, at: int) -> bool:
    """What stands in a bracket is no clause of its own: "(born Ada King; 10 May 1901)"."""
    low = max(start, at - _BRACKET)
    opened = max(text.rfind(mark, low, at) for mark in _OPENING)
    return opened > max(text.rfind(mark, low, at) for mark in _CLOSING)


def _lines(piece: Piece) -> tuple[tuple[int, int], ...]:
    """The row and its header row, for pieces that are rows of a table."""
    if piece.kind is not BlockKind.TABLE_ROW or piece.header is None:
        return ()
    return ((piece.start, piece.end), piece.header)


def _lead(piece: Piece, unit: Unit, before: frozenset[str]) -> frozenset[str]:
    """The words of the line that introduces a list ("Availability targets per month:"), for each of its items."""
    if piece.kind is BlockKind.LIST_ITEM:
        return before
    return frozenset(_keys(unit)) if unit.text.rstrip().endswith((":", "：")) else frozenset()


def _wording(unit: Unit) -> frozenset[str]:
    """One key of each content word, the same for the same word."""
    return frozenset(min(item.keys) for item in unit.items)


def _keys(unit: Unit) -> Iterator[str]:
    return (key for item in unit.items for key in item.keys)


def _context(unit: Unit, before: Unit | None) -> frozenset[str]:
    """What may name the subject of a unit from outside: the subject of the sentence before its pronoun."""
    if before is None or not leans_back(unit):
        return frozenset()
    return _subject(before)


def _subject(unit: Unit) -> frozenset[str]:
    """What the unit is about: for one that goes on about the sentence before it, what that one is about."""
    own = frozenset(key for item in subject(unit) for key in item.keys)
    return unit.context or own
