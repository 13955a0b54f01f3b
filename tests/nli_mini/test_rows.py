"""What the model learns from: made pairs have the label that their making implies."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from training.changes import changed
from training.quantifiers import NUMBERS, generated
from training.sources import CONTRADICTED, NEUTRAL, SUPPORTED, Row, is_held_out


@pytest.fixture
def row():
    """Builds a supported row whose claim stands in its source word for word."""

    def built(claim: str, context: str | None = None) -> Row:
        return Row("set", claim, context or f"Before that. {claim} Thereafter.", SUPPORTED, "en")

    return built


def test_a_changed_claim_is_no_longer_supported_unless_its_source_changes_too(row) -> None:
    """The same wording stands in supported and in other pairs, so wording alone tells nothing."""
    one = row("The fee is 40 euros for all members.")
    made = list(changed(one, random.Random(3), most=20))
    by_claim = {(pair.claim, pair.context): pair.label for pair in made}
    assert len(by_claim) == len(made) >= 9
    for pair in made:
        if pair.claim != one.claim and pair.context == one.context:
            assert pair.label != SUPPORTED
            assert by_claim[pair.claim, one.context.replace(one.claim, pair.claim)] == SUPPORTED


def test_nothing_is_made_of_what_is_not_supported_or_not_english(row) -> None:
    """A change of an unsupported claim may make it true; the changes know English only."""
    one = row("The fee is 40 euros.")
    assert not list(changed(replace(one, label=NEUTRAL), random.Random(1)))
    assert not list(changed(replace(one, language="id"), random.Random(1)))


def test_a_lost_condition_is_changed_only_where_there_is_one(row) -> None:
    """Cutting off "until May" leaves a true statement, cutting off "unless you cancel" does not."""

    def lost(claim: str) -> bool:
        made = changed(row(claim, "Something longer."), random.Random(1), most=20)
        return any(pair.source == "changed:drop_condition" for pair in made)

    assert lost("The contract is renewed every year unless you cancel it.")
    assert not lost("The contract is renewed every year until May.")


@pytest.mark.parametrize("seed", range(3))
def test_generated_quantities_agree_with_a_small_world(seed: int) -> None:
    """What is generated as following from counts holds in every world of few things, what conflicts holds in none."""
    value = dict(zip(NUMBERS, (2, 3, 4, 5, 6, 7, 8, 10, 12, 20), strict=True))
    rules = {
        r"exactly (\w+)": lambda n, k, _: k == n,
        r"at least (\w+)": lambda n, k, _: k >= n,
        r"more than (\w+)": lambda n, k, _: k > n,
        r"at most (\w+)": lambda n, k, _: k <= n,
        r"fewer than (\w+)": lambda n, k, _: k < n,
    }

    def holds(text: str, count: int) -> bool | None:
        for pattern, rule in rules.items():
            found = re.match(pattern + " (?!half)", text, re.IGNORECASE)
            if found and found.group(1) in value:
                return rule(value[found.group(1)], count, 0)
        return None

    def same_things(one: str, other: str) -> bool:
        rest = [re.sub("|".join(rules), "", text, flags=re.IGNORECASE) for text in (one, other)]
        return rest[0] == rest[1]

    looked = 0
    for row in generated(400, random.Random(seed)):
        if not same_things(row.claim, row.context):
            continue
        worlds = [(holds(row.context, count), holds(row.claim, count)) for count in range(25)]
        if None in worlds[0]:
            continue
        looked += 1
        where_true = [claim for premise, claim in worlds if premise]
        if row.label == SUPPORTED:
            assert all(where_true), row
        elif row.label == CONTRADICTED:
            assert not any(where_true), row
        else:
            assert any(where_true), row
            assert not all(where_true), row
    assert looked > 20


def test_rows_with_one_source_are_held_out_together() -> None:
    """What is watched shares no source with what is trained on."""
    rows = [Row("set", f"claim {at}", f"source {at // 5} " * 40, 0, "en") for at in range(1_000)]
    held = [is_held_out(row) for row in rows]
    assert 0 < sum(held) < 100
    assert all(len(set(held[at : at + 5])) == 1 for at in range(0, 1_000, 5))
