"""Which forms of markers an answer may use; nonsense dies at construction."""

from __future__ import annotations

import re
from typing import Self

from pydantic import Field, model_validator

from grounding_middleware.policy.settings import Setting

__all__ = ["CitationSyntax"]

_SOURCE_WORDS = (
    "Source", "Sources", "source", "sources", "Reference", "References", "Quelle", "Quellen", "Fuente", "Fuentes",
    "Fonte", "Fonti", "Bron", "Bronnen", "Źródło", "Źródła", "Источник", "Источники", "来源", "來源", "出典", "المصدر",
)  # fmt: skip
_PREFIXES = (
    "source", "sources", "src", "cite", "cites", "citation", "citations", "ref", "refs", "reference", "references",
    "id", "ids", "doc", "docs", "document", "documents", "passage", "passages", "span", "spans", "chunk", "chunks",
    "snippet", "quelle", "quellen", "dokument", "dokumente", "fuente", "fuentes", "documento", "documentos", "fonte",
    "fonti", "bron", "bronnen", "źródło", "источник", "来源", "來源", "出典", "المصدر",
)  # fmt: skip


class CitationSyntax(Setting):
    """The marker forms that `resolve` understands; raises `ConfigError` for settings that make no sense.

    - `brackets`: pairs of opening and closing sign. `separators` divide the ids of a group, `prefixes` are words that
      may stand before an id inside a bracket (`[Source: S1]`), `longest` is the greatest length of its content.
    - `parentheses`: also `(S1)`, for exactly known ids; plain words and numbers only behind a prefix.
    - `footnotes`: `[^1]`, with `[^1]: id` at the start of a line. `links`: `[S1](#s1)` over an exact id.
    - `source_lines`: a line that ends in `Source: S1`, with one of `source_words`.
    - `extra`: regular expressions of the user's own with a group `ref`; their cost is the user's.
    """

    brackets: tuple[tuple[str, str], ...] = (("[", "]"), ("【", "】"), ("［", "］"), ("〔", "〕"))
    separators: str = Field(default=",;，、；", min_length=1)
    prefixes: tuple[str, ...] = _PREFIXES
    longest: int = Field(default=400, ge=8, le=10_000)
    parentheses: bool = True
    footnotes: bool = True
    links: bool = True
    source_lines: bool = True
    source_words: tuple[str, ...] = Field(default=_SOURCE_WORDS, min_length=1)
    extra: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for pair in self.brackets:
            if any(len(sign) != 1 or sign.isalnum() or sign.isspace() for sign in pair) or pair[0] == pair[1]:
                msg = f"brackets holds {pair!r}; a pair is two different signs, no letter, digit or space"
                raise ValueError(msg)
        if any(sign.isalnum() or sign.isspace() for sign in self.separators):
            msg = f"separators is {self.separators!r}; letters, digits and white space are not allowed"
            raise ValueError(msg)
        for name in ("prefixes", "source_words"):
            if any(not word.strip() for word in getattr(self, name)):
                msg = f"{name} holds an empty word; leave it out"
                raise ValueError(msg)
        for pattern in self.extra:
            _check(pattern)
        if not (self.brackets or self.extra or self.parentheses or self.source_lines):
            msg = "brackets, extra, parentheses and source_lines are all off: no marker could ever be found"
            raise ValueError(msg)
        return self


def _check(pattern: str) -> None:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        msg = f"extra holds {pattern!r}, which is no regular expression: {error}"
        raise ValueError(msg) from error
    if set(compiled.groupindex) != {"ref"} or compiled.groups != 1 or compiled.match(""):
        msg = f"extra holds {pattern!r}; it must have exactly one group, named 'ref', and must not match the empty text"
        raise ValueError(msg)
