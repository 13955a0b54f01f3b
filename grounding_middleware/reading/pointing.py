"""Whether a sentence points to another one: its pronouns, "there", "the latter", "in that case", a subject left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.editing.dangling import Lean, leaning
from grounding_middleware.reading.hints import hints
from grounding_middleware.reading.lexicon import Lexicon, lexicon
from grounding_middleware.reading.subjects import leans_back, spoken
from grounding_middleware.reading.tokens import Shape, Token
from grounding_middleware.reading.units import Unit
from grounding_middleware.reading.values import ValueKind

__all__ = ["expletive", "named_last", "pointers", "points_back", "unowned"]

_PRO_DROP: Final = frozenset({"es", "it", "pt", "pl"})
_OBJECTS: Final = frozenset({"it", "them", "him", "ihn", "ihm", "ihnen", "lui", "eux", "hem", "hen", "go", "ją"})
"""Pronouns that cannot mean the subject of their own clause ("technicians inspect it")."""
_SINGULAR: Final = frozenset({"its", "it", "he", "she", "his", "him"})
_LO: Final = frozenset({"lo"})  # an article before adjectives only, else "it"
_BE: Final = frozenset({"is", "are", "was", "were", "will", "has", "have", "may", "can", "must", "s"})
_VERB_SECOND: Final = ("de", "nl")
_BEHIND_VERB: Final = frozenset({"er", "sie", "hij", "zij", "ze"})  # as written: "Sie" is "you"
_THERE: Final = frozenset({"there"})
_HAS_THERE: Final = frozenset({"a", "avait", "aura", "aurait"})  # "il y a"


def points_back(unit: Unit) -> bool:
    """True if what the sentence is about can only be told from another one."""
    if leans_back(unit) or _leans(unit) or _behind_opening(unit):
        return True
    words = lexicon(unit.language)
    return any(_elsewhere(unit, token) for token in unit.tokens) or _ordinal(unit, words) or _verb_first(unit, words)


def expletive(unit: Unit) -> bool:
    """Its first pronoun stands for nothing: "Es gibt", "It is possible to"."""
    return leans_back(unit) and Lean.REFERENT not in leaning(unit.text, unit.language) and unit.language != "pl"


def pointers(unit: Unit) -> list[str]:
    """Its words that point back or may do so, in order."""
    return [token.norm for token in _pointing(unit)]


def unowned(unit: Unit) -> bool:
    """True if it may speak of something that another sentence names: a pronoun anywhere, no subject that is known."""
    if any(not _bound(unit, token) for token in _pointing(unit)):
        return True
    first = next(iter(spoken(unit)), None)
    if first is None or unit.language not in _PRO_DROP:
        return False
    words = lexicon(unit.language)
    return first.norm not in words.articles | words.prepositions and not any(
        item.name and item.start == first.start for item in unit.items
    )


def _pointing(unit: Unit) -> Iterator[Token]:
    words, known = lexicon(unit.language), hints(unit.language)
    back = (
        (words.pronouns - words.first_and_second) | known.pointing | _THERE | (_LO if unit.language == "es" else _THERE)
    )
    return (token for token in unit.tokens if token.norm in back and not _exists(unit, token))


def _bound(unit: Unit, token: Token) -> bool:
    """A word before it in the same sentence may be what it means: "guests bring their own towels"."""
    before = [item for item in unit.items if item.start < token.start]
    if token.norm in _SINGULAR:
        before = [item for item in before if not item.text.endswith("s")]
    return bool(before)


def _leans(unit: Unit) -> bool:
    """Its opening points back ("In that case", "Both"), and does not only set it against another ("However")."""
    lean = leaning(unit.text, unit.language)
    if Lean.REFERENT in lean:
        return True
    first = next((token for token in unit.tokens if token.shape is Shape.WORD), None)
    words, norms = lexicon(unit.language), [token.norm for token in unit.tokens]
    if Lean.PREVIOUS not in lean or first is None or first.norm in words.joins:
        return False
    return not words.connective_at(norms, unit.tokens.index(first))


def named_last(unit: Unit) -> bool:
    """It means the one that was named last ("ce dernier"), so the order of the things named decides."""
    said = spoken(unit)[:2]
    return len(said) > 1 and said[1].norm in hints(unit.language).last and leans_back(unit)


def _behind_opening(unit: Unit) -> bool:
    """Its subject is a pronoun behind a phrase that says where or when: "In rare cases they ..."."""
    turned = unit.language in _VERB_SECOND
    third = lexicon(unit.language).pronouns - lexicon(unit.language).first_and_second
    pronoun = next(
        (token for token in unit.tokens if (token.text in _BEHIND_VERB if turned else token.norm in third)), None
    )
    if pronoun is None:
        return False
    before = [item for item in unit.items if item.start < pronoun.start]
    verb = before[-1:] if turned and before and before[-1].position == unit.tokens.index(pronoun) - 1 else []
    opening = bool(before) and all(item.prep or item in verb for item in before)
    return opening and (turned or _refers(unit, pronoun))


def _refers(unit: Unit, token: Token) -> bool:
    """False for a pronoun that stands for nothing: "it is possible to"."""
    return Lean.REFERENT in leaning(unit.text[token.start - unit.start :], unit.language)


def _exists(unit: Unit, token: Token) -> bool:
    """Says that there is something and points nowhere: "there is", "il y a"."""
    place = unit.tokens.index(token)
    follows = unit.tokens[place + 1].norm if place + 1 < len(unit.tokens) else ""
    before = unit.tokens[place - 1].norm if place else ""
    if token.norm == "y":
        return unit.language != "fr" or follows in _HAS_THERE
    bare = not any(item.end == unit.tokens[place - 1].end and not item.prep for item in unit.items) if place else True
    return token.norm in _THERE and bare and (follows in _BE or before in _BE)


def _elsewhere(unit: Unit, token: Token) -> bool:
    """A word that points back, or an object pronoun, in the first clause: it means no word of its own sentence."""
    words = lexicon(unit.language)
    there = token.norm in hints(unit.language).pointing | _THERE and not _exists(unit, token)
    clitic = unit.language == "es" and token.norm in _LO
    if not there and not clitic and (token.norm not in _OBJECTS or token.norm not in words.pronouns):
        return False
    if token.norm in _SINGULAR and leaning(token.text, unit.language) and not _refers(unit, token):
        return False
    place = unit.segment_at(token.start)
    return not any(item.segment < place for item in unit.items)


def _ordinal(unit: Unit, words: Lexicon) -> bool:
    """An order that another sentence gives: "The second one lasts three hours", "Das zweite ist breiter"."""
    said = spoken(unit)[:3]
    if len(said) < len("abc") or said[0].norm not in words.articles:
        return False
    ordinal = any(value.start == said[1].start and value.kind is ValueKind.ORDINAL for value in unit.values)
    ordinal = ordinal or said[1].norm in hints(unit.language).ordinals
    bare = [item for item in unit.items if not item.prep and item.start > said[1].start]
    return ordinal and len(bare) < len("ab")


def _verb_first(unit: Unit, words: Lexicon) -> bool:
    """The subject is left out: "È alto 3 metri", "Tiene piscina"."""
    first = next(iter(spoken(unit)), None)
    if first is None or unit.language not in _PRO_DROP or unit.text.rstrip().endswith("?"):
        return False
    modal = any(cue.start == first.start for cue in unit.of("modality"))
    return modal or first.norm in words.auxiliaries or bool(words.forms(first.norm) & words.measure_verbs)
