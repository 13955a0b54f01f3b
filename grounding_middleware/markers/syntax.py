"""Which forms of markers an answer may use; nonsense dies at construction."""

from __future__ import annotations

import re
from typing import Self

from pydantic import Field, model_validator

from grounding_middleware.records import Record

__all__ = ["CitationSyntax"]

_PREFIXES = (
    "source", "sources", "src", "cite", "cites", "citation", "citations", "ref", "refs", "reference", "references", "id", "ids",
    "doc", "docs", "document", "documents", "passage", "passages", "span", "spans", "chunk", "chunks", "snippet", "see",
    "quelle", "quellen", "dokument", "dokumente", "fuente", "fuentes", "documento", "documentos", "fonte", "fonti", "bron", "bronnen",
    "źródło", "来源", "來源", "出典", "مصدر",
)  # fmt: skip


class CitationSyntax(Record):
    """The marker forms that `resolve` understands.

    `brackets` are pairs of opening and closing signs. `prefixes` are words that may stand before an id inside them
    (`[Source: S1]`). `separators` divide the ids of one group. `parentheses` also reads `(S1)`, for exactly known ids
    that are neither a plain word nor a plain number. `footnotes` reads `[^1]`, `links` reads `[S1](#s1)`. `extra` are
    regular expressions of the user's own with a group `ref`; their cost is the user's.
    """

    brackets: tuple[tuple[str, str], ...] = (("[", "]"), ("【", "】"), ("［", "］"), ("〔", "〕"))
    separators: str = Field(default=",;，、；", min_length=1)
    prefixes: tuple[str, ...] = _PREFIXES
    parentheses: bool = True
    footnotes: bool = True
    links: bool = True
    extra: tuple[str, ...] = ()
    longest: int = Field(default=400, ge=8, le=10_000)

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for pair in self.brackets:
            if any(len(sign) != 1 or sign.isalnum() or sign.isspace() for sign in pair) or pair[0] == pair[1]:
                msg = (
                    f"brackets holds {pair!r}; each pair must be two different signs that are no letter, digit or space"
                )
                raise ValueError(msg)
        if any(sign.isalnum() or sign.isspace() for sign in self.separators):
            msg = f"separators is {self.separators!r}; letters, digits and white space are not allowed"
            raise ValueError(msg)
        if blank := [prefix for prefix in self.prefixes if not prefix.strip()]:
            msg = f"prefixes holds {blank[0]!r}; each must be a word"
            raise ValueError(msg)
        for pattern in self.extra:
            self._check(pattern)
        if not self.brackets and not self.extra and not self.parentheses:
            msg = "brackets, extra and parentheses are all empty: no marker could ever be found"
            raise ValueError(msg)
        return self

    @staticmethod
    def _check(pattern: str) -> None:
        try:
            compiled = re.compile(pattern)
        except re.error as error:
            msg = f"extra holds {pattern!r}, which is no regular expression: {error}"
            raise ValueError(msg) from error
        if "ref" not in compiled.groupindex or compiled.match(""):
            msg = f"extra holds {pattern!r}; it must have a group named 'ref' and must not match the empty text"
            raise ValueError(msg)
