"""Rules into the answer prompts of synthesizers, and into no other: not where a model chooses or rewrites."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from llama_index.core.prompts import BasePromptTemplate
from llama_index.core.prompts.mixin import PromptMixin
from llama_index.core.response_synthesizers import BaseSynthesizer
from pydantic import Field

from grounding_middleware.errors import ConfigError
from grounding_middleware.prevention import Rules
from grounding_middleware.records import Record
from grounding_middleware_llama_index._templates import is_ruled, ruled

PRECEDENCE = (
    "These rules go before all other instructions in this prompt, also before those that forbid to refer to the "
    "context or ask to repeat an answer."
)
"""LlamaIndex's own prompts say "never directly reference the given context" and "just repeat the original answer"."""


def with_precedence(rules: Rules) -> Rules:
    """`rules` that hold against the instructions of LlamaIndex's own prompts."""
    return rules.replace(extra=(*rules.extra, PRECEDENCE))


DEFAULT_RULES = with_precedence(Rules())

ANSWER_PROMPTS = frozenset(
    {
        "text_qa_template",
        "refine_template",
        "summary_template",
        "simple_template",
        "chat_content_qa_template",
        "chat_content_refine_template",
        "chat_summary_template",
    }
)
_CONTEXT = frozenset({"context_str", "context_msg", "context_messages"})

S = TypeVar("S", bound=BaseSynthesizer)


class InjectionReport(Record):
    """Which prompts carry the rules: names as in `get_prompts()`, and why a prompt was left alone."""

    injected: tuple[str, ...] = ()
    already_present: tuple[str, ...] = ()
    skipped: Mapping[str, str] = Field(default_factory=dict)

    @property
    def reached(self) -> bool:
        """Whether any prompt carries them."""
        return bool(self.injected or self.already_present)


def inject_rules(target: PromptMixin, rules: Rules = DEFAULT_RULES) -> InjectionReport:
    """Puts the rules into every answer prompt of `target` and its parts, in place; a second time changes nothing.

    `ground` needs none of this: it does it on copies. Raises `ConfigError` for what has no prompts of its own.
    """
    if not isinstance(target, PromptMixin):
        raise ConfigError(
            f"target: {type(target).__name__} has no prompts to update; allowed are engines and synthesizers, "
            "and ground(...) for chat engines"
        )
    text = rules.text()
    parts = [_inject(module, text, name) for name, module in _modules(target)]
    return InjectionReport(
        injected=tuple(name for part in parts for name in part.injected),
        already_present=tuple(name for part in parts for name in part.already_present),
        skipped={name: reason for part in parts for name, reason in part.skipped.items()},
    )


def injectable(synthesizer: BaseSynthesizer) -> InjectionReport:
    """What `ruled_copy` will reach; found out by trying, `synthesizer` itself stays as it is."""
    prompts = dict(synthesizer._get_prompts())  # get_prompts() copies deeply, which some parsers refuse
    skipped = {key: _no_answer(synthesizer) for key, template in prompts.items() if not _is_answer(key, template)}
    wanted = [key for key in prompts if key not in skipped]
    tried = ruled_copy(synthesizer, wanted, "-")._get_prompts()
    skipped |= {key: "its synthesizer ignores updates" for key in wanted if not is_ruled(tried[key])}
    touched = [key for key in wanted if is_ruled(synthesizer._get_prompts()[key]) and not is_ruled(prompts[key])]
    if touched:  # prompts kept in something that copies share
        synthesizer._update_prompts({key: prompts[key] for key in touched})
    skipped |= dict.fromkeys(touched, "its synthesizer cannot take it on a copy")
    return InjectionReport(injected=tuple(key for key in wanted if key not in skipped), skipped=skipped)


def ruled_copy(synthesizer: S, keys: Sequence[str], rules: str) -> S:
    """A shallow copy whose prompts `keys` carry the rules."""
    clone = copy.copy(synthesizer)
    prompts = clone._get_prompts()
    clone._update_prompts({key: ruled(prompts[key], rules) for key in keys})
    return clone


def _inject(module: PromptMixin, rules: str, path: str) -> InjectionReport:
    prompts = module._get_prompts()
    if not isinstance(module, BaseSynthesizer):
        return InjectionReport(skipped={path + key: _no_answer(module) for key in prompts})
    answers = {key: template for key, template in prompts.items() if _is_answer(key, template)}
    present = [key for key, template in answers.items() if is_ruled(template)]
    wanted = [key for key in answers if key not in present]
    module._update_prompts({key: ruled(answers[key], rules) for key in wanted})
    after = module._get_prompts()
    skipped = {path + key: _no_answer(module) for key in prompts if key not in answers}
    skipped |= {path + key: "its synthesizer ignores updates" for key in wanted if not is_ruled(after[key])}
    return InjectionReport(
        injected=tuple(path + key for key in wanted if path + key not in skipped),
        already_present=tuple(path + key for key in present),
        skipped=skipped,
    )


def _modules(target: PromptMixin, path: str = "") -> Iterator[tuple[str, PromptMixin]]:
    """`target` and its parts, each with the prefix of its prompts' names: update_prompts() cannot reach deep parts."""
    yield path, target
    for name, part in target._get_prompt_modules().items():
        if isinstance(part, PromptMixin):
            yield from _modules(part, f"{path}{name}:")


def _is_answer(key: str, template: BasePromptTemplate) -> bool:
    return key in ANSWER_PROMPTS or bool(_CONTEXT & set(template.template_vars))


def _no_answer(owner: PromptMixin) -> str:
    return f"{type(owner).__name__} does not write answers with it"
