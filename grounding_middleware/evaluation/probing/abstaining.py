"""The evidence answers, and the answer says that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.probing.citing import marker_of
from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.reading.lexicon import lexicon

__all__ = ["false_abstention"]

_FEW: Final = 3  # content words of a topic


def false_abstention(subject: Subject) -> Iterator[Change]:
    """The documents are said not to state what they state."""
    templates = subject.words.list("abstention")
    marker = marker_of(subject)
    if not templates or marker is None or subject.has("negation") or len(subject.unit.items) < _FEW:
        return
    connective = lexicon(subject.statement.language).connective_at(subject.norms, 0)
    if not subject.stated or connective:  # "that however ..." is no sentence
        return
    text, first = subject.statement.text, subject.tokens[0]
    named = any(item.start == first.start for item in subject.unit.items)
    topic = text if named else text[:1].lower() + text[1:]
    denied = templates[0].format(topic).removesuffix(".")
    edits = ((subject.statement.start, subject.statement.end, denied), (subject.statement.end, marker.end, ""))
    yield Change(edits, "said not to be stated")
