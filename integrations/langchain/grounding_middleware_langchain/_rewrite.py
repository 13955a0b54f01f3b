"""Copy-on-write walk of a chain: every model it can reach gets wrapped, the original is never touched."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from langchain_core.language_models import BaseLanguageModel
from langchain_core.prompts import BasePromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import (
    RouterRunnable,
    Runnable,
    RunnableAssign,
    RunnableBranch,
    RunnableLambda,
    RunnableParallel,
    RunnableSequence,
    RunnableWithFallbacks,
)
from langchain_core.runnables.base import RunnableBindingBase, RunnableEachBase
from langchain_core.runnables.configurable import RunnableConfigurableAlternatives, RunnableConfigurableFields

from grounding_middleware.errors import ConfigError
from grounding_middleware_langchain._rules import Guarded
from grounding_middleware_langchain._unaccounted import constants_of

_PARTS: tuple[tuple[type[Runnable[Any, Any]], tuple[str, ...]], ...] = (
    (RunnableSequence, ("first", "middle", "last")),
    (RunnableParallel, ("steps__",)),
    (RunnableAssign, ("mapper",)),
    (RunnableWithFallbacks, ("runnable", "fallbacks")),
    (RunnableBranch, ("branches", "default")),
    (RunnableConfigurableAlternatives, ("default", "alternatives")),
    (RouterRunnable, ("runnables",)),
    (RunnableEachBase, ("bound",)),
    (RunnableBindingBase, ("bound",)),  # bindings, retries, history
)
"""Fields that hold the parts of each kind of runnable."""


@dataclass(slots=True)
class Rewrite:
    """One walk: wraps models with `wrap` and counts what it met.

    `models` were reached, `hidden` are captured by functions and cannot be, `retrieves` says that a retriever is there,
    `constants` are the fixed texts of prompt templates.
    """

    wrap: Callable[[Runnable[Any, Any]], Runnable[Any, Any]]
    models: int = 0
    hidden: int = 0
    constants: list[str] = field(default_factory=list)
    retrieves: bool = False

    def __call__(self, runnable: Runnable[Any, Any]) -> Runnable[Any, Any]:
        """The runnable with every reachable model wrapped; the very same object when there is none in it."""
        if isinstance(runnable, Guarded):
            self.models += 1
            return runnable
        _refuse_memory(runnable)
        if is_model(runnable):
            self.models += 1
            return self.wrap(runnable)
        self._note(runnable)
        parts = next((names for kind, names in _PARTS if isinstance(runnable, kind)), ())
        changed = {name: self._part(runnable, getattr(runnable, name)) for name in parts}
        changed = {name: value for name, value in changed.items() if value is not getattr(runnable, name)}
        return _copy(runnable, changed) if changed else runnable

    def _part(self, owner: Runnable[Any, Any], value: Any) -> Any:
        """`value` with the runnables in it rewritten; itself when nothing changed."""
        if isinstance(value, Runnable):
            return self(value)
        if isinstance(value, Mapping):
            items = {key: self._part(owner, item) for key, item in value.items()}
            return items if any(items[key] is not value[key] for key in value) else value
        if isinstance(value, tuple) and isinstance(owner, RunnableBranch):  # a condition decides, it does not answer
            condition, branch = value
            new = self._part(owner, branch)
            return value if new is branch else (condition, new)
        if isinstance(value, list | tuple):
            parts = [self._part(owner, item) for item in value]
            return type(value)(parts) if any(a is not b for a, b in zip(parts, value, strict=True)) else value
        return self._later(value) if callable(value) else value

    def _later(self, factory: Callable[[], Runnable[Any, Any]]) -> Callable[[], Runnable[Any, Any]]:
        """An alternative that is only built when it is chosen."""
        self.models += 1
        return lambda: Rewrite(self.wrap)(factory())

    def _note(self, runnable: Runnable[Any, Any]) -> None:
        if isinstance(runnable, BasePromptTemplate):
            self.constants.extend(constants_of(runnable))
        captured = runnable.deps if isinstance(runnable, RunnableLambda) else []
        self.hidden += sum(is_model(item) for item in captured)
        self.retrieves |= any(isinstance(item, BaseRetriever) for item in (runnable, *captured))


def is_model(runnable: Any) -> bool:
    """True for whatever takes a prompt and answers: a model, one with configurable fields, one chosen at run time."""
    if isinstance(runnable, RunnableConfigurableFields):
        return is_model(runnable.default)  # it builds a fresh model for each call, so the wrapper goes around it
    late = getattr(sys.modules.get("langchain.chat_models.base"), "_ConfigurableModel", ())
    return isinstance(runnable, BaseLanguageModel) or (late != () and isinstance(runnable, late))


def _refuse_memory(runnable: Runnable[Any, Any]) -> None:
    """A history keeps what the chain inside it answered: guarded from outside, it would keep what nobody verified."""
    module = sys.modules.get("langchain_core.runnables.history")
    if module is not None and isinstance(runnable, module.RunnableWithMessageHistory):
        raise ConfigError(
            "chain: RunnableWithMessageHistory keeps the answers of the chain inside it, unverified; allowed is "
            "RunnableWithMessageHistory(ground(chain), ...)"
        )


def _copy(runnable: Runnable[Any, Any], changed: dict[str, Any]) -> Runnable[Any, Any]:
    """A shallow copy with other parts; private state and name come along."""
    copy: Runnable[Any, Any] = runnable.model_copy(update=changed)  # type: ignore[attr-defined]  # all are pydantic
    return copy
