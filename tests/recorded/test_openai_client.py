"""The official client against a real model, as recorded: sync, async, streamed, malformed, cut, held to a schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI

from grounding_middleware.judges import failures
from grounding_middleware.judges.openai import OpenAIModel, Wire
from grounding_middleware.pytest_plugin import Endpoint
from grounding_middleware.records import Label

pytestmark = pytest.mark.grounding_cassette

MODES = pytest.mark.parametrize("sync", [True, False], ids=["sync", "async"])
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@pytest.fixture
def build(grounding_endpoint: Endpoint, seconds: float) -> Callable[..., OpenAIModel]:
    """A model at the endpoint of the cassette."""

    def built(stop: str | None = None, **wire: Any) -> OpenAIModel:
        where = {"base_url": grounding_endpoint.base_url, "api_key": grounding_endpoint.api_key}
        parameters = {"temperature": 0, "seed": 1, **({"stop": [stop]} if stop else {})}
        settings = Wire(seconds=seconds, parameters=parameters, **wire)
        return OpenAIModel(grounding_endpoint.model, OpenAI(**where), AsyncOpenAI(**where), wire=settings)

    return built


@MODES
@STREAMED
def test_a_reply(build: Any, ask: Any, grounding_endpoint: Endpoint, sync, stream) -> None:
    """Text, model name and token counts arrive, whichever way the reply comes."""
    reply = ask(build(stream=stream), sync=sync)
    assert reply.text
    assert not reply.error
    assert reply.model == grounding_endpoint.model
    assert reply.input_tokens > 10
    assert reply.output_tokens > 1


@MODES
@STREAMED
def test_a_cut_reply(build: Any, ask: Any, sync, stream) -> None:
    """A reply that ends at the limit says so; it is no reply."""
    reply = ask(build(stream=stream), sync=sync, cut=True)
    assert reply.error == failures.CUT_OFF
    assert reply.output_tokens == 6


@MODES
def test_a_verdict_held_to_the_schema(build: Any, check: Any, sync) -> None:
    """Constrained to the schema, even a small model gives JSON that can be read; quotes it invents prove nothing."""
    report = check(build(), sync=sync)
    (call,) = report.calls
    assert json.loads(call.reply)["verdicts"]
    (claim,) = report.claims
    assert claim.label is not Label.UNVERIFIED or "quote" in claim.reason or "no verdict" in claim.reason
    assert all(report.evidence.spans[0].text[q.start : q.end] == q.text for q in claim.quotes)


@MODES
def test_a_malformed_reply(build: Any, check: Any, sync) -> None:
    """Unconstrained, it gives no JSON; it is asked once for the form, and then the claim is UNVERIFIED."""
    report = check(build(stop="\n", reply_format="text"), sync=sync)
    assert [call.role for call in report.calls] == ["claim_verification", "format_repair"]
    assert report.claims[0].label is Label.UNVERIFIED
    assert report.action != "ok"
