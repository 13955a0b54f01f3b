"""What users of the LangChain integration may rely on, checked by mypy and never run."""

from __future__ import annotations

from typing import Any, assert_type

from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable

from grounding_middleware import Report
from grounding_middleware_langchain import GroundedRunnable, GroundingVerifier, ground


def keeps_input_and_output(chain: Runnable[dict[str, Any], AIMessage]) -> None:
    """Checklist 8: `ground` keeps both types of the chain."""
    guarded = ground(chain)
    assert_type(guarded, GroundedRunnable[dict[str, Any], AIMessage])
    assert_type(guarded.invoke({"question": "?"}), AIMessage)
    assert_type(guarded.with_report().invoke({"question": "?"}), Report)


async def async_and_streams(chain: Runnable[str, str]) -> None:
    """Async calls and streams have the same types."""
    guarded = ground(chain, stream="claims")
    assert_type(await guarded.ainvoke("?"), str)
    for piece in guarded.stream("?"):
        assert_type(piece, str)


def verifier_gives_a_report() -> None:
    """The verifier takes a mapping and gives a report."""
    assert_type(GroundingVerifier().invoke({"answer": "a", "documents": []}), Report)
