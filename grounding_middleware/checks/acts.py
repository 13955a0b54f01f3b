"""Acts named by a noun (CH-4): "registration of pets is voluntary", "owners must register their pets".

And what a relative clause adds to a thing, told in the sentence before. English only: nouns are told by their endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case
from grounding_middleware.checks.deontic import Duty
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit

_ACTS: Final = ("ation", "ition", "ion", "ment", "ance", "ence", "al", "ing")
"""Endings of nouns that name what a verb does."""


def names_act(noun: Item, verb: Item) -> bool:
    """The noun names what the verb says: registration, register; payment, pay."""
    if noun.keys & verb.keys:
        return True
    stems = {_stem(form) for form in verb.keys}
    word = noun.text.casefold()
    return any(word.endswith(end) and _stem(word.removesuffix(end)) in stems for end in _ACTS)


def _stem(word: str) -> str:
    word = word.removesuffix("e")
    return f"{word[:-2]}r" if word.endswith("er") else word


def subject_unsaid(claim: Unit, duty: Duty, there: Sequence[Item]) -> Sequence[Item]:
    """Who has the duty, where the other side opens with the noun of the act and so need not say who does it."""
    behind = [item for item in claim.items if item.segment == duty.segment and item.position > duty.word.position]
    act = next(iter(there), None)
    if claim.language != "en" or not behind or act is None or act.prep or not names_act(act, behind[0]):
        return ()
    return [item for item in claim.items if item.position < duty.word.position and not item.prep]


def relative_told_before(case: Case, alignment: Alignment) -> Sequence[Item]:
    """The words of a relative clause of the claim, if the sentence before has them all."""
    claim = alignment.claim
    words = lexicon(claim.language).relatives | {"that"}
    opens = next((token.start for token in claim.tokens[1:] if token.norm in words), claim.end)
    inside = [item for item in claim.items if item.start > opens]
    if claim.language != "en" or not inside:
        return ()
    units = [shelf.unit for shelf in case.library.shelves_of(alignment.span_id)]
    ahead = [unit for unit in units if unit.end <= alignment.source.start][-1:]
    return inside if any(all(item.keys & unit.keys for item in inside) for unit in ahead) else ()
