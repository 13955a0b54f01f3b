"""`GroundingReviewMiddleware`: a withheld agent answer interrupts the run until a person has decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage
from langgraph.types import interrupt
from typing_extensions import override

from grounding_middleware.records import Action, Report
from grounding_middleware_langchain.middleware import GroundingMiddleware, GroundingState

WITHHELD = (Action.ESCALATE, Action.BLOCKED)
"""Actions that wait for a person."""


class GroundingReviewState(GroundingState):
    """The state of grounding, and the report of an answer that waits for a person."""

    grounding_review: NotRequired[Annotated[dict[str, Any] | None, PrivateStateAttr]]


class GroundingReviewMiddleware(GroundingMiddleware):
    """As `GroundingMiddleware`; an answer the policy escalates or blocks interrupts the run.

    Needs a checkpointer. The interrupt's value is `{"type": "grounding_review", "report": ..., "problem": ""}`: for the
    reviewer it holds the original answer, and so does the checkpoint; messages and streams hold the policy's text.
    Resume with `Command(resume={"decision": "withhold"})`, `{"decision": "release"}` or `{"decision": "edit", "text":
    "..."}`; the message is replaced under its own id, and the model is not asked again.
    """

    state_schema = GroundingReviewState

    @override
    def after_model(self, state: GroundingReviewState, runtime: Any) -> dict[str, Any] | None:  # type: ignore[override]  # the state has one key more
        review = state.get("grounding_review")
        if not review:
            return None
        decision, text = _asked(review)
        message = next(item for item in reversed(state["messages"]) if isinstance(item, AIMessage))
        summary = {**state.get("grounding", {}), "review": decision}
        update: dict[str, Any] = {"grounding_review": None, "grounding": summary}
        return update if text is None else {**update, "messages": [message.model_copy(update={"content": text})]}

    @override
    async def aafter_model(self, state: GroundingReviewState, runtime: Any) -> dict[str, Any] | None:  # type: ignore[override]  # the state has one key more
        return self.after_model(state, runtime)

    @override
    def _update(self, report: Report) -> dict[str, Any]:
        waiting = report.model_dump(mode="json") if report.action in WITHHELD else None
        return {**super()._update(report), "grounding_review": waiting}


def _asked(review: Mapping[str, Any]) -> tuple[str, str | None]:
    """A reviewer's decision and the text that follows from it; None leaves the policy's text where it is.

    An answer that is none interrupts again, with the problem named: nothing is released by a typing error.
    """
    problem = ""
    while True:
        answer = interrupt({"type": "grounding_review", "report": review, "problem": problem})
        answer = answer if isinstance(answer, Mapping) else {"decision": answer}
        decision, text = answer.get("decision"), answer.get("text")
        if decision == "withhold":
            return decision, None
        if decision == "release":
            return decision, str(review["answer"])
        if decision == "edit" and isinstance(text, str) and text.strip():
            return decision, text
        problem = f"got {dict(answer)!r}; allowed are decision withhold, release, or edit with a text"
