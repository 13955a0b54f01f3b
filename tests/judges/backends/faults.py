"""Every fault against one backend or all of them, sync and async: a table, and exit code 1 if any promise is broken.

    python tests/judges/backends/faults.py [openai|openai-stream|langchain|llama-index|function ...]

Promised is: no hang, nothing SUPPORTED, the action never ok, and a reason. Run by the tests and by `make bench`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
from fault_server import Handler, serving

from grounding_middleware import Grounder, Label, Report

TIMEOUT, DEADLINE = 1.0, 2.5
AT_ONCE = 4
SLACK = 6.0  # a busy machine; what hangs takes the 20 s of the server, or for ever
ANSWER = "Visitors find the reading room shut at the start of the week."
EVIDENCE = "The reading room opens at nine and is closed on Mondays."


class Outcome(NamedTuple):
    """How one check under one fault ended."""

    label: str
    action: str
    reason: str
    seconds: float

    def broken(self, fault: str) -> bool:
        """Whether a promise is broken; under `good` the promise is that it works."""
        if fault == "good":
            return self.label != Label.SUPPORTED
        wrong = self.label == Label.SUPPORTED or self.action == "ok" or not self.reason
        return wrong or self.seconds > DEADLINE + SLACK


def openai(url: str) -> Any:
    """The official client."""
    from grounding_middleware.judges.openai import OpenAIModel, Wire  # noqa: PLC0415  # each backend by itself

    return OpenAIModel("faulty", *_clients(url), wire=Wire(seconds=TIMEOUT))


def openai_stream(url: str) -> Any:
    """The official client, streaming."""
    from grounding_middleware.judges.openai import OpenAIModel, Wire  # noqa: PLC0415

    return OpenAIModel("faulty", *_clients(url), wire=Wire(seconds=TIMEOUT, stream=True))


def langchain(url: str) -> Any:
    """LangChain's client."""
    from langchain_openai import ChatOpenAI  # noqa: PLC0415

    from grounding_middleware_langchain._judge import RunnableModel  # noqa: PLC0415

    return RunnableModel(ChatOpenAI(model="faulty", base_url=url, api_key="unused", max_retries=0, timeout=TIMEOUT))


def llama_index(url: str) -> Any:
    """LlamaIndex's client."""
    from llama_index.llms.openai_like import OpenAILike  # noqa: PLC0415

    from grounding_middleware_llama_index.judging import LLMModel  # noqa: PLC0415

    return LLMModel(
        OpenAILike(model="faulty", api_base=url, api_key="unused", is_chat_model=True, max_retries=0, timeout=TIMEOUT)
    )


def function(url: str) -> Any:
    """A function of the user's, without any care."""

    def ask(system: str, user: str) -> str:
        body = {"messages": [{"role": "system", "content": system}, {"role": "user", "content": user}]}
        request = urllib.request.Request(  # noqa: S310  # loopback
            f"{url}/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:  # noqa: S310  # loopback
            return json.loads(answer.read())["choices"][0]["message"]["content"]

    return ask


def _clients(url: str) -> tuple[Any, Any]:
    from openai import AsyncOpenAI, OpenAI  # noqa: PLC0415

    return OpenAI(base_url=url, api_key="unused"), AsyncOpenAI(base_url=url, api_key="unused")


BACKENDS: dict[str, Callable[[str], Any]] = {
    "openai": openai,
    "openai-stream": openai_stream,
    "langchain": langchain,
    "llama-index": llama_index,
    "function": function,
}


def main() -> int:
    """The number of broken promises, as an exit code."""
    logging.disable(logging.CRITICAL)
    chosen = sys.argv[1:] or list(BACKENDS)
    broken = 0
    with serving() as address:
        for name in chosen:
            broken += show(name, address)
    sys.stdout.flush()
    os._exit(min(broken, 1))  # abandoned calls may still be reading what never ends


def show(name: str, address: str) -> int:
    """The table of one backend; the number of broken promises in it."""
    build = BACKENDS[name]
    sync(build, address, "good")  # imports and word lists, before the clocks run
    with ThreadPoolExecutor(AT_ONCE) as pool:
        synced = dict(
            zip(Handler.faults, pool.map(lambda fault: sync(build, address, fault), Handler.faults), strict=True)
        )
    awaited = asyncio.run(all_async(build, address))
    print(f"\n{name:<16}{'sync':<14}{'s':>5}  {'async':<14}{'s':>5}  reason")  # noqa: T201  # a script
    count = 0
    for fault in Handler.faults:
        both = (synced[fault], awaited[fault])
        wrong = [one.broken(fault) for one in both]
        count += sum(wrong)
        cells = "".join(f"{one.label[:12]:<14}{one.seconds:>5.1f}  " for one in both)
        print(f"{fault:<16}{cells}{both[0].reason[:70]}{'   <- BROKEN' if any(wrong) else ''}")  # noqa: T201
    return count


def sync(build: Callable[[str], Any], address: str, fault: str) -> Outcome:
    """One check from a thread."""
    grounder = grounder_for(build, address, fault)
    begun = time.monotonic()
    return outcome(grounder.check(ANSWER, evidence=[EVIDENCE]), begun)


async def all_async(build: Callable[[str], Any], address: str) -> dict[str, Outcome]:
    """All faults at once in one event loop."""
    few = asyncio.Semaphore(AT_ONCE)

    async def one(fault: str) -> Outcome:
        async with few:
            grounder = grounder_for(build, address, fault)
            begun = time.monotonic()
            return outcome(await grounder.acheck(ANSWER, evidence=[EVIDENCE]), begun)

    found = await asyncio.gather(*(one(fault) for fault in Handler.faults))
    return dict(zip(Handler.faults, found, strict=True))


def grounder_for(build: Callable[[str], Any], address: str, fault: str) -> Grounder:
    """A grounder whose judge meets one fault; where nothing is wrong it may take its time."""
    patient = fault == "good"
    limits = {"timeout": 30.0, "deadline": 60.0} if patient else {"timeout": TIMEOUT, "deadline": DEADLINE}
    return Grounder(judge=build(f"{address}/{fault}/v1"), **limits)


def outcome(report: Report, begun: float) -> Outcome:
    """What counts of a report."""
    (claim,) = report.claims
    return Outcome(claim.label, report.action, claim.reason, time.monotonic() - begun)


if __name__ == "__main__":
    sys.exit(main())
