"""Chat engines: verified answers to the reader, verified answers in memory, whatever the way of asking."""

from __future__ import annotations

import asyncio

import pytest
from llama_index.core import SummaryIndex
from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    CondenseQuestionChatEngine,
    ContextChatEngine,
    SimpleChatEngine,
)
from llama_index.core.memory import ChatMemoryBuffer, Memory
from llama_index.core.query_engine import CustomQueryEngine

from grounding_middleware import Action, ConfigError, Grounder
from grounding_middleware_llama_index import extract_spans, ground, report_of

ENGINES = {
    "context": ContextChatEngine,
    "condense_plus_context": CondensePlusContextChatEngine,
    "condense_question": CondenseQuestionChatEngine,
}
WAYS = ["chat", "achat", "stream_chat", "astream_chat"]


def _chat(kit, mode, model=None, memory=None):
    memory = memory or ChatMemoryBuffer.from_defaults(token_limit=3_000)  # the default keeps a database open
    return kit.index().as_chat_engine(chat_mode=mode, llm=model or kit.model(), memory=memory)


async def _ask(engine, way, *args):
    """The response and the text its reader sees."""
    if way == "chat":
        response = engine.chat(*args)
        return response, response.response
    if way == "achat":
        response = await engine.achat(*args)
        return response, response.response
    if way == "stream_chat":
        response = engine.stream_chat(*args)
        return response, "".join(response.response_gen)
    response = await engine.astream_chat(*args)
    return response, "".join([piece async for piece in response.async_response_gen()])


def _said(engine):
    return [message.content for message in engine.chat_history if message.role == MessageRole.ASSISTANT]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ENGINES)
async def test_10_memory_holds_the_verified_text(kit, mode, way):
    """Checklist 10: reader and memory get the same, verified text; class, memory and original engine stay."""
    engine = _chat(kit, mode)
    safe = ground(engine, kit.grounder)
    assert isinstance(safe, ENGINES[mode])
    response, text = await _ask(safe, way, kit.QUESTION)
    assert text == kit.SUPPORTED
    assert _said(safe) == [kit.SUPPORTED]
    assert engine.chat_history == safe.chat_history, "memory is shared"
    assert report_of(response).action is Action.REVISED
    assert {span.source_id for span in extract_spans(response)} == {"refunds.md", "vouchers.md"}
    assert kit.LEAK not in repr(response)
    assert type(engine) is ENGINES[mode]
    assert type(response).__name__ in {"AgentChatResponse", "StreamingAgentChatResponse"}


@pytest.mark.parametrize("mode", ENGINES)
async def test_10_the_next_turn_sees_the_verified_answer(kit, mode):
    """Checklist 10: what was cut from an answer is not in the history the model reads next."""
    model = kit.model(lambda messages: "And for vouchers?" if "tandalone" in messages[-1].content else kit.RAW)
    safe = ground(_chat(kit, mode, model), kit.grounder)
    await _ask(safe, "chat", kit.QUESTION)
    await _ask(safe, "achat", "And for vouchers?")
    assert kit.SUPPORTED in "".join(model.prompts[1:])
    assert kit.LEAK not in "".join(model.prompts)


@pytest.mark.parametrize("way", ["stream_chat", "astream_chat"])
@pytest.mark.parametrize("mode", ENGINES)
async def test_10_a_stream_that_is_abandoned_leaves_a_verified_memory(kit, mode, way):
    """Checklist 10: memory holds the verified answer or none, also when nobody reads the stream."""
    safe = ground(_chat(kit, mode), kit.grounder)
    _ = safe.stream_chat(kit.QUESTION) if way == "stream_chat" else await safe.astream_chat(kit.QUESTION)
    for _ in range(50):  # a thread or task of LlamaIndex writes the memory; old versions only once somebody reads
        if _said(safe):
            break
        await asyncio.sleep(0.01)
    assert _said(safe) in ([], [kit.SUPPORTED])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", ENGINES)
async def test_10_an_error_of_the_verification_reaches_the_caller(kit, mode, way):
    """Checklist 10: not only a thread that writes memory; and nothing of that turn is kept."""

    class Broken(Grounder):
        def check(self, *_, **__):
            raise RuntimeError("broken")

        async def acheck(self, *_, **__):
            raise RuntimeError("broken")

    safe = ground(_chat(kit, mode), Broken(kit.judge))
    with pytest.raises(RuntimeError, match="broken"):
        await _ask(safe, way, kit.QUESTION)
    assert _said(safe) == []


@pytest.mark.parametrize("way", WAYS)
async def test_10_a_history_that_is_passed_means_what_it_means_bare(kit, way):
    """Checklist 10: None leaves memory alone, an empty list wipes it, a list replaces it: as without grounding."""
    history = [ChatMessage(role="user", content="Hello"), ChatMessage(role="assistant", content="Hello to you")]
    for given, expected in ((None, 4), ([], 2), (list(history), 4)):
        memories = [ChatMemoryBuffer.from_defaults(chat_history=list(history), token_limit=3_000) for _ in range(2)]
        engines = [_chat(kit, "context", memory=memory) for memory in memories]
        bare, safe = engines[0], ground(engines[1], kit.grounder)
        for engine in (bare, safe):
            await _ask(engine, way, kit.QUESTION, None if given is None else list(given))
            assert len(engine.chat_history) == expected


