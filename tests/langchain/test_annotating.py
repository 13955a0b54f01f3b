"""Citation annotations on request: under each supported claim the words that prove it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware import Action, Label, Quote, Span, Treatment, Verdict
from grounding_middleware.evidence import build
from grounding_middleware.records import Decision, Edit, Report
from grounding_middleware_langchain import annotated

SPAN = Span(id="a#1", source_id="a", version="2", text="Paid in ten days.", start=40, end=57, offsets_verified=True)


def _report(sentences):
    """A report on sentences, each with whether it is supported; the others are cut out."""
    answer, verdicts, edits = "", [], []
    for number, (text, good) in enumerate(sentences):
        start, answer = len(answer), answer + text
        quote = Quote(span_id="a#1", start=0, end=17, text=SPAN.text)
        fields = {"label": Label.SUPPORTED, "quotes": (quote,)} if good else {"label": Label.CONTRADICTED}
        kept = Treatment.KEEP if good else Treatment.REMOVE
        verdicts.append(Verdict(id=f"c{number}", text=text, start=start, end=len(answer), treatment=kept, **fields))
        if not good:
            edits.append(Edit(start=start, end=len(answer), removed=text))
    return Report(
        answer_id="x",
        answer=answer,
        text="".join(text for text, good in sentences if good),
        decision=Decision(action=Action.OK, reason="test"),
        claims=tuple(verdicts),
        evidence=build([SPAN]),
        edits=tuple(edits),
    )


def test_supported_claims_carry_their_proof():
    """Standard citation blocks with the quote, the source and its confirmed offsets."""
    message = annotated(_report([("False. ", False), ("True.", True)]))
    (block,) = message.content_blocks
    (citation,) = block["annotations"]
    assert block["text"] == "True."
    assert (citation["start_index"], citation["end_index"], citation["cited_text"]) == (0, 5, "Paid in ten days.")
    assert (citation["title"], citation["extras"]["source_start"], citation["extras"]["version"]) == ("a", 40, "2")


def test_a_withheld_answer_has_no_annotations():
    """The policy's text proves nothing."""
    report = _report([("True.", True)]).replace(text="Not shown.")
    (block,) = annotated(report).content_blocks
    assert (block["text"], block.get("annotations", [])) == ("Not shown.", [])


@given(st.lists(st.tuples(st.text(min_size=1, max_size=8), st.booleans()), max_size=8))
def test_offsets_count_in_the_released_text(sentences):
    """Property: whatever was cut, the annotated range is the claim."""
    report = _report(sentences)
    block = next(iter(annotated(report).content_blocks), {"text": "", "annotations": []})
    kept = [text for text, good in sentences if good]
    found = [block["text"][c["start_index"] : c["end_index"]] for c in block.get("annotations", [])]
    assert found == kept
