"""Finds a quotation in its source: exactly, after the stated normalisation, or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from grounding_middleware.quotations.boundaries import inside_word
from grounding_middleware.quotations.context import (
    SENTENCE_END,
    Surroundings,
    join_in,
    limit_in,
    negation_in,
    surroundings,
)
from grounding_middleware.quotations.folding import Folded, Rung, compounds, fold

if TYPE_CHECKING:
    from grounding_middleware.records import Range


class Miss(StrEnum):
    """Why a quotation does not stand in the text."""

    EMPTY = "the quotation has no words"
    ABSENT = "the quotation does not stand in the text"
    CUT_WORD = "the quotation stands only inside longer words or numbers"
    OVER_SENTENCE = "its ellipsis runs over the end of a sentence"
    OVER_NEGATION = "its ellipsis swallows a negation"
    OVER_LIMIT = "its ellipsis swallows a condition or limit"
    OVER_JOIN = "its ellipsis may join two statements"


@dataclass(frozen=True, slots=True)
class Location:
    """Where a quotation stands and what it leaves out, or why it does not stand there.

    All ranges index the searched text. `parts` are the pieces around an ellipsis, `range` reaches from the first to
    the last. `cut_negation` bears on the quoted words ("permitted" from "not permitted"); `clause_negation` stands
    elsewhere in the sentence before them. A left-out condition or exception is allowed and reported.
    """

    range: Range | None = None
    parts: tuple[Range, ...] = ()
    rung: Rung | None = None
    miss: Miss | None = None
    cut_negation: Range | None = None
    clause_negation: Range | None = None
    cut_condition: Range | None = None

    @property
    def faithful(self) -> bool:
        """True when the words stand in the text and no negation of theirs was left out."""
        return self.range is not None and self.cut_negation is None and self.clause_negation is None

    @property
    def doubtful(self) -> bool:
        """True when it is neither faithful nor clearly false: a reader has to look at what was left out."""
        if self.miss is not None:
            return self.miss in (Miss.OVER_LIMIT, Miss.OVER_JOIN)
        return self.cut_negation is None and self.clause_negation is not None

    @property
    def problem(self) -> str:
        """Why the quotation proves nothing; empty when it is faithful."""
        if self.miss is not None:
            return self.miss.value
        return "" if self.faithful else "the quotation cuts off a negation"


_OCCURRENCES = 256
"""Places looked at for one quotation; keeps hostile repetition linear. Beyond it the quotation counts as absent."""

_REACH = 1_000
"""Characters between two pieces around an ellipsis; no sentence needs more."""

_HIDDEN = ((negation_in, Miss.OVER_NEGATION), (limit_in, Miss.OVER_LIMIT), (join_in, Miss.OVER_JOIN))
_ELLIPSIS = re.compile(r"\[\s?(?:\.{2,}|…)\s?\]|\(\s?(?:\.{2,}|…)\s?\)|\.{3,}|…|\.\s\.\s\.")
_EDITED_CAPITAL = re.compile(r"\A\[(\w)\](?=\w)")
_END_MARKS = " .,;:"
_OUTER_MARKS = "'\"«»‘’“”„‚‹›「」『』"


def locate(quote: str, text: str) -> Location:
    """Where `quote` stands in `text`, with what it leaves out; never a similar place.

    The first letter may differ in case, closing punctuation and outer quotation marks may be missing. Of several
    places the first that cuts off no negation is given. Time is linear in both lengths.
    """
    quote = _EDITED_CAPITAL.sub(r"\1", quote.strip())
    if not any(character.isalnum() for character in quote):
        return Location(miss=Miss.EMPTY)
    known = compounds(quote)
    missed: list[Location] = []
    folded: list[tuple[Rung, str, Folded]] = []
    for rung in Rung:
        folded.append((rung, fold(quote, rung).text, fold(text, rung, known)))
        found = _whole(*folded[-1][1:], text)
        if found and found.range:
            return replace(found, rung=rung)
        missed += [found] if found else []
    for rung, words, source in folded:
        found = _elided(words, source, text)
        if found and found.range:
            return replace(found, rung=rung)
        missed += [found] if found else []
    return missed[-1] if missed else Location(miss=Miss.ABSENT)


def _whole(quote: str, source: Folded, text: str) -> Location | None:
    """The quotation in one piece; None when its characters stand nowhere."""
    cut_word: Location | None = None
    for form in _forms(quote):
        best: Location | None = None
        for at in _occurrences(form, source.text, 0, len(source.text)):
            if _cuts(source.text, at, at + len(form)):
                cut_word = Location(miss=Miss.CUT_WORD)
                continue
            start, end = source.original(at, at + len(form))
            place = _placed(((start, end),), surroundings(text, start, end))
            if place.faithful:
                return place
            best = best or place
        if best:
            return best
    return cut_word


def _elided(quote: str, source: Folded, text: str) -> Location | None:
    """The quotation in pieces around an ellipsis, within one sentence; None when it has no ellipsis or no place."""
    pieces = [piece.strip() for piece in _ELLIPSIS.split(quote) if any(map(str.isalnum, piece))]
    if not pieces or _ELLIPSIS.search(quote) is None:
        return None
    if len(pieces) == 1:
        return _whole(pieces[0], source, text)
    miss: Location | None = None
    for form in _forms(pieces[0])[:2]:
        for at in _occurrences(form, source.text, 0, len(source.text)):
            chain = _chain((at, at + len(form)), pieces[1:], source)
            if chain is None:
                continue
            parts = tuple(source.original(*part) for part in chain)
            reason = _swallowed(text, parts)
            if reason is None:
                return _placed(parts, surroundings(text, parts[0][0], parts[-1][1]))
            miss = miss or Location(miss=reason)
    return miss


def _chain(first: Range, pieces: list[str], source: Folded) -> tuple[Range, ...] | None:
    """The first piece with the nearest place of each further one; None when one is cut or out of reach."""
    places = [first]
    for piece in pieces:
        low = places[-1][1]
        found = _occurrences(piece, source.text, low, min(len(source.text), low + _REACH + len(piece)))
        at = next((at for at in found if not _cuts(source.text, at, at + len(piece))), -1)
        if at < 0:
            return None
        places.append((at, at + len(piece)))
    return None if _cuts(source.text, *first) else tuple(places)


def _swallowed(text: str, parts: tuple[Range, ...]) -> Miss | None:
    """What an ellipsis hides that it must not."""
    end = SENTENCE_END.search(text, parts[0][0], parts[-1][1])
    if end and end.start() < parts[-1][0]:
        return Miss.OVER_SENTENCE
    gaps = [(left[1], right[0]) for left, right in pairwise(parts)]
    for hidden_in, reason in _HIDDEN:
        if any(hidden_in(text, *gap) for gap in gaps):
            return reason
    return None


def _placed(parts: tuple[Range, ...], around: Surroundings) -> Location:
    return Location(
        range=(parts[0][0], parts[-1][1]),
        parts=parts,
        cut_negation=around.negation,
        clause_negation=around.clause_negation,
        cut_condition=around.condition,
    )


def _occurrences(needle: str, text: str, low: int, high: int) -> Iterator[int]:
    at = low - 1
    for _ in range(_OCCURRENCES):
        at = text.find(needle, at + 1, high)
        if at < 0:
            return
        yield at


def _cuts(text: str, start: int, end: int) -> bool:
    return inside_word(text, start) or inside_word(text, end)


def _forms(quote: str) -> list[str]:
    """The spellings of a quotation that are the same quotation, closest first."""
    bare = quote.strip(_OUTER_MARKS).strip()
    whole = (quote, bare, quote.rstrip(_END_MARKS), bare.rstrip(_END_MARKS), bare.rstrip(_END_MARKS + _OUTER_MARKS))
    return [form for text in dict.fromkeys(whole) if text for form in (text, _other_case(text))]


def _other_case(quote: str) -> str:
    return quote[:1].swapcase() + quote[1:]
