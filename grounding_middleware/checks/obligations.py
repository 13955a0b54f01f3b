"""What must, need not, may and must not be (CH-4), whatever words say it: "muss nicht" is "ist nicht erforderlich".

Each sentence gives one status to one act or thing: required, waived, allowed or forbidden. "Ohne X möglich" waives X,
"ohne X nicht möglich" and "nur mit X" require it. Two statuses of the same words that cannot both hold are a conflict.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Reporter, place
from grounding_middleware.reading.lemmas import keys, related
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.records import Finding, Kind

__all__ = ["Duty", "alike", "choice", "duty_words", "obligations", "says_only_that", "told"]

_REPORT: Final = Reporter("modality")
_REQUIRED, _WAIVED, _ALLOWED, _FORBIDDEN = "required", "waived", "allowed", "forbidden"
_PLAIN: Final = {"required": _REQUIRED, "optional": _WAIVED, "permitted": _ALLOWED, "forbidden": _FORBIDDEN}
_DENIED: Final = {"required": _WAIVED, "permitted": _FORBIDDEN, "forbidden": _ALLOWED}
_AGAINST: Final = {
    frozenset({_REQUIRED, _WAIVED}),
    frozenset({_REQUIRED, _FORBIDDEN}),
    frozenset({_WAIVED, _FORBIDDEN}),
    frozenset({_ALLOWED, _FORBIDDEN}),
}
_BROAD: Final = (_REQUIRED, _ALLOWED)  # said of a part, the opposite of the whole is wrong all the same
_TABLES: Final = ("condition", "certainty")
_AS_WRITTEN: Final = ("with", "ambiguous")  # forms that share their lemma with others
_LEFT: Final = 2  # words of the source beside those of the claim, at most


@dataclass(frozen=True, slots=True)
class Duty:
    """`thing` stands behind "without" or "only with"; without one, `asks` for a thing or speaks of an act."""

    status: str
    word: Token | Cue
    segment: int
    thing: Item | None = None
    asks: bool = False


def obligations(alignments: Sequence[Alignment]) -> Iterator[Finding]:
    """A conflict where the best sentence about the same act or thing gives it a status the claim's excludes."""
    for alignment in alignments:
        words = duty_words(alignment.claim.language)
        if not words or alignment.claim.language != alignment.source.language:
            return
        for mine in told(alignment.claim):
            for theirs in told(alignment.source):
                if _excluded(alignment, mine, theirs) and _sameduty_words(alignment, theirs):
                    message = (
                        f"source '{theirs.word.text}' ({theirs.status}), answer '{mine.word.text}' ({mine.status})"
                    )
                    at = place(alignment, mine.word, theirs.word)
                    yield _REPORT.conflict("duty-turned", message, Kind.MODALITY, at)
                    return


def choice(alignments: Sequence[Alignment]) -> Iterator[Finding]:
    """A conflict where one of two ways the source leaves open is the only one in the claim: "may A or B", "must A"."""
    for alignment in alignments:
        source, words = alignment.source, duty_words(alignment.claim.language)
        if not words or alignment.claim.language != source.language or not alignment.anchored:
            return
        bound = [duty for duty in told(alignment.claim) if duty.status == _REQUIRED and not duty.thing]
        only: list[Cue | Token] = [cue for cue in alignment.claim.cues if cue.name == "quantity.only"]
        mark = next(iter(only), bound[0].word if bound else None)
        alternatives = [n for n, segment in enumerate(source.segments) if segment.opener == "or"]
        if mark is None or len(alternatives) != 1 or not _leaves_open(source, alternatives[0]):
            continue
        sides = (alternatives[0] - 1, alternatives[0])
        said = {id(there) for _, there in alignment.pairs}
        items = [item for item in source.items if item.segment in sides and not says_only_that(item, source.language)]
        left = [item for item in items if id(item) not in said]
        if len(left) == 1 and _plain(alignment) and _is_way(items, left[0], alternatives[0]):
            message = f"source leaves '{left[0].text}' open as well, answer '{mark.text}'"
            yield _REPORT.conflict("choice-narrowed", message, Kind.MODALITY, place(alignment, mark, left[0]))
            return


def _leaves_open(source: Unit, alternative: int) -> bool:
    """Only what one may do, around "or"."""
    cues = [cue for cue in source.cues if cue.segment in (alternative - 1, alternative)]
    modal = [cue for cue in cues if cue.table == "modality"]
    return (
        bool(modal)
        and all(cue.name == "modality.permission" for cue in modal)
        and not any(cue.table in ("negation", "condition") for cue in cues)
    )


def _plain(alignment: Alignment) -> bool:
    return not alignment.claim.of("negation") and not alignment.claim.of("condition") and not alignment.opposed


def _is_way(items: Sequence[Item], left: Item, alternative: int) -> bool:
    """The word left out stands right beside the "or"."""
    before = [item for item in items if item.segment < alternative]
    after = [item for item in items if item.segment == alternative]
    return bool(before and after) and left in (before[-1], after[0])


@lru_cache(maxsize=16)
def duty_words(language: str) -> dict[str, frozenset[str]]:
    """The word classes of a language; empty where there are none."""
    data = tomllib.loads((files("grounding_middleware.checks") / "data" / "obligations.toml").read_text("utf-8"))
    return {
        name: frozenset().union(*(keys(word, language) for word in listed))
        if name not in _AS_WRITTEN
        else frozenset(listed)
        for name, listed in data.get(language, {}).items()
    }


