"""`GroundingVerifier`: verification alone, as a runnable, as a graph node, or in place of a hallucination grader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, RunnableSerializable
from pydantic import BaseModel, ConfigDict, SkipValidation
from typing_extensions import override

from grounding_middleware import Grounder
from grounding_middleware.capture import SpanFields, summary, to_spans
from grounding_middleware.errors import InputError
from grounding_middleware.evidence import EvidenceItem
from grounding_middleware.policy import Policy
from grounding_middleware.records import Action, Report
from grounding_middleware_langchain._documents import snapshot_of
from grounding_middleware_langchain._guard import grounder_of
from grounding_middleware_langchain._inputs import day_of, question_of, requester_of
from grounding_middleware_langchain._judge import JudgeLike
from grounding_middleware_langchain._outputs import Slot, slot

_ANSWERS = ("answer", "generation")
_QUESTIONS = ("question", "input", "query")


class Grade(BaseModel):
    """What a self-RAG grader returns: "yes" only if every claim of the answer is supported; `report` says why."""

    model_config = ConfigDict(frozen=True)

    binary_score: Literal["yes", "no"]
    report: Report


class GroundingVerifier(RunnableSerializable[Mapping[str, Any], Report]):
    """The report on `answer`, given the `documents` its model was shown.

    Input: a mapping with `answer` (or `generation`; text, message or structured), `documents` (LangChain documents,
    spans, strings or mappings), and optionally `question`. All documents count as delivered: pass what stood in the
    prompt, not what was retrieved.
    """

    grounder: SkipValidation[Grounder]
    fields: SpanFields = SpanFields()
    requester: Mapping[str, Any] | None = None
    as_of: date | None = None
    model_config = ConfigDict(arbitrary_types_allowed=True)

    def __init__(
        self,
        grounder: Grounder | None = None,
        *,
        judge: JudgeLike | None = None,
        policy: Policy | None = None,
        **settings: Any,
    ) -> None:
        """Verify with `grounder`, or build one from `judge` and `policy`; `settings` are the other fields."""
        super().__init__(grounder=grounder_of(grounder, judge, policy), **settings)

    @override
    def invoke(self, input: Mapping[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Report:
        return self._call_with_config(self._verify, input, config, **kwargs)

    @override
    async def ainvoke(self, input: Mapping[str, Any], config: RunnableConfig | None = None, **kwargs: Any) -> Report:
        return await self._acall_with_config(self._averify, input, config, **kwargs)

    def as_grader(self) -> Runnable[Mapping[str, Any], Grade]:
        """For the place of a grader over `documents` and `generation`: a whole-answer "yes" or "no", and the report."""
        return self | RunnableLambda(_grade).with_config(run_name="grade")

    def as_node(
        self,
        *,
        answer_key: str = "generation",
        documents_key: str = "documents",
        question_key: str = "question",
        report_key: str = "grounding",
    ) -> Runnable[Any, dict[str, Any]]:
        """A graph node: reads the state, returns verified text under `answer_key` and a plain-JSON summary.

        The summary holds no text that was withheld, so that it can be streamed and checkpointed.
        """

        def read(state: Mapping[str, Any]) -> dict[str, Any]:
            value = {"answer": _got(state, (answer_key,)), "documents": _got(state, (documents_key,))}
            return {**value, "question": state.get(question_key, "")}

        def write(state: Mapping[str, Any], report: Report) -> dict[str, Any]:
            return {answer_key: slot(state[answer_key]).put(report), report_key: summary(report)}

        def node(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
            return write(state, self.invoke(read(state), config))

        async def anode(state: Mapping[str, Any], config: RunnableConfig) -> dict[str, Any]:
            return write(state, await self.ainvoke(read(state), config))

        return RunnableLambda(node, afunc=anode, name="grounding")

    def _verify(
        self, value: Mapping[str, Any], run_manager: CallbackManagerForChainRun, config: RunnableConfig
    ) -> Report:
        del run_manager  # the context carries it to the judge
        found, context = self._read(value, config)
        report: Report = self.grounder.check(found.text, **context)
        return report

    async def _averify(
        self, value: Mapping[str, Any], run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> Report:
        del run_manager  # the context carries it to the judge
        found, context = self._read(value, config)
        report: Report = await self.grounder.acheck(found.text, **context)
        return report

    def _read(self, value: Mapping[str, Any], config: RunnableConfig) -> tuple[Slot, dict[str, Any]]:
        question = next((value[key] for key in _QUESTIONS if value.get(key)), "")
        context = {
            "evidence": shown(_got(value, ("documents",)), self.fields),
            "question": question_of(question),
            "as_of": day_of(config, self.as_of, self.grounder.evidence_rules),
            "requester": requester_of(config, self.requester),
        }
        return slot(_got(value, _ANSWERS)), context


def shown(documents: Any, fields: SpanFields) -> list[EvidenceItem]:
    """Evidence from documents a model was shown; LangChain documents become spans, everything else stays."""
    if not isinstance(documents, Sequence) or isinstance(documents, str):
        raise InputError(f"documents: got {type(documents).__name__}; allowed is a list of documents, spans or strings")
    snapshots = [snapshot_of(item) for item in documents if isinstance(item, Document)]
    spans = [span.replace(delivered=True) for span in to_spans(snapshots, fields)]
    return [*spans, *(item for item in documents if not isinstance(item, Document))]


def _got(value: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    found = next((key for key in keys if key in value), None)
    if found is None:
        raise InputError(f"input: {' or '.join(keys)} is missing; it has {sorted(map(str, value))}")
    return value[found]


def _grade(report: Report) -> Grade:
    return Grade(binary_score="yes" if report.action is Action.OK else "no", report=report)
