"""What a claim may leave out of the sentence it restates without saying more than the sentence (DESIGN §5).

Left out may be: a later clause with a verb of its own, a further thing on a list, an apposition, a relative clause that
only adds. Everything else may narrow what is said: "Entry, for members, is free", "Entry is free (weekdays)".
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Unit

_NARROW: Final = ("negation", "condition", "time")  # a cut word makes a sentence with one of these stronger
_ADDS: Final = "ing"  # ", beating all forecasts": a participle that goes on about what was said
_TURNS: Final = frozenset({"however", "though", "yet"})
_THAT: Final = frozenset({"that"})
_AMBIGUOUS: Final = ("condition", "time")  # at the end of a coordination they may be meant of both parts


def nothing_cut(source: Unit, touched: Collection[int]) -> bool:
    """True if the segments of the source outside `touched` can be left out."""
    skipped = [number for number in range(len(source.segments)) if number not in touched and _says(source, number)]
    if not skipped:
        return True
    if skipped[0] < min(touched, default=0):
        return False
    end = _own_clause(source, max(touched, default=0) + 1)
    if any(cue.table in _AMBIGUOUS and cue.segment >= end for cue in source.cues):
        return False
    rest = [number for number in skipped if number < end]
    narrow = any((cue.table in _NARROW or cue.name == "quantity.only") and cue.segment < end for cue in source.cues)
    return not rest or (not narrow and all(_spare(source, number) for number in rest))


def _says(unit: Unit, number: int) -> bool:
    return any(item.segment == number for item in unit.items) or any(
        unit.segment_at(value.start) == number for value in unit.values
    )


def _own_clause(source: Unit, start: int) -> int:
    """The first segment from `start` on that begins a clause with a verb of its own; past the end if none does."""
    words = lexicon(source.language)
    verbs = {cue.start for cue in source.of("modality")}
    for number in range(start, len(source.segments)):
        if source.segments[number].opener != "and" and _mark(source, number) != ";":
            continue
        tokens = _inside(source, number)
        if tokens and tokens[0].norm in words.pronouns and any(cue.segment >= number for cue in source.of("negation")):
            continue  # "; this does not apply to ..."
        if tokens and tokens[0].norm in _TURNS:
            continue  # "; however, it is closed on Sundays"
        for token in tokens:
            if token.norm in words.relatives or token.norm in _THAT:
                break
            if token.start in verbs or (token.norm in words.auxiliaries and not token.norm.endswith(_ADDS)):
                return number
    return len(source.segments)


def _spare(source: Unit, number: int) -> bool:
    """A further thing on a list, an apposition, or a clause that only adds."""
    opener = source.segments[number].opener
    bounded = any(value.bound for value in source.values if source.segment_at(value.start) == number)
    if bounded or opener in ("but", "or", "nor"):
        return False
    if opener == "and":
        return True
    tokens = _inside(source, number)
    words = lexicon(source.language)
    if not tokens or tokens[0].norm in words.prepositions:
        return False
    if _mark(source, number) == "(":
        return _named_again(source, number, tokens)
    if tokens[0].norm in words.relatives:
        return _adds(source, number)
    return _listed(source, number) or _participle(source, tokens[0]) or _apposed(source, number, tokens[0])


def _named_again(source: Unit, number: int, tokens: list[Token]) -> bool:
    """An abbreviation or another name in brackets, "(PSA)", "(the old town hall)"; not "(members)"."""
    plain = not any(cue.segment == number for cue in source.cues)
    acronym = len(tokens) == 1 and tokens[0].text.isupper() and len(tokens[0].text) > 1
    return plain and (acronym or tokens[0].norm in lexicon(source.language).articles)


def _adds(source: Unit, number: int) -> bool:
    """A relative clause that demands and limits nothing."""
    demanding = lexicon(source.language).demanding
    cues = any(cue.segment == number for cue in source.cues)
    return (
        bool(demanding)
        and not cues
        and not any(item.keys & demanding for item in source.items if item.segment == number)
    )


def _listed(source: Unit, number: int) -> bool:
    """One of "A, B and C": an "and" follows, with nothing but commas on the way."""
    following = [segment.opener for segment in source.segments[number + 1 :]]
    opener = next((opener for opener in following if opener), "")
    return opener == "and" and all(_mark(source, n) != ";" for n in range(number, number + following.index(opener) + 1))


def _participle(source: Unit, first: Token) -> bool:
    return source.language == "en" and first.norm.endswith(_ADDS)


def _apposed(source: Unit, number: int, first: Token) -> bool:
    """Between two commas, and a name or a noun with its article: "Leeds, the largest city, ..."."""
    closed = number + 1 < len(source.segments) and source.segments[number + 1].opener == ""
    goes_on = any(item.segment > number for item in source.items)
    return closed and goes_on and (first.capital or first.norm in lexicon(source.language).articles)


def _inside(source: Unit, number: int) -> list[Token]:
    """The words of a segment behind its conjunction."""
    segment = source.segments[number]
    words = lexicon(source.language)
    tokens = [t for t in source.tokens if segment.start <= t.start < segment.end and t.shape is not Shape.PUNCT]
    return tokens[1:] if tokens and segment.opener and tokens[0].norm in words.joins else tokens


def _mark(source: Unit, number: int) -> str:
    """The sign before a segment: a comma, a bracket, a semicolon."""
    text = source.text[: source.segments[number].start - source.start].rstrip()
    return text[-1:]
