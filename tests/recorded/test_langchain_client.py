"""LangChain's OpenAI client as a judge against a real model, as recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from langchain_openai import ChatOpenAI

from grounding_middleware.judges import failures
from grounding_middleware.pytest_plugin import Endpoint
from grounding_middleware.records import Label
from grounding_middleware_langchain._judge import RunnableModel

pytestmark = pytest.mark.grounding_cassette

MODES = pytest.mark.parametrize("sync", [True, False], ids=["sync", "async"])
STREAMED = pytest.mark.parametrize("streaming", [False, True], ids=["whole", "streamed"])


@pytest.fixture
def build(grounding_endpoint: Endpoint, seconds: float) -> Callable[..., RunnableModel]:
    """A chat model at the endpoint of the cassette."""

    def built(**settings: Any) -> RunnableModel:
        chat = ChatOpenAI(
            model=grounding_endpoint.model,
            base_url=grounding_endpoint.base_url,
            api_key=grounding_endpoint.api_key,
            timeout=seconds,
            max_retries=0,
            temperature=0,
            seed=1,
            stream_usage=True,
            http_async_client=httpx.AsyncClient(),  # the shared one belongs to the event loop of another test
            **settings,
        )
        return RunnableModel(chat)

    return built


@MODES
@STREAMED
def test_a_reply(build: Any, ask: Any, grounding_endpoint: Endpoint, sync, streaming) -> None:
    """Text, model name and token counts arrive, whichever way the reply comes."""
    reply = ask(build(streaming=streaming), sync=sync)
    assert reply.text
    assert not reply.error
    assert reply.model == grounding_endpoint.model
    assert reply.input_tokens > 10
    assert reply.output_tokens > 1


@MODES
def test_a_cut_reply(build: Any, ask: Any, sync) -> None:
    """A reply that ends at the limit says so; it is no reply."""
    assert ask(build(max_tokens=6), sync=sync).error == failures.CUT_OFF


@MODES
def test_a_malformed_reply(build: Any, judge: Any, sync) -> None:
    """Unconstrained, it gives no JSON; it is asked once for the form, and then the claim is UNVERIFIED."""
    (opinion,), calls = judge(build(max_tokens=200, stop=["\n"]), sync=sync)
    assert [call.role for call in calls] == ["claim_verification", "format_repair"]
    assert opinion.label is Label.UNVERIFIED
    assert "could not be read" in opinion.reason


def test_a_verdict_held_to_the_schema(build: Any, judge: Any) -> None:
    """A response format bound to the chat model is used like any other setting of it."""
    schema = {"type": "object", "properties": {"verdicts": {"type": "array", "maxItems": 0}}, "required": ["verdicts"]}
    constraint = {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}
    model = build(max_tokens=50, model_kwargs={"response_format": constraint})
    (opinion,), calls = judge(model, sync=True)
    assert json.loads(calls[0].reply) == {"verdicts": []}
    assert opinion.label is Label.UNVERIFIED
