"""Whatever a chain returns comes back as the same thing, with verified text in the place of the answer."""

from __future__ import annotations

import dataclasses
import warnings
from types import SimpleNamespace

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.runnables.utils import AddableDict
from pydantic import BaseModel

from grounding_middleware import Grounder, InputError, Policy
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


THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "WRONG thought"}]}
THINKING = {"type": "thinking", "thinking": "WRONG thought", "signature": "s"}
EXTRA = {"reasoning_content": "WRONG thought", "reasoning": THOUGHT, "refusal": None}


def _thinking(**fields):
    content = [THOUGHT, THINKING, {"type": "text", "text": RAW}]
    tokens = {"content": [{"token": "WRONG", "logprob": 0.0}]}
    return AIMessage(content, additional_kwargs=EXTRA, response_metadata={"logprobs": tokens, "id": "r"}, **fields)


@pytest.mark.parametrize("stream", ["buffer", "claims"])
async def test_reasoning_is_not_shown_with_an_answer(kit, stream):
    """Nobody verifies it. What the next turn refers to stays: the id of an item, but not its text."""
    chain = kit.chain(_thinking(), parser=RunnablePassthrough())
    guarded = ground(chain, kit.grounder, stream=stream)
    result = guarded.invoke(QUESTION)
    assert result.content == [{"type": "reasoning", "id": "rs_1", "summary": []}, {"type": "text", "text": VERIFIED}]
    assert result.additional_kwargs == {"refusal": None, "reasoning": {**THOUGHT, "summary": []}}
    assert result.response_metadata["id"] == "r"
    streamed = [*guarded.stream(QUESTION), *[chunk async for chunk in guarded.astream(QUESTION)]]
    assert "WRONG" not in repr([result, *streamed])
    assert THOUGHT["summary"], "the model's own message is left alone"


def test_reasoning_in_chunks_of_text_is_not_streamed(kit):
    """Providers stream it beside empty text, and log probabilities beside each token."""
    message = AIMessage("Fine. WRONG one. Good.", additional_kwargs=EXTRA, response_metadata={"logprobs": ["WRONG"]})

    class Beside(type(kit.Model("x"))):
        def _stream(self, *args, **kwargs):
            for chunk in super()._stream(*args, **kwargs):
                chunk.message.additional_kwargs.update(reasoning_content="WRONG")
                chunk.message.response_metadata["logprobs"] = ["WRONG"]
                yield chunk

    chain = kit.chain(model=Beside(reply=lambda _: message), parser=RunnablePassthrough())
    chunks = list(ground(chain, kit.grounder, stream="claims").stream(QUESTION))
    assert "".join(chunk.text for chunk in chunks) == "Fine. Good."
    assert "WRONG" not in repr(chunks)


def test_reasoning_beside_tool_calls_stays(kit):
    """Providers demand it back, unchanged, with the results of the tools."""
    message = _thinking(tool_calls=[{"name": "t", "args": {}, "id": "c"}])
    assert _guarded(kit, message).invoke(QUESTION).content[:2] == [THOUGHT, THINKING]


@pytest.mark.parametrize("how", ["calls", "text"])
def test_structured_output_with_its_raw_message(kit, how):
    """`include_raw=True`: object and message say the same, verified; nothing of the raw one is left."""
    raw = {
        "calls": AIMessage("", tool_calls=[{"name": "Structured", "args": {"answer": RAW}, "id": "c"}]),
        "text": AIMessage(f'{{"answer": "{RAW}"}}', additional_kwargs={"parsed": Structured(answer=RAW)}),
    }[how]
    result = _guarded(kit, {"raw": raw, "parsed": Structured(answer=RAW), "parsing_error": None}).invoke(QUESTION)
    assert result["parsed"] == Structured(answer=VERIFIED)
    assert "WRONG" not in repr(result)
    assert VERIFIED in repr(result["raw"])


