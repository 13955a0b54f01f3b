"""Pairs made from supported ones: claims changed so that they no longer hold, and sources changed with them.

A change that only ever appeared in unsupported claims would teach its wording, not its meaning. Where the claim stands
word for word in its source, the same change is therefore also made in the source: then the changed claim holds and the
original one does not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from grounding_middleware.evaluation import MUTATIONS
from training.sources import CONTRADICTED, NEUTRAL, SUPPORTED, UNSUPPORTED, Row

CONFLICTS: Final = frozenset({"negate", "ten_times", "off_by_one", "change_unit", "shift_date"})
"""Changes after which source and claim cannot both be true; after the others the claim is merely not supported."""

SEEN_BY_WORDING: Final = frozenset({"add_certainty", "add_detail"})
"""They always add the same words, so they are made only where the source can be changed too."""

_CONDITION: Final = re.compile(r"\b(?:unless|except|provided|if|as long as)\b")


def changed(row: Row, chance: random.Random, most: int = 1) -> Iterator[Row]:
    """Up to `most` changes of the claim of a supported English `row`, each with its counterpart where there is one."""
    if row.label != SUPPORTED or row.language != "en":
        return
    names = [name for name in MUTATIONS if name != "drop_condition" or _CONDITION.search(row.claim)]
    chance.shuffle(names)
    verbatim = row.context.count(row.claim) == 1
    made = 0
    for name in names:
        if made == most:
            return
        variants = list(_variants(name, row.claim)) if verbatim or name not in SEEN_BY_WORDING else []
        if variants:
            made += 1
            yield from _pairs(row, name, chance.choice(variants), verbatim)


def _variants(name: str, claim: str) -> Iterator[str]:
    """A condition is cut off up to the end of the text, so the full stop is put aside."""
    stop = "." if name == "drop_condition" and claim.endswith(".") else ""
    yield from (f"{other}{stop}" for other in MUTATIONS[name](claim.removesuffix(stop)))


def _pairs(row: Row, name: str, other: str, verbatim: bool) -> Iterator[Row]:  # noqa: FBT001  # two kinds of one thing
    label = CONTRADICTED if name in CONFLICTS else UNSUPPORTED
    yield replace(row, source=f"changed:{name}", claim=other, label=label)
    if verbatim:
        source = row.context.replace(row.claim, other)
        yield replace(row, source=f"changed:{name}", claim=other, context=source)
        # what lost a condition or gained a detail still follows from the longer sentence
        if name not in SEEN_BY_WORDING and name != "drop_condition":
            yield replace(row, source=f"changed:{name}", context=source, label=label)


def joined(row: Row, other: Row) -> Row:
    """A claim of two sentences, of which only the first is supported."""
    claim = f"{row.claim.rstrip()} {other.claim.lstrip()}"
    return replace(row, source="joined", claim=claim, label=UNSUPPORTED)


def elsewhere(row: Row, part: str) -> Row:
    """A supported claim beside a part of its source that says something else."""
    return replace(row, source="elsewhere", context=part, label=NEUTRAL, weight=0.7 * row.weight)
