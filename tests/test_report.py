"""Reports for people and programs: complete, harmless to print, and the same data in JSON."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from grounding_middleware import evidence
from grounding_middleware.records import (
    Action,
    Capture,
    Citation,
    Decision,
    Edit,
    Finding,
    Kind,
    Label,
    Outcome,
    Quote,
    Report,
    Severity,
    Span,
    Treatment,
    Verdict,
)
from grounding_middleware.report import render, to_json, to_text

ANSWER = "Claims above SGD 500 are approved automatically [p#7]. Hello!"
RULE = "Claims above SGD 500 must be reviewed. Automatic approval is not guaranteed."
QUOTE = "Automatic approval is not guaranteed."
SPAN = Span(id="p#7", text=RULE, start=100, end=100 + len(RULE), offsets_verified=True, section="4 Approval")


def verdict(**changes: object) -> Verdict:
    text = "Claims above SGD 500 are approved automatically"
    at = RULE.index(QUOTE)
    fields = {
        "id": "c1",
        "text": text,
        "start": 0,
        "end": len(text),
        "citations": (0,),
        "label": Label.CONTRADICTED,
        "kind": Kind.MODALITY,
        "severity": Severity.CRITICAL,
        "reason": "the passage denies it",
        "decided_by": "checks",
        "quotes": (Quote(span_id="p#7", start=at, end=at + len(QUOTE), text=QUOTE),),
        "treatment": Treatment.REMOVE,
        "treatment_reason": "contradicted claims are removed",
    }
    return Verdict.model_validate({**fields, **changes})


def report(*verdicts: Verdict, **changes: object) -> Report:
    fields = {
        "answer_id": "a",
        "question": "How are claims approved?",
        "answer": ANSWER,
        "text": "Not shown.",
        "decision": Decision(action=Action.ESCALATE, reason="nothing is left", claims=1, unsupported=1, share=1.0),
        "claims": verdicts or (verdict(),),
        "citations": (Citation(marker="[p#7]", ref="p#7", start=48, end=53, span_ids=("p#7",)),),
        "evidence": evidence.build([SPAN]),
        "edits": (Edit(start=0, end=54, removed=ANSWER[:54], reason="contradicted", claim_id="c1"),),
    }
    return Report.model_validate({**fields, **changes})


def test_the_rendering_names_everything_a_reviewer_needs() -> None:
    """Decision and share, label and kind, who decided, the quote with both offsets, the edit, the released text."""
    text = to_text(report(), 200)
    at = RULE.index(QUOTE)
    for part in (
        "ESCALATE  nothing is left",
        "share 1.00, limit 0.34; decided by: checks 1",
        "Question: How are claims approved?",
        "CONTRADICTED  modality, CRITICAL, decided by checks, treatment: remove",
        "“Claims above SGD 500 are approved automatically” [0:47]",
        "the passage denies it",
        "remove: contradicted claims are removed",
        f"p#7 [{at}:{at + len(QUOTE)}], source [{100 + at}:{100 + at + len(QUOTE)}], 4 Approval",
        f"“{QUOTE}”",
        "[0:54] removed: “Claims above SGD 500 are approved automatically [p#7].”",
        "What the reader sees\n   Not shown.",
    ):
        assert part in text


def test_findings_stand_under_their_claim_once() -> None:
    """Conflicts and doubts are told, matches are not, and no sentence is printed twice."""
    told = Finding(check="x", rule="r", outcome=Outcome.DOUBT, message="source: may; answer: must")
    same = Finding(check="x", rule="r", outcome=Outcome.CONFLICT, message="the passage denies it")
    match = Finding(check="x", rule="r", outcome=Outcome.MATCH, message="500 is 500")
    text = to_text(report(verdict(findings=(told, same, match))))
    assert text.count("source: may; answer: must") == text.count("the passage denies it") == 1
    assert "500 is 500" not in text


def test_a_conflict_without_a_quote_shows_the_conflicting_text() -> None:
    """The place a check saw is evidence too."""
    finding = Finding(
        check="x",
        rule="r",
        outcome=Outcome.CONFLICT,
        message="m",
        span_id="p#7",
        span_range=(0, 38),
        claim_range=(0, 6),
    )
    assert f"“{RULE[:38]}”" in to_text(report(verdict(quotes=(), findings=(finding,))))


def test_what_is_only_cited_is_not_shown_as_proof() -> None:
    """An undecided claim shows what it cites, and says that nothing in it was decisive."""
    text = to_text(report(verdict(label=Label.UNVERIFIED, kind=Kind.UNDECIDED, quotes=(), decided_by="nobody")))
    assert "cites p#7, no passage of it was found decisive" in text
    assert f"“{RULE}”" in text


def test_unusable_sources_are_named_with_their_reason() -> None:
    """Superseded spans are listed, grouped by reason (EV-6)."""
    old = [Span(id=f"old#{n}", text="x", superseded_by="p") for n in range(5)]
    notices = ("span old#4 is unusable: superseded by p", "no judge")
    text = to_text(report(evidence=evidence.build([SPAN, *old]), notices=notices), 200)
    assert "old#0, old#1, old#2 and 2 more: superseded by p" in text
    assert text.count("superseded by p") == 1
    assert "! no judge" in text


def test_capture_says_how_far_the_rules_reached() -> None:
    """PR-5: "rules reached n of m" is in the rendering."""
    seen = Capture(
        adapter="langchain",
        paths=("retriever",),
        captured=3,
        delivered=2,
        model_runs=2,
        rules_reached=1,
        rules_version="ab",
    )
    line = "langchain: 3 spans captured (retriever), 2 delivered; rules ab reached 1 of 2 model runs"
    assert line in to_text(report(capture=seen), 200)


HOSTILE = "a\x1b[2J\x9b31m\u202eb\u2066c\U000e0041 [bold red]d[/bold red] :smile: \x07e"


@pytest.mark.parametrize("width", [10, 40, 200])
def test_hostile_text_is_shown_and_not_obeyed(width: int) -> None:
    """Escape sequences, direction overrides, invisible tags, markup and emoji codes in an answer stay text."""
    hostile = verdict(text=HOSTILE, end=len(HOSTILE), reason=HOSTILE, decided_by=HOSTILE)
    text = to_text(report(hostile, answer=HOSTILE, text=HOSTILE, question=HOSTILE, notices=(HOSTILE,)), width)
    assert not set(text) & set("\x1b\x9b\x07\u202e\u2066\U000e0041")
    joined = text.replace("\n", "").replace(" ", "")
    assert "a\\x1b[2J\\x9b31m\\u202eb\\u2066c\\U000e0041[boldred]d[/boldred]:smile:\\x07e" in joined


def test_json_is_the_same_data_and_harmless_on_a_terminal() -> None:
    """JSON survives the round trip; what a terminal would obey stands in it as an escape."""
    hostile = report(verdict(reason=HOSTILE), text=HOSTILE)
    document = to_json(hostile)
    assert Report.model_validate_json(document) == hostile
    assert json.loads(document)["text"] == HOSTILE
    assert not set(document) & set("\x1b\x9b\x07\u202e\u2066\U000e0041\n")


@pytest.mark.parametrize("label", list(Label))
def test_colour_repeats_the_label_and_never_replaces_it(label: Label) -> None:
    """Every label is spelled out, with and without colour."""
    buffer = io.StringIO()
    Console(file=buffer, force_terminal=True, color_system="standard", width=100, no_color=False).print(
        render(report(verdict(label=label)))
    )
    assert label.value in buffer.getvalue()
    assert "\x1b[" in buffer.getvalue()
    assert "\x1b[" not in to_text(report(verdict(label=label)))


def test_letters_of_all_scripts_are_left_alone() -> None:
    """Joiners, marks and letters of other scripts are text, not control characters."""
    text = "می\u200cخواهم 日本語 👩\u200d🔬 \u0604٣"
    assert text in to_text(report(text=text))
