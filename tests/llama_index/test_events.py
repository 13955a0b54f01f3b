"""Our own events at the root dispatcher, and what other handlers still see."""

from __future__ import annotations

import asyncio

import pytest
from llama_index.core.callbacks import CallbackManager, LlamaDebugHandler
from llama_index_instrumentation import get_dispatcher

from grounding_middleware import Grounder
from grounding_middleware_llama_index import GroundingEndEvent, GroundingStartEvent, ground
from grounding_middleware_llama_index._probe import active


@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_16_start_and_end_are_seen_by_a_root_handler(kit, log, way):
    """Checklist 16: one start and one end, inside the query, with ids, action and summary."""
    safe = ground(kit.engine(), kit.grounder)
    _ = safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION)
    start, end = (event for event in log.events if isinstance(event, GroundingStartEvent | GroundingEndEvent))
    assert (start.class_name(), end.class_name()) == ("GroundingStartEvent", "GroundingEndEvent")
    assert start.question == kit.QUESTION
    assert len(start.span_ids) == len(start.delivered_ids) == 2
    assert end.action == "revised"
    assert end.summary["capture"]["rules_reached"] == 1
    assert start.span_id == end.span_id
    names = [event.class_name() for event in log.events]
    assert names.index("QueryStartEvent") < names.index("GroundingStartEvent") < names.index("QueryEndEvent")


def test_16_our_events_hold_no_unverified_word(kit, log):
    """Checklist 16: what is withheld is not in the summary; events travel far."""
    ground(kit.engine(), kit.grounder).query(kit.QUESTION)
    own = [event for event in log.events if event.class_name().startswith("Grounding")]
    assert kit.LEAK not in repr([event.model_dump() for event in own])


def test_16_inner_events_of_llamaindex_carry_the_raw_text(kit, log):
    """Checklist 16, a documented limit: events of the model and of the inner synthesizer; the query's own are clean."""
    ground(kit.engine(), kit.grounder).query(kit.QUESTION)
    raw = {event.class_name() for event in log.events if kit.LEAK in repr(event)}
    assert (
        {"LLMChatEndEvent", "SynthesizeEndEvent"}
        <= raw
        <= {
            "LLMChatEndEvent",
            "LLMPredictEndEvent",
            "GetResponseEndEvent",
            "SynthesizeEndEvent",
        }
    )
    assert "QueryEndEvent" not in raw


def test_16_callbacks_see_what_events_see(kit):
    """Checklist 16, a documented limit: the older callback handlers get the raw text of inner calls, too."""
    debug = LlamaDebugHandler(print_trace_on_end=False)
    engine = kit.engine()
    engine._response_synthesizer.callback_manager = CallbackManager([debug])
    assert str(ground(engine, kit.grounder).query(kit.QUESTION)) == kit.SUPPORTED
    raw = {event.event_type.value for event in debug.get_events() if kit.LEAK in repr(event.payload)}
    assert raw == {"llm", "synthesize"}


def test_16_a_handler_that_raises_changes_nothing(kit, log):
    """Checklist 16: LlamaIndex swallows errors of handlers; the answer is verified all the same."""

    class Broken(type(log)):
        def handle(self, event, **kwargs):
            raise RuntimeError("broken")

    broken = Broken(events=[])
    get_dispatcher().add_event_handler(broken)
    try:
        assert str(ground(kit.engine(), kit.grounder).query(kit.QUESTION)) == kit.SUPPORTED
    finally:
        get_dispatcher().event_handlers.remove(broken)


def test_our_recorder_is_there_once_and_leaves_nothing_behind(kit):
    """One handler for the process, no state outside of a query."""
    ground(kit.engine(), kit.grounder).query(kit.QUESTION)
    assert [handler.class_name() for handler in get_dispatcher().event_handlers].count("GroundingRecorder") == 1
    assert active.get() is None


async def test_a_query_that_is_cancelled_leaves_nothing_behind(kit):
    """Cancelling in the middle of a verification closes the probe."""

    class Hanging(Grounder):
        async def acheck(self, *_, **__):
            await asyncio.sleep(60)

    task = asyncio.create_task(ground(kit.engine(), Hanging(kit.judge)).aquery(kit.QUESTION))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert active.get() is None
