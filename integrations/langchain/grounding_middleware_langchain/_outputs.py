"""The answer inside whatever a chain returns, and the same thing again with verified text in its place.

Nothing is changed in place; type, id, usage, tool calls and all other keys stay.
"""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from pydantic import BaseModel

from grounding_middleware.capture import summary
from grounding_middleware.errors import InputError
from grounding_middleware.records import Edit, Report
from grounding_middleware_langchain._prose import prose, with_prose
from grounding_middleware_langchain._reasoning import blocks_without, kwargs_without, without_tokens

_BETWEEN = "\n\n"
"""What separates the sentences of an object when they are verified together."""

_PARSED = {"raw", "parsed", "parsing_error"}

ANSWER_KEYS = ("answer", "result", "output", "response", "text", "output_text", "generation", "content", "messages")


@dataclass(frozen=True, slots=True)
class Slot:
    """Where the answer stands in an output: its text, and a function that puts verified text there."""

    text: str
    put: Callable[[Report], Any]


def slot(output: Any, key: str | None = None) -> Slot:
    """The place of the answer in `output`; raises `InputError` naming what is there when it cannot be told.

    `key` names the key or field of a mapping or object; without it the usual names are tried.
    """
    if isinstance(output, str):
        return Slot(output, lambda report: report.text)
    if isinstance(output, BaseMessage):
        return Slot(str(output.text), lambda report: with_verified(output, report))
    if isinstance(output, BaseModel) or dataclasses.is_dataclass(output):
        return structured(output, key)
    if isinstance(output, Mapping):
        return _member(output, key)
    if isinstance(output, list | tuple) and output:
        return _listed(output)
    raise InputError(
        f"output: cannot find an answer in {type(output).__name__}; allowed are str, messages, content blocks, and "
        "mappings or objects with an answer (name it with answer_key=)"
    )


def structured(output: Any, key: str | None) -> Slot:
    """The answer of an object a model filled in, and behind it every other sentence in it: the model wrote them all."""
    found = _member(output, key)
    name = _answer_name(output, key)
    others = [item for item in _names(output) if item != name]
    texts = [found.text, *(text for item in others for text in prose(_got(output, item)))]
    if len(texts) == 1:
        return found
    pieces = [f"{text}{_BETWEEN}" for text in texts[:-1]] + texts[-1:]

    def put(report: Report) -> Any:
        edited = _edited(pieces, report.edits)
        body = "".join(edited).rstrip()
        if not report.text.startswith(body):  # withheld, or replaced as a whole
            edited, tail = ["" for _ in pieces], report.text
        else:
            tail = report.text[len(body) :].rstrip() if len(report.text) > len(body) else ""
        first, *rest = (
            text if piece == old else piece.strip() for text, old, piece in zip(texts, pieces, edited, strict=True)
        )
        own = tuple(edit for edit in report.edits if edit.end <= len(found.text))
        result = found.put(report.replace(answer=found.text, text=first + tail, edits=() if tail else own))
        texts_left = iter(rest)
        for item in others:
            result = _put(result, item, with_prose(_got(result, item), texts_left))
        return result

    return Slot("".join(pieces), put)


def _member(output: Any, key: str | None) -> Slot:
    names = _names(output)
    if isinstance(output, Mapping) and set(names) == _PARSED:
        return _parsed(output, None if key == "parsed" else key)
    found = _answer_name(output, key)
    if found is None and isinstance(output, Mapping) and len(names) == 1 and isinstance(output[names[0]], Mapping):
        found = names[0]  # the update of a graph's last node
    if found is None or found not in names:
        asked = "" if key is None else f"answer_key {key!r} is not there; "
        raise InputError(f"output: {asked}{type(output).__name__} has {names}; name the answer with answer_key=")
    inner = slot(_got(output, found))
    return Slot(inner.text, lambda report: _with_member(output, found, inner, report))


def _parsed(output: Mapping[str, Any], key: str | None) -> Slot:
    """What `with_structured_output(include_raw=True)` gives: the object, and the message it was parsed from."""
    if output["parsed"] is None:  # not readable; the message is all there is
        inner = slot(output["raw"])
        return Slot(inner.text, lambda report: {**output, "raw": restated(inner.put(report), None)})
    found = structured(output["parsed"], key)

    def put(report: Report) -> dict[str, Any]:
        value = found.put(report)
        return {**output, "raw": restated(output["raw"], value), "parsed": value}

    return Slot(found.text, put)


def restated(message: Any, value: Any) -> Any:
    """The message a structured value was parsed from, saying `value` instead, in calls or text; None for neither."""
    if not isinstance(message, AIMessage):
        return message
    plain = value.model_dump(mode="json") if isinstance(value, BaseModel) else value
    changes: dict[str, Any] = {
        "additional_kwargs": {k: v for k, v in message.additional_kwargs.items() if k not in {"tool_calls", "parsed"}},
        "response_metadata": without_tokens(message.response_metadata),
    }
    if value is None:
        changes |= {"tool_calls": [], "invalid_tool_calls": []}
    elif message.tool_calls:  # tool strategy: parsed from the arguments of the call
        changes |= {"tool_calls": [{**call, "args": plain} for call in message.tool_calls], "content": ""}
    else:  # provider strategy: parsed from the text
        changes["content"] = json.dumps(plain, ensure_ascii=False)
    return message.model_copy(update=changes)


def _names(output: Any) -> list[str]:
    if isinstance(output, Mapping):
        return [str(name) for name in output]
    if isinstance(output, BaseModel):
        return list(type(output).model_fields)
    return [item.name for item in dataclasses.fields(output)]


