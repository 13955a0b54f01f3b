"""Headings and header rows: no claims, unless they state something (CL-6)."""

from __future__ import annotations

import re

from grounding_middleware.claims.lexicon import template, words
from grounding_middleware.claims.statements import Statement, classify
from grounding_middleware.claims.wording import Wording, is_echo, read, tokens

__all__ = ["classify_header", "classify_heading"]

_SECTION_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.):]?|[ivx]+[.)]|§+ ?\d+\S*)\s+")
_MEASURED = re.compile(r"(?:[€$£¥₹]|\b(?:eur|usd|gbp|chf|sgd|jpy) ?)\s?\d|\d\s?(?:[€$£¥₹%‰°]|(?:eur|usd|gbp|chf)\b)")
_COUNTED = re.compile(r"\b\d[\d.,]*\s?([^\W\d_]+)")
_SENTENCE_END = re.compile(r"[.!。！।][\s*_\"')\]]*$")
_NEGATED_WORDS = 3


def classify_heading(text: str, language: str, question: str = "") -> Statement:
    """HEADING, or CLAIM for a heading that is a sentence, a step, or holds an amount or a denial."""
    if not any(letter.isalnum() for letter in text):
        return Statement.HEADING
    if _SENTENCE_END.search(text):
        kind = classify(text, language, question)
        return Statement.HEADING if kind is Statement.REFERENCE else kind
    wording = read(_SECTION_NUMBER.sub("", text.lstrip("*_ "), count=1), language)
    return Statement.CLAIM if _states(wording, question) else Statement.HEADING


def _states(wording: Wording, question: str) -> bool:
    step = template(wording.language, "step")
    if step and (match := step.match(wording.core)) and match.end() < len(wording.core):
        return True
    if wording.said.endswith("?") or is_echo(tokens(wording.core), question):
        return False
    if has_amount(wording):
        return True
    found = tokens(wording.core)
    if not found or found[0] in words(wording.language, "question_word"):
        return False
    if not words(wording.language, "finite").isdisjoint(found):
        return True
    return len(found) >= _NEGATED_WORDS and not words(wording.language, "negation").isdisjoint(found)


def has_amount(wording: Wording) -> bool:
    """Whether a number stands with a currency, a percent sign or a counted word; years and "5 tips" do not count."""
    if _MEASURED.search(wording.said):
        return True
    harmless = template(wording.language, "counted_heading")
    return any(not (harmless and harmless.fullmatch(word)) for word in _COUNTED.findall(wording.said))


def classify_header(text: str, language: str, *, has_rows: bool) -> Statement:
    """HEADING for the header row of a table; CLAIM when it has no rows below it or holds amounts itself."""
    return Statement.HEADING if has_rows and not has_amount(read(text, language)) else Statement.CLAIM
