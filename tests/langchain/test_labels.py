"""Documents that a chain's own prompt names are cited by those names; all others by ids the rules list."""

from __future__ import annotations

import pytest
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import RunnablePassthrough

from grounding_middleware import Span
from grounding_middleware_langchain import ground
from grounding_middleware_langchain._labels import relabelled

A = Span(id="a#1", text="Refunds are paid within ten days to the card.")
B = Span(id="b#1", text="Parcels travel by rail\nwhere that is possible.")


def _names(prompt, spans=(A, B)):
    return [span.id for span in relabelled(spans, prompt)]


@pytest.mark.parametrize(
    ("prompt", "names"),
    [
        (f"[1] {A.text}\n[2] {B.text}", ["1", "2"]),
        (f"[2] {B.text}\n\n[1] {A.text}", ["1", "2"]),
        (f"[1]\n{A.text}\n\n[2]\n{B.text}", ["1", "2"]),
        (f"[Source 1] {A.text}\n[Source 2] {B.text}", ["1", "2"]),
        (f"[Document: refunds.md]\n{A.text}\n\n[Document: shipping.md]\n{B.text}", ["refunds.md", "shipping.md"]),
        (f"Source: refunds.md\n{A.text}\n\nSource: shipping.md\n{B.text}", ["refunds.md", "shipping.md"]),
        (f"Source: r.md\nPage: 3\n{A.text}\n\nSource: s.md\nPage: 4\n{B.text}", ["r.md", "s.md"]),
        (f"### Document 1\n{A.text}\n\n### Document 2\n{B.text}", ["1", "2"]),
        (f"Document 1: {A.text}\nDocument 2: {B.text}", ["1", "2"]),
        (f"1. {A.text}\n2. {B.text}", ["1", "2"]),
        (f"(1) {A.text}\n(2) {B.text}", ["1", "2"]),
        (f'<doc id="x">{A.text}</doc>\n<doc id="y">\n{B.text}\n</doc>', ["x", "y"]),
        (f"<document index='1'>\n{A.text}\n</document>\n<document index='2'>\n{B.text}\n</document>", ["1", "2"]),
        (f"[a#1] {A.text}\n[b#1] {B.text}", ["a#1", "b#1"]),
        (f"[S1] {A.text}\n[S2] {' '.join(B.text.split())}", ["S1", "S2"]),
    ],
)
def test_names_the_prompt_gives(prompt, names):
    """The usual ways to print documents."""
    assert _names(prompt) == names


@pytest.mark.parametrize(
    "prompt",
    [
        f"{A.text}\n\n{B.text}",
        f"[1] {A.text}\n\n{B.text}",
        f"Source: same.md\n{A.text}\n\nSource: same.md\n{B.text}",
        f"As we said in [3]:\n\n{A.text}\n\n{B.text}",
        f"Answer in 2 sentences.\n{A.text}\n{B.text}",
        f"The sources are below.\n{A.text}\n\n{B.text}",
        "",
    ],
)
def test_what_names_not_every_document_names_none(prompt):
    """All or nothing: a bracket that stands there by chance is no name."""
    assert _names(prompt) == ["a#1", "b#1"]


def test_the_stable_id_is_kept():
    """EV-2: a span that goes by the prompt's name still says which text of which source it is."""
    span = relabelled([A], f"[1] {A.text}")[0]
    assert (span.id, span.metadata["minted_id"], span.sha256, span.source_id) == ("1", "a#1", A.sha256, A.source_id)


def test_the_same_text_twice_is_told_apart_by_its_place():
    """Two sources with one text: each name belongs to one of them."""
    twin = Span(id="c#1", text=A.text)
    assert _names(f"[1] {A.text}\n[2] {A.text}", (A, twin)) == ["1", "2"]


def test_hostile_text_takes_no_time():
    """The search is linear in the prompt."""
    prompt = "[" * 50_000 + "Source: " * 20_000 + A.text
    assert _names(prompt, (A,)) in (["a#1"], [_names(prompt, (A,))[0]])


def test_numbered_documents_of_a_chain(kit):
    """A prompt that numbers its documents: the answer's [2] is the second document, and the rules say so."""

    def numbered(documents):
        return "\n".join(f"[{n}] {document.page_content}" for n, document in enumerate(documents, 1))

    model = kit.Model("Vouchers are not refunded [2].")
    chain = (
        {"context": kit.Retriever(documents=kit.documents) | numbered, "question": RunnablePassthrough()}
        | kit.prompt
        | model
        | StrOutputParser()
    )
    ground(chain, kit.grounder).invoke("refunds")
    assert {span.id: span.source_id for span in kit.grounder.last.evidence} == {"1": "refunds.md", "2": "vouchers.md"}
    system = model.seen[0][0].text
    assert "Cite nothing but: [1] [2]" in system
    assert "begins:" not in system
