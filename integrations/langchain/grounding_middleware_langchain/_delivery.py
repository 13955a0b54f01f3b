"""Which of the captured text the model that wrote the answer had really seen (EV-4)."""

from __future__ import annotations

from collections.abc import Sequence

from grounding_middleware.evidence import mark_delivered
from grounding_middleware.records import Capture, Span
from grounding_middleware_langchain._capture import Collector, ModelRun
from grounding_middleware_langchain._labels import relabelled
from grounding_middleware_langchain._messages import SEPARATOR

_TELLING = 20  # characters a model's output must have before its place in another prompt means anything


def prompts_of(collector: Collector, answer: str) -> str:
    """Everything the models had before them from whose words the answer comes, without our rules."""
    return SEPARATOR.join(run.prompt for run in sources_of(writers(collector, answer), collector))


def delivered_spans(collector: Collector, prompts: str) -> tuple[Span, ...]:
    """The captured spans, marked by what of each stood in `prompts`, and named as there."""
    return relabelled(mark_delivered(collector.spans(), prompts), prompts)


def writers(collector: Collector, answer: str) -> tuple[ModelRun, ...]:
    """The model runs whose words are the answer; those that still write, or all that could be, when none is recognised.

    Runs of an attempt that was retried saw other evidence and are left out that way.
    """
    able = [run for run in collector.runs.values() if not run.auxiliary]
    text = answer.strip()
    exact = tuple(run for run in able if run.output.strip() and run.output.strip() == text)
    part = tuple(run for run in able if len(run.output) >= _TELLING and run.output.strip() in text)
    writing = tuple(run for run in able if not run.ended)
    return exact or part or writing or tuple(able)


def sources_of(runs: Sequence[ModelRun], collector: Collector) -> tuple[ModelRun, ...]:
    """`runs` and all runs whose output they were shown: evidence read by a summarising step stays evidence."""
    found = list(runs)
    others = [run for run in collector.runs.values() if len(run.output) >= _TELLING and run not in found]
    for run in found:  # grows while it is walked; every run enters at most once
        fed = [other for other in others if other.output.strip() in run.prompt]
        found.extend(fed)
        others = [other for other in others if other not in fed]
    return tuple(found)


def generators(collector: Collector) -> frozenset[str]:
    """Names of the models that could have written the answer, as far as LangChain knows them (JU-1)."""
    return frozenset(run.model for run in collector.runs.values() if run.model and not run.auxiliary)


def facts(collector: Collector, spans: Sequence[Span], rules_version: str) -> Capture:
    """What was seen of this invocation, for the report."""
    able = [run for run in collector.runs.values() if not run.auxiliary and not run.early]
    return Capture(
        adapter="langchain",
        paths=collector.paths(),
        captured=len(spans),
        delivered=sum(span.delivered for span in spans),
        model_runs=len(able),
        rules_reached=sum(run.ruled for run in able),
        rules_version=rules_version,
    )


def notices(capture: Capture) -> tuple[str, ...]:
    """What about the capture an operator must know, in plain words; empty when all is as it should be."""
    found = []
    if not capture.captured:
        found.append(
            "no evidence was captured: no retriever, tool, document or cite() call was seen in this invocation"
        )
    elif not capture.model_runs:
        found.append("no model run was seen, so no span counts as delivered: call the model through LangChain")
    elif not capture.delivered:
        found.append(f"none of the {capture.captured} captured spans stood in the prompt the model saw")
    if capture.rules_version and capture.rules_reached < capture.model_runs:
        found.append(f"rules reached {capture.rules_reached} of {capture.model_runs} model runs")
    return tuple(found)
