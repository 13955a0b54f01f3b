"""What is sent to an OpenAI-compatible endpoint, and how whatever comes back is read."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges import ModelCall, failures
from grounding_middleware.judges.completions import MAX_BYTES, Body
from grounding_middleware.judges.openai import OpenAIModel, Wire

SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
CALL = ModelCall(
    tier="t",
    role="r",
    prompt_version="v",
    system="Be strict.",
    user="Claim 1",
    reply_schema=SCHEMA,
    max_output_tokens=9,
)


def test_request() -> None:
    """System and user part, model, limit and a temperature of 0."""
    body = Wire(reply_format="text").body("m", CALL)
    assert body == {
        "model": "m",
        "messages": [{"role": "system", "content": "Be strict."}, {"role": "user", "content": "Claim 1"}],
        "temperature": 0,
        "max_tokens": 9,
    }


def test_every_way_to_constrain_a_reply() -> None:
    """The schema goes where the endpoint wants it: response format, tool, or nowhere."""
    by_schema = Wire().body("m", CALL)["response_format"]
    assert by_schema == {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": SCHEMA}}
    assert Wire(reply_format="json_object").body("m", CALL)["response_format"] == {"type": "json_object"}
    tools = Wire(reply_format="tools").body("m", CALL)
    assert tools["tools"][0]["function"]["parameters"] == SCHEMA
    assert tools["tool_choice"]["function"]["name"] == tools["tools"][0]["function"]["name"]
    assert "response_format" not in Wire().body("m", CALL.replace(reply_schema=None))


def test_parameters_are_the_users() -> None:
    """What the user sets is sent, and goes before what we would."""
    wire = Wire(
        stream=True,
        token_limit="max_completion_tokens",  # noqa: S106  # no password
        parameters={"max_completion_tokens": 5, "seed": 1},
    )
    body = wire.body("m", CALL)
    assert (body["max_completion_tokens"], body["seed"], body["stream"]) == (5, 1, True)
    assert body["stream_options"] == {"include_usage": True}
    assert "temperature" not in body
    assert "max_tokens" not in body


@pytest.mark.parametrize("settings", [{"reply_format": "xml"}, {"seconds": 0}, {"seconds": float("nan")}])
def test_wrong_wire(settings: Any) -> None:
    """Wrong settings die at construction, by name."""
    with pytest.raises(ConfigError, match=next(iter(settings))):
        Wire(**settings)


def test_no_client_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a key, a model name or the package the message says what is missing."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="client: none was given"):
        OpenAIModel("m")
    with pytest.raises(ConfigError, match="model is empty"):
        OpenAIModel("")
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ConfigError, match=r"grounding-middleware\[openai\]"):
        OpenAIModel("m")


def test_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call for a classifier is refused, not sent as an empty prompt."""
    monkeypatch.setenv("OPENAI_API_KEY", "unused")
    with pytest.raises(JudgeError, match="pairs"):
        OpenAIModel("m").complete(CALL.replace(user="", pairs=(("a", "b"),)))


def completion(text: Any, finish: Any = "stop", **message: Any) -> str:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
    return json.dumps({"choices": [choice], "model": "m-1", "usage": {"prompt_tokens": 5, "completion_tokens": 2}})


def events(*deltas: dict[str, Any], finish: str | None = "stop") -> str:
    chunks = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None}], "model": "m-1"} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "model": "m-1"})
    chunks.append({"choices": [], "model": "m-1", "usage": {"prompt_tokens": 5, "completion_tokens": 2}})
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def read(text: str, kind: str = "application/json") -> Any:
    body = Body(kind, 60)
    for at in range(0, len(text), 7):  # pieces cut anywhere
        body.add(text[at : at + 7].encode())
    return body.reply()


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "application/problem+json"])
def test_a_whole_reply(kind: str) -> None:
    """Text, model and counts."""
    reply = read(completion("yes"), kind)
    assert (reply.text, reply.error, reply.model) == ("yes", "", "m-1")
    assert (reply.input_tokens, reply.output_tokens) == (5, 2)


def test_a_streamed_reply() -> None:
    """The same from pieces; other fields of events and line ends play no role."""
    text = events({"role": "assistant", "content": ""}, {"content": "ye"}, {"content": "s"})
    for streamed in (text, text.replace("\n", "\r\n"), f": comment\n\n{text}"):
        reply = read(streamed, "text/event-stream")
        assert (reply.text, reply.error, reply.model) == ("yes", "", "m-1")
        assert (reply.input_tokens, reply.output_tokens) == (5, 2)


def test_a_tools_arguments_are_the_reply() -> None:
    """Whole or in pieces."""
    calls = [{"function": {"name": "reply", "arguments": '{"a":1}'}}]
    assert read(completion(None, "tool_calls", tool_calls=calls)).text == '{"a":1}'
    pieces = ({"tool_calls": [{"function": {"arguments": part}}]} for part in ('{"a"', ":1}"))
    assert read(events(*pieces, finish="tool_calls"), "text/event-stream").text == '{"a":1}'


@pytest.mark.parametrize(
    ("text", "kind", "reason"),
    [
        (completion("y", "length"), "application/json", failures.CUT_OFF),
        (completion("", "content_filter"), "application/json", failures.CONTENT_FILTER),
        (completion(None, "stop", refusal="No."), "application/json", failures.REFUSED),
        (events({"content": "y"}, finish="length"), "text/event-stream", failures.CUT_OFF),
        (events({"refusal": "No."}), "text/event-stream", failures.REFUSED),
        (events({"content": "yes"}, finish=None), "text/event-stream", failures.CONNECTION),
        ("", "text/event-stream", failures.CONNECTION),
        ("data: [DONE]\n\n", "text/event-stream", failures.CONNECTION),
        ('data: {"error": {"message": "overloaded"}}\n\n', "text/event-stream", failures.NOT_TEXT),
        (completion("yes"), "text/html", failures.NOT_TEXT),
        (completion("yes"), "", failures.NOT_TEXT),
        ('{"choices": []}', "application/json", failures.NOT_TEXT),
        ('{"choices": [{"message": null}]}', "application/json", failures.NOT_TEXT),
        (completion(["yes"]), "application/json", failures.NOT_TEXT),
        ('{"verdicts": []}', "application/json", failures.NOT_TEXT),
        ("[" * 100_000, "application/json", failures.NOT_TEXT),
        (completion("yes")[:-9], "application/json", failures.NOT_TEXT),
    ],
)
def test_no_reply(text: str, kind: str, reason: str) -> None:
    """Whatever is no whole reply has a named reason."""
    assert failures.code(read(text, kind).error) == reason


def test_bounded() -> None:
    """No more is taken than could be a reply, in size and in time."""
    body = Body("application/json", 60)
    chunk = b"x" * 1_000_000
    taken = next(at for at in range(1, 99) if not body.add(chunk))
    assert taken == MAX_BYTES // len(chunk) + 1
    assert failures.code(body.reply().error) == failures.NOT_TEXT
    late = Body("application/json", -1)
    with pytest.raises(TimeoutError):
        late.add(b"x")


@given(st.binary(max_size=300) | st.text(st.sampled_from('{}[]":,data: \n123abc')).map(str.encode))
def test_no_other_error(data: bytes) -> None:
    """Whatever the bytes, there is a reply or a named failure."""
    for kind in ("application/json", "text/event-stream"):
        body = Body(kind, 60)
        body.add(data)
        reply = body.reply()
        assert reply.error or isinstance(reply.text, str)
