"""Judges in a row: each is asked only about what the ones before could not decide (JU-6), and one may be asked twice.

A custom judge is not trusted more than a model: its opinions are checked here again, whatever it returns.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.breaker import Breaker
from grounding_middleware.judges.llm import LLMJudge
from grounding_middleware.judges.models import as_model
from grounding_middleware.judges.parsing import REASON_LENGTH, unverified
from grounding_middleware.judges.prompts.fences import one_line
from grounding_middleware.judges.protocol import Batch, Judge, JudgeItem, JudgeTask, Model, Opinion, Replies
from grounding_middleware.records import Label, Quote, Risk, Span, sha256


def as_judge(obj: object) -> Judge:
    """`obj` as a judge: a judge is one, a model or a function becomes an `LLMJudge`, a name an installed local model.

    Raises `ConfigError` naming what is allowed.
    """
    if isinstance(obj, Judge) and not isinstance(obj, type):
        return obj
    if isinstance(obj, str):
        return _installed(obj)
    return LLMJudge(as_model(obj))


def _installed(name: str) -> Judge:
    """The local model that an installed package offers under `name`; raises `ConfigError` saying what is installed."""
    from grounding_middleware.judges.nli import NLIJudge, OnnxModel, source  # noqa: PLC0415  # it builds on judges

    offered = sorted(source.installed())
    if name not in offered:
        there = f"installed are {', '.join(offered)}" if offered else "none is installed"
        raise ConfigError(f"judge is {name!r}; allowed is a judge, a model, a function or a local model, {there}")
    return NLIJudge(OnnxModel(source.from_package(name)), name)


def as_cascade(obj: object) -> Cascade:
    """`obj` as a cascade: a cascade is one; a judge, model or function is its only tier; a sequence gives the tiers.

    Judges made here from models and functions are numbered, so that each tier has its own name.
    """
    if isinstance(obj, Cascade):
        return obj
    if not isinstance(obj, Sequence) or isinstance(obj, str):
        return Cascade((as_judge(obj),))
    made = (as_judge(one) if isinstance(one, (Judge, str)) else None for one in obj)
    tiers = (
        judge or LLMJudge(as_model(one), f"llm-{at}") for at, (judge, one) in enumerate(zip(made, obj, strict=True), 1)
    )
    return Cascade(tuple(tiers))


def _is_action(item: JudgeItem) -> bool:
    return item.claim.risk is Risk.ACTION


class Cascade:
    """Asks `judges` in order, each about what is still UNVERIFIED; is a judge itself.

    With `second_opinion` every claim that is `critical` (by default: of action risk) and got a label is put to that
    judge as well. Disagreement makes it UNVERIFIED with both reasons; SUPPORTED that nobody confirms does not stand.
    `breaker` keeps tiers that are down from being asked for every answer.
    """

    def __init__(
        self,
        judges: Sequence[Judge],
        *,
        second_opinion: Judge | None = None,
        critical: Callable[[JudgeItem], bool] = _is_action,
        breaker: Breaker | None = None,
    ) -> None:
        self._judges = tuple(judges)
        self._second = second_opinion
        self._critical = critical
        self.breaker = breaker or Breaker()
        if not self._judges:
            raise ConfigError("judges is empty; a cascade has at least one")
        everybody = (*self._judges, *((second_opinion,) if second_opinion else ()))
        found = [name for judge in everybody for name in models_of(judge)]
        if len(found) != len(set(found)):
            raise ConfigError(f"judges have the names {found}; each needs its own")
        self.models: Mapping[str, Model] = {
            name: model for judge in everybody for name, model in models_of(judge).items()
        }
        self.model = self._judges[0].model
        self.name = "+".join(judge.name for judge in self._judges)

    @property
    def version(self) -> str:
        """Hash of the versions of all judges; empty when one of them has none."""
        everybody = (*self._judges, *((self._second,) if self._second else ()))
        versions = [str(getattr(judge, "version", "")) for judge in everybody]
        return sha256("\x00".join((*versions, str(self._second is None))))[:12] if all(versions) else ""

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """One opinion for each item, in order, with the name of the judge whose it is."""
        found: dict[str, Opinion] = {}
        for judge in self._judges:
            left = tuple(item for item in task.items if not _decided(found.get(item.claim.id)))
            if not left:
                break
            opinions = yield from _ask(judge, task, left)
            found.update((opinion.claim_id, _with_history(opinion, found)) for opinion in opinions)
        yield from self._confirm(task, found)
        return tuple(found[item.claim.id] for item in task.items)

    def _confirm(self, task: JudgeTask, found: dict[str, Opinion]) -> Generator[Batch, Replies, None]:
        critical = tuple(item for item in task.items if self._critical(item) and _decided(found[item.claim.id]))
        if self._second is None or not critical:
            return
        opinions = yield from _ask(self._second, task, critical)
        for item, second in zip(critical, opinions, strict=True):
            found[item.claim.id] = _reconciled(item, found[item.claim.id], second)


def models_of(judge: Judge) -> Mapping[str, Model]:
    """The models a driver needs for `judge`, by the tier its calls name."""
    models = getattr(judge, "models", None)
    return models if isinstance(models, Mapping) else {judge.name: judge.model}


def _ask(judge: Judge, task: JudgeTask, items: tuple[JudgeItem, ...]) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
    opinions = yield from judge.judge(task.replace(items=items))
    spans = {span.id: span for span in task.evidence}
    return tuple(
        _sound(item, [one for one in opinions if one.claim_id == item.claim.id], judge, spans) for item in items
    )


def _sound(item: JudgeItem, opinions: Sequence[Opinion], judge: Judge, spans: Mapping[str, Span]) -> Opinion:
    """The one opinion a judge gave on an item; UNVERIFIED when there is none, several, or one without proof."""
    if len(opinions) != 1:
        found = unverified(item, f"{judge.name} gave {len(opinions)} opinions on this claim")
    elif not all(_stands(quote, spans) for quote in opinions[0].quotes):
        found = unverified(item, f"{judge.name} quotes text that does not stand in the evidence")
    elif opinions[0].label is Label.SUPPORTED and not opinions[0].quotes:
        found = unverified(item, f"{judge.name} says SUPPORTED, but quotes nothing")
    else:
        found = opinions[0]
    return found if found.judge else found.replace(judge=judge.name)


def _stands(quote: Quote, spans: Mapping[str, Span]) -> bool:
    span = spans.get(quote.span_id)
    return span is not None and quote.text != "" and span.text[quote.start : quote.end] == quote.text


def _decided(opinion: Opinion | None) -> bool:
    return opinion is not None and opinion.label is not Label.UNVERIFIED


def _with_history(opinion: Opinion, found: Mapping[str, Opinion]) -> Opinion:
    """A failure keeps the reasons of the tiers that failed before."""
    before = found.get(opinion.claim_id)
    if before is None or opinion.label is not Label.UNVERIFIED:
        return opinion
    return opinion.replace(
        reason=one_line(f"{before.judge}: {before.reason}; {opinion.judge}: {opinion.reason}", REASON_LENGTH)
    )


def _reconciled(item: JudgeItem, first: Opinion, second: Opinion) -> Opinion:
    both = f"{first.judge} says {first.label}: {first.reason}; {second.judge} says {second.label}: {second.reason}"
    if first.label is second.label:
        return first.replace(reason=one_line(f"{first.reason} (confirmed by {second.judge})", REASON_LENGTH))
    if second.label is Label.UNVERIFIED and first.label is not Label.SUPPORTED:
        return first.replace(reason=one_line(f"{first.reason} (not confirmed: {both})", REASON_LENGTH))
    return unverified(item, both).replace(judge=f"{first.judge}+{second.judge}")
