"""Short verdicts for tables: one letter for the label, `!` for action risk."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from grounding_middleware.records import Kind, Label, Risk, Severity, Verdict

LETTERS: dict[str, dict[str, Any]] = {
    "S": {"label": Label.SUPPORTED, "decided_by": "judge"},
    "C": {"label": Label.CONTRADICTED, "kind": Kind.NUMBER, "decided_by": "checks"},
    "I": {"label": Label.INSUFFICIENT_EVIDENCE, "kind": Kind.ADDED_DETAIL, "decided_by": "judge"},
    "M": {"label": Label.INSUFFICIENT_EVIDENCE, "kind": Kind.CERTAINTY_SHIFT, "decided_by": "judge"},
    "G": {"label": Label.INSUFFICIENT_EVIDENCE, "severity": Severity.NEGLIGIBLE, "decided_by": "judge"},
    "X": {"label": Label.INVALID_CITATION, "kind": Kind.UNKNOWN_ID, "decided_by": "provenance"},
    "P": {"label": Label.INVALID_CITATION, "kind": Kind.FORBIDDEN, "decided_by": "provenance"},
    "U": {"label": Label.UNVERIFIED, "kind": Kind.UNDECIDED},
    "F": {"label": Label.UNVERIFIED, "kind": Kind.VERIFIER_FAILURE, "decided_by": "judge"},
    "A": {"label": Label.ABSTENTION, "decided_by": "claims"},
    "N": {"label": Label.NOT_A_CLAIM, "decided_by": "claims"},
}


def _verdict(letter: str, number: int) -> Verdict:
    risk = Risk.ACTION if letter.endswith("!") else Risk.INFORMATION
    fields = LETTERS[letter.removesuffix("!")]
    return Verdict(id=f"c{number}", text="x", start=2 * number, end=2 * number + 1, risk=risk, **fields)


@pytest.fixture(scope="session")
def verdicts() -> Callable[[Sequence[str]], tuple[Verdict, ...]]:
    """Builds one verdict for each letter, in order."""
    return lambda letters: tuple(_verdict(letter, number) for number, letter in enumerate(letters))
