"""Streams: nothing unverified leaves, nothing that left is taken back."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.runnables.utils import AddableDict

from grounding_middleware import ConfigError, Treatment
from grounding_middleware_langchain import ground
from grounding_middleware_langchain._release import safe_cut

QUESTION = "When are refunds paid?"
RAW = "Refunds are paid within ten days. WRONG one here. They go to the card. Shops do not pay them."


def _claims(kit, answer=RAW, **options):
    """The guarded chain, streaming by claim, and what it gave, piece by piece."""
    return ground(kit.chain(answer, **options), kit.grounder, stream="claims")


async def test_claims_are_released_one_by_one(kit):
    """A claim leaves once it is verified; sync and async in the same pieces; the sum is the buffered text."""
    guarded = _claims(kit)
    pieces = list(guarded.stream(QUESTION))
    assert len(pieces) > 2
    assert pieces == [piece async for piece in guarded.astream(QUESTION)]
    assert "".join(pieces) == ground(kit.chain(RAW), kit.grounder).invoke(QUESTION)
    assert guarded.invoke(QUESTION) == "".join(pieces)


def test_first_claim_leaves_before_the_model_has_ended(kit):
    """The point of streaming: a reader does not wait for the end of the answer."""
    written = []

    def slowly(chunks):
        for chunk in chunks:
            written.append(chunk)
            yield chunk

    chain = kit.chain(RAW) | slowly
    stream = ground(chain, kit.grounder, stream="claims").stream(QUESTION)
    assert next(stream) == "Refunds are paid within ten days. "
    assert len("".join(written)) < len(RAW)


def test_early_break_closes_the_chain(kit):
    """Checklist 17: a reader who stops also stops the model."""
    closed = []

    def watch(chunks):
        try:
            yield from chunks
        finally:
            closed.append(True)

    stream = ground(kit.chain(RAW) | watch, kit.grounder, stream="claims").stream(QUESTION)
    next(stream)
    assert not closed
    stream.close()
    assert closed


async def test_cancellation_closes_the_chain(kit):
    """Checklist 17: so does a reader who is cancelled."""
    closed, begun = [], asyncio.Event()

    async def hang(chunks):
        try:
            async for chunk in chunks:
                yield chunk
                begun.set()
                await asyncio.sleep(60)
        finally:
            closed.append(True)

    guarded = ground(kit.chain(RAW) | hang, kit.grounder, stream="claims")

    async def read():
        return [piece async for piece in guarded.astream(QUESTION)]

    task = asyncio.create_task(read())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert closed


async def test_messages_stream_under_their_id_and_close_with_the_summary(kit):
    """Message chunks: text piece by piece, one closing chunk with the summary; the sum is one message."""
    guarded = _claims(kit, AIMessage(RAW, id="mine"), parser=RunnablePassthrough())
    chunks = list(guarded.stream(QUESTION))
    assert {chunk.id for chunk in chunks} == {"mine"}
    assert "WRONG" not in repr(chunks)
    whole = chunks[0] + chunks[1:]
    assert whole.text == "Refunds are paid within ten days. They go to the card. Shops do not pay them."
    assert whole.response_metadata["grounding"]["action"] == "revised"
    assert sum("grounding" in chunk.response_metadata for chunk in chunks) == 1


async def test_dicts_stream_key_by_key(kit):
    """Other keys pass as they come; the answer's key carries verified text."""
    chain = RunnablePassthrough.assign(answer=RunnableLambda(lambda v: v["question"]) | kit.chain(RAW))
    guarded = ground(chain, kit.grounder, stream="claims", answer_key="answer")
    chunks = [chunk async for chunk in guarded.astream({"question": QUESTION})]
    assert chunks[0] == {"question": QUESTION}
    assert len(chunks) > 3
    merged = AddableDict()
    for chunk in chunks:
        merged = merged + chunk
    assert merged["answer"] == "Refunds are paid within ten days. They go to the card. Shops do not pay them."


