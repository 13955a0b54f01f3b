"""Legal forms of companies: part of a full name, left out without saying anything else."""

from __future__ import annotations

from typing import Final

LEGAL_FORMS: Final = frozenset(
    {
        "ab",
        "ag",
        "as",
        "asa",
        "bv",
        "co",
        "corp",
        "corporation",
        "gmbh",
        "inc",
        "incorporated",
        "kg",
        "kgaa",
        "limited",
        "llc",
        "llp",
        "ltd",
        "nv",
        "oy",
        "oyj",
        "plc",
        "pte",
        "pty",
        "sa",
        "sarl",
        "sas",
        "se",
        "spa",
        "srl",
    }
)
"""Case-folded, without stops; the ones in use in Europe, the Americas and the Commonwealth."""
