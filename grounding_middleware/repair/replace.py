"""The verbatim evidence sentence that a statement distorts, in its place and with its citation (SPEC RE-5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.repair.drafts import Change
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.marking import full_stop
from grounding_middleware.repair.proposals import Proposal
from grounding_middleware.repair.recite import marked
from grounding_middleware.repair.sentences import distorted, has_verb, standalone
from grounding_middleware.repair.settings import Step
from grounding_middleware.repair.targets import Target

__all__ = ["is_sentence", "replaced", "rewritten", "stands_already"]

_FORMS: Final = ("sentence", "list_item", "quote")
_BEHIND: Final = re.compile(r"""[\s"'”’»)*_]*(?:[.!?…。！？؟۔।;]|\Z|\r?\n)""")


def replaced(target: Target, ground: Ground) -> Iterator[Proposal]:
    """The statement replaced by each sentence it distorts, conflicts first."""
    if not is_sentence(target, ground):
        return
    for shelf in distorted(target, ground):
        text = standalone(shelf, ground.answer[slice(*target.place)], ground)
        if text and not stands_already(text, target, ground):
            found = rewritten(target, Step.REPLACE, ground, text, (shelf.span_id,))
            if found is not None:
                yield found


def rewritten(target: Target, step: str, ground: Ground, text: str, span_ids: tuple[str, ...]) -> Proposal | None:
    """`text`, a sentence without full stop, in the place of the statement, citing `span_ids`; None if it cannot cite.

    Markers inside the old words go with them; the new one then stands behind the new words.
    """
    start, end = target.place
    old, citations = ground.answer[start:end], ground.setting.citations
    stop = full_stop(old)
    inside = any(start <= one.start and one.end <= end for one in citations)
    right = bool(target.citations) and {citations[n].span_ids for n in target.citations} == {(one,) for one in span_ids}
    if right and not inside:
        return Proposal(target, step, (Change(start, end, text + stop),), span_ids)
    if not target.citations and not ground.cites:
        return Proposal(target, step, (Change(start, end, text + stop),))
    marks = () if inside else marked(target, ground, span_ids, at=end)
    if marks and marks[0].start >= end and marks[0].start != marks[0].end:
        return Proposal(target, step, (Change(start, end, text + stop), *marks), span_ids)
    marker = ground.scribe.marker(span_ids)
    return Proposal(target, step, (Change(start, end, f"{text} {marker}{stop}"),), span_ids) if marker else None


def is_sentence(target: Target, ground: Ground) -> bool:
    """Whether the target is all of a sentence, so that another one can stand in its place."""
    announces = ground.answer[slice(*target.place)].rstrip("*_ ").endswith((":", "："))
    if not target.whole or announces or any(verdict.form not in _FORMS for verdict in target.verdicts):
        return False
    text = ground.answer[slice(*target.place)]
    behind = _BEHIND.match(ground.words, target.place[1])
    stops = bool(full_stop(text)) or (behind is not None and behind[0].strip() != "")
    return stops or (behind is not None and (target.first.form == "list_item" or has_verb(text, target.first.language)))


def stands_already(text: str, target: Target, ground: Ground) -> bool:
    """Whether another statement of the answer says the same words: a reader would get them twice."""
    said = text.casefold()
    return any(
        said in " ".join(verdict.text.casefold().split())
        for verdict in ground.verdicts
        if verdict.id not in target.claim_ids
    )
