"""The verdict cache: the same question is asked once, and never again answered for another one (CHG)."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import ConfigError, Grounder, Label, Policy, Report
from grounding_middleware.judges import Cascade, LLMJudge, Opinion
from grounding_middleware.judges.caching import (
    CachedJudge,
    CachedVerdict,
    MemoryCache,
    SqliteCache,
    Stale,
    VerdictCache,
)
from grounding_middleware.judges.caching.verdicts import SourceState
from grounding_middleware.judges.costs import Price, costs
from grounding_middleware.records import Quote

FERRY = "Dogs travel free of charge. Bicycles cost 2 euros."
ANSWER = "Pets cost nothing [S1]."
DAY = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Scripted:
    """A model that says the same of every claim, and counts how often it was asked."""

    def __init__(self, **verdict: Any) -> None:
        proof = [{"source": "S1", "quote": "Dogs travel free of charge."}]
        self.asked = 0
        self._verdict = {"evidence": proof, "reason": "same", "label": "SUPPORTED", **verdict}

    def __call__(self, prompt: str) -> str:
        """The reply to a verification prompt."""
        self.asked += 1
        numbers = map(int, re.findall(r"^\S+ claim (\d+) cites", prompt, re.MULTILINE))
        return json.dumps({"verdicts": [{"claim": number, **self._verdict} for number in numbers]})


@pytest.fixture(params=["memory", "sqlite"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> VerdictCache:
    return MemoryCache() if request.param == "memory" else SqliteCache(tmp_path / "verdicts.db")


def grounder(model: Callable[[str], str], cache: VerdictCache, **options: Any) -> Grounder:
    judge = CachedJudge(LLMJudge(model), cache, clock=lambda: DAY)
    return Grounder(judge, policy=options.pop("policy", None), **options)


def check(asked: Grounder, answer: str = ANSWER, **more: Any) -> Report:
    given: dict[str, Any] = {"evidence": [FERRY], "question": "q", **more}
    return asked.check(answer, **given)


def test_the_same_claim_is_judged_once(cache: VerdictCache) -> None:
    """Label, quotes, confidence and decider are the same; the reason says that it is cached, and since when."""
    model = Scripted()
    asked = grounder(model, cache)
    first, second = check(asked).claims[0], check(asked).claims[0]
    assert model.asked == 1
    assert second.reason == f"{first.reason} (cached 2026-05-04)"
    assert second.replace(reason=first.reason) == first
    assert first.decided_by == "llm"


def test_a_hit_stands_in_the_call_log(cache: VerdictCache) -> None:
    """One look-up instead of a model call: no tokens, no money, a tier of its own."""
    asked = grounder(Scripted(), cache)
    assert [call.role for call in check(asked).calls] == ["verdict_lookup", "claim_verification", "verdict_store"]
    report = check(asked)
    (call,) = report.calls
    assert (call.tier, call.role, call.error, call.claim_ids) == (
        "llm:cache",
        "verdict_lookup",
        "",
        (report.claims[0].id,),
    )
    (row,) = costs(report.calls)
    assert (row.input_tokens, row.output_tokens, row.money) == (0, 0, 0.0)


def test_prices_of_models_still_add_up(cache: VerdictCache) -> None:
    """The cache has no price and needs none."""
    rows = costs(check(grounder(Scripted(), cache)).calls, {"Scripted": Price(input=1, output=1)})
    assert all(row.money is not None for row in rows)


async def test_sync_and_async_share_entries_and_results(cache: VerdictCache) -> None:
    """What one found the other finds, and both reports are equal."""
    model = Scripted()
    asked = grounder(model, cache)
    check(asked)
    report = await asked.acheck(ANSWER, evidence=[FERRY], question="q")
    assert report == check(asked)
    assert model.asked == 1


async def test_the_cache_is_never_asked_on_the_event_loop(cache: VerdictCache) -> None:
    """Files and locks are waited for in another thread."""
    threads: set[int] = set()
    load = cache.load

    def watched(keys: Iterable[str]) -> dict[str, CachedVerdict]:
        threads.add(threading.get_ident())
        return load(keys)

    cache.load = watched  # type: ignore[method-assign]
    await grounder(Scripted(), cache).acheck(ANSWER, evidence=[FERRY])
    assert threads
    assert threading.get_ident() not in threads


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
def test_whatever_a_verdict_rests_on_is_part_of_its_key(cache: VerdictCache, other: dict[str, Any]) -> None:
    """Another claim, question, day, requester, text, version, validity, audience, delivery, set, risk: asked anew."""
    model = Scripted()
    given = {**BASE, **other}
    policy = given.pop("policy", None)
    check(grounder(model, cache), **BASE)
    check(grounder(model, cache, policy=policy), given.pop("answer", ANSWER), **given)
    assert model.asked == 2


def test_the_place_in_the_answer_is_no_part_of_the_key(cache: VerdictCache) -> None:
    """The same claim in another answer is the same claim, with the ids and offsets of that answer."""
    model = Scripted()
    asked = grounder(model, cache)
    first = check(asked).claims[0]
    again = check(asked, f"Bicycles cost 2 euros [S1]. {ANSWER}").claims[1]
    assert (model.asked, again.label, again.quotes) == (1, Label.SUPPORTED, first.quotes)
    assert again.start > first.start


def test_a_claim_that_leans_on_its_context_is_keyed_with_it(cache: VerdictCache) -> None:
    """The same words behind other words say something else."""
    model = Scripted()
    asked = grounder(model, cache)
    for before in ("Dogs travel free of charge [S1].", "Bicycles cost 2 euros [S1]."):
        claims = check(asked, f"{before} They need no ticket at all [S1].").claims
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
def test_the_verifier_is_part_of_the_key(cache: VerdictCache, judge: Callable[[Any], LLMJudge]) -> None:
    """Another judge, another model or other settings: asked anew."""
    model = Scripted()
    check(grounder(model, cache))
    check(Grounder(CachedJudge(judge(model), cache)))
    assert model.asked == 2


def _renamed(model: Scripted) -> Callable[[str], str]:
    def another_model(prompt: str) -> str:
        return model(prompt)

    return another_model


def test_the_package_version_is_part_of_the_key(cache: VerdictCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """An upgrade asks anew: prompts, splitting and reading may have changed."""
    model = Scripted()
    check(grounder(model, cache))
    monkeypatch.setattr("grounding_middleware.judges.caching.keys.__version__", "99")
    check(grounder(model, cache))
    assert model.asked == 2


@pytest.mark.parametrize(
    "failing",
    [
        {"label": "UNVERIFIED"},
        {"evidence": [{"source": "S1", "quote": "Pets are free of charge."}]},
        {"evidence": []},
        {"label": "nonsense"},
    ],
)
def test_a_failure_is_never_kept(cache: VerdictCache, failing: dict[str, Any]) -> None:
    """UNVERIFIED, an invented quote, SUPPORTED without proof, an unreadable reply: the next answer asks again."""
    model = Scripted(**failing)
    asked = grounder(model, cache)
    assert check(asked).claims[0].label is Label.UNVERIFIED
    before = model.asked
    assert check(asked).claims[0].label is Label.UNVERIFIED
    assert model.asked == 2 * before


class Down(MemoryCache):
    """A cache that cannot be reached."""

    def load(self, keys: Iterable[str]) -> dict[str, CachedVerdict]:
        """Fails."""
        raise OSError("the disk is gone")

    def store(self, verdicts: Mapping[str, CachedVerdict]) -> None:
        """Fails."""
        raise OSError("the disk is gone")


def test_a_cache_that_fails_costs_a_call_and_no_verdict() -> None:
    """The judge is asked as without it, and the failure stands in the call log."""
    report = check(grounder(Scripted(), Down()))
    assert report.claims[0].label is Label.SUPPORTED
    assert [bool(call.error) for call in report.calls] == [True, False, True]


class Lying(MemoryCache):
    """A cache that gives what somebody put into it."""

    def __init__(self, opinion: Opinion) -> None:
        super().__init__()
        self._opinion = opinion

    def load(self, keys: Iterable[str]) -> dict[str, CachedVerdict]:
        """The same for every key."""
        return {key: CachedVerdict(opinion=self._opinion, judged=DAY) for key in keys}


@pytest.mark.parametrize(
    "opinion",
    [
        Opinion(claim_id="x", label=Label.SUPPORTED),
        Opinion(claim_id="x", label=Label.SUPPORTED, quotes=(Quote(span_id="S1", start=0, end=4, text="Cats"),)),
        Opinion(claim_id="x", label=Label.SUPPORTED, quotes=(Quote(span_id="S9", start=0, end=4, text="Dogs"),)),
        Opinion(claim_id="x", label=Label.UNVERIFIED),
    ],
)
def test_a_cache_is_not_trusted_more_than_a_judge(opinion: Opinion) -> None:
    """An entry without proof, or with a quote that is not there, is as if it were not there."""
    model = Scripted(label="CONTRADICTED")
    assert check(grounder(model, Lying(opinion))).claims[0].label is Label.CONTRADICTED
    assert model.asked == 1


def test_a_cascade_can_be_cached_as_a_whole_or_by_tier(cache: VerdictCache) -> None:
    """Only what the first tier leaves goes on to the second; what either decided is remembered as its own."""
    shy, sure = Scripted(label="UNVERIFIED"), Scripted()
    tiers = (CachedJudge(LLMJudge(shy, "shy"), cache), CachedJudge(LLMJudge(sure, "sure"), cache))
    by_tier = Grounder(Cascade(tiers))
    whole = Grounder(CachedJudge(Cascade((LLMJudge(shy, "shy"), LLMJudge(sure, "sure"))), cache))
    for asked in (by_tier, whole):
        before = sure.asked
        assert {check(asked).claims[0].decided_by for _ in range(3)} == {"sure"}
        assert sure.asked == before + 1


def test_a_judge_without_a_version_needs_one(cache: VerdictCache) -> None:
    """Otherwise a changed judge would answer with the verdicts of the old one."""

    class Mine(LLMJudge):
        version = ""  # type: ignore[assignment]

    with pytest.raises(ConfigError, match="llm has no version; give one"):
        CachedJudge(Mine(Scripted()), cache)
    with pytest.raises(ConfigError, match="llm\\+llm2 has no version"):
        CachedJudge(Cascade((Mine(Scripted()), LLMJudge(Scripted(), "llm2"))), cache)
    assert CachedJudge(Mine(Scripted()), cache, version="7").version == "7"
    with pytest.raises(ConfigError, match="allowed is a judge"):
        CachedJudge(Scripted(), cache)  # type: ignore[arg-type]


def entry(source: str = "s", version: str = "1", **more: Any) -> CachedVerdict:
    state = {name: more.pop(name) for name in ("effective_to", "audience") if name in more}
    quote = Quote(span_id="S1", start=0, end=4, text="Dogs")
    opinion = Opinion(claim_id="x", label=Label.SUPPORTED, quotes=(quote,), reason="because")
    sources = (SourceState(source_id="always"), SourceState(source_id=source, version=version, **state))
    return CachedVerdict(opinion=opinion, judged=more.pop("judged", DAY), sources=sources, **more)


@pytest.mark.parametrize(
    ("stale", "gone"),
    [
        ({"source_id": "s"}, "ab"),
        ({"source_id": "s", "version": "2"}, "b"),
        ({"version": "2"}, "b"),
        ({"source_id": "t"}, "cd"),
        ({"source_id": "always"}, "abcd"),
        ({"source_id": "nowhere"}, ""),
        ({"access": {"user": "ann"}}, "ac"),
        ({"access": {"user": ["bob", "ann"]}}, "abc"),
        ({"access": {"tenant": "acme"}}, "d"),
        ({"expired_on": date(2026, 6, 1)}, "c"),
        ({"expired_on": date(2026, 5, 31)}, ""),
        ({"judged_before": DAY}, "d"),
        ({"source_id": "s", "access": {"user": "ann"}}, "a"),
        ({"source_id": "s", "expired_on": date(2026, 6, 1)}, ""),
        ({"source_id": "t", "judged_before": DAY}, "d"),
    ],
    ids=str,
)
def test_entries_are_invalidated_by_source_version_access_and_date(
    cache: VerdictCache, stale: dict[str, Any], gone: str
) -> None:
    """Exactly those that fit everything that is given."""
    entries = {
        "a": entry(requester={"user": "ann"}),
        "b": entry(version="2", requester={"user": ["bob", "eve"]}),
        "c": entry("t", effective_to=date(2026, 5, 31), requester={"user": "ann"}),
        "d": entry("t", audience={"tenant": ["acme"]}, judged=DAY - timedelta(days=1)),
    }
    cache.store(entries)
    assert cache.invalidate(Stale(**stale)) == len(gone)
    assert set(cache.load(entries)) == set(entries) - set(gone)


def test_an_invalidation_of_everything_must_be_said() -> None:
    """Nothing given is an error, not everything."""
    with pytest.raises(ConfigError, match="nothing is given"):
        Stale()


def test_what_is_kept_comes_back_as_it_was(cache: VerdictCache) -> None:
    """Every field; a key kept twice has the later entry."""
    kept = entry(requester={"user": "ann"}, as_of=date(2026, 5, 4))
    cache.store({"k": entry("old")})
    cache.store({"k": kept})
    assert cache.load(["k", "unknown"]) == {"k": kept}


@pytest.mark.parametrize("make", [MemoryCache, SqliteCache])
def test_a_cache_is_bounded(make: Any, tmp_path: Path) -> None:
    """The oldest entries go first."""
    cache = MemoryCache(3) if make is MemoryCache else SqliteCache(tmp_path / "v.db", 3)
    for name in "abcde":
        cache.store({name: entry()})
    assert len(cache) == 3
    assert set(cache.load("abcde")) == set("cde")
    with pytest.raises(ConfigError, match="max_entries is 0"):
        make(*((0,) if make is MemoryCache else (tmp_path / "v.db", 0)))


def test_what_is_used_stays_in_memory() -> None:
    """The least recently used goes first."""
    cache = MemoryCache(2)
    cache.store({"a": entry(), "b": entry()})
    cache.load(["a"])
    cache.store({"c": entry()})
    assert set(cache.load("abc")) == {"a", "c"}


def test_entries_survive_a_restart_in_a_file_of_ones_own(tmp_path: Path) -> None:
    """Another object finds them; nobody else may read the file."""
    path = tmp_path / "v.db"
    first = SqliteCache(path)
    first.store({"k": entry()})
    first.close()
    assert set(SqliteCache(path).load(["k"])) == {"k"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_unreadable_entry_is_none(tmp_path: Path) -> None:
    """A file of a later version, or a damaged one, gives no verdict; it goes with the next invalidation."""
    cache = SqliteCache(tmp_path / "v.db")
    cache.store({"k": entry()})
    with sqlite3.connect(tmp_path / "v.db") as other:
        other.execute("UPDATE verdicts SET entry = '{}'")
    other.close()
    assert cache.load(["k"]) == {}
    assert cache.invalidate(Stale(judged_before=DAY)) == 1


def test_a_file_that_is_no_cache_is_refused(tmp_path: Path) -> None:
    """At construction, not at the first answer."""
    (tmp_path / "v.db").write_text("no database, but long enough to look like one " * 30)
    with pytest.raises(sqlite3.DatabaseError):
        SqliteCache(tmp_path / "v.db")


def test_processes_and_forks_share_a_file(tmp_path: Path) -> None:
    """Parent and child write at once with one object, and nothing is lost."""
    code = (
        "import os, sys\n"
        "from grounding_middleware.judges.caching import SqliteCache\n"
        "from grounding_middleware.judges.caching.verdicts import CachedVerdict\n"
        "from pathlib import Path\n"
        "entry = CachedVerdict.model_validate_json(sys.argv[2])\n"
        "cache = SqliteCache(sys.argv[1])\n"
        "child = os.fork()\n"
        "for number in range(50): cache.store({f'{bool(child)}{number}': entry})\n"
        "failed = child and os.waitpid(child, 0)[1]\n"
        "print(len(cache)) if child else os._exit(0)\n"
        "sys.exit(bool(failed))\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "v.db"), entry().model_dump_json()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert (done.returncode, done.stdout) == (0, "100\n"), done.stderr


def test_threads_share_a_cache(cache: VerdictCache) -> None:
    """Eight threads read, write and invalidate at once; nothing breaks, and what stays is right."""
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for each in range(20):
                cache.store({f"{number}-{each}": entry(f"s{number}")})
                assert cache.load([f"{number}-{each}"])
            cache.invalidate(Stale(source_id=f"s{number}")) if number % 2 else None
        except BaseException as error:  # noqa: BLE001  # handed to the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert len(cache) == 80  # type: ignore[arg-type]
