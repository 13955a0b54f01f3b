"""Rules at the model call of an existing chain: injected on a copy, addressed to the spans this prompt shows."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable
from langchain_core.runnables.config import ensure_config
from pydantic import ConfigDict
from typing_extensions import override

from grounding_middleware.capture import deliver, source_key
from grounding_middleware.prevention import Rules, check_budget
from grounding_middleware.records import Evidence, Span, SpanStatus
from grounding_middleware_langchain._capture import Collector, probes_of
from grounding_middleware_langchain._labels import relabelled
from grounding_middleware_langchain._messages import add_rules, is_completion, shown_text


class Guarded:
    """Marks a runnable that brings its own rules, so that an outer guard leaves it alone."""


class Ruled(Guarded, RunnableSerializable[Any, Any]):
    """A model that gets `rules`, or those of the guard, with every prompt of a guarded invocation; else the bare model.

    It opens no run of its own: the trace of the chain stays as it was.
    """

    bound: Runnable[Any, Any]
    rules: Rules | None = None
    completion: bool = False
    model_config = ConfigDict(arbitrary_types_allowed=True)

    @classmethod
    def around(cls, model: Runnable[Any, Any], rules: Rules | None) -> Ruled:
        """`model` with `rules`; completion models are told apart, they take one string."""
        return cls(bound=model, rules=rules, completion=is_completion(model))

    @override
    def get_name(self, suffix: str | None = None, *, name: str | None = None) -> str:
        return self.bound.get_name(suffix, name=name)

    @property
    @override
    def InputType(self) -> Any:
        return self.bound.InputType

    @property
    @override
    def OutputType(self) -> Any:
        return self.bound.OutputType

    @override
    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        return self.bound.invoke(self._ruled(input, config), config, **kwargs)

    @override
    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        return await self.bound.ainvoke(self._ruled(input, config), config, **kwargs)

    @override
    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Any]:
        yield from self.bound.stream(self._ruled(input, config), config, **kwargs)

    @override
    async def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Any]:
        async for chunk in self.bound.astream(self._ruled(input, config), config, **kwargs):
            yield chunk

    def _ruled(self, model_input: Any, config: RunnableConfig | None) -> Any:
        probes = probes_of(ensure_config(config))
        rules = self.rules or (probes[0].collector.rules if probes else None)
        if rules is None or not probes or probes[0].collector.is_early():
            return model_input
        text = rules_for(shown_text(model_input), probes[0].collector, rules)
        for probe in probes:  # an outer guard must recognise the rules, too, to leave them out of its delivered check
            probe.collector.handed_out.add(text)
        return add_rules(model_input, text, completion=self.completion)


def rules_for(prompt: str, collector: Collector, rules: Rules) -> str:
    """The rules for one prompt, with the ids of the spans it shows, and a key to those it does not name itself.

    The same prompt gives the same text: nothing random enters, caches of model replies keep working. Raises
    `InputError` when rules and shown evidence exceed the budget of this invocation (PR-6).
    """
    shown = tuple(span for span in deliver(collector.spans(), [prompt]) if span.delivered)
    spans = relabelled(shown, prompt)
    if collector.max_tokens is not None:
        check_budget(rules, _all_usable(spans), max_tokens=collector.max_tokens)
    text = rules.text(span_ids=tuple(span.id for span in spans))
    key = "" if all(span.id in prompt for span in spans) else source_key(spans)
    return f"{text}\n\n{key}" if key else text


def _all_usable(spans: Sequence[Span]) -> Evidence:
    """What stands in the prompt costs tokens, whether the answer may rest on it or not."""
    return Evidence(spans=tuple(spans), statuses=tuple(SpanStatus(span_id=span.id, usable=True) for span in spans))
