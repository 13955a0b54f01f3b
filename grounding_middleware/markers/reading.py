"""Finds the markers of an answer and reads what they name; brackets that are no citations stay text (CI-5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from grounding_middleware.markers.names import Names
from grounding_middleware.markers.syntax import CitationSyntax
from grounding_middleware.records import Range

__all__ = ["Marker", "markers"]


class Marker(NamedTuple):
    """One marker and the references written in it."""

    start: int
    end: int
    refs: tuple[str, ...]


_CLAUSE_END = re.compile(r"\s*(?:[.!?;:,)\]»”\"'|。！？；，、…*_]|$|[\[【［〔])")
_LINE_START = re.compile(r"(?:^|[\n.!?。！？]|[-*•|])\s*$")
_AND = re.compile(r"\s*(?:[&|/+]|\b(?:and|und|et|y|e|en|i|och)\b)\s*|\s+")
_RANGE = re.compile(r"([^\d\s]{0,12})(\d{1,4})\s*[-–—]\s*\1?(\d{1,4})\Z")
_LOCATOR = re.compile(
    r"(?:pp?|pages?|sec(?:tion)?s?|para(?:graph)?s?|art(?:icle)?s?|ch(?:apter)?s?|lines?|seite|s|abs|abschnitt|§+|¶)[.:]?\s*[\dA-Za-z.–-]+\Z",
    re.IGNORECASE,
)
_PROVIDER = re.compile(r"(?P<ref>\d+(?::\d+)?)†(?P<name>[^†]*)")
_MOST_OF_A_RANGE = 50


def markers(answer: str, names: Names, syntax: CitationSyntax, opaque: list[Range]) -> Iterator[Marker]:
    """Every marker in order, without overlap; nothing inside the ranges `opaque` (code) is one."""
    end = 0
    hidden = iter([*opaque, (len(answer) + 1, len(answer) + 1)])
    low, high = next(hidden)
    for match in _candidates(syntax).finditer(answer):
        while match.start() >= high:
            low, high = next(hidden)
        if match.start() < end or match.end() > low:
            continue
        marker = _read(answer, match, names, syntax)
        if marker:
            end = marker.end
            yield marker


@cache
def _candidates(syntax: CitationSyntax) -> re.Pattern[str]:
    forms = [rf"(?P<image>!\[)"]
    for number, (left, right) in enumerate(syntax.brackets):
        a, b = re.escape(left), re.escape(right)
        forms.append(rf"{a}(?P<b{number}>[^{a}{b}\r\n]{{1,{syntax.longest}}}){b}")
    if syntax.parentheses:
        forms.append(r"\((?P<p>[^()\[\]\r\n]{1,120})\)")
    forms += [
        f"(?:{re.sub('[(][?]P<ref>', f'(?P<x{number}>', pattern)})" for number, pattern in enumerate(syntax.extra)
    ]
    return re.compile("|".join(forms))


def _read(answer: str, match: re.Match[str], names: Names, syntax: CitationSyntax) -> Marker | None:
    group = match.lastgroup or ""
    if group == "image":
        return None
    inner = match.group(group)
    start, end = match.span()
    if group.startswith("x"):
        return Marker(start, end, tuple(_parts(inner, names, syntax, at_end=True)) or (inner.strip(),))
    if group == "p":
        return _parenthesis(start, end, inner, names, syntax)
    link = _link_end(answer, end)
    if start and answer[start - 1] == "!":
        return None
    if link != end and not (syntax.links and names.exact(inner.strip().strip("[]"))):
        return None
    if inner in (" ", "x", "X") and _LINE_START.search(answer[max(0, start - 4) : start]) and not names.exact(inner):
        return None
    at_end = bool(_CLAUSE_END.match(answer, link)) or bool(_LINE_START.search(answer[max(0, start - 8) : start]))
    refs = _references(inner, names, syntax, at_end=at_end)
    if not refs:
        return None
    while start and link < len(answer) and answer[start - 1] == "[" and answer[link] == "]":
        start, link = start - 1, _link_end(answer, link + 1)
    return Marker(start, link, refs)


def _link_end(answer: str, end: int) -> int:
    """The end of the target of a markdown link that follows at `end`; `end` itself when none does."""
    if not answer.startswith("(", end):
        return end
    match = re.compile(r"\([^()\s]{1,2000}(?:\s+\"[^\"\n]{0,200}\")?\)").match(answer, end)
    return match.end() if match else end


def _parenthesis(start: int, end: int, inner: str, names: Names, syntax: CitationSyntax) -> Marker | None:
    text, prefixed = _without_prefix(inner.strip(), syntax)
    refs = [part.strip() for part in re.split(f"[{re.escape(syntax.separators)}]", text)]
    if all(names.exact(ref) and (prefixed or not (ref.isdigit() or ref.isalpha())) for ref in refs):
        return Marker(start, end, tuple(refs))
    return None


def _references(inner: str, names: Names, syntax: CitationSyntax, *, at_end: bool) -> tuple[str, ...]:
    text = inner.strip()
    if names.exact(text):
        return (text,)
    if syntax.footnotes and text.startswith("^") and len(text) > 1 and " " not in text:
        return (text[1:],)
    if provider := _PROVIDER.fullmatch(text):
        return (_provider_ref(provider, text, names),)
    bare, prefixed = _without_prefix(text, syntax)
    return tuple(_parts(bare, names, syntax, at_end=at_end or prefixed))


def _provider_ref(match: re.Match[str], text: str, names: Names) -> str:
    """`4:0†policy` names what stands after the dagger when that is an id, else the number before it."""
    for ref in (text, match.group("name"), match.group("ref")):
        if names.known(ref):
            return ref
    return text


def _without_prefix(text: str, syntax: CitationSyntax) -> tuple[str, bool]:
    head, _, tail = text.partition(":")
    if tail.strip() and head.strip().casefold() in syntax.prefixes:
        return tail.strip(), True
    head, _, tail = text.partition(" ")
    if tail.strip() and head.casefold().rstrip(".#") in syntax.prefixes:
        return tail.strip().removeprefix("#"), True
    return text, False


def _parts(text: str, names: Names, syntax: CitationSyntax, *, at_end: bool) -> Iterator[str]:
    """The references of a group; none when the bracket is text."""
    if names.known(text):
        yield text
        return
    written = [part.strip() for part in re.split(f"[{re.escape(syntax.separators)}]", text) if part.strip()]
    if len(written) == 1:
        written = list(_spread(text, names))
    refs = [ref for part in written for ref in _expanded(_without_prefix(part, syntax)[0], names)]
    known = any(names.known(ref) for ref in refs)
    like = [ref for ref in refs if names.looks_like_id(ref, at_clause_end=at_end)]
    if known:
        yield from (ref for ref in refs if ref in like or not _LOCATOR.match(ref))
    elif like and len(like) == len(refs):
        yield from refs


def _spread(text: str, names: Names) -> Iterator[str]:
    """Parts joined by "and", "&", "/" or a space count as several only when every one of them is a known id."""
    parts = _AND.split(text)
    yield from parts if len(parts) > 1 and all(names.known(part) for part in parts) else [text]


def _expanded(ref: str, names: Names) -> Iterator[str]:
    """`1-3` between known ids names all from the first to the last."""
    match = None if names.known(ref) else _RANGE.match(ref)
    if match:
        stem, low, high = match.group(1), int(match.group(2)), int(match.group(3))
        if low < high <= low + _MOST_OF_A_RANGE and (names.known(f"{stem}{low}") or names.known(f"{stem}{high}")):
            yield from (f"{stem}{number}" for number in range(low, high + 1))
            return
    yield ref
