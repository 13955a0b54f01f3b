"""The severity report (JU-5): a model's account of how bad an answer is, as far as code can check it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import strict_json
from grounding_middleware.judges.asking import ask
from grounding_middleware.judges.models import as_model
from grounding_middleware.judges.patience import Patience
from grounding_middleware.judges.places import places
from grounding_middleware.judges.prompts import severity as prompt
from grounding_middleware.judges.prompts import verification
from grounding_middleware.judges.prompts.fences import boundary, one_line
from grounding_middleware.judges.prompts.verification import Passage
from grounding_middleware.judges.protocol import Batch, JudgeTask, Model, ModelCall, Replies
from grounding_middleware.quotations import locate
from grounding_middleware.records import Quote, Record, Severity
from grounding_middleware.tokens import count_tokens

MAX_FLAGS = 500
MAX_INPUT_TOKENS = 12_000
REASON_LENGTH = 300

_TOKENS_A_REPLY = 3_000

_log = logging.getLogger(__name__)


class SevereFlag(Record):
    """A statement the passages do not carry; `answer[start:end] == text`. `quote` is the text it conflicts with."""

    start: int
    end: int
    text: str
    severity: Severity
    reason: str = ""
    quote: Quote | None = None


class SeverityReport(Record):
    """What a model found, in order, or the `problem` that kept it from reporting; then nothing is known.

    `score` is ours, the share of the `total` claims that no flag touches; None when nothing is known, or a flag could
    not be placed. `reported_score` is the model's, for comparison. `notes` name what was discarded or left out.
    """

    flags: tuple[SevereFlag, ...] = ()
    total: int = 0
    score: float | None = None
    reported_score: float | None = None
    problem: str = ""
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> Mapping[Severity, int]:
        """Flags of each severity, worst first; zeros included."""
        found = Counter(flag.severity for flag in self.flags)
        return {severity: found[severity] for severity in Severity}


class SeverityReporter:
    """Asks a chat model for one severity report on a whole answer; raises `ConfigError` for a wrong setting."""

    def __init__(
        self,
        model: Model | Callable[..., Any],
        name: str = "severity",
        *,
        max_input_tokens: int = MAX_INPUT_TOKENS,
        count: Callable[[str], int] = count_tokens,
        patience: Patience | None = None,
    ) -> None:
        if max_input_tokens < 1:
            raise ConfigError(f"max_input_tokens is {max_input_tokens!r}; allowed is a positive number")
        if not name:
            raise ConfigError("name is empty; allowed is any text")
        self.name = name
        self.models: Mapping[str, Model] = {name: as_model(model)}
        self._budget = max_input_tokens
        self._count = count
        self._patience = patience or Patience()

    def report(self, task: JudgeTask) -> Generator[Batch, Replies, SeverityReport]:
        """The report on the answer of `task`, whose items are all its claims."""
        code = boundary((task.question, task.answer, *(one.text + one.id + one.section for one in task.evidence)))
        shown, notes = self._shown(task, code)
        if notes and not shown:
            return SeverityReport(total=len(task.items), problem="no passage fits the budget", notes=notes)
        message = prompt.user(code, task.question, task.risk, shown, task.answer)
        reply = yield from ask(self._call(message), self._patience)
        if reply.error:
            return SeverityReport(total=len(task.items), problem=f"the report failed: {reply.error}", notes=notes)
        found = read(reply.text, task, shown)
        for note in found.notes:
            _log.info("severity report %s: %s", self.name, note)
        return found.replace(notes=(*notes, *found.notes))

    def _shown(self, task: JudgeTask, code: str) -> tuple[tuple[Passage, ...], tuple[str, ...]]:
        """Whole passages that fit, the cited ones first; what had no room is named."""
        named = verification.names(task.evidence)
        cited = {span for item in task.items for span in item.span_ids}
        room = self._budget - self._count(prompt.SYSTEM) - self._count(task.answer) - self._count(task.question)
        kept = set()
        for key in sorted(named, key=lambda key: key not in cited):  # stable: cited first, else the evidence's order
            cost = self._count(verification.passage(code, named[key]))
            if cost <= room:
                room -= cost
                kept.add(key)
        missing = [one.name for key, one in named.items() if key not in kept]
        notes = (f"not shown for want of room: {', '.join(missing)}",) if missing else ()
        return tuple(one for key, one in named.items() if key in kept), notes

    def _call(self, message: str) -> ModelCall:
        return ModelCall(
            tier=self.name,
            role=prompt.ROLE,
            prompt_version=prompt.version(),
            system=prompt.SYSTEM,
            user=message,
            reply_schema=prompt.schema(),
            max_output_tokens=_TOKENS_A_REPLY,
        )


class _RawFlag(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    text: str
    severity: Literal["CRITICAL", "MAJOR", "MINOR", "NEGLIGIBLE"]
    source: str | None = None
    snippet: str | None = None
    reason: str | None = None


class _RawReport(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    flags: Annotated[list[_RawFlag], Field(max_length=MAX_FLAGS)]
    score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = None


def read(reply: str, task: JudgeTask, passages: Sequence[Passage]) -> SeverityReport:
    """What `reply` reports, with true offsets and verified snippets; what does not stand where it says is noted."""
    total = len(task.items)
    try:
        raw, text = strict_json.read_as(_RawReport, reply)
    except strict_json.UnreadableError as error:
        return SeverityReport(total=total, problem=one_line(f"the report could not be read: {error}", REASON_LENGTH))
    if any(text in shown for shown in (task.question, task.answer, *(span.text for span in task.evidence))):
        return SeverityReport(total=total, problem="the report stands in the data the model was shown")
    known = {passage.name: passage for passage in passages}
    flags: list[SevereFlag] = []
    notes: list[str] = []
    placed = True
    for one in raw.flags:
        found, note = _flags(one, task.answer, known)
        placed = placed and bool(found)
        flags += found
        notes += [one_line(note, REASON_LENGTH)] if note else []
    touched = [item for item in task.items if any(_touches(flag, item.claim.start, item.claim.end) for flag in flags)]
    return SeverityReport(
        flags=tuple(sorted(flags, key=lambda flag: (flag.start, flag.end))),
        total=total,
        score=1 - len(touched) / total if total and placed else None,
        reported_score=raw.score,
        notes=tuple(notes),
    )


def _flags(one: _RawFlag, answer: str, passages: Mapping[str, Passage]) -> tuple[list[SevereFlag], str]:
    """One flag for each place of its text; a snippet that is not in its passage is dropped, the flag stays."""
    where = places(one.text, answer)
    if not where:
        return [], f"discarded a flag whose text is not in the answer: {one.text!r}"
    quote, note = _quote(one, passages)
    made = (
        SevereFlag(
            start=start,
            end=end,
            text=answer[start:end],
            severity=Severity(one.severity),
            reason=one_line(one.reason or "", REASON_LENGTH),
            quote=quote,
        )
        for start, end in where
    )
    return list(made), note


def _quote(one: _RawFlag, passages: Mapping[str, Passage]) -> tuple[Quote | None, str]:
    if not (one.snippet or "").strip():
        return None, ""
    passage = passages.get((one.source or "").strip())
    place = locate(one.snippet or "", passage.span.text) if passage else None
    if passage is None or place is None or not place.faithful or place.range is None:
        return None, f"dropped a snippet that is not in {one.source!r}: {one.snippet!r}"
    start, end = place.range
    return Quote(span_id=passage.span.id, start=start, end=end, text=passage.span.text[start:end]), ""


def _touches(flag: SevereFlag, start: int, end: int) -> bool:
    return flag.start < end and start < flag.end
