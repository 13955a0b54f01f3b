"""Comparatives around a value (CH-3): "8 % more than in May" against "8 % fewer than in May".

The same amount beside opposite words is the anchor; the words around may be put differently.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import claimed, states_all
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import Relation, Value, ValueKind, compare
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("polarity")
_HALF: Final = 0.5
_ELISION: Final = ("'", "’")
_NOUN: Final = 4  # tokens from an amount to the noun it counts, at most: "8 % d'échantillons"
_BESIDE: Final = 2  # tokens between an amount and its comparative: "8 % de plus"
_AMOUNTS: Final = (
    ValueKind.PERCENT, ValueKind.COUNT, ValueKind.NUMBER, ValueKind.MONEY, ValueKind.QUANTITY, ValueKind.DURATION,
    ValueKind.CALENDAR_DURATION, ValueKind.RATIO,
)  # fmt: skip


def comparatives(case: Case, alignment: Alignment) -> Iterator[Finding]:
    """A conflict where the claim's amount stands beside the opposite word in a unit about the same thing."""
    missing = any(item.name or item.code for item in alignment.claim_left)
    if alignment.covered < _HALF or missing or alignment.claim.of("negation") or alignment.source.of("negation"):
        return
    for value in claimed(alignment.claim):
        same = [other for other in alignment.source.values if value.kind in _AMOUNTS and _same(value, other)]
        if len(same) != 1 or not states_all(alignment):
            continue
        pair = _opposite(alignment, value, same[0])
        if pair is not None and not _both_ways(case, value):
            message = f"source '{same[0].text} {pair[1].text}', answer '{value.text} {pair[0].text}'"
            yield _REPORT.conflict("comparative-flipped", message, Kind.ANTONYM, place(alignment, value, same[0]))


def _same(value: Value, other: Value) -> bool:
    return compare(value, other).relation is Relation.ENTAILED and value.written == other.written


def _opposite(alignment: Alignment, value: Value, other: Value) -> tuple[Token, Token] | None:
    """The comparative beside each amount, when they are opposite and said of the same thing."""
    words = lexicon(alignment.claim.language)
    for mine, said in _behind(alignment.claim, value):
        for theirs, of in _behind(alignment.source, other):
            same = not said or not of or words.forms(said) & words.forms(of)
            if same and _turned(words, mine, theirs):
                return mine, theirs
    before, there = _before(alignment.claim, value), _before(alignment.source, other)
    return (before, there) if before and there and _turned(words, before, there) else None


def opposed(alignment: Alignment) -> bool:
    """A word only the claim has is the opposite of one only the source has: "more often" beside "less often"."""
    words = lexicon(alignment.claim.language)
    ours, theirs = alignment.claim.tokens, alignment.source.tokens
    both = {token.norm for token in ours} & {token.norm for token in theirs}
    return any(_turned(words, a, b) for a in ours for b in theirs if a.norm not in both and b.norm not in both)


def _turned(words: Lexicon, mine: Token, theirs: Token) -> bool:
    return any(words.opposite(a, b) for a in words.forms(mine.norm) for b in words.forms(theirs.norm))


def _behind(unit: Unit, value: Value) -> Iterator[tuple[Token, str]]:
    """The words behind an amount, each with the content word that follows it at once ("more | viewers"), else "".

    Also those behind the noun it counts: "8 % d'échantillons de plus".
    """
    words, content = lexicon(unit.language), {item.start for item in unit.items}
    after = [token for token in unit.tokens if token.start >= value.end]
    counted = next((n for n, token in enumerate(after[:_NOUN]) if token.start in content), 0)
    linked = all(token.norm in words.prepositions or token.text in _ELISION for token in after[:counted])
    reach = counted + 1 + _BESIDE if counted and linked else _BESIDE
    for position, token in enumerate(after[:reach]):
        if token.shape is not Shape.WORD and token.text not in _ELISION:
            return
        following = after[position + 1] if position + 1 < len(after) else None
        yield token, following.norm if following is not None and following.start in content else ""


def _before(unit: Unit, value: Value) -> Token | None:
    """The word before an amount: "menos 8 % de amostras"."""
    before = next((token for token in reversed(unit.tokens) if token.end <= value.start), None)
    return before if before is not None and before.shape is Shape.WORD else None


def _both_ways(case: Case, value: Value) -> bool:
    """The amount stands more than once in the cited evidence: it may be said of both directions."""
    return len([other for other in case.library.values_of(case.cited) if _same(value, other)]) > 1
