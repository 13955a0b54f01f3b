"""The verdict cache: the same question is asked once, and never again answered for another one (CHG)."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from grounding_middleware import ConfigError, Grounder, Label, Policy
from grounding_middleware.judges import Cascade, LLMJudge
from grounding_middleware.judges.caching import (
    CachedJudge,
    CachedVerdict,
    VerdictCache,
)
from grounding_middleware.judges.costs import Price, costs


def test_the_same_claim_is_judged_once(kit: Any, cache: VerdictCache) -> None:
    """Label, quotes, confidence and decider are the same; the reason says that it is cached, and since when."""
    model = kit.Scripted()
    asked = kit.grounder(model, cache)
    first, second = kit.check(asked).claims[0], kit.check(asked).claims[0]
    assert model.asked == 1
    assert second.reason == f"{first.reason} (cached 2026-05-04)"
    assert second.replace(reason=first.reason) == first
    assert first.decided_by == "llm"


def test_a_hit_stands_in_the_call_log(kit: Any, cache: VerdictCache) -> None:
    """One look-up instead of a model call: no tokens, no money, a tier of its own."""
    asked = kit.grounder(kit.Scripted(), cache)
    assert [call.role for call in kit.check(asked).calls] == ["verdict_lookup", "claim_verification", "verdict_store"]
    report = kit.check(asked)
    (call,) = report.calls
    assert (call.tier, call.role, call.error, call.claim_ids) == (
        "llm:cache",
        "verdict_lookup",
        "",
        (report.claims[0].id,),
    )
    (row,) = costs(report.calls)
    assert (row.input_tokens, row.output_tokens, row.money) == (0, 0, 0.0)


def test_prices_of_models_still_add_up(kit: Any, cache: VerdictCache) -> None:
    """The cache has no price and needs none."""
    rows = costs(kit.check(kit.grounder(kit.Scripted(), cache)).calls, {"Scripted": Price(input=1, output=1)})
    assert all(row.money is not None for row in rows)


async def test_sync_and_async_share_entries_and_results(kit: Any, cache: VerdictCache) -> None:
    """What one found the other finds, and both reports are equal."""
    model = kit.Scripted()
    asked = kit.grounder(model, cache)
    kit.check(asked)
    report = await asked.acheck(kit.ANSWER, evidence=[kit.FERRY], question="q")
    assert report == kit.check(asked)
    assert model.asked == 1


async def test_the_cache_is_never_asked_on_the_event_loop(kit: Any, cache: VerdictCache) -> None:
    """Files and locks are waited for in another thread."""
    threads: set[int] = set()
    load = cache.load

    def watched(keys: Iterable[str]) -> dict[str, CachedVerdict]:
        threads.add(threading.get_ident())
        return load(keys)

    cache.load = watched  # type: ignore[method-assign]
    await kit.grounder(kit.Scripted(), cache).acheck(kit.ANSWER, evidence=[kit.FERRY])
    assert threads
    assert threading.get_ident() not in threads


FERRY = "Dogs travel free of charge. Bicycles cost 2 euros."
BASE: dict[str, Any] = {"evidence": [{"id": "S1", "text": FERRY, "source_id": "ferry", "version": "1"}]}


@pytest.mark.parametrize(
    "other",
    [
        {"answer": "Pets cost nothing at all [S1]."},
        {"answer": "Pets cost nothing."},
        {"question": "another question"},
        {"as_of": "2026-05-05"},
        {"requester": {"user": "bob"}},
        {"evidence": [{**BASE["evidence"][0], "text": FERRY + " Cats pay."}]},
        {"evidence": [{**BASE["evidence"][0], "version": "2"}]},
        {"evidence": [{**BASE["evidence"][0], "source_id": "other"}]},
        {"evidence": [{**BASE["evidence"][0], "section": "Fares"}]},
        {"evidence": [{**BASE["evidence"][0], "effective_from": "2026-01-01"}]},
        {"evidence": [{**BASE["evidence"][0], "effective_to": "2027-01-01"}]},
        {"evidence": [{**BASE["evidence"][0], "audience": {"region": "EU"}}]},
        {"evidence": [{**BASE["evidence"][0], "delivered_ranges": [[0, 27]]}]},
        {"evidence": [*BASE["evidence"], {"id": "S2", "text": "Cats pay 3 euros."}]},
        {"policy": Policy.preset("high")},
    ],
    ids=str,
)
def test_whatever_a_verdict_rests_on_is_part_of_its_key(kit: Any, cache: VerdictCache, other: dict[str, Any]) -> None:
    """Another claim, question, day, requester, text, version, validity, audience, delivery, set, risk: asked anew."""
    model = kit.Scripted()
    given = {**BASE, **other}
    policy = given.pop("policy", None)
    kit.check(kit.grounder(model, cache), **BASE)
    kit.check(kit.grounder(model, cache, policy=policy), given.pop("answer", kit.ANSWER), **given)
    assert model.asked == 2


def test_the_place_in_the_answer_is_no_part_of_the_key(kit: Any, cache: VerdictCache) -> None:
    """The same claim in another answer is the same claim, with the ids and offsets of that answer."""
    model = kit.Scripted()
    asked = kit.grounder(model, cache)
    first = kit.check(asked).claims[0]
    again = kit.check(asked, f"Bicycles cost 2 euros [S1]. {kit.ANSWER}").claims[1]
    assert (model.asked, again.label, again.quotes) == (1, Label.SUPPORTED, first.quotes)
    assert again.start > first.start


def test_a_claim_that_leans_on_its_context_is_keyed_with_it(kit: Any, cache: VerdictCache) -> None:
    """The same words behind other words say something else."""
    model = kit.Scripted()
    asked = kit.grounder(model, cache)
    for before in ("Dogs travel free of charge [S1].", "Bicycles cost 2 euros [S1]."):
        claims = kit.check(asked, f"{before} They need no ticket at all [S1].").claims
        assert claims[1].needs_context
    assert model.asked == 2


@pytest.mark.parametrize(
    "judge",
    [
        lambda model: LLMJudge(model, "other"),
        lambda model: LLMJudge(_renamed(model)),
        lambda model: LLMJudge(model, max_input_tokens=5_000),
        lambda model: LLMJudge(model, per_claim=True),
    ],
)
def test_the_verifier_is_part_of_the_key(kit: Any, cache: VerdictCache, judge: Callable[[Any], LLMJudge]) -> None:
    """Another judge, another model or other settings: asked anew."""
    model = kit.Scripted()
    kit.check(kit.grounder(model, cache))
    kit.check(Grounder(CachedJudge(judge(model), cache)))
    assert model.asked == 2


def _renamed(model: Callable[[str], str]) -> Callable[[str], str]:
    def another_model(prompt: str) -> str:
        return model(prompt)

    return another_model


def test_the_package_version_is_part_of_the_key(kit: Any, cache: VerdictCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade asks anew: prompts, splitting and reading may have changed."""
    model = kit.Scripted()
    kit.check(kit.grounder(model, cache))
    monkeypatch.setattr("grounding_middleware.judges.caching.keys.__version__", "99")
    kit.check(kit.grounder(model, cache))
    assert model.asked == 2


