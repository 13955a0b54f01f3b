"""Paired differences: their arithmetic, their direction, and what their intervals are worth."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from grounding_middleware.evaluation.comparing.differences import difference
from grounding_middleware.evaluation.measures import measure

RECALL, FALSE = measure("recall"), measure("false_positives")


def test_the_arithmetic() -> None:
    """30 of 40 before, 20 of 40 after."""
    found = difference(RECALL, {((1, 1), (1, 1)): 20, ((1, 1), (0, 1)): 10, ((0, 1), (0, 1)): 10})
    assert (found.before, found.after, found.change, found.n) == (0.75, 0.5, -0.25, 40)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -0.25 < found.high < 0


@pytest.mark.parametrize(("name", "sign"), [("recall", 1), ("false_positives", -1)])
def test_worse_depends_on_the_rate(name: str, sign: int) -> None:
    """Less recall is worse, fewer false positives are better."""
    found = difference(measure(name), {((1, 1), (0, 1)): 30, ((1, 1), (1, 1)): 30})
    assert found.worsening == pytest.approx(0.5 * sign)
    assert found.surely is not None
    assert (found.surely > 0) is (sign > 0)


def test_neither_direction_of_some_rates_is_worse() -> None:
    """How often the model abstains is no merit by itself."""
    found = difference(measure("abstention_before"), {((1, 1), (0, 1)): 9, ((1, 1), (1, 1)): 2})
    assert (found.worsening, found.surely) == (None, None)


def test_nothing_to_count_has_no_rate() -> None:
    """None, never 0 or NaN; also where one run has nothing."""
    empty, half = difference(RECALL, {}), difference(RECALL, {((0, 0), (1, 1)): 3})
    assert (empty.before, empty.after, empty.change, empty.low) == (None, None, None, None)
    assert (half.before, half.after, half.change, half.low, half.worsening) == (None, 1.0, None, None, None)


def test_equal_answers_leave_no_doubt() -> None:
    """The interval of no difference is no difference."""
    found = difference(RECALL, {((1, 2), (1, 2)): 5, ((0, 1), (0, 1)): 5})
    assert (found.change, found.low, found.high) == (0, 0, 0)


def test_few_answers_that_all_change_are_not_certain() -> None:
    """Three of three is not "all"."""
    found = difference(RECALL, {((1, 1), (0, 1)): 3})
    assert found.change == -1
    assert found.high is not None
    assert -0.6 < found.high < 0


def test_the_same_seed_gives_the_same_interval() -> None:
    """Figures are repeatable."""
    quads = {((1, 2), (0, 2)): 7, ((2, 2), (2, 2)): 20, ((0, 1), (1, 1)): 4}
    assert difference(RECALL, quads, seed=3) == difference(RECALL, quads, seed=3)


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    """95 % intervals over 150 answers of 1 to 4 claims held the true difference in 90 to 99 of 100 simulations."""
    chance = random.Random(11)  # noqa: S311  # a simulation
    held = sum(_holds(chance) for _ in range(200))
    assert 180 <= held <= 198


def _holds(chance: random.Random) -> bool:
    quads: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
    for _ in range(150):
        n, shift = chance.randint(1, 4), chance.choice((-0.15, 0.15))  # claims of an answer depend on each other
        pairs = [(chance.random() < 0.7 + shift, chance.random()) for _ in range(n)]
        after = [one if luck < 0.8 else luck < 0.88 for one, luck in pairs]  # true rate: .7 * .8 + .08
        quads[(sum(one for one, _ in pairs), n), (sum(after), n)] += 1
    found = difference(RECALL, quads)
    assert found.low is not None
    assert found.high is not None
    return found.low <= 0.64 - 0.7 <= found.high
