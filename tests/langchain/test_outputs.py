"""Whatever a chain returns comes back as the same thing, with verified text in the place of the answer."""

from __future__ import annotations

import dataclasses

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.runnables.utils import AddableDict
from pydantic import BaseModel

from grounding_middleware import InputError
from grounding_middleware_langchain import ground
from grounding_middleware_langchain._outputs import slot

QUESTION = "When are refunds paid?"
RAW = "Refunds are paid within ten days. WRONG one. They go to the card."
VERIFIED = "Refunds are paid within ten days. They go to the card."


class Structured(BaseModel):
    """What a chain with a structured output returns."""

    answer: str
    confidence: float = 0.5


@dataclasses.dataclass(frozen=True)
class Record:
    """A plain object."""

    reply: str
    tags: tuple[str, ...] = ()


def _guarded(kit, output, **options):
    chain = kit.chain(RAW) | RunnableLambda(lambda _: output)
    return ground(chain, kit.grounder, **options)


MESSAGE = AIMessage(
    RAW,
    id="run-1",
    name="writer",
    usage_metadata={"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
    response_metadata={"model_name": "m"},
    tool_calls=[{"name": "t", "args": {}, "id": "c"}],
)


@pytest.mark.parametrize(
    ("output", "options", "expected"),
    [
        (RAW, {}, VERIFIED),
        ({"answer": RAW, "context": [1]}, {}, {"answer": VERIFIED, "context": [1]}),
        ({"input": "q", "mine": RAW}, {"answer_key": "mine"}, {"input": "q", "mine": VERIFIED}),
        ({"result": {"text": RAW}}, {}, {"result": {"text": VERIFIED}}),
        (Structured(answer=RAW), {}, Structured(answer=VERIFIED)),
        (Record(RAW, ("x",)), {"answer_key": "reply"}, Record(VERIFIED, ("x",))),
        ([{"type": "text", "text": RAW}], {}, [{"type": "text", "text": VERIFIED}]),
    ],
    ids=["str", "dict", "dict with key", "nested dict", "pydantic", "dataclass", "content blocks"],
)
async def test_output_kinds(kit, output, options, expected):
    """Checklist 10: the kind stays, other keys pass through, the original object is left alone."""
    before = repr(output)
    guarded = _guarded(kit, output, **options)
    assert guarded.invoke(QUESTION) == expected
    assert await guarded.ainvoke(QUESTION) == expected
    assert type(guarded.invoke(QUESTION)) is type(expected)
    assert repr(output) == before


def test_message_keeps_everything_but_its_text(kit):
    """Id, usage, name and tool calls stay; the summary of the report rides in `response_metadata`."""
    result = _guarded(kit, MESSAGE).invoke(QUESTION)
    assert result.content == VERIFIED
    assert (result.id, result.name, result.usage_metadata, result.tool_calls) == (
        "run-1", "writer", MESSAGE.usage_metadata, MESSAGE.tool_calls,
    )  # fmt: skip
    assert result.response_metadata["model_name"] == "m"
    assert result.response_metadata["grounding"]["action"] == "revised"
    assert MESSAGE.content == RAW
    assert "grounding" not in MESSAGE.response_metadata


def test_last_message_of_a_conversation_is_the_answer(kit):
    """Graphs return their messages: earlier turns are not this invocation's answer."""
    output = {"messages": [HumanMessage("q"), AIMessage("WRONG old."), HumanMessage("q2"), MESSAGE]}
    messages = _guarded(kit, output).invoke(QUESTION)["messages"]
    assert [message.content for message in messages] == ["q", "WRONG old.", "q2", VERIFIED]


def test_edits_fall_into_the_block_they_belong_to(kit):
    """Over several blocks: other blocks stay, a changed one loses annotations that would point elsewhere."""
    citation = {"type": "citation", "start_index": 0, "end_index": 3}
    message = AIMessage(
        [
            {"type": "reasoning", "reasoning": "hm"},
            {"type": "text", "text": "Refunds are paid. ", "annotations": [citation]},
            {"type": "text", "text": "WRONG one. They go", "annotations": [citation]},
            {"type": "text", "text": " to the card."},
        ]
    )
    assert _guarded(kit, message).invoke(QUESTION).content == [
        {"type": "text", "text": "Refunds are paid. ", "annotations": [citation]},
        {"type": "text", "text": "They go"},
        {"type": "text", "text": " to the card."},
    ]


def test_withheld_answer_replaces_all_text_blocks(kit):
    """What was withheld as a whole leaves no block behind."""
    blocks = [{"type": "text", "text": "one "}, {"type": "image", "url": "u"}, {"type": "text", "text": "two"}]
    report = kit.grounder.check("one two", evidence=(), question="").replace(text="Not shown.")
    assert slot(AIMessage(blocks)).put(report).content == [{"type": "text", "text": "Not shown."}, blocks[1]]


async def test_dicts_streamed_key_by_key_come_back_whole(kit):
    """A dict output that streams single keys: the answer is verified, the other keys arrive."""
    chain = RunnablePassthrough.assign(answer=RunnableLambda(lambda v: v["question"]) | kit.chain(RAW))
    guarded = ground(chain, kit.grounder)
    value = {"question": QUESTION}
    merged = AddableDict()
    for chunk in guarded.stream(value):
        merged = merged + chunk
    assert merged == {"question": QUESTION, "answer": VERIFIED}
    assert [c async for c in guarded.astream(value)][-1]["answer"] == VERIFIED


def test_json_parsers_that_stream_growing_dicts_are_joined(kit):
    """Cumulative chunks are not added but replace one another."""
    guarded = ground(kit.chain('{"answer": "Fine. WRONG one. Good."}', parser=JsonOutputParser()), kit.grounder)
    assert list(guarded.stream(QUESTION)) == [{"answer": "Fine. Good."}]


def test_message_streams_as_message_chunks(kit):
    """A chain that ends with its model streams message chunks, and still does."""
    chain = kit.chain(RAW, parser=RunnablePassthrough())
    (chunk,) = ground(chain, kit.grounder).stream(QUESTION)
    assert (type(chunk).__name__, chunk.content) == ("AIMessageChunk", VERIFIED)


def test_block_content_by_default(kit, monkeypatch):
    """Checklist 11: `LC_OUTPUT_VERSION=v1` turns every content into blocks; text is read and written all the same."""
    monkeypatch.setenv("LC_OUTPUT_VERSION", "v1")
    chain = kit.chain(RAW, model=kit.Model(RAW), parser=RunnablePassthrough())
    result = ground(chain, kit.grounder).invoke(QUESTION)
    assert isinstance(result.content, list)
    assert str(result.text) == VERIFIED


@pytest.mark.parametrize(
    ("output", "options", "message"),
    [
        (17, {}, "cannot find an answer in int"),
        ({"a": 1}, {}, r"dict has \['a'\]; name the answer with answer_key="),
        ({"a": RAW}, {"answer_key": "b"}, "answer_key 'b' is not there"),
        ([1, 2], {}, "list of"),
        (None, {}, "NoneType"),
    ],
)
def test_output_without_a_recognisable_answer_is_an_error(kit, output, options, message):
    """What cannot be verified is not passed on silently."""
    with pytest.raises(InputError, match=message):
        _guarded(kit, output, **options).invoke(QUESTION)