def told(unit: Unit) -> Iterator[Duty]:
    """The status a clause gives to its act, and the one it gives to a thing behind "without" or "only with"."""
    words = duty_words(unit.language)
    for number in range(len(unit.segments)):
        inside = [token for token in unit.tokens if unit.segment_at(token.start) == number]
        marks = [token for token in inside if _class(token, words)]
        if any(token.norm in words["ambiguous"] for token in inside):
            continue
        cues = [cue for cue in unit.cues if cue.segment == number]
        yield from _clause(unit, number, marks, cues)


def _class(token: Token, words: dict[str, frozenset[str]]) -> str:
    return next((name for name in _PLAIN if token.norm in words[name]), "")


def _clause(unit: Unit, number: int, marks: Sequence[Token], cues: Sequence[Cue]) -> Iterator[Duty]:
    words = duty_words(unit.language)
    lacking = [cue for cue in cues if cue.table == "negation" and cue.text.casefold() in lexicon(unit.language).lacking]
    negations = [cue for cue in cues if cue.table == "negation" and cue not in lacking]
    only = next((cue for cue in cues if cue.name == "quantity.only"), None)
    classes = {_class(token, words) for token in marks}
    if any(cue.name == "negation.idioms" for cue in cues) or len(negations) > 1 or len(classes) > 1:
        return
    told = classes.pop() if classes else ""
    status = (_DENIED.get(told, "") if negations else _PLAIN.get(told, "")) if told else ""
    if lacking:
        thing = _head(unit, number, lacking[0].position)
        denied = bool(negations) != (told == "forbidden")
        if thing is not None and len(lacking) == 1 and told in ("", "permitted", "forbidden") and only is None:
            yield Duty(_REQUIRED if denied else _WAIVED, lacking[0], number, thing)
    elif only is not None:
        thing = _head(unit, number, only.position)
        if thing is not None and thing.prep in words["with"] and not negations and told in ("", "permitted"):
            yield Duty(_REQUIRED, only, number, thing)
    elif status:
        asks = any(token.norm in words["of_things"] for token in marks)
        yield Duty(status, marks[0], number, None, asks)


def _head(unit: Unit, segment: int, position: int) -> Item | None:
    """The noun right behind a word: in German the first with a capital."""
    behind = [item for item in unit.items if item.segment == segment and item.position > position]
    if unit.language == "de":
        return next((item for item in behind if item.text[:1].isupper()), None)
    return next(iter(behind), None)


def _excluded(alignment: Alignment, mine: Duty, theirs: Duty) -> bool:
    """The two statuses cannot both hold of the same: the thing named on one side is what the other asks for."""
    if frozenset({mine.status, theirs.status}) not in _AGAINST:
        return False
    if mine.thing is None and theirs.thing is None:
        return True
    if mine.thing is not None and theirs.thing is not None:
        return alike(mine.thing, theirs.thing)
    told, thing, unit = (theirs, mine.thing, alignment.source) if mine.thing else (mine, theirs.thing, alignment.claim)
    if thing is None or not told.asks:
        return False
    asked = [item for item in unit.items if item.segment == told.segment and not item.prep and alike(item, thing)]
    return bool(asked)


def alike(one: Item, other: Item) -> bool:
    """The same word, or one of its family: "zustimmt", "Zustimmung"."""
    return bool(one.keys & other.keys) or related(one.text, other.text)


def _sameduty_words(alignment: Alignment, theirs: Duty) -> bool:
    """Every other word of the claim stands in that clause, and the clause says little beside it."""
    claim, source = alignment.claim, alignment.source
    if any(cue.table in _TABLES and cue.name != "condition.inclusion" for cue in claim.cues) or not _free(
        source, theirs
    ):
        return False
    said = [item for item in claim.items if not says_only_that(item, claim.language)]
    there = [
        item for item in source.items if item.segment == theirs.segment and not says_only_that(item, source.language)
    ]
    if len({item.segment for item in said}) > 1 or not said:
        return False
    left = [item for item in there if not any(alike(item, own) for own in said)]
    if left and theirs.status not in _BROAD:
        return False  # "need not be filed in person" does not say that it need not be filed
    names = all(any(alike(own, item) for item in there) for own in said)
    return (
        names
        and len(left) < min(_LEFT, len(said))
        and {v.text for v in claim.claimed} <= {v.text for v in source.claimed}
    )


def _free(source: Unit, theirs: Duty) -> bool:
    """No condition, hedge or exception narrows what the source says."""
    return not any(
        cue.table in _TABLES and cue.name not in ("condition.inclusion", "certainty.strong") for cue in source.cues
    ) and not any(segment.opener == "but" for segment in source.segments[theirs.segment + 1 :][:1])


def says_only_that(item: Item, language: str) -> bool:
    """A word of duty or leave, or one that says no more than that it takes place."""
    words = duty_words(language)
    return any(item.keys & words.get(name, frozenset()) for name in ("light", "enough", *_PLAIN)) or bool(
        item.keys & lexicon(language).existence
    )
