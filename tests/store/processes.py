"""Processes that do the same thing to one database at the same moment, or are killed while they do it.

    python processes.py SCENARIO URL NUMBER

Everything is loaded once and then forked, so that hundreds of processes cost little. What a process prints it has
finished: one write a line, to a pipe that outlives it.
"""

from __future__ import annotations

import gc
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable

import alembic.command  # noqa: F401  # loaded before the processes fork, as the next two are
import psycopg  # noqa: F401
import sqlalchemy.dialects.postgresql.psycopg  # noqa: F401

from grounding_middleware.audit.records import Entry, RecordKind
from grounding_middleware.records import Action, Decision, Evidence, Kind, Label, Report, Span, Verdict
from grounding_middleware.review.queue import ReviewQueue
from grounding_middleware.review.rulings import AnswerRuling, ClaimRuling
from grounding_middleware.store import Store
from grounding_middleware.store.audit import SqlTrail

REPORT = Report(
    answer_id="answer",
    question="What is the fee?",
    answer="The fee is 7 EUR.",
    text="",
    decision=Decision(action=Action.ESCALATE, reason="nothing is left", claims=1, unsupported=1, share=1.0),
    claims=(Verdict(id="1", text="The fee is 7 EUR.", start=0, end=17, label=Label.CONTRADICTED, kind=Kind.NUMBER),),
    evidence=Evidence(spans=(Span(id="S1", text="The fee is 5 EUR."),)),
)


def say(*words: object) -> None:
    """One whole line or nothing."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def numbered(number: int | str) -> Report:
    return REPORT.replace(answer_id=f"answer-{number}")


def migrate(url: str, number: int) -> None:
    Store(url).close()
    say("migrated", number)


def append(url: str, number: int) -> None:
    """Ten records of the trail."""
    trail = SqlTrail(url)
    for each in range(10):
        say(trail.append(Entry(kind=RecordKind.ANSWER, subject=f"{number}-{each}", content={"n": each})).seq)


def claim(url: str, number: int) -> None:
    """Claim until nothing is left, and decide half of it."""
    queue = ReviewQueue(url)
    while case := queue.claim(f"reviewer-{number}"):
        say(case.item.id)
        if number % 2:
            queue.decide(case.item.id, f"reviewer-{number}", AnswerRuling(ruling="agree"))


def write(queue: ReviewQueue, number: int, times: int = 1_000_000) -> None:
    """Submit, claim, rule and decide until killed; each thing that was acknowledged is said."""
    reviewer = f"reviewer-{number}"
    for each in range(times):
        say("submitted", queue.submit(numbered(f"{number}-{each}")))
        case = queue.claim(reviewer)
        if case and each % 2:
            item, claim_id = case.item.id, case.report.claims[0].id
            queue.adjudicate(item, reviewer, ClaimRuling(claim_id=claim_id, ruling="agree"))
            say("ruled", item)
            queue.decide(item, reviewer, AnswerRuling(ruling="agree"))
            say("decided", item)


def inherit(url: str, _: int) -> None:
    """A web server that opens its store, forks, and goes on; parent and child write at the same time."""
    store = Store(url)
    with store.reading():
        pass  # a connection is in the pool
    trail = SqlTrail(store)
    process = child(lambda: say(*(trail.append(Entry(kind=RecordKind.ANSWER)).seq for _ in range(50)), gc.collect()))
    for _ in range(50):
        trail.append(Entry(kind=RecordKind.ANSWER))
    if os.waitpid(process, 0)[1]:
        raise SystemExit("the child failed")
    say("inherited", trail.append(Entry(kind=RecordKind.ANSWER)).seq)


SCENARIOS: dict[str, Callable[[str, int], None]] = {
    "migrate": migrate,
    "append": append,
    "inherit": inherit,
    "claim": claim,
}


def child(work: Callable[[], None]) -> int:
    """The id of a process that does `work`."""
    if process := os.fork():
        return process
    try:
        work()
        code = 0
    except BaseException:  # noqa: BLE001  # the end of a process
        traceback.print_exc()
        code = 1
    os._exit(code)


def together(count: int, work: Callable[[int], None]) -> None:
    """Processes that begin at the same moment; raises when one fails."""
    listening, starting = os.pipe()

    def start(number: int) -> None:
        os.close(starting)
        os.read(listening, 1)  # returns when the parent closes its end
        work(number)

    processes = [child(lambda number=number: start(number)) for number in range(count)]
    os.close(starting)
    failed = [process for process in processes if os.waitpid(process, 0)[1]]
    if failed:
        raise SystemExit(f"{len(failed)} of {count} processes failed")


def killed(url: str, count: int) -> None:
    """Writers that are killed one after the other, each at another moment of its work."""
    queue = ReviewQueue(url)
    write(queue, -1, 2)  # all statements are compiled once, before the processes fork
    chance = random.Random(7)  # noqa: S311  # moments, not secrets
    for number in range(count):
        reading, writing = os.pipe()
        process = child(lambda number=number, writing=writing: (os.dup2(writing, 1), write(queue, number)))
        os.close(writing)
        with os.fdopen(reading, "rb") as lines:
            said = [lines.readline() for _ in range(chance.randint(1, 5))]
            time.sleep(chance.uniform(0.0, 0.005))
            os.kill(process, signal.SIGKILL)
            said += lines.readlines()  # the end of the pipe comes when the process is gone
        if os.waitpid(process, 0)[1] != signal.SIGKILL:
            raise SystemExit("a process ended before it was killed")
        os.write(1, b"".join(said))


if __name__ == "__main__":
    scenario, url, number = sys.argv[1:]
    if scenario == "killed":
        killed(url, int(number))
    else:
        together(int(number), lambda each: SCENARIOS[scenario](url, each))
