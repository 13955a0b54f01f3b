"""Streams of a guarded graph: everything is held until the answer is verified, then given out with it in its place."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage

from grounding_middleware.errors import InputError
from grounding_middleware.records import Report
from grounding_middleware_langchain._outputs import Slot, silenced, with_verified

MODES = ("values", "updates", "messages", "custom")
"""Stream modes that can be given out; the others show the inside of the graph as it is."""


class _Event(NamedTuple):
    namespace: tuple[str, ...]
    mode: str
    data: Any


def is_graph(runnable: object) -> bool:
    """True for a compiled graph; nobody has one who never loaded LangGraph."""
    module = sys.modules.get("langgraph.pregel.protocol")
    return module is not None and isinstance(runnable, module.PregelProtocol)


@dataclass(slots=True)
class Held:
    """One stream of a graph: what was asked for, what came. `InputError` for a mode that cannot be verified."""

    graph: Any
    options: Mapping[str, Any]
    _events: list[_Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        wrong = [mode for mode in self._modes if mode not in MODES]
        if wrong or self.options.get("version", "v1") != "v1":
            got = f"stream_mode {wrong[0]!r}" if wrong else f"version {self.options['version']!r}"
            raise InputError(f"{got}: a guarded graph streams {', '.join(MODES)}, in version v1")

    @property
    def asked(self) -> dict[str, Any]:
        """The options the graph is streamed with: as asked for, and its states."""
        return {**self.options, "stream_mode": list(dict.fromkeys((*self._modes, "values")))}

    @property
    def state(self) -> Any:
        """The graph's newest state: its output."""
        return next((e.data for e in reversed(self._events) if e.mode == "values" and not e.namespace), None)

    def keep(self, events: Iterable[Any]) -> None:
        """Take what the graph streamed."""
        self._events = [_Event(*event) if self._nested else _Event((), *event) for event in events]

    def released(self, found: Slot, report: Report) -> Iterator[Any]:
        """Everything that was asked for, in its order and form, with verified text for what models wrote."""
        told = self._told(found.text)
        last = max((at for at, e in enumerate(self._events) if e.mode == "values" and not e.namespace), default=-1)
        for at, event in enumerate(self._events):
            if event.mode not in self._modes:
                continue
            if event.mode == "custom":
                yield self._shaped(event)
            elif event.mode == "messages" and isinstance(event.data[0], AIMessage):
                if at == told:
                    yield self._shaped(event._replace(data=(_whole(event.data[0], report), event.data[1])))
            else:
                data = found.put(report) if at == last else _verified(event.data, found.text, report)
                yield self._shaped(event._replace(data=data))

    @property
    def _modes(self) -> Sequence[str]:
        mode = self.options.get("stream_mode") or getattr(self.graph, "stream_mode", None) or "updates"
        return [mode] if isinstance(mode, str) else list(mode)

    @property
    def _nested(self) -> bool:
        return bool(self.options.get("subgraphs"))

    def _shaped(self, event: _Event) -> Any:
        mode = self.options.get("stream_mode") or getattr(self.graph, "stream_mode", None)
        parts = (event.data,) if mode is None or isinstance(mode, str) else (event.mode, event.data)
        parts = (event.namespace, *parts) if self._nested else parts
        return parts[0] if len(parts) == 1 else parts

    def _told(self, answer: str) -> int:
        """Where the message that becomes the answer began to stream; the newest message when it cannot be told."""
        texts: defaultdict[str | None, str] = defaultdict(str)
        begun: dict[str | None, int] = {}
        for at, event in enumerate(self._events):
            if event.mode == "messages" and isinstance(event.data[0], AIMessage):
                begun.setdefault(event.data[0].id, at)
                texts[event.data[0].id] += str(event.data[0].text)
        same = (key for key in reversed(begun) if texts[key] == answer)
        return begun.get(next(same, next(reversed(begun), None)), -1)


def _whole(chunk: AIMessage, report: Report) -> AIMessageChunk:
    return AIMessageChunk(content=report.text, id=chunk.id, name=chunk.name)


def _verified(value: Any, answer: str, report: Report) -> Any:
    """`value` with the verified answer wherever the answer stands, and without what models wrote beside it."""
    if isinstance(value, AIMessage):
        return with_verified(value, report) if str(value.text) == answer else silenced(value)
    if isinstance(value, str):
        return report.text if answer.strip() and value == answer else value
    if isinstance(value, Mapping):
        return {key: _verified(item, answer, report) for key, item in value.items()}
    if type(value) in (list, tuple):
        asked = max((at for at, item in enumerate(value) if isinstance(item, HumanMessage)), default=-1)
        rest = (_verified(item, answer, report) for item in value[asked + 1 :])
        return type(value)([*value[: asked + 1], *rest])
    return value
