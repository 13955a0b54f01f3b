"""Generated pairs about quantity: what follows from "at most three", "few", "all but one" when a phrase is widened.

Each quantifier goes up or down in the noun and in the verb phrase; a widened phrase follows upwards, a narrowed one
downwards. Counts compare by arithmetic. Vocabulary and sentences are ours.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

from training.sources import CONTRADICTED, NEUTRAL, SUPPORTED, Row


class Quantifier(NamedTuple):
    """Words before a plural noun, and where the truth goes: 1 to wider phrases, -1 to narrower ones, 0 to neither."""

    words: str
    noun: int
    verb: int


QUANTIFIERS: Final = (
    Quantifier("all", -1, 1),
    Quantifier("all of the", -1, 1),
    Quantifier("some", 1, 1),
    Quantifier("several", 1, 1),
    Quantifier("most", 0, 1),
    Quantifier("many", 0, 1),
    Quantifier("no", -1, -1),
    Quantifier("few", -1, -1),
    Quantifier("none of the", -1, -1),
    Quantifier("at least {n}", 1, 1),
    Quantifier("more than {n}", 1, 1),
    Quantifier("at most {n}", -1, -1),
    Quantifier("fewer than {n}", -1, -1),
    Quantifier("exactly {n}", 0, 0),
    Quantifier("more than half of the", 0, 1),
    Quantifier("less than half of the", 0, -1),
)
NOUNS: Final = (
    ("people", ("people from abroad", "students", "nurses", "old people", "people who live nearby")),
    ("workers", ("young workers", "engineers", "workers at night", "cooks", "workers without a contract")),
    ("animals", ("dogs", "brown animals", "horses", "animals in the park", "small animals")),
    ("vehicles", ("cars", "red vehicles", "buses", "vehicles from Japan", "electric vehicles")),
    ("customers", ("new customers", "customers in Spain", "customers with an account", "returning customers")),
    ("documents", ("invoices", "signed documents", "letters", "documents from last year", "contracts")),
    ("children", ("girls", "tall children", "children in the garden", "boys", "children with glasses")),
    ("plants", ("roses", "plants in pots", "trees", "young plants", "green plants")),
)
VERBS: Final = (
    ("moved", ("ran", "walked slowly", "moved to the left", "jumped", "danced in the hall")),
    ("ate", ("ate fruit", "ate quickly", "ate apples at noon", "ate with a spoon")),
    ("arrived", ("arrived early", "arrived by train", "arrived on Monday", "arrived before noon")),
    ("were seen", ("were seen twice", "were seen near the gate", "were seen by a guard", "were seen on Friday")),
    ("changed", ("grew", "changed colour", "shrank", "changed twice", "improved in May")),
    ("were sold", ("were sold at once", "were sold abroad", "were sold in March", "were sold for cash")),
)
NUMBERS: Final = ("two", "three", "four", "five", "six", "seven", "eight", "ten", "twelve", "20")


def generated(count: int, chance: random.Random) -> Iterator[Row]:
    """`count` pairs, in equal parts about widening and about counts."""
    for at in range(count):
        premise, claim, label = _widened(chance) if at % 2 else _counted(chance)
        yield Row("quantifiers", _sentence(claim), _sentence(premise), label, "en")


def _widened(chance: random.Random) -> tuple[str, str, int]:
    quantifier = chance.choice(QUANTIFIERS)
    words = quantifier.words.format(n=chance.choice(NUMBERS))
    noun, narrow_nouns = chance.choice(NOUNS)
    verb, narrow_verbs = chance.choice(VERBS)
    in_noun = chance.random() < 0.5
    if in_noun:
        phrase = chance.choice((verb, *narrow_verbs))
        wide, narrow = f"{words} {noun} {phrase}", f"{words} {chance.choice(narrow_nouns)} {phrase}"
    else:
        phrase = chance.choice((noun, *narrow_nouns))
        wide, narrow = f"{words} {phrase} {verb}", f"{words} {phrase} {chance.choice(narrow_verbs)}"
    goes = quantifier.noun if in_noun else quantifier.verb
    if chance.random() < 0.5:
        return narrow, wide, SUPPORTED if goes > 0 else NEUTRAL
    return wide, narrow, SUPPORTED if goes < 0 else NEUTRAL


def _counted(chance: random.Random) -> tuple[str, str, int]:
    noun = chance.choice([noun for noun, _ in NOUNS])
    verb = chance.choice([verb for _, narrow in VERBS for verb in narrow])
    first, second = sorted(chance.sample(range(len(NUMBERS)), 2))
    low, high = NUMBERS[first], NUMBERS[second]
    premise, claim, label = chance.choice(
        (
            (f"exactly {high}", f"at least {low}", SUPPORTED),
            (f"exactly {high}", f"more than {low}", SUPPORTED),
            (f"exactly {low}", f"fewer than {high}", SUPPORTED),
            (f"at least {high}", f"more than {low}", SUPPORTED),
            (f"at most {low}", f"fewer than {high}", SUPPORTED),
            (f"exactly {low}", f"at least {high}", CONTRADICTED),
            (f"exactly {high}", f"at most {low}", CONTRADICTED),
            (f"exactly {high}", f"exactly {low}", CONTRADICTED),
            (f"at least {high}", f"at most {low}", CONTRADICTED),
            (f"at least {low}", f"at least {high}", NEUTRAL),
            (f"at least {low}", f"exactly {high}", NEUTRAL),
            (f"at most {high}", f"at most {low}", NEUTRAL),
            (f"more than {low}", f"at most {high}", NEUTRAL),
            ("all", "no", CONTRADICTED),
            ("no", "some", CONTRADICTED),
            ("some", "no", CONTRADICTED),
            ("some", "all", NEUTRAL),
            ("most", "all", NEUTRAL),
            ("most", "some", SUPPORTED),
            ("all", "some", SUPPORTED),
            ("all", "most", SUPPORTED),
            ("all", f"all but {low}", CONTRADICTED),
            (f"all but {low}", "all", CONTRADICTED),
            (f"all but {low}", f"all but {high}", CONTRADICTED),
            (f"{high} of the", f"{low} or more of the", SUPPORTED),
            ("half of the", "all", CONTRADICTED),
            ("half of the", "some", SUPPORTED),
        )
    )
    return f"{premise} {noun} {verb}", f"{claim} {noun} {verb}", label


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
