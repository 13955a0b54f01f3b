"""Escalation as an interrupt: a person decides about a withheld answer, the model is asked once."""

from __future__ import annotations

import pytest

pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from grounding_middleware import Action
from grounding_middleware.records import Decision
from grounding_middleware_langchain import GroundingReviewMiddleware

QUESTION = {"messages": [("human", "When are refunds paid?")]}
CONFIG = {"configurable": {"thread_id": "1"}}


@pytest.fixture
def agent(kit):
    """An agent whose only answer is withheld."""
    check = kit.grounder.check

    def escalate(answer, **context):
        decision = Decision(action=Action.ESCALATE, reason="share")
        return check(answer, **context).replace(decision=decision, text="Not shown.")

    kit.grounder.check = escalate
    kit.model = kit.Model("WRONG answer.")
    guard = GroundingReviewMiddleware(kit.grounder)
    return create_agent(kit.model, [], middleware=[guard], checkpointer=InMemorySaver())


def test_a_withheld_answer_waits_for_a_person(agent):
    """The reviewer gets the original answer and its report; everybody else the policy's text."""
    result = agent.invoke(QUESTION, CONFIG)
    (waiting,) = result["__interrupt__"]
    assert waiting.value["type"] == "grounding_review"
    assert waiting.value["report"]["answer"] == "WRONG answer."
    assert "WRONG" not in repr(result["messages"])
    streamed = repr(list(agent.stream(QUESTION, {"configurable": {"thread_id": "2"}}, stream_mode="messages")))
    assert "WRONG" not in streamed


@pytest.mark.parametrize(
    ("decision", "text"),
    [
        ({"decision": "withhold"}, "Not shown."),
        ({"decision": "release"}, "WRONG answer."),
        ({"decision": "edit", "text": "A person's answer."}, "A person's answer."),
    ],
)
async def test_a_person_decides_and_the_model_is_not_asked_again(agent, kit, decision, text):
    """Checklist 14: resume takes one model call in all, and the message keeps its id."""
    before = (await agent.ainvoke(QUESTION, CONFIG))["messages"][-1]
    result = await agent.ainvoke(Command(resume=decision), CONFIG)
    assert [message.text for message in result["messages"]][1:] == [text]
    assert result["messages"][-1].id == before.id
    assert result["grounding"]["review"] == decision["decision"]
    assert len(kit.model.seen) == 1
    assert len(kit.grounder.delivered) == 1, "and the sinks got one report"


@pytest.mark.parametrize("bad", ["yes", {"decision": "maybe"}, {"decision": "edit"}, {"decision": "edit", "text": " "}])
def test_an_unknown_decision_asks_again(agent, bad):
    """Nothing is released by a typing error; the interrupt comes back and names the problem."""
    agent.invoke(QUESTION, CONFIG)
    (waiting,) = agent.invoke(Command(resume=bad), CONFIG)["__interrupt__"]
    assert "allowed are decision withhold, release, or edit" in waiting.value["problem"]
    assert agent.invoke(Command(resume={"decision": "withhold"}), CONFIG)["messages"][-1].text == "Not shown."


def test_an_answer_in_order_does_not_wait(kit):
    """Only what is withheld needs a person."""
    agent = create_agent(
        kit.Model("Fine."), [], middleware=[GroundingReviewMiddleware(kit.grounder)], checkpointer=InMemorySaver()
    )
    assert agent.invoke(QUESTION, CONFIG)["messages"][-1].text == "Fine."
