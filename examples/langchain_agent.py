"""An agent whose answers are verified before anybody sees them. Run with `python examples/langchain_agent.py`."""

from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool

from grounding_middleware_langchain import GroundingMiddleware

RULES = "Refunds are paid within ten days of the request. They go to the card used. Vouchers are not refunded."
ANSWER = "Refunds are paid within two days of the request. They go to the card used. Vouchers are not refunded."


@tool
def shop_rules() -> str:
    """What the shop promises."""
    return RULES


class Scripted(GenericFakeChatModel):
    """Stands in for an LLM: first it calls the tool, then it answers."""

    def bind_tools(self, *_: Any, **__: Any) -> Any:
        """Nothing to bind: the script knows its tool."""
        return self


call = AIMessage("", tool_calls=[{"name": "shop_rules", "args": {}, "id": "1"}])
model = Scripted(messages=iter([call, AIMessage(ANSWER)]))

agent = create_agent(model, [shop_rules], middleware=[GroundingMiddleware()])  # list it first
result = agent.invoke({"messages": [HumanMessage("How long does a refund take?")]})

print(result["messages"][-1].text)
print("action:", result["grounding"]["action"])
for claim in result["grounding"]["claims"]:
    print(f"  {claim['label']}: {claim['text'] or '(withheld)'}")
