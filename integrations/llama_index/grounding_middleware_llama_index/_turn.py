"""One guarded answer, without I/O: what is prepared before the model runs and concluded after it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from llama_index.core.base.llms.base import BaseLLM
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.schema import BaseNode, NodeWithScore, QueryType
from llama_index_instrumentation import get_dispatcher

from grounding_middleware import Grounder
from grounding_middleware.capture import ModelRun, able, deliver, fed_by, source_key, summary, writers
from grounding_middleware.errors import InputError
from grounding_middleware.prevention import Rules
from grounding_middleware.records import (
    Action,
    Capture,
    Decision,
    Evidence,
    FrozenDict,
    Report,
    Span,
    sha256,
)
from grounding_middleware_llama_index._cleaning import cleaned
from grounding_middleware_llama_index._nodes import Found, Reading, is_metadata, read
from grounding_middleware_llama_index._probe import Probe, unwatched
from grounding_middleware_llama_index._reports import heard
from grounding_middleware_llama_index._responses import Draft, Structured
from grounding_middleware_llama_index._scaffold import Scaffolded
from grounding_middleware_llama_index.events import GroundingEndEvent, GroundingStartEvent
from grounding_middleware_llama_index.injecting import DEFAULT_RULES

EMPTY_RESPONSE = "Empty Response"
"""What a synthesizer says when nothing was retrieved; no model was asked."""

_CHARACTERS = 3
"""Characters a token has at least, in text like ours: counting tokens would need a vocabulary."""

_dispatcher = get_dispatcher(__name__)

_asked_by: ContextVar[Mapping[str, Any] | None] = ContextVar("grounding_requester", default=None)
_asked_of: ContextVar[date | None] = ContextVar("grounding_as_of", default=None)


@contextmanager
def asking(*, requester: Mapping[str, Any] | None = None, as_of: date | None = None) -> Iterator[None]:
    """Who asks, and the day the questions are about, for every guarded answer of this context; None changes nothing.

    For engines that serve many people: `with asking(requester={"tenant": "a"}): engine.query(...)`.
    """
    who = _asked_by.set(_asked_by.get() if requester is None else requester)
    day = _asked_of.set(_asked_of.get() if as_of is None else as_of)
    try:
        yield
    finally:
        _asked_by.reset(who)
        _asked_of.reset(day)


@dataclass(frozen=True, slots=True)
class Guard:
    """How to guard: what decides, which rules go in, how nodes are read, who asks and of which day."""

    grounder: Grounder
    rules: Rules | None = DEFAULT_RULES
    reading: Reading = field(default_factory=Reading)
    requester: Mapping[str, Any] | None = None
    as_of: date | None = None
    structured: Structured = "edit"

    def turn(self, query: QueryType, nodes: Sequence[NodeWithScore | BaseNode] = ()) -> Turn:
        """A fresh turn for one question; nothing is shared with any other."""
        question = query if isinstance(query, str) else query.query_str
        return Turn(self, question, read(nodes, self.reading))

    def context(self) -> dict[str, Any]:
        """Who asks and of which day: of this context, else fixed, else nobody in particular, today.

        Raises `InputError` where nobody names a day and the evidence rules ask for one: today would be a guess.
        """
        named = _asked_of.get() or self.as_of
        if named is None and self.grounder.evidence_rules.require_as_of:
            raise InputError(
                "as_of: is missing; the evidence rules ask for the day of the question, "
                "allowed is `with asking(as_of=...)`, or as_of= where the guard is made"
            )
        day = named or date.today()  # noqa: DTZ011  # the reader's own day; `as_of` sets another
        return {"requester": _asked_by.get() or self.requester, "as_of": day}

    def release(self, draft: Draft, report: Report, probe: Probe | None = None) -> RESPONSE_TYPE:
        """The response as it may be handed out."""
        written = () if probe is None else tuple(run.output for run in probe.seen())
        return cleaned(draft.put(report), self.reading, written)

    def rules_for(self, found: Found, llm: BaseLLM | None = None) -> str:
        """The rules for these spans; "" without rules.

        They tell as much about the spans as fits a quarter of the model's window: which text has which id, or the ids
        only, or nothing. A model that cannot cite is verified all the same.
        """
        if self.rules is None:
            return ""
        ids = self.rules.text(span_ids=[span.id for span in found.citable])
        key = "" if found.numbered else source_key([span.replace(delivered=True) for span in found.citable])
        told = (f"{ids}\n\n{key}" if key else ids, ids, self.rules.text())
        most = math.inf if llm is None else llm.metadata.context_window * _CHARACTERS / 4
        return next((text for text in told if len(text) <= most), told[-1])


@dataclass(frozen=True, slots=True)
class Turn:
    """One question, and what was found for it."""

    guard: Guard
    question: str
    found: Found

    def conclude(self, draft: Draft, probe: Probe) -> Checkable:
        """The answer with its evidence: what stood in the prompts of the runs that wrote it."""
        seen = probe.seen()
        prompts = shown_by(fed_by(writers(seen, draft.text), seen))
        return self.checkable(draft, deliver(self.found.spans, prompts), seen)

    def shown(self, draft: Draft) -> Checkable:
        """The answer with evidence that was shown for certain, though no prompt of ours was seen."""
        return self.checkable(draft, [span.replace(delivered=True) for span in self.found.spans])

    def checkable(self, draft: Draft, spans: Sequence[Span], runs: Sequence[ModelRun] = ()) -> Checkable:
        """The answer with evidence that is marked already."""
        counted = able(runs)
        texts = [span for span in spans if not is_metadata(span)]  # a node counts once
        capture = Capture(
            adapter="llama-index",
            paths=("nodes",) if spans else (),
            captured=len(texts),
            delivered=sum(span.delivered for span in texts),
            model_runs=len(counted),
            rules_reached=sum(run.ruled for run in counted),
            rules_version="" if self.guard.rules is None else self.guard.rules.version,
            generators=tuple(dict.fromkeys(run.model for run in counted if run.model)),
        )
        return Checkable(self, draft, tuple(spans), capture, asked=bool(runs))


@dataclass(frozen=True, slots=True)
class Checkable:
    """An answer that waits for its verdicts, and what it may rest on. `asked` says whether a model was."""

    turn: Turn
    draft: Draft
    evidence: tuple[Span, ...]
    capture: Capture
    asked: bool = True

    def check(self) -> Report:
        """The report on this answer, once every sink has taken it."""
        grounder = self.turn.guard.grounder
        with unwatched():
            checked = None if self._says_nothing else grounder.silent().check(self._text, **self._begun())
            report = self._completed(checked)
            grounder.deliver(report)
        return self._concluded(report)

    async def acheck(self) -> Report:
        """The report on this answer, once every sink has taken it."""
        return await self.adelivered(await self.averified())

    async def averified(self) -> Report:
        """The report on this answer, before any sink has it: for text of which may be that nothing is shown."""
        grounder = self.turn.guard.grounder
        with unwatched():
            checked = None if self._says_nothing else await grounder.silent().acheck(self._text, **self._begun())
        return self._completed(checked)

    async def adelivered(self, report: Report) -> Report:
        """`report`, once every sink has taken it."""
        with unwatched():
            await self.turn.guard.grounder.adeliver(report)
        return self._concluded(report)

    @property
    def _says_nothing(self) -> bool:
        """Whether an engine says this without asking a model: it found nothing, or is to write nothing."""
        return not self.asked and self.draft.text.strip() in {"", EMPTY_RESPONSE}

    @property
    def _scaffolded(self) -> Scaffolded | None:
        return Scaffolded.of(self.draft.text)

    @property
    def _text(self) -> str:
        scaffolded = self._scaffolded
        return scaffolded.bare if scaffolded else self.draft.text

    def _begun(self) -> dict[str, Any]:
        """What the core is asked, with the event that says so."""
        question, ids = self.turn.question, tuple(span.id for span in self.evidence)
        delivered = tuple(span.id for span in self.evidence if span.delivered)
        _dispatcher.event(GroundingStartEvent(question=question, span_ids=ids, delivered_ids=delivered))
        return {
            "evidence": self.evidence,
            "question": question,
            "capture": self.capture,
            **self.turn.guard.context(),
        }

    def _completed(self, checked: Report | None) -> Report:
        """The final report; `checked` is the core's, None where there was nothing to check."""
        if checked is None:
            return self._unasked()
        scaffolded = self._scaffolded
        whole = self._fitting(scaffolded.restored(checked) if scaffolded else checked)
        own = notices(self.capture, self.turn.found)
        return whole.replace(notices=(*whole.notices, *own)) if own else whole

    def _fitting(self, report: Report) -> Report:
        """The report, escalated where the response cannot take the text it would show."""
        policy = self.turn.guard.grounder.policy
        unfit = self.draft.unfit(report.text) if report.action in policy.shown else ""
        if not unfit:
            return report
        decision = report.decision.replace(action=Action.ESCALATE, reason=unfit)
        return report.replace(text=policy.texts.escalation, decision=decision)

    def _concluded(self, report: Report) -> Report:
        _dispatcher.event(GroundingEndEvent(action=report.action.value, summary=summary(report)))
        heard(report)
        return report

    def _unasked(self) -> Report:
        text = self.draft.text
        reason = "no model was asked: there was nothing to answer from, or no answer was wanted"
        return Report(
            answer_id=sha256(f"{text}\0{self.turn.question}")[:16],
            question=self.turn.question,
            answer=text,
            text=text,
            decision=Decision(action=Action.UNANSWERED, reason=reason, policy=self.turn.guard.grounder.policy.name),
            evidence=Evidence(),
            capture=self.capture,
            versions=FrozenDict(policy=self.turn.guard.grounder.policy.version),
        )