def test_a_cascade_can_be_cached_as_a_whole_or_by_tier(kit: Any, cache: VerdictCache) -> None:
    """Only what the first tier leaves goes on to the second; what either decided is remembered as its own."""
    shy, sure = kit.Scripted(label="UNVERIFIED"), kit.Scripted()
    tiers = (CachedJudge(LLMJudge(shy, "shy"), cache), CachedJudge(LLMJudge(sure, "sure"), cache))
    by_tier = Grounder(Cascade(tiers))
    whole = Grounder(CachedJudge(Cascade((LLMJudge(shy, "shy"), LLMJudge(sure, "sure"))), cache))
    for asked in (by_tier, whole):
        before = sure.asked
        assert {kit.check(asked).claims[0].decided_by for _ in range(3)} == {"sure"}
        assert sure.asked == before + 1


def test_a_judge_without_a_version_needs_one(kit: Any, cache: VerdictCache) -> None:
    """Otherwise a changed judge would answer with the verdicts of the old one."""

    class Mine(LLMJudge):
        version = ""  # type: ignore[assignment]

    with pytest.raises(ConfigError, match="llm has no version; give one"):
        CachedJudge(Mine(kit.Scripted()), cache)
    with pytest.raises(ConfigError, match="llm\\+llm2 has no version"):
        CachedJudge(Cascade((Mine(kit.Scripted()), LLMJudge(kit.Scripted(), "llm2"))), cache)
    assert CachedJudge(Mine(kit.Scripted()), cache, version="7").version == "7"
    with pytest.raises(ConfigError, match="allowed is a judge"):
        CachedJudge(kit.Scripted(), cache)  # type: ignore[arg-type]
