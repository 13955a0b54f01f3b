"""Statements of documents: a plain sentence, cited to the passage it stands in, is supported by it word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final

from grounding_middleware.claims.blocks import BlockKind
from grounding_middleware.claims.language import detect
from grounding_middleware.evaluation.probing.statements import Attempt, Statement
from grounding_middleware.evidence import build
from grounding_middleware.reading.layout import layout
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.reader import read
from grounding_middleware.reading.subjects import leans_back
from grounding_middleware.reading.units import Unit
from grounding_middleware.records import Span

__all__ = ["of_documents"]

_AROUND: Final = 2  # passages of the same document before and after
_ALIKE: Final = 4  # further passages that share most words: what a retriever would find, too
_OPENING: Final = 3  # tokens
_WORDS: Final = (4, 60)
_PLAIN: Final = re.compile(r"[^|\[\]{}<>*]+(?<![.…])[.。]")
_EMPHASIS: Final = re.compile(r"(?<!\w)\*+|\*+(?!\w)")
_BULLET: Final = re.compile(r"^[-•–]\s+")


def of_documents(
    spans: Sequence[Span],
    *,
    as_of: date | None = None,
    requester: Mapping[str, Any] | None = None,
    marker: str = " [{id}]",
) -> Iterator[Statement]:
    """One statement for each plain sentence of usable spans, with the passages around it and those most like it.

    Other versions of the same source stay out of its evidence: they may state what a changed sentence says. `marker` is
    how the answers to be probed cite a span; with "" they do not.
    """
    usable = {span.id for span in build(spans, as_of=as_of, requester=requester).usable}
    readable = [span for span in spans if span.id in usable]
    words = {span.id: frozenset(re.findall(r"\w{4,}", span.text.casefold())) for span in readable}
    for number, span in enumerate(readable):
        language = detect(span.text) or detect(" ".join(one.text for one in _around(readable, number)))
        for sentence in _sentences(span.text, language):
            evidence = _evidence(readable, number, words)
            answer = f"{sentence[:-1]}{marker.replace('{id}', span.id)}{sentence[-1]}"
            attempt = Attempt(answer, evidence, as_of=as_of, requester=requester)
            yield Statement(attempt, 0, len(sentence) - 1, (span.id,), language, span.id)


def _sentences(text: str, language: str) -> Iterator[str]:
    """Sentences that can be understood alone, white space collapsed."""
    for piece in layout(text, language):
        sentence = _BULLET.sub("", " ".join(_EMPHASIS.sub("", text[piece.start : piece.end]).split()))
        if piece.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or not _PLAIN.fullmatch(sentence):
            continue
        unit = read(sentence, [(0, len(sentence))], language)[0]
        if _opens(sentence[0]) and _WORDS[0] <= _length(sentence) <= _WORDS[1] and not _leans(unit):
            yield sentence


def _opens(letter: str) -> bool:
    """A capital, a digit, or a letter of a script without capitals."""
    return letter.isupper() or letter.isdigit() or (letter.isalpha() and not letter.islower())


def _length(sentence: str) -> int:
    """Words; two characters count as one where words are not separated."""
    return len(sentence.split()) if " " in sentence or sentence.isascii() else len(sentence) // 2


def _leans(unit: Unit) -> bool:
    """Whether one of the first words points back: alone the sentence says something else."""
    words = lexicon(unit.language)
    opening = {token.norm for token in unit.tokens[:_OPENING]}
    return leans_back(unit) or bool(opening & (words.pronouns - words.first_and_second - words.articles))


def _around(spans: Sequence[Span], number: int) -> list[Span]:
    home = spans[number]
    near = spans[max(0, number - _AROUND) : number + _AROUND + 1]
    return [span for span in near if (span.source_id, span.version) == (home.source_id, home.version)]


def _evidence(spans: Sequence[Span], number: int, words: Mapping[str, frozenset[str]]) -> tuple[Span, ...]:
    home = spans[number]
    around = {span.id for span in _around(spans, number)}
    allowed = [span for span in spans if span.source_id != home.source_id or span.version == home.version]
    alike = sorted(
        (span for span in allowed if span.id not in around), key=lambda span: -len(words[span.id] & words[home.id])
    )
    kept = around | {span.id for span in _varied(alike, home)}
    return tuple(span for span in spans if span.id in kept)


def _varied(alike: Iterable[Span], home: Span) -> list[Span]:
    """The most similar ones, half of them from other sources where there are any."""
    own = [span for span in alike if span.source_id == home.source_id][:_ALIKE]
    others = [span for span in alike if span.source_id != home.source_id][: _ALIKE // 2]
    return [*others, *own][:_ALIKE]
