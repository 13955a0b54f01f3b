"""What one statement does: claim, abstention, or one of the few things that are no claims (CL-6).

The default is *claim*. A statement is something else only when a template of its language covers all of it, and then
only if nothing material rides along: an amount, a negation, a condition, a promise, a further clause. A false claim
costs a check, a false non-claim would pass unverified. Languages without a data file have claims, questions, headings.
"""

from __future__ import annotations

import re
from enum import StrEnum

from grounding_middleware.claims.lexicon import template, words
from grounding_middleware.claims.wording import (
    Wording,
    amounts,
    covers,
    is_echo,
    matches,
    material,
    names_source,
    plain,
    read,
    tokens,
)

__all__ = ["Statement", "classify", "is_offering"]


class Statement(StrEnum):
    """Values of `Claim.statement`; only CLAIM and ABSTENTION say anything that can be wrong."""

    CLAIM = "claim"
    ABSTENTION = "abstention"
    GREETING = "greeting"
    THANKS = "thanks"
    QUESTION = "question"
    OFFER = "offer"
    INTERFACE = "interface"
    OPINION = "opinion"
    HEADING = "heading"
    INTRO = "intro"
    REFERENCE = "reference"


_FALLBACK = "en"  # for "Hello!", which has no word that tells a language
_LONGEST = 700  # characters; nothing polite is longer, and the templates stay fast
_LABEL_WORDS = 6
_SHORT_QUESTION = 4  # words: "And the fee?"
_FEWEST_OF_CLAUSE = 3  # words: subject, verb, and what is said
_CLAUSES = re.compile(r"[,;:–—]| (?:and|or|but) ")
_LINKS = re.compile(r"(?:<?(?:https?://|www\.)\S+>?[\s,;.]*)+")
_POLITE = (
    (Statement.THANKS, "only_thanks"),
    (Statement.OPINION, "only_opinion"),
    (Statement.GREETING, "pleasantry"),
    (Statement.OFFER, "offer"),
    (Statement.INTERFACE, "interface"),
)
_FRIENDLY = (Statement.OFFER, Statement.THANKS, Statement.INTERFACE)


def classify(text: str, language: str, question: str = "") -> Statement:
    """The type of the statement `text`, in which markers are blanked; `question` is what the reader had asked."""
    if len(text) > _LONGEST:
        return Statement.CLAIM
    wording = read(text, language or _FALLBACK)
    if not any(letter.isalnum() for letter in wording.said):
        return Statement.OPINION  # a row of signs or emoji
    if covers(wording, "reference") or _LINKS.fullmatch(wording.said):
        return Statement.REFERENCE
    if wording.said.rstrip("\"')] ").endswith("?") or matches(wording, "question_form"):
        return _question(wording, question)
    return _polite(wording, question) or _other(wording, question)


def _polite(wording: Wording, question: str) -> Statement | None:
    """What a polite template says, or CLAIM when an amount or an answer rides along; None when no template fits."""
    polite = next((kind for kind, key in _POLITE if matches(wording, key) or covers(wording, key)), None)
    if polite is None:
        return None
    echo = is_echo(amounts(wording.core), question) and not (polite in _FRIENDLY and _smuggles(wording))
    return polite if echo and not _confirms(wording, question) else Statement.CLAIM


def _other(wording: Wording, question: str) -> Statement:
    if is_abstention(wording) and not _presupposes(wording, question):
        return Statement.ABSTENTION
    return Statement.INTRO if _is_intro(wording, question) else Statement.CLAIM


def _question(wording: Wording, question: str) -> Statement:
    """A question, an offer, or a claim dressed as a question ("Did you know that ...?", "It is free, isn't it?")."""
    if matches(wording, "assertive_question") or not is_echo(amounts(wording.core), question):
        return Statement.CLAIM
    if _is_declarative(wording) or (is_offering(wording) and _smuggles(wording)):
        return Statement.CLAIM
    return Statement.OFFER if matches(wording, "offer_question") else Statement.QUESTION


