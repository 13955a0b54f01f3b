"""Repair instead of removal: the repaired text is what leaves, what memory holds and what sinks see."""

from __future__ import annotations

import pytest
from llama_index.core.base.response.schema import PydanticResponse
from llama_index.core.memory import ChatMemoryBuffer
from pydantic import create_model

from grounding_middleware import Grounder
from grounding_middleware.repair import Repair
from grounding_middleware_llama_index import GroundingResponsePostprocessor, ground, report_of

WRONG = "Refunds are paid within two days. They go to the card used for the order."
RIGHT = "Refunds are paid within ten days. They go to the card used for the order."


@pytest.fixture
def seen() -> list:
    """The reports a sink was given."""
    return []


@pytest.fixture
def repairing(kit, seen) -> Grounder:
    """A grounder that corrects what it can."""
    return Grounder(kit.judge, policy=kit.grounder.policy, repair=Repair(), sinks=(seen.append,))


@pytest.mark.parametrize("mode", ["compact", "accumulate"])
def test_the_repaired_text_leaves(kit, repairing, seen, mode):
    """RE-2: in whole answers and between the labels of accumulated ones; the sink sees the same text."""
    engine = kit.index().as_query_engine(llm=kit.model(WRONG), response_mode=mode)
    response = ground(engine, repairing).query(kit.QUESTION)
    labelled = f"Response 1: {RIGHT}\n---------------------\nResponse 2: {RIGHT}"
    assert str(response) == (RIGHT if mode == "compact" else labelled)
    assert report_of(response).repairs
    assert [report.text for report in seen] == [str(response)]


@pytest.mark.parametrize("mode", ["context", "condense_plus_context", "condense_question"])
@pytest.mark.parametrize("way", ["chat", "stream_chat"])
def test_memory_holds_the_repaired_text(kit, repairing, mode, way):
    """RE-2: what a reader saw is what the next turn builds on."""
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    chat = ground(kit.index().as_chat_engine(chat_mode=mode, llm=kit.model(WRONG), memory=memory), repairing)
    response = getattr(chat, way)(kit.QUESTION)
    text = response.response if way == "chat" else "".join(response.response_gen)
    assert text == RIGHT
    assert [message.content for message in chat.chat_history][-1] == RIGHT


def test_objects_are_repaired_too(kit, repairing):
    """RE-2: a field with a corrected value is a field."""
    refund = create_model("Refund", answer=(str, ...))
    nodes = [found.node for found in kit.index().as_retriever().retrieve(kit.QUESTION)]
    postprocessor = GroundingResponsePostprocessor(repairing)
    response = postprocessor.postprocess_response(PydanticResponse(refund(answer=WRONG)), kit.QUESTION, nodes)
    assert response.response == refund(answer=RIGHT)
