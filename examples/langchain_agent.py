"""An agent whose answers are verified before anybody sees them: run with `python examples/langchain_agent.py`."""

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool

from grounding_middleware_langchain import GroundingMiddleware


@tool
def shop_rules(topic: str) -> str:
    """Looks up what the shop promises."""
    return "Refunds are paid within ten days of the request. Vouchers are not refunded."


class Scripted(GenericFakeChatModel):
    """Stands in for an LLM: first it calls the tool, then it answers."""

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        """Nothing to bind: the script knows its tool."""
        return self


model = Scripted(
    messages=iter(
        [
            AIMessage("", tool_calls=[{"name": "shop_rules", "args": {"topic": "refunds"}, "id": "1"}]),
            AIMessage("Refunds are paid within two days of the request. Vouchers are not refunded."),
        ]
    )
)

agent = create_agent(model, [shop_rules], middleware=[GroundingMiddleware()])  # list it first
result = agent.invoke({"messages": [("human", "How long does a refund take?")]})

print(result["messages"][-1].text)
print("action:", result["grounding"]["action"])
for claim in result["grounding"]["claims"]:
    print(f"  {claim['label']}: {claim['text'] or '(withheld)'}")
