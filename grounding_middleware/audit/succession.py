"""Which text of a new version of a source stands where a stored span stood.

Words in common rank the passages of the new version; they never decide anything: the claim is verified against what is
found, and a span of which nothing is left supports nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from grounding_middleware.records import Span

_WORD: Final = re.compile(r"[^\W_]+")
_SAME_PLACE: Final = 0.5  # share of the words of the shorter text that the longer has, too
_FEW: Final = 4  # passages that may follow one span; a span is seldom cut into more


def successor(old: Span, new: Sequence[Span]) -> Span | None:
    """The span with the id of `old`, as the new version has it; None when nothing of it is left there.

    Unchanged text stays as it is. `new` are the passages of the new version, in order; its dates and audience count.
    """
    same = next((span for span in new if _plain(old.text) in _plain(span.text)), None)
    if same:
        return _renewed(old, same, old.text)
    ranked = sorted(((_common(old.text, span.text), -at) for at, span in enumerate(new)), reverse=True)
    chosen = sorted(-at for share, at in ranked[:_FEW] if share >= _SAME_PLACE)
    if not chosen:
        return None
    text = "\n\n".join(new[at].text for at in chosen)
    return _renewed(old, new[chosen[0]], text)


def _renewed(old: Span, source: Span, text: str) -> Span:
    kept = old.delivered_ranges if text == old.text else None
    return old.replace(
        text=text,
        sha256="",
        version=source.version,
        section=source.section or old.section,
        start=None,
        end=None,
        offsets_verified=False,
        delivered_ranges=kept,
        effective_from=source.effective_from,
        effective_to=source.effective_to,
        superseded_by=source.superseded_by,
        audience=source.audience,
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _common(one: str, other: str) -> float:
    """Share of the words of the shorter text that the other has as well, by number."""
    first, second = (Counter(map(str.casefold, _WORD.findall(text))) for text in (one, other))
    shorter = min(first.total(), second.total())
    return (first & second).total() / shorter if shorter else 0.0
