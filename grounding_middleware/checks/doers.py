"""Who does it: an abstention about who does a thing is false when a sentence says just that, and who (CL-6).

"Orders above 500 euros are approved by the director" answers "who approves orders above 500 euros": the same verb, the
same things, no further word but those that name the doer. "By Friday" and "by post" name nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.asked import asked
from grounding_middleware.checks.library import Library, Shelf
from grounding_middleware.checks.topics import vocabulary
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Value

_VERB_LAST: Final = ("de", "nl")  # "wer Anträge genehmigt"


def doer_told(unit: Unit, topic: Sequence[Item], library: Library) -> Shelf | None:
    """The sentence that says who does what the abstention asks "who" about; None when none plainly does."""
    verb = _verb(unit, topic)
    if verb is None:
        return None
    about = replace(unit, items=tuple(topic), cues=())
    everything = frozenset(span_id for _, span_id in library.all_units())
    for shelf in library.candidates(about, everything):
        found = align(about, shelf.unit, shelf.span_id)
        if _same_thing(found, unit) and _names_doer(found, verb):
            return shelf
    return None


def _verb(unit: Unit, topic: Sequence[Item]) -> Item | None:
    """The verb of "who approves orders": the word behind "who", or the last one; None where it asks something else."""
    positions = asked(unit).words
    if not positions or unit.tokens[min(positions)].norm not in vocabulary(unit.language).who:
        return None
    if unit.language in _VERB_LAST:
        return max(topic, key=lambda item: item.position)
    return next((item for item in topic if item.position == max(positions) + 1), None)


def _same_thing(found: Alignment, unit: Unit) -> bool:
    """All words and values of the topic stand in the sentence, and nothing is denied there."""
    whole = not (found.claim_left or found.opposed or found.by_title or found.by_context) and len(found.pairs) > 1
    return whole and not found.source.of("negation") and all(_held(value, found.source) for value in unit.values)


def _held(value: Value, source: Unit) -> bool:
    return any(other.kind == value.kind and other.interval == value.interval for other in source.values)


def _names_doer(found: Alignment, verb: Item) -> bool:
    """The words left over name who: "by the director" beside the verb, or the subject before the same active form."""
    there = next((theirs for mine, theirs in found.pairs if mine is verb), None)
    paired = {theirs.position for _, theirs in found.pairs}
    left = [item for item in found.source.items if item.position not in paired]
    if there is None or not left or any(_is_value(item, found.source) for item in left):
        return False
    if left[0].prep in lexicon(found.source.language).agents:
        return _behind_by(left, there, found.source)
    before = all(item.position < there.position and not item.prep for item in left)
    things_after = all(theirs.position >= there.position for _, theirs in found.pairs)
    return before and things_after and _active(there) == _active(verb)


def _behind_by(left: Sequence[Item], verb: Item, source: Unit) -> bool:
    """One phrase with a determiner or a name, its "by" behind the verb or, in German and Dutch, an auxiliary."""
    words = lexicon(source.language)
    start = left[0].position
    by = next((n for n in range(start - 1, max(-1, start - 3), -1) if source.tokens[n].norm in words.agents), None)
    joined = [item.position for item in left] == list(range(start, start + len(left)))
    if by is None or by == 0 or not joined or (by == start - 1 and not left[0].name):
        return False
    known = vocabulary(source.language)
    ready = by - 1 == verb.position or (
        source.language in _VERB_LAST and source.tokens[by - 1].norm in words.auxiliaries
    )
    return ready and not any(item.keys & known.plain for item in left)


def _is_value(item: Item, source: Unit) -> bool:
    return any(value.phrase[0] <= item.start < max(value.end, value.phrase[1]) for value in source.values)


def _active(verb: Item) -> str:
    """Its form without the -s of English: "feeds" and "feed", but not "fed"."""
    return verb.text.casefold().removesuffix("s")
