"""Finds the markers of an answer: brackets, footnotes, provider blocks, source lines; nothing inside code is one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grounding_middleware.markers.names import Names
from grounding_middleware.markers.reading import Reader
from grounding_middleware.markers.syntax import CitationSyntax
from grounding_middleware.records import Range

__all__ = ["Marker", "markers"]


class Marker(NamedTuple):
    """One marker and the references written in it."""

    start: int
    end: int
    refs: tuple[str, ...]


_CLAUSE_END = re.compile(r"\s{0,20}(?:[.!?;:,)\]»”\"'|。！？；，、…*_<]|\Z|[\r\n]|[\[【［〔])")
_CLAUSE_START = re.compile(r"(?:\A|[\r\n.!?。！？]|[-*•|>])\s*\Z")
_TASK = re.compile(r"[-*+•]\s+\Z|\d[.)]\s+\Z")
_LINK_TARGET = re.compile(r"\([^()\s]{0,2000}(?:\s+\"[^\"\r\n]{0,200}\")?\)")
_FOOTNOTE = re.compile(r"\^([^\s\[\]^]{1,64})\Z")
_DEFINITION = re.compile(r"^[ \t]{0,3}\[\^([^\s\[\]^]{1,64})\]:[ \t]*([^\r\n]*)", re.MULTILINE)
_BEHIND_A_WORD = re.compile(r"[A-Za-z_)\]]\Z")
_LOOK_BACK = 12  # characters before a bracket that tell whether it opens a clause
_WRAPPERS = (("<sup>", "</sup>"), ("[", "]"))


def markers(answer: str, names: Names, syntax: CitationSyntax, opaque: Sequence[Range]) -> Iterator[Marker]:
    """Every marker in order, without overlap, outside the sorted ranges `opaque`."""
    finder = _Finder(answer, names, syntax)
    end = at = reach = 0
    for match in finder.pattern.finditer(answer):
        while at < len(opaque) and opaque[at][0] < match.end():
            reach, at = max(reach, opaque[at][1]), at + 1
        if match.start() < end or match.start() < reach:
            continue
        marker = finder.read(match)
        if marker:
            end = marker.end
            yield marker


class _Finder:
    """The forms of markers of one syntax, and how each is read."""

    def __init__(self, answer: str, names: Names, syntax: CitationSyntax) -> None:
        self._answer, self._names, self._syntax = answer, names, syntax
        self._reader = Reader(names, syntax)
        self._notes = self._footnotes() if syntax.footnotes else {}
        self.pattern = re.compile("|".join(self._forms()), re.MULTILINE)

    def _forms(self) -> Iterator[str]:
        """Alternatives that match an opening and catch what follows; the name of the group says how it is read.

        Only the opening is consumed, so that a bracket that is text never hides a marker inside it.
        """
        syntax = self._syntax
        if syntax.footnotes:
            yield r"^[ \t]{0,3}\[\^(?=(?P<definition>[^\s\[\]^]{1,64}\]:[^\r\n]*))"
        yield from (rf"(?=(?P<odd{n}>{re.escape(odd)}))" for n, odd in enumerate(self._odd_markers()))
        for number, (left, right) in enumerate(syntax.brackets):
            a, b = re.escape(left), re.escape(right)
            yield rf"{a}(?=(?P<bracket{number}>[^{a}{b}\r\n]{{1,{syntax.longest}}}){b})"
        if syntax.parentheses:
            yield r"\((?=(?P<round>[^()\r\n]{1,120})\))"
        if syntax.source_lines:
            words = "|".join(map(re.escape, syntax.source_words))
            yield rf"(?<!\w)(?:{words})\s?[:：](?=(?P<line>[^\r\n()]{{1,200}})$)"
        yield "\ue200\\w*\ue202(?=(?P<private>[^\ue200\ue201\r\n]{1,400})\ue201)"
        for number, pattern in enumerate(syntax.extra):
            yield f"(?:{pattern.replace('(?P<ref>', f'(?P<extra{number}>')})"

    def _odd_markers(self) -> Iterator[str]:
        """Ids that hold brackets themselves can only be found letter by letter."""
        signs = {sign for pair in self._syntax.brackets for sign in pair}
        for name in self._names.with_any_of(signs):
            yield from (f"{left}{name}{right}" for left, right in self._syntax.brackets)

    def read(self, match: re.Match[str]) -> Marker | None:
        """The marker in a match of the pattern, or None when it is text."""
        form, start = match.lastgroup or "", match.start()
        inner, end = match.group(form), match.end(form)
        if form == "definition":
            refs = self._notes.get(inner.partition("]:")[0], ())
        elif form.startswith("odd"):
            refs = (inner[1:-1],)
        elif form == "round":
            refs, end = self._reader.parenthesis(inner), end + 1
        elif form == "line":
            refs, end = self._reader.listed(inner), start + len(match.group()) + len(inner.rstrip(" \t."))
        elif form.startswith("bracket"):
            return self._bracket(start, end + 1, inner)
        else:
            refs = self._reader.bracket(inner, at_clause_end=True) or (inner.strip(),)
            end = end + 1 if form == "private" else match.end()
        return Marker(start, end, refs) if refs else None

    def _bracket(self, start: int, end: int, inner: str) -> Marker | None:
        inner = inner.removesuffix("\\")
        target = _LINK_TARGET.match(self._answer, end)
        stop = target.end() if target else end
        if not self._may_be_marker(start, end, inner, linked=target is not None):
            return None
        if self._syntax.footnotes and (note := _FOOTNOTE.match(inner.strip())):
            refs: tuple[str, ...] = self._notes.get(note.group(1)) or (note.group(1),)
        else:
            refs = self._reader.bracket(inner, at_clause_end=self._at_clause_edge(start, stop))
        return Marker(*self._whole(start, stop), refs) if refs else None

    def _may_be_marker(self, start: int, end: int, inner: str, *, linked: bool) -> bool:
        """Images, links, task boxes and indexes such as `list[0]` are none; a link over an exact id is one."""
        before = self._answer[max(0, start - _LOOK_BACK) : start]
        if before.endswith("!"):
            return False
        if linked:
            return self._syntax.links and self._names.exact(inner.strip())
        if inner in {" ", "x", "X"} and _TASK.search(before):
            return False
        index = inner.isdigit() and _BEHIND_A_WORD.search(before) and not self._names.exact(inner)
        return not index or bool(_CLAUSE_END.match(self._answer, end))

    def _at_clause_edge(self, start: int, end: int) -> bool:
        """Whether a bracket stands where citations stand: at the end or the start of a clause."""
        before = self._answer[max(0, start - _LOOK_BACK) : start]
        opens = start <= _LOOK_BACK or not before.isspace()
        return bool(_CLAUSE_END.match(self._answer, end)) or (opens and bool(_CLAUSE_START.search(before)))

    def _whole(self, start: int, end: int) -> Range:
        """The marker with what wraps it: `[[S1]](link)`, `<sup>[1]</sup>`, escaped brackets."""
        if self._answer[start - 1 : start] == "\\" and self._answer[end - 2] == "\\":
            start -= 1
        for left, right in _WRAPPERS:
            if self._answer.endswith(left, 0, start) and self._answer.startswith(right, end):
                start, end = start - len(left), end + len(right)
                target = _LINK_TARGET.match(self._answer, end)
                end = target.end() if target else end
        return start, end

    def _footnotes(self) -> dict[str, tuple[str, ...]]:
        """For each footnote whose text names spans, those spans; a label that is an id itself needs no text."""
        notes = {match.group(1): self._reader.mentioned(match.group(2)) for match in _DEFINITION.finditer(self._answer)}
        return {label: refs for label, refs in notes.items() if refs and not self._names.exact(label)}