def shown_by(runs: Iterable[ModelRun]) -> list[str]:
    """The prompts of the runs; where `simple_summarize` printed a Python list, also what a reader makes of it."""
    prompts = [run.prompt for run in runs]
    escaped = [prompt for prompt in prompts if "\\n" in prompt]
    return [*prompts, *(prompt.replace("\\n", "\n").replace("\\'", "'") for prompt in escaped)]


def notices(capture: Capture, found: Found) -> tuple[str, ...]:
    """What about the capture an operator must know, in plain words; empty when all is as it should be."""
    told = []
    if found.nameless:
        told.append(
            f"{found.nameless} node(s) without a source document, a source in their metadata or an id of their own "
            "were not taken as evidence: a model may have written them"
        )
    if found.changed:
        told.append(
            f"{found.changed} node(s) were changed after SpanCapture saw them; list it last among node_postprocessors"
        )
    if not capture.captured:
        told.append("no evidence was captured: no node with a name was retrieved for this answer")
    elif not capture.model_runs and not capture.delivered:
        told.append("no model run was seen, so no span counts as delivered: call the model through LlamaIndex")
    elif not capture.delivered:
        told.append(f"none of the {capture.captured} captured spans stood in the prompt the model saw")
    if capture.rules_version and capture.rules_reached < capture.model_runs:
        told.append(f"rules reached {capture.rules_reached} of {capture.model_runs} model runs")
    return tuple(told)
