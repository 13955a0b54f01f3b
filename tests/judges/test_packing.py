"""Requests keep the budget, show whole passages, and never leave anything out silently."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.judges import JudgeItem, JudgeTask
from grounding_middleware.judges.packing import CLAIMS_PER_REQUEST, COMFORTABLE, plan
from grounding_middleware.judges.prompts import verification
from grounding_middleware.records import Claim, Span
from grounding_middleware.tokens import count_tokens


def words(text: str) -> int:
    return len(text.split())


FIXED = words(verification.SYSTEM) + 93


def _shown(request: Any) -> list[str]:
    return [passage.name for passage in request.passages]


def test_small_answer_is_one_request(make_task: Any) -> None:
    """A small answer is one request that shows all passages, cited or not, in their order."""
    task = make_task(["a", "b", "c"], ["x", "y"], [[3], [1]])
    (request,) = plan(task, 6_000, words).requests
    assert _shown(request) == ["S1", "S2", "S3"]
    assert list(request.items) == [1, 2]
    assert request.left_out == ()


def test_cited_passages_come_first(make_task: Any) -> None:
    """Beyond a comfortable size only what is cited is shown, and what is left out is named."""
    task = make_task(["long " * 1_500, "cited " * 900, "short"], ["x"], [[2]])
    (request,) = plan(task, 6_000, words).requests
    assert _shown(request) == ["S2", "S3"]
    assert request.left_out == ("S1",)
    assert words(verification.SYSTEM) + words(request.user) <= COMFORTABLE


def test_claim_that_does_not_fit(make_task: Any) -> None:
    """A claim whose cited passages do not fit is named with the reason; the others are asked about."""
    task = make_task(["long " * 3_000, "short"], ["x", "y"], [[1], [2]])
    planned = plan(task, FIXED + 500, words)
    ((item, reason),) = planned.unasked
    assert item.claim.id == "c1"
    assert "the cited S1" in reason
    assert "budget" in reason
    assert [list(request.items) for request in planned.requests] == [[2]]


def test_unknown_passage(make_task: Any) -> None:
    """A claim that cites a passage the judge was not given cannot be judged."""
    task = make_task(["a"], ["x"], [[1, 9]])
    ((_, reason),) = plan(task, 6_000, words).unasked
    assert reason == "the cited S9 is not among the evidence given to the judge"


def test_question_too_long(make_task: Any) -> None:
    """When the question alone exceeds the budget, nothing is asked and every claim says so."""
    task = make_task(["a"], ["x", "y"], [[1], []], question="why " * 9_000)
    planned = plan(task, 6_000, words)
    assert planned.requests == ()
    assert len(planned.unasked) == 2


def test_split_shares_its_beginning(make_task: Any) -> None:
    """Requests of one answer begin alike as far as possible, so that a provider can cache the prefix."""
    task = make_task(["passage " * 50] * 3, ["claim " * 60] * 12, [[1 + at % 3] for at in range(12)])
    requests = plan(task, FIXED + 600, words).requests
    assert len(requests) > 1
    heads = {request.user.split(" claim ", 1)[0] for request in requests}
    assert len(heads) == 1
    assert [number for request in requests for number in request.items] == list(range(1, 13))


def test_own_passages_where_all_do_not_fit(make_task: Any) -> None:
    """When the cited passages do not fit together, each request shows those of its claims."""
    task = make_task(["passage " * 300] * 4, ["claim"] * 4, [[1], [2], [3], [4]])
    requests = plan(task, FIXED + 400, words).requests
    assert [_shown(request) for request in requests] == [["S1"], ["S2"], ["S3"], ["S4"]]


def test_many_claims(make_task: Any) -> None:
    """No request asks for more verdicts than fit a reply; one a request on demand."""
    task = make_task(["a"], ["x"] * 45, [[1]] * 45)
    assert [len(request.claims) for request in plan(task, 100_000, words).requests] == [CLAIMS_PER_REQUEST] * 2 + [5]
    assert len(plan(task, 100_000, words, per_request=1).requests) == 45


def test_uncited_claim_sees_the_likeliest_passages(make_task: Any) -> None:
    """An uncited claim may use the whole budget; passages that share its words come first."""
    texts = ["nothing here " * 100, "opening hours of the desk " * 20, "nothing there " * 100]
    task = make_task(texts, ["The desk has long opening hours"], [[]])
    (request,) = plan(task, FIXED + 150, words).requests
    assert _shown(request) == ["S2"]
    assert request.left_out == ("S1", "S3")


SIZES = st.lists(st.integers(1, 300), min_size=1, max_size=6)


@given(SIZES, st.lists(st.sets(st.integers(0, 7), max_size=3), min_size=1, max_size=9), st.integers(300, 2_000))
def test_budget_is_kept(sizes: list[int], cites: list[set[int]], budget: int) -> None:
    """Every claim is asked about exactly once or named; every request keeps the budget and shows what is cited."""
    spans = tuple(Span(id=f"S{at}", text="w " * size) for at, size in enumerate(sizes))
    items = tuple(
        JudgeItem(
            claim=Claim(id=f"c{at}", text="v " * 20, start=0, end=40),
            span_ids=tuple(f"S{number}" for number in sorted(cited)),
        )
        for at, cited in enumerate(cites)
    )
    planned = plan(JudgeTask(question="q", answer="v", evidence=spans, items=items), budget, words)
    asked = [item.claim.id for request in planned.requests for item in request.items.values()]
    named = [item.claim.id for item, _ in planned.unasked]
    assert sorted(asked + named) == sorted(item.claim.id for item in items)
    assert all(reason for _, reason in planned.unasked)
    for request in planned.requests:
        assert words(verification.SYSTEM) + words(request.user) <= budget
        shown = {passage.span.id for passage in request.passages}
        assert all(set(item.span_ids) <= shown for item in request.items.values())
        assert {passage.name for passage in request.passages}.isdisjoint(request.left_out)


@pytest.mark.parametrize("count", [count_tokens, lambda text: -(-len(text) // 4)], ids=["tokens", "quarter"])
def test_typical_answer_costs_little(make_task: Any, count: Any) -> None:
    """Six sentences over 1,000 words of evidence are one request of at most 2,500 tokens (by four bytes a token)."""
    sentence = "The regional desk reviews each claim above the limit within the stated period of working days. "
    texts = [sentence * 11] * 6
    claims = ["The regional desk reviews each claim above the limit within ten working days"] * 6
    task = make_task(
        texts, claims, [[at] for at in range(1, 7)], question="Who reviews claims above the limit, and when?"
    )
    assert sum(map(words, texts)) >= 990
    (request,) = plan(task, 6_000, count).requests
    message = verification.SYSTEM + request.user
    assert -(-len(message) // 4) <= 2_500