async def test_10_archived_memory_is_untouched(kit):
    """Checklist 10: memory that has flushed old messages is not rewritten, so nothing archived comes back."""
    memory = Memory.from_defaults(token_limit=60, token_flush_size=20, chat_history_token_ratio=0.5)
    for number in range(10):
        memory.put(ChatMessage(role="user", content=f"Question {number} is about parcels that travel by rail."))
    active = len(memory.get())
    safe = ground(_chat(kit, "context", memory=memory), kit.grounder)
    safe.chat(kit.QUESTION)
    assert len(memory.get()) <= active + 2
    assert kit.LEAK not in repr(memory.get_all())
    await memory.sql_store._async_engine.dispose()


@pytest.mark.parametrize("mode", ENGINES)
async def test_10_twenty_turns_at_once_do_not_share_reports(kit, mode):
    """Checklist 9 and 10: turns of engines that run side by side carry their own reports."""
    engines = [ground(_chat(kit, mode), kit.grounder) for _ in range(20)]
    questions = [f"When are refunds paid, number {n}?" for n in range(20)]
    responses = await asyncio.gather(*(e.achat(q) for e, q in zip(engines, questions, strict=True)))
    assert [report_of(response).question for response in responses] == questions


def test_grounding_twice_is_grounding_once(kit):
    """`ground(ground(chat))` is the same engine, and verifies once."""
    safe = ground(_chat(kit, "context"), kit.grounder)
    assert ground(safe, kit.grounder) is safe
    safe.chat(kit.QUESTION)
    assert len(kit.judge.tasks) == 1


def test_the_original_engine_still_answers_on_its_own(kit):
    """The original is bare: same class, same words."""
    engine = _chat(kit, "context")
    ground(engine, kit.grounder)
    assert engine.chat(kit.QUESTION).response == kit.RAW


@pytest.mark.parametrize("mode", ["context", "condense_plus_context"])
def test_rules_are_in_the_answer_prompt_and_not_in_the_condensing_one(kit, mode):
    """PR-5: rules reach the model that answers; the one that rewrites the question gets none."""
    model = kit.model()
    safe = ground(_chat(kit, mode, model), kit.grounder)
    safe.chat(kit.QUESTION)
    response = safe.chat("And for vouchers?")
    ruled = ["Answer only from the sources." in prompt for prompt in model.prompts]
    assert ruled == ([True, True] if mode == "context" else [True, False, True])
    capture = report_of(response).capture
    assert (capture.model_runs, capture.rules_reached) == (1, 1)


def test_text_in_braces_from_the_history_meets_no_template_of_ours(kit):
    """LlamaIndex expands `{context_str}` of the history; our rules quote sources and must not be expanded."""
    model = kit.model()
    safe = ground(_chat(kit, "context", model), kit.grounder)
    safe.chat("What does {query_str} mean?")
    assert "{query_str}" in model.prompts[0]


def test_reset_is_the_engines_own(kit):
    """`reset` empties the shared memory."""
    safe = ground(_chat(kit, "condense_question"), kit.grounder)
    safe.chat(kit.QUESTION)
    safe.reset()
    assert safe.chat_history == []


def test_no_nodes_is_unanswered(kit):
    """An engine that finds nothing says so in LlamaIndex's words, and the action says what that is."""
    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    engine = SummaryIndex([]).as_chat_engine(chat_mode="context", llm=kit.model(), memory=memory)
    response = ground(engine, kit.grounder).chat("?")
    assert response.response == "Empty Response"
    assert report_of(response).action is Action.UNANSWERED


def test_engines_without_retrieval_are_refused(kit):
    """SimpleChatEngine has no sources: nothing it says could be supported."""
    with pytest.raises(ConfigError, match=r"SimpleChatEngine cannot be grounded.*allowed are ContextChatEngine"):
        ground(SimpleChatEngine.from_defaults(llm=kit.model(), memory=ChatMemoryBuffer.from_defaults()), kit.grounder)


def test_a_subclass_with_turns_of_its_own_is_refused(kit):
    """It could say more than its synthesizer wrote, and keep that."""

    class Own(ContextChatEngine):
        def chat(self, *args, **kwargs):
            """Its own way."""
            return super().chat(*args, **kwargs)

    engine = Own.from_defaults(kit.index().as_retriever(), llm=kit.model(), memory=ChatMemoryBuffer.from_defaults())
    with pytest.raises(ConfigError, match="subclasses that leave their turns as they are"):
        ground(engine, kit.grounder)


async def test_condense_question_over_a_custom_engine(kit):
    """The query engine of a condense-question engine may be of any kind; the chat is verified all the same."""
    retriever, model = kit.index().as_retriever(), kit.model()

    class Own(CustomQueryEngine):
        def custom_query(self, query_str):
            nodes = retriever.retrieve(query_str)
            return str(model.complete("\n".join(node.get_content() for node in nodes) + query_str))

    memory = ChatMemoryBuffer.from_defaults(token_limit=3_000)
    chat = CondenseQuestionChatEngine.from_defaults(query_engine=Own(), llm=model, memory=memory)
    safe = ground(chat, kit.grounder)
    response = safe.chat(kit.QUESTION)
    assert (response.response, _said(safe)) == (kit.SUPPORTED, [kit.SUPPORTED])
    with pytest.raises(ValueError, match="Streaming is not enabled"):
        safe.stream_chat(kit.QUESTION)
