"""`ground(chain)`: the chain somebody already has, with the same input and output, verified."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

from langchain_core.runnables import Runnable

from grounding_middleware import Grounder
from grounding_middleware.capture import SourceText, SpanFields
from grounding_middleware.errors import ConfigError
from grounding_middleware.policy import Policy
from grounding_middleware.prevention import Rules
from grounding_middleware_langchain._guard import RulesLike, grounder_of, rules_of
from grounding_middleware_langchain._guarding import In, Out
from grounding_middleware_langchain._judge import JudgeLike
from grounding_middleware_langchain._rewrite import Rewrite
from grounding_middleware_langchain._rules import Ruled
from grounding_middleware_langchain._turn import Guard
from grounding_middleware_langchain.runnable import ClaimStreamingRunnable, GroundedRunnable

_KINDS: dict[str, type[GroundedRunnable[Any, Any]]] = {"buffer": GroundedRunnable, "claims": ClaimStreamingRunnable}


def ground(  # noqa: PLR0913  # the front door: every option by name, all but the chain optional
    chain: Runnable[In, Out],
    grounder: Grounder | None = None,
    *,
    judge: JudgeLike | Sequence[JudgeLike] | None = None,
    policy: Policy | None = None,
    rules: RulesLike = "grounder",
    require_rules: bool = True,
    max_prompt_tokens: int | None = None,
    fields: SpanFields = SpanFields(),  # noqa: B008  # frozen record
    source_text: SourceText | None = None,
    question_key: str | None = None,
    answer_key: str | None = None,
    documents_key: str | None = None,
    stream: Literal["buffer", "claims"] = "buffer",
    requester: Mapping[str, Any] | None = None,
    as_of: date | None = None,
    name: str | None = None,
) -> GroundedRunnable[In, Out]:
    """`chain` with the same input and output, whose answers hold only what the evidence shown to the model supports.

    Args:
        chain: any runnable; it is copied where a model gets the rules, and never changed.
        grounder: verifies the answers; or give `judge` and `policy` to build one.
        judge: decides what the checks cannot: a chat model, the name of one, a decision model, a callable, a judge of
            the core, or several in order of cost.
        policy: what happens to unsupported claims.
        rules: put into the prompt of every model that can be reached, those of the grounder by default; None for none.
        require_rules: refuse a chain in which no model can be reached, and an answer written by a model that the
            rules did not reach; False leaves it to the report.
        max_prompt_tokens: what rules and evidence may take of one prompt; more is an error that names them.
        fields: metadata keys of documents.
        source_text: full text of a document's source, to confirm its offsets.
        question_key: key of a mapping input that holds the question.
        answer_key: key or field of the output that holds the answer.
        documents_key: key of input or output that holds documents the chain did not get from a retriever.
        stream: "buffer" streams the whole answer once it is verified; "claims" streams each claim once it is.
        requester: attributes of who asks; `config["configurable"]["requester"]` goes before.
        as_of: day the questions are about, today by default; `config["configurable"]["as_of"]` goes before.
        name: name of the runs, the chain's own by default.

    Raises:
        ConfigError: for options that exclude each other, or if the rules reach no model of the chain. When it runs,
            the chain raises what it raises, `InputError` for an output without a recognisable answer or a budget that
            is exceeded, and `AnswerWithheldError` when a sink of the grounder refuses.
    """
    verifier = grounder_of(grounder, judge, policy)
    told = rules_of(verifier, rules)
    walk = Rewrite(lambda model: model if told is None else Ruled.around(model, told))
    copy = walk(chain)
    if told is not None and require_rules and not walk.models:
        raise ConfigError(_unreached(walk.hidden))
    kind = _KINDS.get(stream)
    if kind is None:
        raise ConfigError(f"stream: {stream!r} is wrong; allowed are {', '.join(_KINDS)}")
    return kind(
        bound=chain,
        ruled=copy,
        guard=Guard(
            grounder=verifier,
            rules=told,
            require_rules=require_rules,
            max_prompt_tokens=max_prompt_tokens,
            fields=fields,
            source_text=source_text,
            question_key=question_key,
            answer_key=answer_key,
            documents_key=documents_key,
            requester=requester,
            as_of=as_of,
            constants=tuple(walk.constants),
        ),
        expects_retrieval=walk.retrieves,
        name=name,
    )


def with_rules(model: Runnable[Any, Any], rules: Rules | None = None) -> Ruled:
    """`model` for a place no walk can reach, such as the inside of a function: gets rules in guarded invocations.

    Those of the guard unless others are given. Outside of a guarded invocation it is the bare model.
    """
    return Ruled.around(model, rules)


def _unreached(hidden: int) -> str:
    seen = f"{hidden} of them captured by a function" if hidden else "none seen"
    return (
        f"rules: no model of this chain can be reached ({seen}); allowed are with_rules(model) around the model inside "
        "the function, rules=None to go without, or require_rules=False to let the report say how many runs had them"
    )
