"""Roles told by case (CH-7): German articles say who does what, wherever the words stand.

"Den Mieter informiert der Verwalter" is not "Der Mieter informiert den Verwalter", though all words and their order are
the same. A noun counts only where its article leaves one case open, or where the rest of the clause does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit

__all__ = ["article", "attributive", "by_case", "clause", "infinitive", "verbal"]

_NOMINATIVE, _ACCUSATIVE, _DATIVE, _GENITIVE = "nominative", "accusative", "dative", "genitive"
_SUBJECT_OR_OBJECT: Final = frozenset({_NOMINATIVE, _ACCUSATIVE})
_NOT_FEMININE: Final = frozenset({"den", "dem", "des", "ein", "einen", "einem", "eines"})
_FIXED: Final = {
    **dict.fromkeys(("den", "einen", "keinen"), _ACCUSATIVE),
    **dict.fromkeys(("dem", "einem", "keinem"), _DATIVE),
    **dict.fromkeys(("des", "eines", "keines"), _GENITIVE),
}
_OPEN: Final = frozenset({"die", "das", "eine", "ein", "keine", "kein"})
_BECOMES: Final = frozenset({"wird", "werden", "wurde", "wurden", "worden"})
_ENDINGS: Final = ("e", "en", "er", "es", "em")
_ADJECTIVES: Final = 3  # words between an article and its noun, at most
_TWO: Final = 2
_INFINITIVE: Final = "zu"
_AGENT, _OBJECT = "agent", "object"

Roles = dict[int, str]


def by_case(alignment: Alignment) -> tuple[Pair, str, str] | None:
    """A noun that acts in the source's clause and not in the claim's, or the other way round, around the same verb."""
    if alignment.claim.language != "de" or alignment.opposed or not alignment.anchored or alignment.by_context:
        return None
    verb = next((pair for pair in alignment.pairs if verbal(alignment.claim, pair[0])), None)
    if verb is None or verb[0].keys & lexicon("de").symmetric:
        return None
    if any(
        infinitive(unit, item.segment) for unit, item in zip((alignment.claim, alignment.source), verb, strict=True)
    ):
        return None  # who acts stands in the clause before: "bat ihn, das Geld zu zahlen"
    mine, theirs = _roles(alignment, alignment.claim, verb[0]), _roles(alignment, alignment.source, verb[1])
    pairs = [pair for pair in alignment.pairs if pair[0].segment == verb[0].segment and _once(alignment, pair)]
    if min(len(mine), len(theirs)) < _TWO:
        return None
    return _role_changed(pairs, mine, theirs) or _other_agent(alignment, pairs, mine, theirs)


def _role_changed(pairs: Sequence[Pair], mine: Roles, theirs: Roles) -> tuple[Pair, str, str] | None:
    for pair in pairs:
        own, other = mine.get(pair[0].position, ""), theirs.get(pair[1].position, "")
        if own and other and (own == _AGENT) != (other == _AGENT):
            return pair, other, own
    return None


def _other_agent(
    alignment: Alignment, pairs: Sequence[Pair], mine: Roles, theirs: Roles
) -> tuple[Pair, str, str] | None:
    """Somebody else acts in the source's clause; who acts in the claim does something else there, or is not the agent.

    Not where the source names both together: "the city and the club hired her".
    """
    other = next((item for item in alignment.source.items if theirs.get(item.position) == _AGENT), None)
    pair = next((pair for pair in pairs if mine.get(pair[0].position) == _AGENT), None)
    if other is None or pair is None or pair[1] is other or other.keys & pair[0].keys:
        return None
    apart = pair[1].segment != other.segment
    if (apart and not clause(alignment.source, pair[1].segment)) or not _agree(pairs, mine, theirs, other.segment):
        return None
    return pair, f"other than the agent {other.text}", _AGENT


def _agree(pairs: Sequence[Pair], mine: Roles, theirs: Roles, segment: int) -> bool:
    """What is acted on is the same on both sides."""
    objects = [pair for pair in pairs if mine.get(pair[0].position) == _OBJECT]
    return bool(objects) and all(
        pair[1].segment == segment and theirs.get(pair[1].position) == _OBJECT for pair in objects
    )


def _once(alignment: Alignment, pair: Pair) -> bool:
    """A word that stands twice in the source may play both roles there."""
    return sum(bool(item.keys & pair[0].keys) for item in alignment.source.items) == 1


def _roles(alignment: Alignment, unit: Unit, verb: Item) -> Roles:
    """Position -> who acts, what is acted on, whom it is done to; nothing where the voice is open."""
    voice = _passive(unit, verb)
    if voice is None:
        return {}
    nouns = [item for item in unit.items if item.segment == verb.segment and item.text[:1].isupper()]
    bare = [item for item in nouns if not item.prep]
    cases = {item.position: _case(alignment, unit, item) for item in bare}
    cases = _settled(cases, voice=voice)
    told = {_NOMINATIVE: _OBJECT if voice else _AGENT, _ACCUSATIVE: _OBJECT, _DATIVE: "recipient"}
    if voice and _ACCUSATIVE in cases.values():
        return {}  # no such clause: the reading is wrong
    agents = lexicon("de").agents
    by = {item.position: _AGENT for item in nouns if voice and item.prep in agents}
    return {position: told[case] for position, case in cases.items() if case in told} | by


def _passive(unit: Unit, verb: Item) -> bool | None:
    """True for "wird ... informiert", None where it may as well be the future ("wird ... verlassen")."""
    inside = unit.segments[verb.segment]
    if not any(inside.start <= token.start < inside.end and token.norm in _BECOMES for token in unit.tokens):
        return False
    return True if verb.text.endswith("t") or (verb.text.endswith("en") and "ge" in verb.text[:6]) else None


def article(unit: Unit, item: Item) -> tuple[str, int]:
    """The article before a noun and its adjectives, and where it starts; ("", start of the noun) without one."""
    before = [token for token in unit.tokens if token.end <= item.start][-_ADJECTIVES:]
    for token in reversed(before):
        if token.norm in _FIXED or token.norm in _OPEN or token.norm == "der":
            return token.norm, token.start
        if not token.text.endswith(_ENDINGS) or token.text[:1].isupper():
            break
    return "", item.start


def _case(alignment: Alignment, unit: Unit, item: Item) -> str:
    """The one case the article leaves open, "" for the open ones, "none" for a noun that hangs on another."""
    told, start = article(unit, item)
    if told != "der":
        return "" if told in _OPEN else _FIXED.get(told, "none")
    before = next((one for one in reversed(unit.items) if one.end <= start), None)
    between = unit.text[before.end - unit.start : start - unit.start] if before is not None else "-"
    if before is not None and before.text[:1].isupper() and not between.strip():
        return "none"  # "der Leiter der Schule"
    return _NOMINATIVE if _masculine(alignment, item) else ""


def _masculine(alignment: Alignment, item: Item) -> bool:
    """An article on either side that no feminine noun has."""
    both = ((unit, one) for unit in (alignment.claim, alignment.source) for one in unit.items if one.keys & item.keys)
    return any(article(unit, one)[0] in _NOT_FEMININE for unit, one in both)


def _settled(cases: dict[int, str], *, voice: bool) -> dict[int, str]:
    """The one noun of open case is the subject where the clause has none yet, the object where it has one."""
    open_ = [position for position, case in cases.items() if not case]
    known = [case for case in cases.values() if case in _SUBJECT_OR_OBJECT]
    if len(open_) != 1 or (not known and not voice) or len(known) > 1:
        return cases
    return cases | {open_[0]: _NOMINATIVE if voice or known[0] == _ACCUSATIVE else _ACCUSATIVE}


def clause(unit: Unit, segment: int) -> bool:
    """The segment has a verb of its own: it is no mere member of a list."""
    inside, words = unit.segments[segment], lexicon(unit.language)
    auxiliary = any(inside.start <= one.start < inside.end and one.norm in words.auxiliaries for one in unit.tokens)
    return auxiliary or any(verbal(unit, item) for item in unit.items if item.segment == segment)


def infinitive(unit: Unit, segment: int) -> bool:
    """The segment may have no subject of its own: "..., das Geld zu zahlen"."""
    inside = unit.segments[segment]
    return any(inside.start <= token.start < inside.end and token.norm == _INFINITIVE for token in unit.tokens)


def attributive(unit: Unit, item: Item) -> bool:
    """An adjective right before its noun: "zuständige Stelle"."""
    following = next((token for token in unit.tokens if token.start >= item.end), None)
    return item.text.endswith(_ENDINGS) and following is not None and following.text[:1].isupper()


def verbal(unit: Unit, item: Item) -> bool:
    """A word in small letters that is no adjective before a noun."""
    return item.text[:1].islower() and not item.code and not attributive(unit, item)