def _with_member(output: Any, name: str, inner: Slot, report: Report) -> Any:
    value = inner.put(report)
    if isinstance(output, Mapping):
        changed: Any = copy.copy(output)
        for key, item in output.items():
            changed[key] = value if key == name else _copied(item, inner.text, report)
        return changed
    return _put(output, name, value)


def _answer_name(output: Any, key: str | None) -> str | None:
    return key if key is not None else next((name for name in ANSWER_KEYS if name in _names(output)), None)


def _got(output: Any, name: str) -> Any:
    return output[name] if isinstance(output, Mapping) else getattr(output, name)


def _put(output: Any, name: str, value: Any) -> Any:
    if isinstance(output, Mapping):
        return {**output, name: value}
    if isinstance(output, BaseModel):
        return output.model_copy(update={name: value})
    return dataclasses.replace(output, **{name: value})


def _copied(value: Any, answer: str, report: Report) -> Any:
    """The verified answer where `value` is a copy of the answer, as text or message; else `value` itself."""
    if isinstance(value, AIMessage):
        return with_verified(value, report) if answer.strip() and str(value.text) == answer else value
    if type(value) is list:
        items = [_copied(item, answer, report) for item in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return report.text if isinstance(value, str) and answer.strip() and value == answer else value


def _listed(output: Sequence[Any]) -> Slot:
    """The newest AI message of a conversation, or content blocks."""
    index = max((i for i, item in enumerate(output) if isinstance(item, AIMessage)), default=None)
    if index is not None:
        message = output[index]
        return Slot(str(message.text), lambda report: _conversation(output, index, with_verified(message, report)))
    if all(isinstance(block, str | dict) for block in output):
        text = "".join(_block_text(block) for block in output)
        return Slot(text, lambda report: _like(output, _blocks(blocks_without(output), report)))
    kinds = sorted({type(item).__name__ for item in output})
    raise InputError(f"output: cannot find an answer in a list of {kinds}; allowed are messages and content blocks")


def _conversation(output: Sequence[Any], index: int, answer: BaseMessage) -> Sequence[Any]:
    """The messages with the verified answer; drafts and remarks on the way to it are silenced, nobody verified them."""
    asked = max((i for i, item in enumerate(output) if isinstance(item, HumanMessage)), default=-1)
    items = [silenced(item) if asked < i < index else item for i, item in enumerate(output)]
    return _like(output, [*items[:index], answer, *items[index + 1 :]])


def silenced(item: Any) -> Any:
    """A message of a model without its text; anything else as it is."""
    if not isinstance(item, AIMessage) or not str(item.text).strip():
        return item
    kept = "" if isinstance(item.content, str) else [block for block in item.content if not _block_text(block)]
    return item.model_copy(update={"content": kept})


def _like(output: Sequence[Any], items: list[Any]) -> Sequence[Any]:
    return tuple(items) if isinstance(output, tuple) else items


def with_verified(message: BaseMessage, report: Report) -> BaseMessage:
    """The same message with verified text and the report's summary; id, usage, name and tool calls stay.

    A message that only calls tools says nothing, so there is nothing to put in its place.
    """
    content, calls = message.content, bool(getattr(message, "tool_calls", None))
    if not (calls and not str(message.text).strip()) and report.text != str(message.text):
        content = report.text if isinstance(content, str) else _blocks(content, report)
    metadata = {**without_tokens(message.response_metadata), "grounding": summary(report)}
    changes = {"content": content, "response_metadata": metadata}
    if not calls:
        changes |= {"content": blocks_without(content), "additional_kwargs": kwargs_without(message.additional_kwargs)}
    return message.model_copy(update=changes)


def _blocks(blocks: Sequence[Any], report: Report) -> list[Any]:
    """Content blocks with verified text: edits fall into the block they belong to, other blocks are left alone.

    A block whose text changed loses its annotations: their positions would point at other words. When the edits do not
    lead to the released text (it was withheld, or replaced as a whole), all of it goes into the first text block.
    """
    texts = [_block_text(block) for block in blocks]
    if not any(texts):
        return [*blocks, {"type": "text", "text": report.text}] if report.text else list(blocks)
    edited = _edited(texts, report.edits)
    if "".join(edited) != report.text:
        first = next((i for i, text in enumerate(texts) if text), 0)
        edited = [report.text if i == first else "" for i in range(len(texts))]
    rebuilt = (_rebuilt(block, old, new) for block, old, new in zip(blocks, texts, edited, strict=True))
    return [block for block in rebuilt if block is not None]


def _edited(texts: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """Each text with the edits that fall into its part of the joined text; offsets count over all of them."""
    result, base = [], 0
    for text in texts:
        end, piece = base + len(text), text
        for edit in sorted(edits, key=lambda item: item.start, reverse=True):
            low, high = max(edit.start, base), min(edit.end, end)
            if low < high or (low == high and base <= edit.start < end):
                starts_here = base <= edit.start
                piece = piece[: low - base] + (edit.replacement if starts_here else "") + piece[high - base :]
        result.append(piece)
        base = end
    return result


def _block_text(block: Any) -> str:
    if isinstance(block, str):
        return block
    return str(block.get("text", "")) if block.get("type") == "text" else ""


def _rebuilt(block: Any, old: str, new: str) -> Any:
    if old == new:
        return block
    if not new:
        return None
    if isinstance(block, str):
        return new
    return {**{key: value for key, value in block.items() if key not in {"annotations", "citations"}}, "text": new}
