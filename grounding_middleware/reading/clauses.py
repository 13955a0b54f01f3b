"""Clauses of a sentence that it states on their own: what holds for "A; B" holds for A and for B.

Only where nothing outside a clause can reach into it: no condition, no negation, no choice, no report and no phrase
before the first clause that is meant of all of them. Everything else is read as one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Unit
from grounding_middleware.records import Range

_MOST: Final = 8  # breaks of one sentence; what has more is a list
_OPENS: Final = frozenset("([{“„«")
_CLOSES: Final = frozenset(")]}”»")
_HOLDS: Final = frozenset({"to", "let", "make", "help", "have", "that", "try"})
"""Words that may govern a second verb behind "and": "ask them to open the box and lift it"."""
_THEN: Final = frozenset({"then"})
_CONTRASTING: Final = frozenset({"however", "but", "yet", "although", "though", "instead"})
_LIMITING: Final = ("condition", "time", "certainty")
_CHOICE: Final = ("or", "nor")
_DEGREE: Final = re.compile(r"\d ?°? ?(?:degrees? )?[FC]\.$")


def clauses(unit: Unit) -> tuple[Range, ...]:
    """The ranges of `unit` that stand on their own, one clause or several in a row; none when it has only one."""
    breaks = list(_breaks(unit))
    if unit.tabular or not 0 < len(breaks) <= _MOST:
        return ()
    edges = [unit.start, *(start for start, _ in breaks), unit.start + len(unit.text)]
    ends = [*(end for _, end in breaks), edges[-1]]
    number = len(ends)
    runs = [(low, high) for low in range(number) for high in range(low, number) if high - low < number - 1]
    ranges = ((low == 0, (edges[low], ends[high])) for low, high in runs)
    return tuple(place for first, place in ranges if place[0] < place[1] and _stands(unit, place, first=first))


def _breaks(unit: Unit) -> Iterator[Range]:
    """(start of the next clause, end of the one before it) for each place where a main clause begins."""
    words, depth, instructing = lexicon(unit.language), 0, orders(unit)
    tokens = unit.tokens
    for number, (before, token) in enumerate(pairwise(tokens), 1):
        depth += (before.text in _OPENS) - (before.text in _CLOSES)
        if depth or number < 2:
            continue
        if _sentence_ends(unit, before, token) or (before.text == ";" and _clausal(unit, number, words)):
            yield token.start, before.start
        elif instructing and _instructs(tokens, number, words):
            end = _joined(tokens, number, words)
            if end is not None:
                yield token.start, end


def _clausal(unit: Unit, number: int, words: Lexicon) -> bool:
    """What follows a semicolon has a verb: "; weekdays" and "; about 9 minutes" belong to what stands before."""
    modals = {cue.start for cue in unit.of("modality")}
    for token in unit.tokens[number:]:
        if token.text == ";":
            return False
        if token.start in modals or token.norm in words.auxiliaries:
            return True
        if token is unit.tokens[number] and _instructs(unit.tokens, number, words):
            return True
    return False


def _sentence_ends(unit: Unit, before: Token, token: Token) -> bool:
    """A full stop that looked like an abbreviation: "at 375 degrees F. Rub the roast"."""
    spaced = token.start > before.end and token.capital
    return spaced and before.text == "." and bool(_DEGREE.search(unit.text[: before.end - unit.start]))


def orders(unit: Unit) -> bool:
    """The sentence begins with an instruction, so that a verb behind "and" is another one."""
    words, norms, at = lexicon(unit.language), [token.norm for token in unit.tokens], 0
    while at < len(norms):
        skipped = words.connective_at(norms, at) or (unit.tokens[at].shape is Shape.PUNCT)
        if not skipped:
            break
        at += skipped
    return at < len(norms) and _instructs(unit.tokens, at, words)


def _instructs(tokens: Sequence[Token], number: int, words: Lexicon) -> bool:
    """A verb in its plain form, with what it acts on or where behind it."""
    if tokens[number].norm not in words.instructing or number + 1 == len(tokens):
        return False
    behind = tokens[number + 1]
    return behind.shape is not Shape.PUNCT and behind.norm not in words.auxiliaries


def _joined(tokens: Sequence[Token], number: int, words: Lexicon) -> int | None:
    """Where the clause before an instruction ends: at ", and then", "and then", a comma; or at a bare "and"."""
    at = number
    while at > 0 and (tokens[at - 1].norm in words.joins or tokens[at - 1].norm in _THEN):
        if words.joins.get(tokens[at - 1].norm, "and") != "and":
            return None
        at -= 1
    comma = at > 0 and tokens[at - 1].text == ","
    step = any(token.norm in _THEN for token in tokens[at:number])
    if not step and ((at == number and not comma) or any(token.norm in _HOLDS for token in tokens[:at])):
        return None
    return tokens[at - 1].start if comma else tokens[at].start


def _stands(unit: Unit, place: Range, *, first: bool) -> bool:
    """Nothing outside the clause limits it, and it points to nothing outside."""
    low, high = place
    words = lexicon(unit.language)
    inside = [token for token in unit.tokens if low <= token.start < high]
    outside = [cue for cue in unit.cues if not low <= cue.start < high]
    if any(cue.table in _LIMITING and cue.name != "condition.inclusion" for cue in outside):
        return False
    if any(cue.table == "negation" or cue.name == "quantity.only" for cue in outside) or _chosen(unit, place):
        return False
    if any(_leans(part, words) for part in _after(unit, high)):
        return False
    return first or not (_leans(inside, words) or _scoped(unit, words))


def _after(unit: Unit, end: int) -> Iterator[Sequence[Token]]:
    """What stands behind each semicolon from `end` on: "; this applies to members" limits what was said."""
    for number, token in enumerate(unit.tokens[:-1]):
        if token.start >= end and token.text == ";":
            yield unit.tokens[number + 1 :]


def _chosen(unit: Unit, place: Range) -> bool:
    """An "or" outside, or the one the clause begins with."""
    low, high = place
    return any(one.opener in _CHOICE and not low < one.start < high for one in unit.segments)


def _leans(inside: Sequence[Token], words: Lexicon) -> bool:
    """Begins with a pronoun, a relative, a preposition or a "however": part of what stands before, or a limit of it."""
    start = next((token for token in inside if token.shape is Shape.WORD), None)
    return (
        start is None
        or start.norm in _CONTRASTING
        or start.norm in words.relatives
        or start.norm in words.prepositions
        or (start.norm in words.pronouns and start.norm not in words.first_and_second)
    )


def _scoped(unit: Unit, words: Lexicon) -> bool:
    """The sentence begins with a phrase that may be meant of all its clauses, or introduces a list."""
    start = next((token for token in unit.tokens if token.shape is Shape.WORD), None)
    listed = any(token.text in (":", "：") for token in unit.tokens)
    return start is None or start.norm in words.prepositions or listed