def test_structured_output_that_could_not_be_parsed(kit):
    """Then the message is the answer; arguments nobody could read are not handed on."""
    calls = [{"name": "Structured", "args": {"answr": RAW}, "id": "c"}]
    raw = AIMessage("Fine. WRONG one. Good.", tool_calls=calls)
    output = {"raw": raw, "parsed": None, "parsing_error": ValueError("x")}
    result = _guarded(kit, output).invoke(QUESTION)
    assert (result["raw"].text, result["raw"].tool_calls, result["parsed"]) == ("Fine. Good.", [], None)


def test_copies_of_the_answer_are_the_answer(kit):
    """Under whatever other key it stands, as text or message; everything else is the same object as before."""
    other = [HumanMessage("q"), AIMessage("WRONG old.")]
    output = {"answer": RAW, "log": RAW, "said": AIMessage(RAW), "all": [RAW, 1], "history": other}
    result = _guarded(kit, output).invoke(QUESTION)
    assert (result["log"], result["said"].text, result["all"]) == (VERIFIED, VERIFIED, [VERIFIED, 1])
    assert result["history"] is other


def test_drafts_of_a_turn_are_silenced(kit):
    """A graph's own remarks and drafts on the way to its answer were verified by nobody."""
    draft = AIMessage("WRONG draft.", id="d")
    output = [HumanMessage("q"), AIMessage("WRONG old."), HumanMessage("q2"), draft, AIMessage(RAW)]
    assert [message.text for message in _guarded(kit, output).invoke(QUESTION)] == [
        "q",
        "WRONG old.",
        "q2",
        "",
        VERIFIED,
    ]
    assert draft.text == "WRONG draft."


def test_an_answer_without_text_gets_the_policys_text(kit):
    """Content without a text block has a place for it all the same."""
    report = kit.grounder.check("", evidence=(), question="").replace(text="Not answered.")
    image = {"type": "image", "url": "u"}
    assert slot(AIMessage([image])).put(report).content == [image, {"type": "text", "text": "Not answered."}]


DAYS, FALSE = "Refunds are paid within ten days.", "Refunds are paid within thirty days."


class Part(BaseModel):
    """A part of a structured answer."""

    title: str
    text: str = ""


class Long(BaseModel):
    """A structured answer with sentences in several places."""

    reasoning: str
    answer: str
    notes: list[str] = []
    parts: list[Part] = []
    sources: list[str] = ["refunds.md"]
    confidence: float = 0.5


LONG = Long(
    reasoning=f"{DAYS} {FALSE}",
    answer=f"{DAYS} They go to the card used for the order.",
    notes=[FALSE, "Refunds for vouchers are not possible."],
    parts=[Part(title="Thirty", text=f"{FALSE} {DAYS}")],
)


def test_every_sentence_of_an_object_is_verified(kit):
    """A model filled in all of them: reasoning, lists and nested parts, too. Names and numbers stay as they are."""
    before = LONG.model_dump()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # no judge
        guarded = _guarded(
            SimpleNamespace(**{**vars(kit), "grounder": Grounder(policy=Policy(escalate_above=0.9))}), LONG
        )
    assert guarded.invoke(QUESTION) == Long(
        reasoning=DAYS,
        answer=LONG.answer,
        notes=["Refunds for vouchers are not possible."],
        parts=[Part(title="Thirty", text=DAYS)],
    )
    assert LONG.model_dump() == before


@pytest.mark.parametrize("text", ["Not shown.", "Not shown at all, not even in part."])
def test_a_withheld_object_holds_the_policys_text_only(kit, text):
    """It stands in the answer's place; no other sentence is left."""
    found = slot(LONG)
    report = kit.grounder.check(found.text, evidence=(), question="").replace(text=text)
    result = found.put(report)
    assert (result.answer, result.reasoning, result.notes, result.parts[0].text) == (text, "", [], "")


def test_a_notice_behind_an_object_stands_behind_its_answer(kit):
    """RE-6: the line that counts what was withheld."""
    found = slot(LONG)
    report = kit.grounder.check(found.text, evidence=(), question="")
    result = found.put(report.replace(text=f"{report.text.rstrip()}\n\n4 statements were withheld."))
    assert result.answer == f"{LONG.answer}\n\n4 statements were withheld."
    assert result.reasoning == LONG.reasoning
