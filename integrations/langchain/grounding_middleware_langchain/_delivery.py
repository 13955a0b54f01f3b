"""Which of the captured text the model that wrote the answer had really seen (EV-4)."""

from __future__ import annotations

from collections.abc import Sequence

from grounding_middleware.capture import ModelRun, able, deliver, fed_by, writers
from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Capture, Span
from grounding_middleware_langchain._capture import Collector
from grounding_middleware_langchain._labels import relabelled
from grounding_middleware_langchain._messages import SEPARATOR


def prompts_of(collector: Collector, answer: str) -> tuple[str, ...]:
    """Everything the models had before them from whose words the answer comes, without our rules."""
    runs = list(collector.runs.values())
    wrote = writers(runs, answer)
    return tuple(run.prompt for run in fed_by(wrote, [*runs, *collector.helpers.values()]))


def delivered_spans(collector: Collector, prompts: Sequence[str]) -> tuple[Span, ...]:
    """The captured spans, marked by what of each stood in `prompts`, and named as there.

    What was shown earlier in the same conversation stays shown: its words go on in an answer, a summary or the report
    of another agent, also when the text itself was dropped from the prompt.
    """
    earlier = {span.id: span for span in collector.known if span.delivered}
    now = relabelled(deliver(collector.spans(), prompts), SEPARATOR.join(prompts))
    return tuple(span if span.delivered else earlier.get(span.id, span) for span in now)


def facts(collector: Collector, spans: Sequence[Span], rules_version: str) -> Capture:
    """What was seen of this invocation, for the report."""
    runs = able(list(collector.runs.values()))
    return Capture(
        adapter="langchain",
        paths=collector.paths(),
        captured=len(spans),
        delivered=sum(span.delivered for span in spans),
        model_runs=len(runs),
        rules_reached=sum(run.ruled for run in runs),
        rules_version=rules_version,
        generators=tuple(sorted({run.model for run in runs if run.model})),
    )


def require_rules(wrote: Sequence[ModelRun]) -> None:
    """Raises `ConfigError` when the runs that wrote an answer are there and none of them had the rules (PR-5).

    Runs before the first retrieval of a chain that retrieves get none on purpose.
    """
    runs = [run for run in wrote if not run.early]
    if runs and not any(run.ruled for run in runs):
        raise ConfigError(
            f"rules: they reached 0 of the {len(runs)} model runs that wrote the answer; allowed are with_rules(model) "
            "around a model that a function holds, request.override(...) in middleware that changes the prompt, "
            "rules=None to go without, or require_rules=False to let the report say it"
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
