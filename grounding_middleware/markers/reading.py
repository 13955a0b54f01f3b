"""Reads what is written inside one bracket: the references it names, or nothing when it is text (CI-5)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grounding_middleware.markers.names import Names
from grounding_middleware.markers.syntax import CitationSyntax

__all__ = ["Reader"]

_JOINED = re.compile(r"\s*(?:[&|/+]|\b(?:and|und|et|y|e|en|i|och)\b)\s*|\s+")
_RANGE = re.compile(r"([^\d\s]{0,12})(\d{1,4})\s*[-–—]\s*\1?(\d{1,4})\Z")
_TITLED = re.compile(r"([^\s:]+)\s*(?::|\s[-–—]\s)\s*\S")
_PROVIDER = re.compile(r"(?P<place>\d+(?::\d+)?)†(?P<name>[^†]*)\Z")
_MOST_OF_A_RANGE = 50


class Reader:
    """Reads references against the ids of one evidence."""

    def __init__(self, names: Names, syntax: CitationSyntax) -> None:
        self._names = names
        self._syntax = syntax
        self._separator = re.compile(f"[{re.escape(syntax.separators)}\ue202]")
        self._prefixes = frozenset(prefix.casefold() for prefix in syntax.prefixes)

    def bracket(self, inner: str, *, at_clause_end: bool) -> tuple[str, ...]:
        """The references in a bracket; empty when it is text."""
        text = inner.strip()
        if self._names.exact(text):
            return (text,)
        if provider := _PROVIDER.match(text):
            return (self._provider(provider, text),)
        bare, prefixed = self._without_prefix(text)
        return tuple(self._group(bare, at_clause_end=at_clause_end or prefixed))

    def parenthesis(self, inner: str) -> tuple[str, ...]:
        """The references in round brackets: exact ids only, and plain words or numbers only behind a prefix."""
        text, prefixed = self._without_prefix(inner.strip())
        refs = [part.strip() for part in self._separator.split(text)]
        if all(self._names.exact(ref) and (prefixed or not (ref.isdigit() or ref.isalpha())) for ref in refs):
            return tuple(refs)
        return ()

    def listed(self, text: str) -> tuple[str, ...]:
        """The references in a text that must consist of known ids, such as what follows "Sources:"."""
        refs = [part.strip().strip("[]()") for part in self._separator.split(text.strip().rstrip("."))]
        return tuple(refs) if all(self._names.known(ref) for ref in refs) else ()

    def mentioned(self, text: str) -> tuple[str, ...]:
        """The known ids among the words of a footnote's text; the first words are tried as one id as well."""
        bare, _ = self._without_prefix(text.strip())
        words = [word.strip(".,;:()[]") for word in bare.split()]
        found = [word for word in words if self._names.exact(word) and not word.isdigit()]
        whole = bare.rstrip(".").strip("[]")
        return (whole,) if self._names.known(whole) else tuple(dict.fromkeys(found))

    def _provider(self, match: re.Match[str], text: str) -> str:
        """`4:0†policy` names what stands after the dagger when that is an id, else what stands before it."""
        candidates = (text, match.group("name"), match.group("place"))
        return next((ref for ref in candidates if self._names.known(ref)), text)

    def _without_prefix(self, text: str) -> tuple[str, bool]:
        """`text` without "Source:" or "source" before the id, and whether there was one."""
        for sign in (":", " "):
            head, found, tail = text.partition(sign)
            if found and tail.strip() and head.strip().rstrip(".").casefold() in self._prefixes:
                return tail.strip().removeprefix("#").strip(), True
        return text, False

    def _group(self, text: str, *, at_clause_end: bool) -> Iterator[str]:
        """The references of a group. One known id makes it a citation; then other parts count if they look like ids.

        Otherwise every part has to look like an id: `[S1, p. 3]` cites S1, `[of any kind]` cites nothing.
        """
        if self._names.known(text):
            yield text
            return
        parts = [part.strip() for part in self._separator.split(text) if part.strip()]
        refs = [ref for part in parts for ref in self._part(part)]
        like = [ref for ref in refs if self._names.looks_like_id(ref, at_clause_end=at_clause_end)]
        if like and (len(like) == len(refs) or any(self._names.known(ref) for ref in refs)):
            yield from like

    def _part(self, part: str) -> Iterator[str]:
        """One part of a group: an id, an id with a title (`S1: Fees`), a range, or ids joined by "and" or a space."""
        ref, _ = self._without_prefix(part)
        if self._names.known(ref):
            yield ref
            return
        titled = _TITLED.match(ref)
        if titled and self._is_titled(titled.group(1)):
            yield titled.group(1)
            return
        joined = _JOINED.split(ref)
        if len(joined) > 1 and all(self._names.known(one) for one in joined):
            yield from joined
            return
        yield from self._range(ref) or (ref,)

    def _is_titled(self, head: str) -> bool:
        """Whether what stands before a title is an id; for unknown ones a number or a word alone is not enough."""
        return self._names.exact(head) or self._names.is_telling(head)

    def _range(self, ref: str) -> tuple[str, ...]:
        """`1-3` or `S1–S3`, with a known id at one end, names all from the first to the last."""
        match = _RANGE.match(ref)
        if not match:
            return ()
        stem, low, high = match.group(1), int(match.group(2)), int(match.group(3))
        known = self._names.known(f"{stem}{low}") or self._names.known(f"{stem}{high}")
        if not known or not low < high <= low + _MOST_OF_A_RANGE:
            return ()
        return tuple(f"{stem}{number}" for number in range(low, high + 1))
