"""OpenTelemetry (AU-3): right parents and times, names of the conventions, figures, and no content unless asked for."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv._incubating.attributes import error_attributes, gen_ai_attributes
from opentelemetry.semconv._incubating.metrics import gen_ai_metrics
from opentelemetry.trace import SpanKind, StatusCode

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.errors import AnswerWithheldError, ConfigError
from grounding_middleware.escalation import best_effort
from grounding_middleware.judges import Cascade, LLMJudge
from grounding_middleware.judges.caching.judge import KEEP, LOOK_UP
from grounding_middleware.judges.nli.judge import ROLE as NLI_ROLE
from grounding_middleware.judges.patience import Patience
from grounding_middleware.records import CallRecord
from grounding_middleware.telemetry import Telemetry, TelemetrySettings

SOURCE = "The kiosk opens at dawn. Dogs stay outside."
ANSWER = "Dogs stay outside [S1]. Whoever comes early finds the kiosk open [S1]. The kiosk opens at noon or so [S1]."
WORDS = ("kiosk", "Dogs", "early", "noon", "When does", "because")
PAUSE = 0.02


def judged(_prompt: str) -> str:
    time.sleep(PAUSE)
    quote = [{"source": "S1", "quote": "The kiosk opens at dawn."}]
    second = {"claim": 2, "label": "SUPPORTED", "reason": "because it opens at dawn", "evidence": quote}
    return json.dumps(
        {"verdicts": [second, {"claim": 3, "label": "INSUFFICIENT_EVIDENCE", "reason": "because", "evidence": []}]}
    )


class Watched:
    """A telemetry sink with in-memory exporters and what they received."""

    def __init__(self, **settings: Any) -> None:
        self.exporter, self.reader = InMemorySpanExporter(), InMemoryMetricReader()
        self.provider = TracerProvider()
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self._meters = MeterProvider([self.reader])
        self.sink = Telemetry(TelemetrySettings(**settings), tracer_provider=self.provider, meter_provider=self._meters)
        self.tracer = self.provider.get_tracer("caller")

    def spans(self, name: str) -> list[ReadableSpan]:
        """Finished spans with this name."""
        return [span for span in self.exporter.get_finished_spans() if span.name == name]

    def points(self) -> dict[str, list[Any]]:
        """The data points of each metric."""
        data = self.reader.get_metrics_data()
        metrics = [
            one for resource in data.resource_metrics for scope in resource.scope_metrics for one in scope.metrics
        ]
        return {metric.name: list(metric.data.data_points) for metric in metrics}


@pytest.fixture
def watched() -> Iterator[Callable[..., Watched]]:
    made: list[Watched] = []

    def make(**settings: Any) -> Watched:
        made.append(Watched(**settings))
        return made[-1]

    yield make
    for one in made:
        one.provider.shutdown()
        one._meters.shutdown()


def grounder(watched: Watched, judge: object = judged, **more: Any) -> Grounder:
    return Grounder(judge=judge, policy=Policy(needs_judge=False), sinks=(watched.sink,), **more)


def ask(checker: Grounder) -> Report:
    return checker.check(ANSWER, evidence=[SOURCE], question="When does it open?")


def test_a_check_is_one_span_with_its_calls_below(watched: Callable[..., Watched]) -> None:
    """Figures, labels and versions stand in the attributes; the call is a client span of the conventions."""
    seen = watched(provider="our-gateway")
    report = ask(grounder(seen, LLMJudge(judged, "llm")))
    (check,), (call,) = seen.spans("grounding check"), seen.spans("chat judged")
    assert check.attributes["grounding.action"] == report.action.value == "revised"
    figures = {"claims": 3, "unsupported": 1, "undecided": 0, "calls": 1, "spans": 1}
    assert {name: check.attributes[f"grounding.{name}"] for name in figures} == figures
    assert check.attributes["grounding.answer_id"] == report.answer_id
    assert check.attributes["grounding.version.policy"] == report.versions["policy"]
    assert [event.attributes["gen_ai.evaluation.score.label"] for event in check.events] == [
        claim.label.value for claim in report.claims
    ]
    assert call.parent.span_id == check.context.span_id
    assert (call.kind, call.status.status_code) == (SpanKind.CLIENT, StatusCode.UNSET)
    expected = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "our-gateway",
        "gen_ai.request.model": "judged",
        "grounding.tier": "llm",
        "grounding.call.claims": 2,
    }
    assert expected.items() <= dict(call.attributes).items()


def test_spans_have_the_times_of_what_they_stand_for(watched: Callable[..., Watched]) -> None:
    """Calls lie inside the check, one after the other, as long as they took; the check as long as the report says."""
    seen = watched()
    before = time.time_ns()
    report = ask(
        grounder(seen, Cascade([LLMJudge(lambda _p: time.sleep(PAUSE) or "no json", "a"), LLMJudge(judged, "b")]))
    )
    after = time.time_ns()
    (check,) = seen.spans("grounding check")
    calls = sorted(
        (span for span in seen.exporter.get_finished_spans() if span is not check), key=lambda span: span.start_time
    )
    assert len(calls) == len(report.calls) >= 3
    assert before - 1_000_000 <= check.start_time <= calls[0].start_time
    assert calls[-1].end_time <= check.end_time <= after
    assert all(first.end_time <= second.start_time + 1_000_000 for first, second in pairwise(calls))
    assert all(span.end_time - span.start_time >= PAUSE * 0.9e9 for span in calls)
    assert check.end_time - check.start_time == pytest.approx(report.elapsed_ms * 1e6, abs=1e3)


def test_calls_of_a_batch_overlap_when_they_did(watched: Callable[..., Watched]) -> None:
    """Concurrent calls have overlapping spans."""

    async def slow(_prompt: str) -> str:
        await asyncio.sleep(PAUSE)
        return judged("")

    seen = watched()
    checker = grounder(seen, LLMJudge(slow, "llm", per_claim=True))
    asyncio.run(checker.acheck(ANSWER, evidence=[SOURCE]))
    first, second = (span for span in seen.exporter.get_finished_spans() if span.name != "grounding check")
    assert max(first.start_time, second.start_time) < min(first.end_time, second.end_time)


def test_the_span_belongs_to_the_caller(watched: Callable[..., Watched]) -> None:
    """In sync code the parent is the current span."""
    seen = watched()
    with seen.tracer.start_as_current_span("request") as parent:
        ask(grounder(seen))
    (check,) = seen.spans("grounding check")
    assert check.parent.span_id == parent.get_span_context().span_id


def test_each_task_and_thread_has_its_own_parent(watched: Callable[..., Watched]) -> None:
    """Concurrent checks never swap parents, in tasks and in threads."""
    seen = watched()
    checker = grounder(seen)

    async def request(number: int) -> None:
        with seen.tracer.start_as_current_span(f"request {number}"):
            await checker.acheck(f"Dogs stay outside [S1]. Visit {number} was long [S1].", evidence=[SOURCE])

    async def requests() -> None:
        await asyncio.gather(*map(request, range(4)))

    def in_thread(number: int) -> None:
        with seen.tracer.start_as_current_span(f"request {number}"):
            checker.check(f"Dogs stay outside [S1]. Visit {number} was long [S1].", evidence=[SOURCE])

    asyncio.run(requests())
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(in_thread, range(4, 8)))
    parents = [check.parent.span_id for check in seen.spans("grounding check")]
    ids = {number: seen.spans(f"request {number}")[0].context.span_id for number in range(8)}
    assert sorted(parents) == sorted(ids.values())


def test_without_a_parent_the_check_is_a_root(watched: Callable[..., Watched]) -> None:
    """No current span: a trace of its own, with the calls in it."""
    seen = watched()
    ask(grounder(seen))
    (check,) = seen.spans("grounding check")
    assert check.parent is None
    assert {span.context.trace_id for span in seen.exporter.get_finished_spans()} == {check.context.trace_id}


def test_no_content_unless_asked_for(watched: Callable[..., Watched]) -> None:
    """Neither attributes, events, status nor metrics hold a word of question, answer, source, reason or reply."""
    seen = watched()
    ask(grounder(seen))
    told = json.dumps([json.loads(span.to_json()) for span in seen.exporter.get_finished_spans()])
    told += str(seen.points())
    assert not [word for word in WORDS if word in told]


def test_content_on_request(watched: Callable[..., Watched]) -> None:
    """With `content` question, answer, released text, claims with reasons and the raw reply are there."""
    seen = watched(content=True)
    report = ask(grounder(seen))
    (check,), (call,) = seen.spans("grounding check"), seen.spans("chat judged")
    assert check.attributes["grounding.question"] == report.question
    assert (check.attributes["grounding.answer"], check.attributes["grounding.text"]) == (report.answer, report.text)
    assert [event.attributes["grounding.claim.text"] for event in check.events] == [
        claim.text for claim in report.claims
    ]
    assert json.loads(call.attributes["gen_ai.output.messages"])[0]["parts"][0]["content"] == report.calls[0].reply


def test_claim_events_can_be_switched_off(watched: Callable[..., Watched]) -> None:
    """Answers with hundreds of claims need not have hundreds of events."""
    seen = watched(claims=False)
    ask(grounder(seen))
    assert seen.spans("grounding check")[0].events == ()


def test_failed_calls_are_errors_by_name(watched: Callable[..., Watched]) -> None:
    """A failed call has status ERROR and the name of the failure, not what the provider wrote."""

    def refuse(_prompt: str) -> str:
        raise ConnectionError("the kiosk is on fire")

    seen = watched()
    ask(grounder(seen, LLMJudge(refuse, "llm", patience=Patience(retries=1, backoff=0))))
    calls = [span for span in seen.exporter.get_finished_spans() if span.name != "grounding check"]
    assert {(span.status.status_code, span.attributes["error.type"]) for span in calls} == {
        (StatusCode.ERROR, "connection")
    }
    assert "fire" not in "".join(span.to_json() for span in calls)


def test_metrics(watched: Callable[..., Watched]) -> None:
    """Claims by label, answers by action, unsupported share, tokens by type and latency by tier, over two answers."""
    seen = watched()
    checker = grounder(seen, LLMJudge(judged, "llm"))
    ask(checker)
    checker.check("Dogs stay outside [S1].", evidence=[SOURCE])
    points = seen.points()
    claims = {point.attributes["grounding.label"]: point.value for point in points["grounding.claims"]}
    assert claims == {"SUPPORTED": 3, "INSUFFICIENT_EVIDENCE": 1}
    assert {point.attributes["grounding.action"]: point.value for point in points["grounding.answers"]} == {
        "revised": 1,
        "ok": 1,
    }
    (share,) = points["grounding.unsupported.share"]
    assert (share.count, share.sum) == (2, pytest.approx(1 / 3))
    (latency,) = points["gen_ai.client.operation.duration"]
    assert (latency.attributes["grounding.tier"], latency.count) == ("llm", 1)
    assert latency.sum >= PAUSE * 0.9
    assert {point.attributes["gen_ai.token.type"] for point in points["gen_ai.client.token.usage"]} == {
        "input",
        "output",
    }
    assert sum(point.count for point in points["grounding.check.duration"]) == 2


def test_series_do_not_multiply_with_answers(watched: Callable[..., Watched]) -> None:
    """Metric attributes have few values: no ids, counts or versions."""
    seen = watched()
    checker = grounder(seen, LLMJudge(judged, "llm"))
    sizes = []
    for number in range(6):
        checker.check(f"Visit {number} was long [S1]. Dogs stay outside [S1].", evidence=[SOURCE])
        sizes.append({name: len(points) for name, points in seen.points().items()})
    assert sizes[0] == sizes[-1]


def test_names_are_those_of_the_conventions(watched: Callable[..., Watched]) -> None:
    """Every `gen_ai.` name that is used exists in the published list."""
    seen = watched(content=True)
    ask(grounder(seen))
    spans = seen.exporter.get_finished_spans()
    names = {name for span in spans for name in span.attributes}
    names |= {name for span in spans for event in span.events for name in event.attributes}
    names |= {name for points in seen.points().values() for point in points for name in point.attributes}
    known = {
        value
        for module in (gen_ai_attributes, error_attributes)
        for value in vars(module).values()
        if isinstance(value, str)
    }
    assert not {name for name in names if not name.startswith("grounding.")} - known
    metrics = {name for name in seen.points() if name.startswith("gen_ai.")}
    assert metrics == {gen_ai_metrics.GEN_AI_CLIENT_TOKEN_USAGE, gen_ai_metrics.GEN_AI_CLIENT_OPERATION_DURATION}


def test_nothing_configured_costs_nothing_and_says_nothing() -> None:
    """Without an SDK the global providers do nothing, and the answer goes out."""
    checker = Grounder(policy=Policy(needs_judge=False), sinks=(Telemetry(),))
    assert checker.check("Dogs stay outside [S1].", evidence=[SOURCE]).action == "ok"


def test_a_broken_processor_withholds_only_when_you_say_so(watched: Callable[..., Watched]) -> None:
    """Telemetry in `best_effort` never costs an answer; bare, it fails as any sink does."""

    class Broken(SpanProcessor):
        def on_end(self, span: ReadableSpan) -> None:
            raise OSError("disk full")

    seen = watched()
    seen.provider.add_span_processor(Broken())
    quiet = Policy(needs_judge=False)
    with pytest.raises(AnswerWithheldError, match="disk full"):
        Grounder(policy=quiet, sinks=(seen.sink,)).check("Dogs stay outside [S1].", evidence=[SOURCE])
    report = Grounder(policy=quiet, sinks=(best_effort(seen.sink),)).check("Dogs stay outside [S1].", evidence=[SOURCE])
    assert report.action == "ok"


def test_wrong_settings_die_at_construction() -> None:
    """`ConfigError` names field and value."""
    with pytest.raises(ConfigError, match=r"TelemetrySettings\.content.*'perhaps'"):
        TelemetrySettings(content="perhaps")


MISSING = """
import sys
sys.modules["opentelemetry"] = None
import grounding_middleware, grounding_middleware.telemetry
from grounding_middleware.telemetry import Telemetry
try:
    Telemetry()
except grounding_middleware.ConfigError as error:
    print(error)
"""
LAZY = """
import sys
import grounding_middleware, grounding_middleware.telemetry
print([name for name in sys.modules if name.startswith("opentelemetry")])
"""


@pytest.mark.parametrize(
    ("script", "expected"),
    [(MISSING, 'pip install "grounding-middleware[otel]"'), (LAZY, "[]")],
    ids=["missing", "lazy"],
)
def test_the_core_does_without(script: str, expected: str) -> None:
    """Not installed: one clear error naming the extra; installed: not imported before it is used."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert expected in done.stdout


def test_what_is_no_chat_is_not_called_one() -> None:
    """A local classifier and a cache have operations of their own, so that they do not count as chat."""
    calls = {role: CallRecord(tier="t", role=role, model="m", prompt_version="v") for role in (NLI_ROLE, LOOK_UP, KEEP)}
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    report = Grounder(policy=Policy(needs_judge=False)).check("Dogs stay outside [S1].", evidence=[SOURCE])
    Telemetry(tracer_provider=provider)(report.replace(calls=tuple(calls.values())))
    assert [span.name for span in exporter.get_finished_spans()] == [
        "classify m",
        "look_up m",
        "store m",
        "grounding check",
    ]
