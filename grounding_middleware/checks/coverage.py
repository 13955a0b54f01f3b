"""What the checks could not look at because of a language (CH-11): said with the claim, never left to be guessed.

Values, dates, quotations, names, codes and citations are compared in every language. What depends on closed-class words
(negation, modality, certainty, quantifiers, conditions, antonyms) is compared only where these words are known, and
only within one language.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.library import Library
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.records import Claim, Finding, Outcome

__all__ = ["CHECK", "unchecked"]

CHECK: Final = "coverage"
_FAMILY: Final = "negation, modality, certainty, quantifiers, conditions and antonyms were not checked"


def unchecked(claim: Claim, language: str, cited: frozenset[str], library: Library) -> Iterator[Finding]:
    """CANNOT_TELL findings that name the language and what was not checked; none when everything was."""
    if not lexicon(language).covered:
        message = f"language '{language}': {_FAMILY}; only a word-for-word restatement can be supported by rules"
        yield _finding(claim, "language-not-covered", message)
    foreign = sorted({library.language_of(span_id) for span_id in cited} - {language})
    if foreign:
        told = ", ".join(f"'{code}'" for code in foreign)
        message = f"answer in '{language}', sources in {told}: {_FAMILY} between them"
        yield _finding(claim, "sources-in-another-language", message)


def _finding(claim: Claim, rule: str, message: str) -> Finding:
    place = (claim.start, claim.end)
    return Finding(check=CHECK, rule=rule, outcome=Outcome.CANNOT_TELL, message=message, claim_range=place)
