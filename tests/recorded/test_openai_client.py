"""The official client against a real model, as recorded: sync, async, streamed, malformed, cut, held to a schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware.judges import failures
from grounding_middleware.judges.openai import OpenAIModel, Wire
from grounding_middleware.pytest_plugin import Endpoint
from grounding_middleware.records import Label

pytestmark = pytest.mark.grounding_cassette

MODES = pytest.mark.parametrize("sync", [True, False], ids=["sync", "async"])
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@pytest.fixture
def build(grounding_endpoint: Endpoint, seconds: float, monkeypatch: pytest.MonkeyPatch) -> Callable[..., OpenAIModel]:
    """A model at the endpoint of the cassette."""

    def built(stop: str | None = None, **wire: Any) -> OpenAIModel:
        monkeypatch.setenv("OPENAI_BASE_URL", grounding_endpoint.base_url)
        monkeypatch.setenv("OPENAI_API_KEY", grounding_endpoint.api_key)
        parameters = {"temperature": 0, "seed": 1, **({"stop": [stop]} if stop else {})}
        settings = Wire(seconds=seconds, parameters=parameters, **wire)
        return OpenAIModel(grounding_endpoint.model, wire=settings)

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
def test_a_reply_held_to_a_schema(build: Any, ask: Any, sync) -> None:
    """Constrained to a schema, even a small model gives JSON of that form."""
    schema = {
        "type": "object",
        "properties": {"opens": {"type": "boolean"}, "day": {"type": "string", "enum": ["Monday", "Sunday"]}},
        "required": ["opens", "day"],
        "additionalProperties": False,
    }
    reply = ask(build(), sync=sync, schema=schema)
    found = json.loads(reply.text)
    assert found.keys() == {"opens", "day"}
    assert isinstance(found["opens"], bool)
    assert found["day"] in ("Monday", "Sunday")


@MODES
def test_a_malformed_reply(build: Any, judge: Any, sync) -> None:
    """Not constrained, it gives no JSON; it is asked once for the form, and then the claim is UNVERIFIED."""
    (opinion,), calls = judge(build(stop="\n", reply_format="text"), sync=sync)
    assert [call.role for call in calls] == ["claim_verification", "format_repair"]
    assert opinion.label is Label.UNVERIFIED
    assert "could not be read" in opinion.reason
