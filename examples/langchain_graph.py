"""Verification as a LangGraph node, where a hallucination grader was. Run with `python examples/langchain_graph.py`."""

from typing import Any, TypedDict

from langchain_core.documents import Document
from langgraph.graph import END, START, StateGraph

from grounding_middleware_langchain import GroundingVerifier

RULES = "Refunds are paid within ten days of the request. They go to the card used. Vouchers are not refunded."
ANSWER = "Refunds are paid within two days of the request. They go to the card used. Vouchers are not refunded."


class State(TypedDict, total=False):
    """What a self-RAG graph carries, and the summary of the report."""

    question: str
    documents: list[Document]
    generation: str
    grounding: dict[str, Any]


def retrieve(state: State) -> State:
    """Stands in for a vector store, which would use the question."""
    del state
    return {"documents": [Document(RULES)]}


def generate(state: State) -> State:
    """Stands in for an LLM, which would read the documents."""
    del state
    return {"generation": ANSWER}


builder = StateGraph(State)
builder.add_node("retrieve", retrieve)
builder.add_node("generate", generate)
builder.add_node("verify", GroundingVerifier().as_node())
builder.add_edge(START, "retrieve")
builder.add_edge("retrieve", "generate")
builder.add_edge("generate", "verify")
builder.add_edge("verify", END)

result = builder.compile().invoke({"question": "How long does a refund take?"})
print(result["generation"])
print("action:", result["grounding"]["action"])
