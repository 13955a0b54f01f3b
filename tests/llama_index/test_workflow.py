"""Workflows of one's own: a step that verifies, and a synthesizer that drops in."""

from __future__ import annotations

import pytest
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.workflow import StartEvent, StopEvent, Workflow, step

from grounding_middleware import Action, ConfigError
from grounding_middleware_llama_index import DraftEvent, GroundedEvent, GroundedSynthesizer, GroundedWorkflow, report_of

pytestmark = pytest.mark.filterwarnings("ignore:ServiceManager is deprecated")


class Rag(GroundedWorkflow):
    """Retrieve, write, verify: the last step is inherited."""

    def __init__(self, kit, **settings):
        self.retriever, self.model = kit.index().as_retriever(similarity_top_k=2), kit.model()
        super().__init__(grounder=kit.grounder, **settings)

    @step
    async def write(self, ev: StartEvent) -> DraftEvent:
        """Everything up to the answer."""
        nodes = await self.retriever.aretrieve(ev.query)
        context = "\n".join(node.get_content() for node in nodes)
        answer = await self.model.acomplete(f"{context}\n{ev.query}")
        return DraftEvent(answer=str(answer), nodes=nodes, question=ev.query)

    @step
    async def give(self, ev: GroundedEvent) -> StopEvent:
        """The verified text, and the report for whoever wants it."""
        return StopEvent(result=(ev.text, ev.report))


async def test_a_step_that_verifies(kit):
    """A draft goes in, the verified answer comes out; the workflow is an ordinary one."""
    text, report = await Rag(kit, timeout=20).run(query=kit.QUESTION)
    assert text == kit.SUPPORTED
    assert (report.action, report.question) == (Action.REVISED, kit.QUESTION)


def test_settings_are_those_of_ground(kit):
    """Ours and the workflow's live side by side; a wrong one of ours is refused."""

    class Own(GroundedWorkflow):
        @step
        async def start(self, ev: StartEvent) -> DraftEvent:
            return DraftEvent(answer="", nodes=[])

        @step
        async def end(self, ev: GroundedEvent) -> StopEvent:
            return StopEvent()

    assert Own(grounder=kit.grounder, rules=None, timeout=3)._timeout == 3
    with pytest.raises(ConfigError, match="judge: give either"):
        Own(grounder=kit.grounder, judge=print)


async def test_a_synthesizer_that_drops_in(kit):
    """What workflows call is `asynthesize(query, nodes)`; nothing else changes."""
    synthesizer = GroundedSynthesizer(get_response_synthesizer(llm=kit.model()), kit.grounder)
    retriever = kit.index().as_retriever(similarity_top_k=2)

    class Plain(Workflow):
        @step
        async def answer(self, ev: StartEvent) -> StopEvent:
            return StopEvent(result=await synthesizer.asynthesize(ev.query, await retriever.aretrieve(ev.query)))

    response = await Plain(timeout=20).run(query=kit.QUESTION)
    assert str(response) == kit.SUPPORTED
    assert report_of(response).capture.rules_reached == 1
