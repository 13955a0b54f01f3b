"""The settings every grounded thing takes, and the guard they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, TypedDict, Unpack, get_args

from grounding_middleware import Grounder
from grounding_middleware.capture import SpanFields
from grounding_middleware.errors import ConfigError
from grounding_middleware.policy import Policy
from grounding_middleware.prevention import Rules
from grounding_middleware_llama_index._nodes import DocumentText, Reading
from grounding_middleware_llama_index._responses import Structured
from grounding_middleware_llama_index._turn import Guard
from grounding_middleware_llama_index.injecting import with_precedence
from grounding_middleware_llama_index.judging import JudgeLike, as_core_judge


class GuardOptions(TypedDict, total=False):
    """What can be set, all of it optional.

    `judge` and `policy` build a grounder where none is given; `judge` is a LlamaIndex LLM, a callable, a judge of the
    core, or a list of them. `rules` go into every answer prompt, the grounder's own by default, None for none. `fields`
    names metadata keys; `document_text` gives a document's full text by its id, to confirm offsets;
    `metadata_counts=False` takes the metadata that LlamaIndex prints above a node for no evidence. `requester` and
    `as_of` (today by default) hold where `asking(...)` does not say otherwise. `structured` is for answers that are
    objects: "edit" cuts what is not supported, "report" hands them out as they are, with the report.
    """

    judge: JudgeLike | Sequence[JudgeLike]
    policy: Policy
    rules: Rules | None
    fields: SpanFields
    document_text: DocumentText
    metadata_counts: bool
    requester: Mapping[str, Any]
    as_of: date
    structured: Structured


def guard_of(grounder: Grounder | Guard | None, options: GuardOptions) -> Guard:
    """The guard for these settings; raises `ConfigError` for an unknown one, or for two that exclude each other."""
    unknown = sorted(options.keys() - GuardOptions.__annotations__.keys())
    if unknown:
        raise ConfigError(f"{unknown[0]}: no such setting; allowed are {', '.join(GuardOptions.__annotations__)}")
    structured = options.get("structured", "edit")
    if structured not in get_args(Structured):
        raise ConfigError(f"structured: {structured!r} is wrong; allowed are {', '.join(get_args(Structured))}")
    if isinstance(grounder, Guard):
        return grounder
    reading = Reading(
        options.get("fields", SpanFields()), options.get("document_text"), options.get("metadata_counts", True)
    )
    decides = _grounder(grounder, options)
    return Guard(
        decides,
        options.get("rules", with_precedence(decides.rules)),
        reading,
        options.get("requester"),
        options.get("as_of"),
        structured,
    )


def _grounder(grounder: Grounder | None, options: GuardOptions) -> Grounder:
    given = [name for name in ("judge", "policy") if name in options]
    if grounder is None:
        return Grounder(as_core_judge(options.get("judge")), policy=options.get("policy"))
    if given:
        raise ConfigError(f"{given[0]}: give either a grounder, or judge and policy to build one, not both")
    if not isinstance(grounder, Grounder):
        raise ConfigError(f"grounder: got {type(grounder).__name__}; allowed is a Grounder, or judge=... for a model")
    return grounder


__all__ = ["GuardOptions", "Unpack", "guard_of"]