def test_what_cannot_be_released_by_claim_is_released_as_a_whole(kit):
    """Content blocks and objects wait for the end; nothing passes unverified."""
    answer = AIMessage([{"type": "text", "text": RAW}])
    (chunk,) = _claims(kit, answer, parser=RunnablePassthrough()).stream(QUESTION)
    assert "WRONG" not in chunk.text


def test_report_of_a_stream_covers_the_whole_answer(kit):
    """The custom event comes once, at the end, with all claims in the offsets of the whole answer."""
    events = kit.Events()
    list(_claims(kit).stream(QUESTION, {"callbacks": [events]}))
    ((name, data),) = events.custom
    assert (name, data["action"]) == ("grounding_report", "revised")
    assert data["capture"]["rules_reached"] == 1
    (reported,) = _claims(kit).with_report().stream(QUESTION)
    assert reported.answer == RAW


def test_offsets_of_a_streamed_report_are_those_of_the_whole_answer(kit):
    """Groups are put together as if the answer had been checked at once."""
    guarded = _claims(kit)
    events = kit.Events()
    list(guarded.stream(QUESTION, {"callbacks": [events]}))
    ((_, data),) = events.custom
    for claim in data["claims"]:
        if claim["text"] is not None:
            assert RAW[claim["start"] : claim["end"]] == claim["text"]
    assert [claim["label"] for claim in data["claims"]].count("CONTRADICTED") == 1


def test_a_blocking_claim_ends_the_stream(kit):
    """DE-4: one critical claim withholds what follows; what was shown before it stays, the policy's text closes."""
    kit.grounder.treatment = Treatment.BLOCK
    text = "".join(_claims(kit).stream(QUESTION))
    assert text.startswith("Refunds are paid within ten days. ")
    assert "card" not in text
    assert text.endswith(kit.grounder.policy.texts.fallback)


def test_too_many_unsupported_claims_close_with_the_policys_text(kit):
    """DE-2 in a stream: supported text that was shown stays, and the reader is told that the rest is withheld."""
    answer = "Refunds are paid. WRONG one here. WRONG two here. WRONG three here."
    text = "".join(_claims(kit, answer).stream(QUESTION))
    assert text.startswith("Refunds are paid. ")
    assert "WRONG" not in text
    assert text.endswith(kit.grounder.policy.texts.escalation)


def test_nothing_supported_shows_the_policys_text_alone(kit):
    """Nothing left is an escalation, not an empty stream."""
    assert "".join(_claims(kit, "WRONG one here. WRONG two here.").stream(QUESTION)) == (
        kit.grounder.policy.texts.escalation
    )


def test_unknown_mode_is_refused(kit):
    """Bad configuration dies at construction."""
    with pytest.raises(ConfigError, match="stream: 'fast' is wrong; allowed are buffer, claims"):
        ground(kit.chain(), kit.grounder, stream="fast")


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Refunds are paid. They go", "Refunds are paid. "),
        ("Refunds are paid. They", ""),
        ("Refunds are paid", ""),
        ("Refunds are paid. [S1] They go to", ""),
        ("Refunds are paid [S1]. They go to", "Refunds are paid [S1]. "),
        ("Costs approx. 5 euros a", ""),
        ("# Head\n\nRefunds are paid", ""),
        ("Refunds are paid:\n\n- to the card", ""),
        ("- one is here\n- two are there", ""),
        ("One ends. \n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4", "One ends. \n\n"),
        ("退款在十天内支付。 它们 退还", "退款在十天内支付。 "),
    ],
)
def test_where_a_growing_answer_may_be_cut(text, cut):
    """Only behind a whole statement, its marker, and whatever list, table or heading it belongs to."""
    assert text[: safe_cut(text)] == cut


async def test_events_show_released_pieces_only(kit):
    """`astream_events` version 2: the guarded run streams verified pieces."""
    guarded = _claims(kit)
    events = [event async for event in guarded.astream_events(QUESTION, version="v2")]
    root = events[0]["run_id"]
    pieces = [
        event["data"]["chunk"] for event in events if event["event"] == "on_chain_stream" and event["run_id"] == root
    ]
    assert pieces == list(guarded.stream(QUESTION))
