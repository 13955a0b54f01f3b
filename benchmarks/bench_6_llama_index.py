# ruff: noqa: ARG002, FBT001, FBT002  # the signatures of a model are LlamaIndex's own
"""What `ground` costs on top of a bare LlamaIndex engine, without a judge: per answer, stream, chat, side by side."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

try:
    from llama_index.core import SummaryIndex
    from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
    from llama_index.core.llms.callbacks import llm_completion_callback
    from llama_index.core.memory import ChatMemoryBuffer
    from llama_index.core.schema import TextNode

    from grounding_middleware_llama_index import ground, report_of
except ImportError as error:
    print(f"left out: {error.name} is not installed")
    sys.exit(0)

SENTENCES = (
    "Claims are submitted through the contractor portal.",
    "A claim must be submitted within 45 days of the date on the receipt.",
    "A photograph of a receipt is accepted if all four items can be read.",
    "Claims above SGD 500 must be reviewed by regional finance before payment.",
    "Hotels are paid up to EUR 155 per night.",
    "Alcohol is not reimbursed.",
)
FILLER = (
    "Section {n} describes how form {n} is filled in, who signs it, and where the signed copy is kept for {n} years. "
)
RUNS = 30
SIDE_BY_SIDE = 20


class Scripted(CustomLLM):
    """Stands in for an LLM: always the same answer of six sentences, streamed word by word."""

    @property
    def metadata(self) -> LLMMetadata:
        """A large window, so that one call is enough."""
        return LLMMetadata(context_window=32_000)

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        """The answer."""
        return CompletionResponse(text=" ".join(SENTENCES))

    @llm_completion_callback()
    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        """The answer, word by word."""
        text = ""
        for word in " ".join(SENTENCES).split(" "):
            text += f"{word} "
            yield CompletionResponse(text=text, delta=f"{word} ")


def main() -> None:
    """Print one line for each way of asking; the last two show what grows."""
    warnings.simplefilter("ignore")
    print(f"{'what':<58}{'bare':>12}{'grounded':>12}{'more':>12}")
    for words, count in ((1_000, 6), (4_000, 24)):
        bare = engine(words, count)
        row(f"query, {count} nodes, {words} words of evidence", bare, lambda each: each.query("?"))
    bare = engine(1_000, 6)
    row("aquery, the same", bare, lambda each: asyncio.run(each.aquery("?")))
    row("query, streaming, until the last word", engine(1_000, 6, streaming=True), lambda each: str(each.query("?")))
    row(f"{SIDE_BY_SIDE} aquery side by side, per answer", bare, _together, SIDE_BY_SIDE)
    row("chat, context engine", chat(), lambda each: each.chat("?", chat_history=[]))
    row(
        "query of 6 nodes cut over several prompts",
        engine(1_000, 6, response_mode="refine"),
        lambda each: each.query("?"),
    )
    report = report_of(ground(bare).query("?"))
    print(f"the answer: {report.action}, {report.decision.claims} claims, {report.capture.delivered} nodes delivered")


def nodes(words: int, count: int) -> list[TextNode]:
    """Nodes that hold the six sentences among so many words."""
    size = words // count
    filler = [FILLER.format(n=n) for n in range(words)]
    made = []
    for number in range(count):
        text = SENTENCES[number] + " " if number < len(SENTENCES) else ""
        while len(text.split()) < size:
            text += filler[(number * 97 + len(text)) % len(filler)]
        made.append(TextNode(text=text, id_=f"policy-{number}"))
    return made


def engine(words: int, count: int, **settings: Any) -> Any:
    """A bare query engine over all of the nodes."""
    return SummaryIndex(nodes(words, count)).as_query_engine(llm=Scripted(), **settings)


def chat() -> Any:
    """A bare chat engine over the same nodes."""
    memory = ChatMemoryBuffer.from_defaults(token_limit=8_000)
    return SummaryIndex(nodes(1_000, 6)).as_chat_engine(chat_mode="context", llm=Scripted(), memory=memory)


def row(what: str, bare: Any, call: Callable[[Any], object], per: int = 1) -> None:
    """One row of the table, medians of warm runs."""
    safe = ground(bare)
    first, second = (median_ms(lambda each=each: call(each)) / per for each in (bare, safe))
    print(f"{what:<58}{first:>9.2f} ms{second:>9.2f} ms{second - first:>9.2f} ms")


def median_ms(work: Callable[[], object]) -> float:
    """Median of warm runs in milliseconds."""
    work()
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1_000


def _together(each: Any) -> None:
    async def ask() -> None:
        await asyncio.gather(*(each.aquery("?") for _ in range(SIDE_BY_SIDE)))

    asyncio.run(ask())


if __name__ == "__main__":
    main()
