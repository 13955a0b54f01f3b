"""Where supported statements come from: documents, golden sets, reports."""

from __future__ import annotations

from datetime import date

from grounding_middleware import Grounder, Policy, Span
from grounding_middleware.evaluation.golden import Example
from grounding_middleware.evaluation.probing import of_documents, of_examples, of_reports


def test_plain_sentences_of_documents_are_statements() -> None:
    """Cited to their passage; no heading, question, table, fragment, nor a sentence that leans on the one before."""
    text = "# Rules\n\nThe pool opens at nine. It closes late.\nWho swims? Towels\n\n| a | b |\n|---|---|\n| x | y |"
    (statement,) = of_documents([Span(id="pool#1", text=text)])
    assert statement.attempt.answer == "The pool opens at nine [pool#1]."
    assert (statement.text, statement.home, statement.language) == ("The pool opens at nine", ("pool#1",), "en")


def test_sentences_are_unwrapped_and_markers_can_be_left_out() -> None:
    """A line break of a text file is no line break of an answer."""
    (statement,) = of_documents([Span(id="pool#1", text="The pool opens\nat nine *sharp*.")], marker="")
    assert statement.attempt.answer == "The pool opens at nine sharp."


def test_only_usable_spans_count_and_no_other_version() -> None:
    """What is superseded or not for the requester is no evidence; another version may say the opposite."""
    spans = [
        Span(id="a@1", source_id="a", version="1", text="Dogs must wait outside.", superseded_by="a@2"),
        Span(
            id="a@2", source_id="a", version="2", text="Dogs may come in with a lead.", effective_from=date(2026, 1, 1)
        ),
        Span(id="a@3", source_id="a", version="3", text="Dogs may come in at all times."),
        Span(id="b", text="Cats must wait outside.", audience={"tenant": "x"}),
    ]
    found = list(of_documents(spans, as_of=date(2026, 5, 1)))
    assert [(one.text, [span.id for span in one.attempt.evidence]) for one in found] == [
        ("Dogs may come in with a lead", ["a@2"]),
        ("Dogs may come in at all times", ["a@3"]),
    ]


def test_supported_claims_of_a_golden_set_are_statements() -> None:
    """Not the others, not those that may be labelled otherwise; marker and full stop are no part of it."""
    example = Example.model_validate(
        {
            "id": "e1",
            "answer": "Dogs may come in [S1]. Cats stay out [S2]. Birds sing [S2].",
            "sources": ["Dogs may come in.", "Cats must not stay. Birds sing."],
            "claims": [
                {"text": "Dogs may come in [S1].", "label": "SUPPORTED", "cites": ["S1"]},
                {"text": "Cats stay out [S2].", "label": "CONTRADICTED"},
                {"text": "Birds sing [S2].", "label": "SUPPORTED", "also_ok": ["UNVERIFIED"]},
            ],
        }
    )
    (statement,) = of_examples([example])
    assert (statement.text, statement.home, statement.origin) == ("Dogs may come in", ("S1",), "e1")


def test_what_a_verifier_supported_is_a_statement() -> None:
    """With the evidence, the day and the quotes of its report."""
    report = Grounder(policy=Policy(needs_judge=False)).check(
        "Dogs may come in [S1]. Cats may swim [S1].",
        evidence=["Dogs may come in."],
        as_of="2026-05-01",
    )
    (statement,) = of_reports([report])
    assert (statement.text, statement.home) == ("Dogs may come in", ("S1",))
    assert statement.attempt.as_of == date(2026, 5, 1)
