"""What goes to a model and what comes out for others: the key to the sources, the summary of the report."""

from __future__ import annotations

import json
import warnings

from grounding_middleware import Grounder
from grounding_middleware.capture import source_key, summary
from grounding_middleware.records import Span


def test_a_key_tells_texts_apart_by_their_first_words() -> None:
    """PR-2: as many words as it takes; quotation marks cannot end the quotation."""
    same = " ".join(["word"] * 20)
    spans = [Span(id="a", text=f"{same} one"), Span(id="b", text=f"{same} two"), Span(id="c", text='Say "stop" now.')]
    lines = source_key(spans).splitlines()[1:]
    assert lines[0].endswith('one"')
    assert lines[1].endswith('two"')
    assert lines[2] == "[c] begins: \"Say 'stop' now.\""
    assert source_key([]) == ""


def test_a_key_begins_where_the_model_saw_the_text_begin() -> None:
    """A span that was cut is known by what was left of it."""
    span = Span(id="a", text="Gone. Refunds are paid.", delivered_ranges=((6, 23),))
    assert source_key([span]).endswith('[a] begins: "Refunds are paid."')


def test_a_summary_holds_no_word_that_was_withheld() -> None:
    """It travels with messages and events; it is plain JSON."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = Grounder().check("The fee is EUR 7. The fee is EUR 5.", evidence=["The fee is EUR 5."])
    told = summary(report)
    assert "EUR 7" not in json.dumps(told)
    assert told["action"] == report.action.value
    assert [claim["text"] for claim in told["claims"]] == [None, "The fee is EUR 5."]
