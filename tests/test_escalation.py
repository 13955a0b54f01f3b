"""Sinks: called once per answer, in order, before the answer is handed out; a failing one withholds it."""

from __future__ import annotations

import asyncio
import logging
import pickle
import threading

import pytest

from grounding_middleware import Action, AnswerWithheldError, ConfigError, Grounder, Policy, Report
from grounding_middleware.escalation import Sink, best_effort, raise_withheld, sampled, when

QUIET = Policy(needs_judge=False)
FERRY = "The ferry leaves at 07:45."
RIGHT, WRONG = "The ferry leaves at 07:45 [S1].", "The ferry leaves at 08:45 [S1]."


def check(answer: str, *sinks: Sink) -> Report:
    return Grounder(policy=QUIET, sinks=sinks).check(answer, evidence=[FERRY])


def full(_report: Report) -> None:
    raise OSError("disk full")


def test_every_sink_gets_the_report_once_and_in_order() -> None:
    """What sinks see is the report that is returned."""
    seen: list[tuple[str, Report]] = []
    report = check(RIGHT, lambda got: seen.append(("a", got)), lambda got: seen.append(("b", got)))
    assert seen == [("a", report), ("b", report)]


def test_sinks_of_acheck_run_outside_the_event_loop() -> None:
    """A sink that writes to disk does not block the loop."""
    threads: list[int] = []
    grounder = Grounder(policy=QUIET, sinks=[lambda _: threads.append(threading.get_ident())])
    asyncio.run(grounder.acheck(RIGHT, evidence=[FERRY]))
    assert threads not in ([], [threading.get_ident()])


def test_an_answer_that_cannot_be_recorded_is_withheld() -> None:
    """A failing sink raises with the report, sync and async; later sinks are not called."""
    later: list[Report] = []
    grounder = Grounder(policy=QUIET, sinks=[full, later.append])
    with pytest.raises(AnswerWithheldError, match=r"full failed.*disk full") as caught:
        grounder.check(RIGHT, evidence=[FERRY])
    with pytest.raises(AnswerWithheldError, match="disk full"):
        asyncio.run(grounder.acheck(RIGHT, evidence=[FERRY]))
    assert (caught.value.report.answer, later) == (RIGHT, [])
    assert pickle.loads(pickle.dumps(caught.value)).report == caught.value.report  # noqa: S301  # our own bytes


def test_best_effort_withholds_nothing_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    """Telemetry may fail; the log tells which answer it missed."""
    with caplog.at_level(logging.WARNING):
        report = check(RIGHT, best_effort(full))
    assert report.answer_id in caplog.text


def test_best_effort_does_not_weaken_a_refusal() -> None:
    """A sink that withholds on purpose still does."""
    with pytest.raises(AnswerWithheldError):
        check(WRONG, best_effort(raise_withheld))


def test_raise_withheld_raises_only_where_the_answer_is_not_shown() -> None:
    """The exception carries the report; a shown answer passes."""
    assert check(RIGHT, raise_withheld).action is Action.OK
    with pytest.raises(AnswerWithheldError, match="escalate") as caught:
        check(WRONG, raise_withheld)
    assert caught.value.report.action is Action.ESCALATE


def test_when_selects_by_action() -> None:
    """Only reports with one of the actions arrive."""
    seen: list[Report] = []
    for answer in (RIGHT, WRONG):
        check(answer, when([Action.ESCALATE, "review"], seen.append))
    assert [report.answer for report in seen] == [WRONG]


def test_a_sample_is_stable_and_of_the_right_size() -> None:
    """The same answers every time, about the share asked for, none at 0 and all at 1."""
    reports = [check(RIGHT, lambda _: None).model_copy(update={"answer_id": f"a{number}"}) for number in range(400)]
    chosen: dict[float, list[str]] = {}
    for share in (0.0, 0.25, 1.0):
        for _ in range(2):
            seen: list[str] = []
            sink = sampled(share, lambda report, seen=seen: seen.append(report.answer_id))
            for report in reports:
                sink(report)
            assert chosen.setdefault(share, seen) == seen
    assert (len(chosen[0.0]), len(chosen[1.0])) == (0, 400)
    assert 70 <= len(chosen[0.25]) <= 130


@pytest.mark.parametrize("share", [-0.1, 1.1, float("nan"), "half", None])
def test_a_share_that_is_none_is_refused(share: object) -> None:
    """The error names the value and what is allowed."""
    with pytest.raises(ConfigError, match="share"):
        sampled(share, full)  # type: ignore[arg-type]


def test_unknown_actions_and_sinks_are_refused() -> None:
    """Wrong settings die at construction."""
    with pytest.raises(ConfigError, match=r"'reviewed'.*allowed are.*review"):
        when(["reviewed"], full)
    with pytest.raises(ConfigError, match="sinks"):
        Grounder(policy=QUIET, sinks=["audit"])  # type: ignore[list-item]


def test_a_silent_copy_calls_no_sink() -> None:
    """Adapters check prefixes of a stream with it, and deliver the last report themselves."""
    seen: list[Report] = []
    grounder = Grounder(policy=QUIET, sinks=[seen.append])
    report = grounder.silent().check(RIGHT, evidence=[FERRY])
    assert seen == []
    grounder.deliver(report)
    asyncio.run(grounder.adeliver(report))
    assert seen == [report, report]


def test_time_is_measured_and_not_compared() -> None:
    """Two runs of the same input are the same report, whatever they took."""
    first, second = check(RIGHT), check(RIGHT)
    assert first.elapsed_ms > 0
    assert first == second.model_copy(update={"elapsed_ms": first.elapsed_ms + 1})
    assert hash(first) == hash(second)
    assert first != second.model_copy(update={"text": ""})
    assert first != "something else"
