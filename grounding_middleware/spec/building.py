"""From a spec to the objects it describes; what only the machine can tell (files, keys, extras) is found out here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grounding_middleware.checks import CHECKS, Case, Check
from grounding_middleware.errors import ConfigError
from grounding_middleware.escalation import Sink, raise_withheld
from grounding_middleware.grounder import Grounder
from grounding_middleware.judges import Breaker, Cascade, LLMJudge, Patience, as_judge
from grounding_middleware.judges.openai import OpenAIModel, Wire
from grounding_middleware.judges.protocol import Judge
from grounding_middleware.records import Finding, Outcome
from grounding_middleware.spec.loading import load
from grounding_middleware.spec.locations import beside, secret
from grounding_middleware.spec.model import Checks, Spec
from grounding_middleware.spec.opening import sinks
from grounding_middleware.spec.tiers import Endpoint, JudgeSpec, LocalModel, Named
from grounding_middleware.strict_documents import Place, StrictDocument

__all__ = ["grounder_from"]

Names = Mapping[str, object]
"""Objects of the program that a spec refers to by name."""


def grounder_from(
    source: Spec | StrictDocument | Path | str | Mapping[str, Any], names: Names | None = None
) -> Grounder:
    """The grounder that `source` describes; its reports carry the spec's hash in `versions["spec"]`.

    `names` are judges, models or functions that the spec refers to with `kind: named`. Relative folders and files count
    from the folder of the spec's file; without a file from the working directory. Raises `ConfigError` for anything
    that is wrong or missing, a secret that is not in the environment included.
    """
    spec = source if isinstance(source, Spec) else load(source)
    judge = spec.judge
    return Grounder(
        _judge(spec, judge, names or {}) if judge else None,
        policy=spec.policy,
        checks=_checks(spec.checks),
        timeout=judge.timeout if judge else 60.0,
        deadline=judge.deadline if judge else None,
        sinks=_sinks(spec),
        rules=spec.rules,
        evidence_rules=spec.evidence,
        citations=spec.citations,
        risks=spec.risks,
        repair=spec.repair,
        repair_model=_tier(spec.repair_model, spec, names or {}, "repair_model").model if spec.repair_model else None,
        versions={"spec": spec.version, **({"spec_name": spec.name} if spec.name else {})},
    )


def _judge(spec: Spec, judge: JudgeSpec, names: Names) -> Cascade:
    second = judge.second_opinion
    return Cascade(
        [_tier(tier, spec, names, "judge", "tiers", at) for at, tier in enumerate(judge.tiers)],
        second_opinion=_tier(second, spec, names, "judge", "second_opinion") if second else None,
        breaker=Breaker(judge.breaker.threshold, judge.breaker.cooldown),
    )


def _tier(tier: Endpoint | LocalModel | Named, spec: Spec, names: Names, *place: str | int) -> Judge:
    if isinstance(tier, Endpoint):
        return _endpoint(tier, spec, place)
    if isinstance(tier, LocalModel):
        return _local(tier, spec.folder, spec.at(*place, "model"))
    return _named(tier, names, spec.at(*place))


def _named(tier: Named, names: Names, where: str) -> Judge:
    if tier.name not in names:
        known = ", ".join(sorted(names)) or "no names"
        raise ConfigError(f"{where}.name is {tier.name!r}; the program handed over {known}")
    found = names[tier.name]
    return found if isinstance(found, Judge) and not isinstance(found, type) else _as_named(found, tier.name, where)


def _as_named(found: object, name: str, where: str) -> Judge:
    try:
        return LLMJudge(as_judge(found).model, name)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None


def _endpoint(tier: Endpoint, spec: Spec, place: Place) -> Judge:
    wire = Wire(
        reply_format=tier.reply_format,
        stream=tier.stream,
        token_limit=tier.token_limit,
        seconds=tier.seconds,
        parameters=tier.parameters,
    )
    own = () if tier.base_url is None and tier.api_key is None else _clients(tier, spec, place)
    try:
        model = OpenAIModel(tier.model, *own, wire=wire)
    except ConfigError as error:
        raise ConfigError(f"{spec.at(*place)}: {error}") from None
    return LLMJudge(
        model,
        tier.name,
        max_input_tokens=tier.max_input_tokens,
        per_claim=tier.per_claim,
        patience=Patience(retries=tier.retries, longest=tier.retry_wait),
    )


def _clients(tier: Endpoint, spec: Spec, place: Place) -> tuple[Any, Any]:
    where = spec.at(*place)
    try:
        import openai  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ConfigError(f"{where}: the openai package is missing; install grounding-middleware[openai]") from error
    key = secret(tier.api_key, spec.at(*place, "api_key")) if tier.api_key else None
    try:
        return openai.OpenAI(base_url=tier.base_url, api_key=key), openai.AsyncOpenAI(
            base_url=tier.base_url, api_key=key
        )
    except openai.OpenAIError as error:
        raise ConfigError(f"{where}: no client can be made: {error}") from error


def _local(tier: LocalModel, folder: Path | None, where: str) -> Judge:
    """A model in a folder beside the spec; else the one of that name, or in the folder the program works in."""
    path = beside(tier.model, folder)
    try:
        from grounding_middleware.judges.nli import NLIJudge, OnnxModel  # noqa: PLC0415  # optional, and slow to import

        model = OnnxModel(str(path) if path.is_dir() else tier.model, threads=tier.threads)
        return as_judge(NLIJudge(model, tier.name, thresholds=tier.thresholds))
    except ConfigError as error:
        hint = (
            "" if path.exists() else "; a model by its name needs its package, such as grounding-middleware[nli-mini]"
        )
        raise ConfigError(f"{where}: {error}{hint}") from None


def _checks(spec: Checks) -> tuple[Check, ...]:
    return tuple(
        _doubtful(check) if _family(check) in spec.doubt_only else check
        for check in CHECKS
        if _family(check) not in spec.without
    )


def _family(check: Check) -> str:
    return check.__module__.rpartition(".")[2]


def _doubtful(check: Check) -> Check:
    """`check`, whose conflicts are doubts: they block SUPPORTED and go to the judge."""

    def doubts(case: Case) -> Iterator[Finding]:
        for one in check(case):
            yield one.replace(outcome=Outcome.DOUBT) if one.outcome is Outcome.CONFLICT else one

    doubts.__module__ = check.__module__  # the report names the family
    return doubts


def _sinks(spec: Spec) -> tuple[Sink, ...]:
    """Who asked for an exception gets it last, so that the other sinks saw the report."""
    found = tuple(sinks(spec))
    return (*found, raise_withheld) if spec.on_withheld == "raise" else found
