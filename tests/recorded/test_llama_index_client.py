"""LlamaIndex's OpenAI-like client as a judge against a real model, as recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from llama_index.llms.openai_like import OpenAILike

from grounding_middleware.judges import failures
from grounding_middleware.pytest_plugin import Endpoint
from grounding_middleware.records import Label
from grounding_middleware_llama_index.judging import LLMModel

pytestmark = pytest.mark.grounding_cassette

MODES = pytest.mark.parametrize("sync", [True, False], ids=["sync", "async"])
STREAMED = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


@pytest.fixture
def build(grounding_endpoint: Endpoint, seconds: float) -> Callable[..., LLMModel]:
    """An LLM at the endpoint of the cassette."""

    def built(*, max_tokens: int, stream: bool = False, **more: Any) -> LLMModel:
        llm = OpenAILike(
            model=grounding_endpoint.model,
            api_base=grounding_endpoint.base_url,
            api_key=grounding_endpoint.api_key,
            is_chat_model=True,
            temperature=0,
            max_tokens=max_tokens,
            max_retries=0,
            timeout=seconds,
            additional_kwargs={"seed": 1, **more},
        )
        return LLMModel(llm, stream=stream)

    return built


@MODES
@STREAMED
def test_a_reply(build: Any, ask: Any, grounding_endpoint: Endpoint, sync, stream) -> None:
    """Text and model name arrive, whichever way the reply comes; token counts where the reply has them."""
    reply = ask(build(max_tokens=40, stream=stream), sync=sync)
    assert reply.text
    assert not reply.error
    assert reply.model == grounding_endpoint.model
    assert stream or reply.input_tokens > 10


@MODES
@STREAMED
def test_a_cut_reply(build: Any, ask: Any, sync, stream) -> None:
    """A reply that ends at the limit says so; it is no reply."""
    assert ask(build(max_tokens=6, stream=stream), sync=sync).error == failures.CUT_OFF


@MODES
def test_a_malformed_reply(build: Any, judge: Any, sync) -> None:
    """It gives no JSON; it is asked once for the form, and then the claim is UNVERIFIED."""
    (opinion,), calls = judge(build(max_tokens=200, stop=["\n"]), sync=sync)
    assert [call.role for call in calls] == ["claim_verification", "format_repair"]
    assert opinion.label is Label.UNVERIFIED
    assert "could not be read" in opinion.reason
