"""OpenTelemetry spans and metrics of every check, as a sink (SPEC AU-3); needs the extra `otel`.

    Grounder(judge, sinks=(best_effort(Telemetry()), audit))

One span a check, child of whatever span the caller is in, and below it one client span for each model call, at the time
the call was made. Attributes follow the GenAI semantic conventions where these have a name, else begin with
`grounding.`. No text of a question, an answer, a source or a reply leaves the process unless `content` is set.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from grounding_middleware import __version__
from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.caching.judge import KEEP, LOOK_UP
from grounding_middleware.judges.nli.judge import ROLE as NLI_ROLE
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import CallRecord, Report, Verdict

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

__all__ = ["Telemetry", "TelemetrySettings"]

SCOPE: Final = "grounding_middleware"
_MILLION: Final = 1_000_000  # nanoseconds in a millisecond
_OPERATIONS: Final = {NLI_ROLE: "classify", LOOK_UP: "look_up", KEEP: "store"}
"""What is no chat: a local classifier, and a cache that answers in place of a judge."""

Attributes = Mapping[str, str | int | float | bool]


class TelemetrySettings(Setting):
    """What leaves the process.

    `content` adds question, answer, released text, claims, reasons and raw replies. `claims` adds one event for each
    claim. `provider` is the value of `gen_ai.provider.name`; only you know who runs your models.
    """

    content: bool = False
    claims: bool = True
    provider: str = "unknown"


class Telemetry:
    """A sink that reports each check to OpenTelemetry; put it first, so that its times hold.

    Without providers the global ones are used, which do nothing until an SDK is configured. Raises `ConfigError` naming
    the extra when the API is not installed. What a span processor raises passes through: wrap it in `best_effort`.
    """

    def __init__(
        self,
        settings: TelemetrySettings | None = None,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        try:
            from opentelemetry import metrics, trace  # noqa: PLC0415  # optional, and the core imports no framework
        except ModuleNotFoundError as error:
            raise ConfigError(
                f'Telemetry: {error.name} is not installed; pip install "grounding-middleware[otel]"'
            ) from None
        self.settings = settings or TelemetrySettings()
        self._trace = trace
        self._tracer = trace.get_tracer(SCOPE, __version__, tracer_provider)
        self._metrics = _Metrics(metrics.get_meter(SCOPE, __version__, meter_provider))

    def __call__(self, report: Report) -> None:
        """Record one finished check."""
        end = time.time_ns()
        begin = end - round(report.elapsed_ms * _MILLION)
        span = self._tracer.start_span(
            "grounding check", attributes={**_check(report), **self._content(report)}, start_time=begin
        )
        if self.settings.claims and span.is_recording():
            for verdict in report.claims:
                if verdict.label.is_claim:
                    span.add_event("gen_ai.evaluation.result", self._claim(verdict), timestamp=end)
        below = self._trace.set_span_in_context(span)
        for call in report.calls:
            self._call(call, begin, below)
        span.end(end)
        self._metrics.record(report, self.settings.provider)

    def _call(self, call: CallRecord, begin: int, below: Context) -> None:
        attributes = {**_request(call, self.settings.provider), **_response(call)}
        if self.settings.content and call.reply:
            attributes["gen_ai.output.messages"] = _messages(call.reply)
        started = begin + round(call.started_ms * _MILLION)
        span = self._tracer.start_span(
            f"{attributes['gen_ai.operation.name']} {call.model}".rstrip(),
            context=below,
            kind=self._trace.SpanKind.CLIENT,
            attributes=attributes,
            start_time=started,
        )
        if call.error:
            span.set_status(self._trace.StatusCode.ERROR, _error(call))
        span.end(started + round(call.latency_ms * _MILLION))

    def _claim(self, verdict: Verdict) -> Attributes:
        told = {
            "gen_ai.evaluation.name": "grounding",
            "gen_ai.evaluation.score.label": verdict.label.value,
            "grounding.claim.start": verdict.start,
            "grounding.claim.end": verdict.end,
            "grounding.claim.kind": verdict.kind.value if verdict.kind else "",
            "grounding.claim.severity": verdict.severity.value if verdict.severity else "",
            "grounding.claim.risk": verdict.risk.value,
            "grounding.claim.treatment": verdict.treatment.value,
            "grounding.claim.decided_by": verdict.decided_by,
        }
        score = {} if verdict.confidence is None else {"gen_ai.evaluation.score.value": verdict.confidence}
        text = {"gen_ai.evaluation.explanation": verdict.reason, "grounding.claim.text": verdict.text}
        return {**told, **score, **(text if self.settings.content else {})}

    def _content(self, report: Report) -> Attributes:
        if not self.settings.content:
            return {}
        return {
            "grounding.question": report.question,
            "grounding.answer": report.answer,
            "grounding.text": report.text,
            "grounding.reason": report.decision.reason,
        }


class _Metrics:
    """The instruments; attributes have few values each, so that no series explode."""

    def __init__(self, meter: Any) -> None:
        self._answers = meter.create_counter("grounding.answers", "{answer}", "Checked answers by action.")
        self._claims = meter.create_counter("grounding.claims", "{claim}", "Claims by label and risk.")
        self._share = meter.create_histogram("grounding.unsupported.share", "1", "Unsupported claims of an answer.")
        self._seconds = meter.create_histogram("grounding.check.duration", "s", "Time of a whole check.")
        self._tokens = meter.create_histogram("gen_ai.client.token.usage", "{token}", "Tokens of a model call.")
        self._call_seconds = meter.create_histogram("gen_ai.client.operation.duration", "s", "Time of a model call.")

    def record(self, report: Report, provider: str) -> None:
        policy = {"grounding.policy": report.decision.policy}
        action = {**policy, "grounding.action": report.action.value}
        self._answers.add(1, action)
        self._seconds.record(report.elapsed_ms / 1_000, action)
        if report.decision.claims:
            self._share.record(report.decision.unsupported / report.decision.claims, policy)
        for verdict in report.claims:
            if verdict.label.is_claim:
                labels = {"grounding.label": verdict.label.value, "grounding.risk": verdict.risk.value}
                self._claims.add(1, {**policy, **labels})
        for call in report.calls:
            self._record_call(call, _request(call, provider))

    def _record_call(self, call: CallRecord, request: Attributes) -> None:
        kept = {name: value for name, value in request.items() if name not in _TOO_MANY_VALUES}
        failed = {"error.type": _error(call)} if call.error else {}
        self._call_seconds.record(call.latency_ms / 1_000, {**kept, **failed})
        for kind, count in (("input", call.input_tokens), ("output", call.output_tokens)):
            if count is not None:
                self._tokens.record(count, {**kept, "gen_ai.token.type": kind})


_TOO_MANY_VALUES: Final = frozenset({"grounding.call.claims", "grounding.call.prompt_version"})


def _check(report: Report) -> Attributes:
    decision = report.decision
    return {
        "grounding.answer_id": report.answer_id,
        "grounding.action": decision.action.value,
        "grounding.policy": decision.policy,
        "grounding.claims": decision.claims,
        "grounding.unsupported": decision.unsupported,
        "grounding.undecided": decision.undecided,
        "grounding.unsupported.share": decision.share,
        "grounding.spans": len(report.evidence.spans),
        "grounding.calls": len(report.calls),
        **dict(_versions(report)),
    }


def _versions(report: Report) -> Iterator[tuple[str, str]]:
    """What decided: package, policy, spec; entries that are no text are left out."""
    for name, value in report.versions.items():
        if isinstance(value, str):
            yield f"grounding.version.{name}", value


def _request(call: CallRecord, provider: str) -> dict[str, str | int | float | bool]:
    return {
        "gen_ai.operation.name": _OPERATIONS.get(call.role, "chat"),
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": call.model,
        "grounding.tier": call.tier,
        "grounding.role": call.role,
        "grounding.call.claims": len(call.claim_ids),
        "grounding.call.prompt_version": call.prompt_version,
    }


def _response(call: CallRecord) -> dict[str, str | int | float | bool]:
    """What came back; counts nobody gave are left out, estimates are marked."""
    counts = {"gen_ai.usage.input_tokens": call.input_tokens, "gen_ai.usage.output_tokens": call.output_tokens}
    found: dict[str, str | int | float | bool] = {name: count for name, count in counts.items() if count is not None}
    if found and call.tokens_estimated:
        found["grounding.tokens_estimated"] = True
    if call.error:
        found["error.type"] = _error(call)
    return found


def _error(call: CallRecord) -> str:
    """The name of the failure, without what a provider wrote about it."""
    return call.error.split(":", 1)[0].strip() or "error"


def _messages(reply: str) -> str:
    """The reply in the form of the conventions: JSON of one assistant message."""
    message = {"role": "assistant", "parts": [{"type": "text", "content": reply}], "finish_reason": "stop"}
    return json.dumps([message], ensure_ascii=False)