def is_offering(wording: Wording) -> bool:
    """Whether a question offers to do or to give something."""
    return matches(wording, "offering")


def _smuggles(wording: Wording) -> bool:
    """Whether a description in an offer says something of the matter itself: "the form that you must hand in"."""
    smuggled = template(wording.language, "smuggled")
    return bool(smuggled and smuggled.search(wording.core))


def _is_declarative(wording: Wording) -> bool:
    """Whether a long sentence with a question mark asks nothing: no question word in it, no verb before its subject."""
    openers, wh_words = words(wording.language, "question_opener"), words(wording.language, "wh_word")
    if not openers or len(tokens(wording.core)) <= _SHORT_QUESTION or not wh_words.isdisjoint(tokens(wording.core)):
        return False
    skipped = words(wording.language, "connective")
    clauses = (tokens(clause) for clause in _CLAUSES.split(wording.core))
    firsts = (next((word for word in clause if word not in skipped), "") for clause in clauses)
    return not any(first in openers for first in firsts)


def _confirms(wording: Wording, question: str) -> bool:
    """Whether a polite word answers yes or no: "Of course!" does after "Is it free?", not after "Can you help?"."""
    polar = template(wording.language, "polar_question")
    return bool(question and polar and polar.match(question.strip().lower())) and matches(wording, "confirmation")


def is_abstention(wording: Wording) -> bool:
    """Whether the whole statement says that the sources, or the assistant, do not know; further clauses forbid it."""
    if not (matches(wording, "abstention") or (wording.sourced and matches(wording, "abstention_if_sourced"))):
        return False
    turn = template(wording.language, "turn")
    return not (turn and turn.search(wording.core)) and not _spliced(wording)


def _spliced(wording: Wording) -> bool:
    """Whether a main clause follows the last comma without a connective: "..., members enter free"."""
    head, comma, tail = wording.core.rpartition(",")
    found = tokens(tail)
    if not comma or len(found) < _FEWEST_OF_CLAUSE or names_source(wording._replace(core=tail)) or not tokens(head):
        return False
    keys = ("preposition", "subordinator", "connective", "wh_word", "question_word", "joining", "coordinating")
    if any(found[0] in words(wording.language, key) for key in keys):
        return False
    if not words(wording.language, "aside").isdisjoint(found[:2]):
        return False
    if not (words(wording.language, "verbs") | words(wording.language, "finite")).isdisjoint(found):
        return True
    listed = not words(wording.language, "coordinating").isdisjoint(found)  # "the price, the place or the day"
    return not listed and (not words(wording.language, "verbs") or found[0] in words(wording.language, "determiner"))


def _presupposes(wording: Wording, question: str) -> bool:
    """Whether "I do not know why X" tells X, which the question did not ask about."""
    reason = template(wording.language, "reason_word")
    return bool(reason and reason.search(wording.core) and not reason.search(plain(question)))


def _is_intro(wording: Wording, question: str) -> bool:
    """Whether a statement that ends in a colon, or a bare "Summary", only announces what follows."""
    if covers(wording, "bare_heading"):
        return True
    if not wording.said.endswith(":") or material(wording, question):
        return False
    turn = template(wording.language, "turn")
    if matches(wording, "intro") or covers(wording, "intro"):
        return not (turn and turn.search(wording.core))
    return _is_label(wording)


def _is_label(wording: Wording) -> bool:
    """Whether a few words only name what follows: "Opening hours:" does, a verb or "Drain the leader:" does not."""
    found = tokens(wording.core)
    if names_source(wording) or not 0 < len(found) <= _LABEL_WORDS or not words(wording.language, "finite"):
        return False
    blockers = ("finite", "verbs", "label_blocker")
    if any(not words(wording.language, key).isdisjoint(found) for key in blockers):
        return False
    if found[0] in words(wording.language, "verbs_or_nouns"):
        return False
    determiners = words(wording.language, "determiner")
    if len(found) > 1 and found[1] in determiners:
        return found[0] in words(wording.language, "preposition") or found[0] in determiners
    return True
