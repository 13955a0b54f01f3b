"""A step for workflows of your own: a draft goes in, the verified answer comes out."""

from __future__ import annotations

from typing import Any

from llama_index.core.schema import NodeWithScore
from llama_index.core.workflow import Event, Workflow, step

from grounding_middleware import Grounder
from grounding_middleware.records import Report
from grounding_middleware_llama_index._options import GuardOptions
from grounding_middleware_llama_index.postprocessor import GroundingResponsePostprocessor


class DraftEvent(Event):
    """An answer before anybody may see it, and the nodes that stood in the prompt it came from."""

    answer: str
    nodes: list[NodeWithScore]
    question: str = ""


class GroundedEvent(Event):
    """The verified text, and the report behind it."""

    text: str
    report: Report


class GroundedWorkflow(Workflow):
    """A workflow with one more step: send a `DraftEvent`, take the `GroundedEvent`.

    Takes the settings of `ground` beside the workflow's own.
    """

    def __init__(self, *args: Any, grounder: Grounder | None = None, **kwargs: Any) -> None:
        names = GuardOptions.__annotations__
        options: Any = {name: kwargs.pop(name) for name in names if name in kwargs}
        self._grounding = GroundingResponsePostprocessor(grounder, **options)
        super().__init__(*args, **kwargs)

    @step
    async def ground_draft(self, ev: DraftEvent) -> GroundedEvent:
        """Verifies one draft."""
        report = await self._grounding.averify(ev.answer, ev.nodes, ev.question)
        return GroundedEvent(text=report.text, report=report)


__all__ = ["DraftEvent", "GroundedEvent", "GroundedWorkflow"]
