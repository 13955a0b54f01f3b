"""Many answers at once over one endpoint: each gets its own verdict, and sync, async and batch give the same."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest
from openai import AsyncOpenAI, OpenAI

from grounding_middleware import Grounder, Label, Report
from grounding_middleware.judges.openai import OpenAIModel, Wire

pytestmark = pytest.mark.block_network(allowed_hosts=["127.0.0.1"])

ANSWERS = 50
LIMITS = {"timeout": 120.0, "deadline": 240.0}


def server_module() -> ModuleType:
    """The server beside this file; tests are no package."""
    spec = importlib.util.spec_from_file_location("fault_server", Path(__file__).with_name("fault_server.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with server_module().serving() as address:
        yield f"{address}/good/v1"


def case(number: int) -> tuple[str, str]:
    """An answer no rule decides, and its own evidence."""
    return (
        f"Somebody who looks for crate {number} had better walk over to shed K{number}.",
        f"Crate {number} is kept in shed K{number}, behind door {number}.",
    )


def own(report: Report, number: int) -> tuple[str, tuple[str, ...]]:
    """The verdict and its quotes; only this answer's evidence may stand in it."""
    (claim,) = report.claims
    assert claim.label is Label.SUPPORTED, claim.reason
    assert [quote.text for quote in claim.quotes] == [case(number)[1]]
    assert f"K{number}," in claim.quotes[0].text
    assert len(report.calls) == 1, [call.error for call in report.calls]
    return claim.label, tuple(quote.text for quote in claim.quotes)


@pytest.fixture(params=[False, True], ids=["whole", "streamed"])
def wire(request: pytest.FixtureRequest) -> Wire:
    return Wire(stream=request.param, seconds=120)


async def test_fifty_answers_at_once(url: str, wire: Wire) -> None:
    """Fifty concurrent answers in one event loop: no cross-talk."""
    async with AsyncOpenAI(base_url=url, api_key="unused") as client:
        grounder = Grounder(judge=OpenAIModel("faulty", None, client, wire=wire), **LIMITS)
        checks = (grounder.acheck(case(at)[0], evidence=[case(at)[1]]) for at in range(ANSWERS))
        reports = await asyncio.gather(*checks)
    for number, report in enumerate(reports):
        own(report, number)


def test_sync_threads_and_async_agree(url: str) -> None:
    """One after the other, in threads and in one loop: the same verdicts, quotes and calls."""
    numbers = range(12)
    with OpenAI(base_url=url, api_key="unused") as client:
        grounder = Grounder(judge=OpenAIModel("faulty", client), **LIMITS)

        def check(number: int) -> Report:
            return grounder.check(case(number)[0], evidence=[case(number)[1]])

        one_by_one = [check(number) for number in numbers]
        with ThreadPoolExecutor(12) as pool:
            in_threads = list(pool.map(check, numbers))

    async def together() -> list[Report]:
        async with AsyncOpenAI(base_url=url, api_key="unused") as client:
            grounder = Grounder(judge=OpenAIModel("faulty", None, client), **LIMITS)
            checks = (grounder.acheck(case(at)[0], evidence=[case(at)[1]]) for at in numbers)
            return list(await asyncio.gather(*checks))

    awaited = asyncio.run(together())
    for number, *reports in zip(numbers, one_by_one, in_threads, awaited, strict=True):
        assert len({own(report, number) for report in reports}) == 1
        assert len({report.model_copy(update={"calls": ()}) for report in reports}) == 1
