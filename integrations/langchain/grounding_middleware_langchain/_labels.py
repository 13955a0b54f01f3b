"""Names under which a chain's own prompt shows its documents: "[1]", "Source: policy.md", `<doc id="a">`.

A model cites what it sees. Where the prompt names every document, those names are the ids of this invocation's spans;
where it does not, the rules list our own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grounding_middleware.capture import visible
from grounding_middleware.records import Span

MINTED = "minted_id"
"""Metadata key that keeps the stable id of a span that goes by the prompt's name for it."""

_HEADER_LINES = 3
_OPENING_WORDS = 6
_WORD = r"(?:source|src|document|doc|passage|context|chunk|snippet|excerpt|reference|ref|article|result|id)"
_NAME = r"[^\s\[\](){}<>,;\"'][^\[\](){}<>,;\"'\n]{0,78}?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"\[(?:{_WORD}s?\b\s*(?:id|no\.?|number)?\s*[:#=]?\s*)?({_NAME})\]",
        rf"<{_WORD}\b[^<>\n]*?\b(?:id|index|number|no|n)\s*=\s*[\"']?({_NAME})[\"'\s/>]",
        rf"(?:^|[\s(#*>|-]){_WORD}\s*(?:id|no\.?|number)?\s*[:#=]\s*({_NAME})\s*[)\]:*]*$",
        rf"(?:^|[\s(#*>|-]){_WORD}\s+(\d{{1,3}})\s*[)\]:.*]*(?:\s|$)",
        r"^\s*\(?(\d{1,3})[.):]\s*$",
    )
)
"""Most telling first; the last two are plain numbers."""


def relabelled(spans: Sequence[Span], prompt: str) -> tuple[Span, ...]:
    """`spans` under the names `prompt` gives them; unchanged unless it names every delivered one, each differently.

    All or nothing: one bracket that stands before a text by chance must not become a name. The stable id moves to the
    metadata. Spans that were not delivered keep theirs, and so does a second source of a text that is shown once.
    """
    places = _places([span for span in spans if span.delivered], prompt)
    shown = [span for span, _ in places]
    names = [_name_before(prompt, start) if start >= 0 else None for _, start in places]
    if len(set(names)) != len(shown) or None in names or {*names} & {s.id for s in spans if not s.delivered}:
        return tuple(spans)
    by_id = {span.id: name for span, name in zip(shown, names, strict=True) if name}
    return tuple(_renamed(span, by_id.get(span.id, span.id)) for span in spans)


def minted(span: Span) -> Span:
    """The span under its stable id again."""
    if MINTED not in span.metadata:
        return span
    metadata = {key: value for key, value in span.metadata.items() if key != MINTED}
    return span.replace(id=str(span.metadata[MINTED]), metadata=metadata)


def _renamed(span: Span, name: str) -> Span:
    if name == span.id:
        return span
    return span.replace(id=name, metadata={**span.metadata, MINTED: span.id})


def _places(spans: Sequence[Span], prompt: str) -> list[tuple[Span, int]]:
    """Where each span stands in the prompt, -1 if nowhere; the same text twice is found at its next place, if any."""
    taken: set[int] = set()
    texts: set[str] = set()
    places = []
    for span in spans:
        start = _place(visible(span), prompt, taken)
        if start >= 0 or span.text not in texts:
            places.append((span, start))
        taken.add(start)
        texts.add(span.text)
    return places


def _place(text: str, prompt: str, taken: set[int]) -> int:
    opening = r"\s+".join(re.escape(word) for word in text.split()[:_OPENING_WORDS])
    return next((m.start() for m in re.finditer(opening, prompt) if m.start() not in taken), -1)


def _name_before(prompt: str, start: int) -> str | None:
    """A name on the same line before `start`, else in the lines directly above it."""
    head, _, same = prompt[:start].rpartition("\n")
    lines = [same] if same.strip() else []
    for line in reversed(head.split("\n")[-_HEADER_LINES:] if head else []):
        if not line.strip():
            break
        lines.append(line)
    found = (match.group(1).strip() for line in lines for form in _FORMS if (match := form.search(line)))
    return next(found, None)
