"""What holds for every answer: offsets, order, the ledger; and linear time on hostile ones."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.citations import attach, resolve
from grounding_middleware.claims import split
from grounding_middleware.claims.ledger import missing
from grounding_middleware.claims.parts import parts
from grounding_middleware.claims.quoted import bounded, quotations
from grounding_middleware.claims.sentences import sentences
from grounding_middleware.records import Evidence, Span, SpanStatus

PIECES = (
    "Dogs are welcome.", "The fee is EUR 4.50", "approx. 3 kg", "Is it free?", "It costs 5 %.", "No refunds", "unless",
    "[S1]", "[S1, S2]", "[S9]", "[2025]", "[^1]", "(S1)", "【1】", "[[S2]]", "[text](http://a.b/c.d)", "`x. y`", "**",
    "_", "- ", "1. ", "12. ", "# ", "> ", "| a | b |", "|---|---|", "```", "\n", "\n\n", "\r\n", " ", "  ", "\t", '"',
    "“", "”", "„", "«", "'", "’", "(", ")", "[", "]", "{", "}", '{"a": 1, "source": "S1"}', "*", "…", "...", ":", ";",
    '{"t": "One thing. Two things [S1]."}', "返金は3日以内です。", "运费为5元！", "مدة 30 يومًا؟",
    "Das gilt z. B. nicht.", "Sources:", "https://a.b/c", "a@b.de", "\u00a0", "\u2028", "İ", "ß", "🎉", "\x00",
    "The documents do not say", ", but ", "Hello,", "2026-01-05", "[^a]: S1, page 2", "Source: S2",
    "and the fee is due", " within two days",
)  # fmt: skip

answers = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=30).map("".join)

EVIDENCE = Evidence(
    spans=tuple(Span(id=name, text="Dogs are welcome.") for name in ("S1", "S2")),
    statuses=tuple(SpanStatus(span_id=name, usable=True) for name in ("S1", "S2")),
)
HEADS = re.compile(r"^[ \t>]*(?:#{1,6}|[-*+•]|\(?\w{1,5}[.)、．]|\[\^[^\]]*\]:|`{3,}.*|~{3,}.*|[-:| ]+$)", re.MULTILINE)


@given(answers)
def test_statements_are_exact_ordered_and_apart(answer: str) -> None:
    """CL-1: `answer[start:end] == text` always, in order, without overlap, and never empty."""
    citations = resolve(answer, EVIDENCE)
    end = 0
    for claim in split(answer, citations):
        assert answer[claim.start : claim.end] == claim.text
        assert claim.start >= end
        assert claim.text.strip()
        end = claim.end


@given(answers)
def test_nothing_material_is_left_out(answer: str) -> None:
    """CL-3: the ledger of numbers, names, negations and conditions is empty."""
    citations = resolve(answer, EVIDENCE)
    claims = split(answer, citations)
    language = claims[0].language if claims else ""
    markers = [(one.start, one.end) for one in citations]
    assert missing(answer, [(claim.start, claim.end) for claim in claims], markers, language) == ()


@given(answers)
def test_every_letter_stands_in_a_statement_or_in_structure(answer: str) -> None:
    """CL-3, told without the splitter's own notion of structure: outside JSON only line heads and markers are left."""
    citations = resolve(answer, EVIDENCE)
    left = list(answer)
    for claim in split(answer, citations):
        left[claim.start : claim.end] = "\x00" * (claim.end - claim.start)
    for one in citations:
        left[one.start : one.end] = "\x00" * (one.end - one.start)
    rest = HEADS.sub("", "".join(left).replace("\r", "\n"))
    if "{" not in answer:
        assert not any(letter.isalnum() for letter in rest), rest


@given(answers)
def test_citations_are_exact_ordered_and_apart(answer: str) -> None:
    """CI-1: a marker is a slice of the answer; citations of one group share its range, others do not overlap."""
    end, last = 0, (0, 0)
    for one in resolve(answer, EVIDENCE):
        assert answer[one.start : one.end] == one.marker
        assert (one.start, one.end) == last or one.start >= end
        assert one.valid is (one.kind is None)
        end, last = one.end, (one.start, one.end)


@given(answers)
def test_coverage_names_existing_citations_and_changes_nothing_else(answer: str) -> None:
    """CI-2: attach fills in two fields; every index exists; a marker inside a statement is among its citations."""
    citations = resolve(answer, EVIDENCE)
    claims = split(answer, citations)
    covered = attach(claims, citations, answer)
    for before, after in zip(claims, covered, strict=True):
        assert after.model_copy(update={"citations": (), "citation_ambiguous": False}) == before
        assert all(0 <= index < len(citations) for index in after.citations)
        inside = {n for n, one in enumerate(citations) if before.start <= one.start and one.end <= before.end}
        assert inside <= set(after.citations)


@given(answers)
def test_the_same_answer_gives_the_same_claims(answer: str) -> None:
    """CL-4: no hidden state, and ids are unique within an answer."""
    first = split(answer, ())
    assert first == split(answer, ())
    assert len({claim.id for claim in first}) == len(first)


@given(st.text(alphabet="ab .,;\"'“”„‘’«»「」()", max_size=60))
def test_quotations_are_ranges_inside_marks(text: str) -> None:
    """CL-8: a quotation is trimmed, inside the text, and stands between two marks."""
    for low, high in quotations(text):
        assert 0 < low < high < len(text)
        assert text[low:high].strip() == text[low:high]
    assert len(bounded(text)) == len(text)


@given(answers, st.sampled_from(["en", "de", "fr", "es", "ja", ""]))
def test_parts_and_sentences_tile_the_text(text: str, language: str) -> None:
    """CL-1: neither loses or repeats a character."""
    assert "".join(text[low:high] for low, high in parts(text, language)) == text
    assert "".join(text[low:high] for low, high in sentences(text, language)) == text


HOSTILE = {
    "no spaces": "x" * 400_000,
    "digits": "1" * 100_000,
    "brackets": "[" * 200_000,
    "nested brackets": "[" * 100_000 + "S1" + "]" * 100_000,
    "ten thousand citations": "Dogs are welcome [S1]. " * 10_000,
    "citations alone": "[S1]" * 20_000,
    "open quotes": "“" * 100_000,
    "open quotes and words": "“dogs " * 30_000,
    "apostrophes": "' " * 60_000,
    "backticks": "` " * 60_000,
    "ticks of growing length": "".join("`" * n + "a" for n in range(1, 500)),
    "emphasis": "*" * 200_000,
    "stops": ". " * 60_000,
    "abbreviations": "e.g. " * 40_000,
    "open objects": '{"a":' * 40_000,
    "lines of open objects": '{"a":\n' * 15_000,
    "deep lists": "".join(" " * n + "- a\n" for n in range(600)),
    "bullets": "- \n" * 30_000,
    "pipes": "|" * 100_000,
    "table rules": "|-" * 60_000 + "\n",
    "fences": "```\n" * 20_000,
    "quote marks": ">" * 100_000,
    "footnotes": "[^a]: S1\n" * 10_000,
    "one abstention after another": "The documents do not say, but " * 10_000,
    "commas": "a, " * 60_000,
    "one long line of words": "the fee is due and " * 20_000,
    "links": "[a](" * 40_000,
    "sources": "Source: " * 30_000,
}


@pytest.mark.parametrize("answer", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_answers_end_in_linear_time(answer: str) -> None:
    """A wide limit that only growth with the square of the length can break."""
    start = time.perf_counter()
    citations = resolve(answer, EVIDENCE)
    attach(split(answer, citations), citations, answer)
    assert time.perf_counter() - start < 60
