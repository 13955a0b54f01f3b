"""The procurement incident through a real LangChain chain: `grounding demo`, offline, in a second.

Chain, retriever, prompt and parser are what anybody would write. Only the two language models, the one that answers and
the one that judges, are scripts with fixed replies, so that the run is the same on every machine; the demo says so.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from math import log
from pathlib import Path
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnablePassthrough
from rich.console import Console
from typing_extensions import override

from grounding_middleware.printable import printable
from grounding_middleware.records import Action, Label, Report
from grounding_middleware.report import render
from grounding_middleware.sources import read_sources
from grounding_middleware_langchain.wrapping import ground

TODAY = date(2026, 5, 4)
"""The day of the questions; fixed, because the documents have dates."""

INCIDENT = "I am a contractor in Singapore. How are expenses above SGD 500 approved?"
FAULTY = (
    "For Singapore contractors, expenses above SGD 500 automatically qualify for finance approval "
    "within two days [{id}]."
)
ROUTINE = "Within how many days of the receipt must a claim be submitted?"
SOUND = "A claim must be submitted within 45 days of the date on the receipt [{id}]."

_EDITION = "contractor-expense-policy@2026.1"
_ANSWERS = {INCIDENT: ("4.2 Singapore contractors", FAULTY), ROUTINE: ("3.2 A claim must be submitted", SOUND)}
_DENIAL = "Neither automatic approval nor a fixed turnaround is guaranteed."
_OPINIONS = {
    "automatically": ("CONTRADICTED", _DENIAL, "the passage denies automatic approval"),
    "within two days": ("CONTRADICTED", _DENIAL, "the passage denies a fixed turnaround"),
    "within 45 days": (
        "SUPPORTED",
        "A claim must be submitted within 45 days of the date on the receipt.",
        "the passage says the same",
    ),
}
_INTRODUCTION = (
    "A real LangChain chain: keyword retriever over policy documents, prompt, model, parser. The model is a script with"
    " fixed answers that stands in for an LLM, and so is the judge, which is asked only what the checks cannot decide. "
    "Everything else runs as it would in production."
)
_PROMPT = ChatPromptTemplate.from_messages(
    [("system", "You answer questions of contractors.\n\n{context}"), ("human", "{question}")]
)


class KeywordRetriever(BaseRetriever):
    """The `k` documents that share the most telling words with the query."""

    documents: list[Document]
    k: int = 6

    @override
    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        texts = [_words(document.page_content) for document in self.documents]
        spread = Counter(word for text in texts for word in text)
        wanted = _words(query)
        scores = [sum(log(1 + len(texts) / spread[word]) for word in wanted & text) for text in texts]
        ranked = sorted(range(len(texts)), key=lambda index: (-scores[index], index))
        return [self.documents[index] for index in ranked[: self.k]]


class ScriptedModel(BaseChatModel):
    """Stands in for a language model: the same messages give the same reply."""

    script: Callable[[Sequence[BaseMessage]], str]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.script(messages)))])


def write_answer(messages: Sequence[BaseMessage]) -> str:
    """The scripted answer, citing the id that the rules in the prompt give to the right passage."""
    passage, answer = _ANSWERS[str(messages[-1].text)]
    cited = re.search(rf'\[({re.escape(_EDITION)}[^\]]*)\] begins: "{re.escape(passage)}', str(messages[0].text))
    return answer.format(id=cited.group(1) if cited else f"{_EDITION}, {passage.split()[0]}")


def give_opinion(messages: Sequence[BaseMessage]) -> str:
    """The scripted judge's reply on the claims it is asked about, with the passages quoted word for word."""
    request = str(messages[-1].text)
    verdicts = [
        {"claim": int(number), "evidence": _quoted(quote, request), "reason": reason, "label": label}
        for number, claim in re.findall(r"^\w+ claim (\d+) .*\n(.*)$", request, re.MULTILINE)
        for words, (label, quote, reason) in _OPINIONS.items()
        if words in claim
    ]
    return json.dumps({"verdicts": list({verdict["claim"]: verdict for verdict in verdicts}.values())})


def _quoted(quote: str, request: str) -> list[dict[str, str]]:
    """The quote under the name of the last passage that begins before it."""
    names = re.findall(r"^\w+ passage (\S+)", request[: max(0, request.find(quote))], re.MULTILINE)
    return [{"source": names[-1], "quote": quote}] if names else []


def load_documents() -> list[Document]:
    """The passages of the policies that come with this package, as any loader and splitter would give them."""
    folder = Path(__file__).with_name("documents")
    return [
        Document(
            page_content=span.text,
            metadata={
                "source_id": span.source_id,
                "version": span.version,
                "section": span.section,
                "start_index": span.start,
                "effective_from": span.effective_from,
                "effective_to": span.effective_to,
                "superseded_by": span.superseded_by,
                "file": span.metadata["file"],
            },
        )
        for span in read_sources([str(folder / "*.md")])
    ]


def build_chain() -> Runnable[str, str]:
    """The chain somebody already has: retrieve, format, prompt, model, parser. Nothing in it knows of grounding."""

    def format_docs(documents: Sequence[Document]) -> str:
        return "\n\n".join(document.page_content for document in documents)

    retriever = KeywordRetriever(documents=load_documents())
    return (
        {"context": retriever | format_docs, "question": RunnablePassthrough()}
        | _PROMPT
        | ScriptedModel(script=write_answer)
        | StrOutputParser()
    )


def run(console: Console | None = None) -> int:
    """Show the incident without and with the guard, and a sound answer; 0 when the guard did what it is for."""
    out = console or Console()
    chain = build_chain()
    guarded = ground(
        chain,
        judge=ScriptedModel(script=give_opinion, name="scripted judge"),
        as_of=TODAY,
        source_text=lambda metadata: Path(metadata["file"]).read_text("utf-8"),
    )
    reported = guarded.with_report()

    _title(out, "A contractor asks the procurement assistant")
    out.print(_INTRODUCTION, markup=False)
    _say(out, "Question", INCIDENT)
    _say(out, "Without grounding-middleware the reader sees", chain.invoke(INCIDENT))

    _title(out, "The same chain, wrapped: ground(chain)")
    incident = reported.invoke(INCIDENT)
    out.print(render(incident))

    _title(out, "Another question to the same wrapped chain")
    routine = reported.invoke(ROUTINE)
    out.print(render(routine))
    return 0 if _as_promised(incident, routine) else 1


def _as_promised(incident: Report, routine: Report) -> bool:
    """The false answer is contradicted claim by claim and withheld, the sound one is shown."""
    claims = [verdict for verdict in incident.claims if verdict.label.is_claim]
    caught = bool(claims) and all(verdict.label is Label.CONTRADICTED for verdict in claims)
    withheld = incident.action is Action.ESCALATE and "automatically" not in incident.text
    return caught and withheld and routine.action is Action.OK and routine.text == routine.answer


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 1}


def _title(out: Console, text: str) -> None:
    out.print()
    out.rule(text, align="left")


def _say(out: Console, who: str, text: str) -> None:
    out.print()
    out.print(f"{who}:", style="bold", markup=False)
    out.print(f"  {printable(text)}", markup=False, highlight=False)
