"""Parts of a sentence that can be judged by themselves: main clauses side by side, and a time limit at the end.

Cut only where both sides surely stand alone: each clause has its own subject and verb, no condition or "that" reaches
over the cut, nothing is negated across it. Everything else stays in one part. Covers en, de, fr, es.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from grounding_middleware.claims.language import detect
from grounding_middleware.claims.lexicon import load, template, words
from grounding_middleware.claims.quoted import quotations
from grounding_middleware.records import Range

__all__ = ["parts"]

_LONGEST = 2000  # characters; longer "sentences" are no sentences
_BRACKETS = re.compile(r"\([^()]{0,400}\)|\[[^\[\]]{0,400}\]|`[^`]{0,400}`")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TAIL = re.compile(r"[\s.!?;:。*_]*$")
_SUBJECT_REACH = 8  # words in which the verb of the right clause has to come
_FEWEST_WORDS = 3
_CLAUSE_END = re.compile(r"[,;:–—]|\s(?:and|or|und|oder|et|ou|y|o)\s")


def parts(text: str, language: str = "") -> tuple[Range, ...]:
    """Ranges that tile `text`; one when nothing can be detached. A connective belongs to the part it opens."""
    language = language or detect(text)
    if len(text) > _LONGEST or not load(language):
        return ((0, len(text)),) if text else ()
    hidden = _hide(text)
    cuts = sorted({*_clause_cuts(hidden, language), *_limit_cuts(hidden, language)})
    edges = [0, *cuts, len(text)]
    return tuple((low, high) for low, high in pairwise(edges) if low < high)


def _hide(text: str) -> str:
    """`text` with everything in quotation marks, brackets and code replaced by a sign: no cut lies inside them."""
    for low, high in quotations(text):
        text = text[:low] + "\x00" * (high - low) + text[high:]
    text = _BRACKETS.sub(lambda match: "\x00" * len(match.group()), text)
    if text.isascii():
        return text.lower()
    return "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)


def _clause_cuts(text: str, language: str) -> Iterator[int]:
    """Starts of coordinated main clauses: the comma or white space before the connective."""
    coordinator = template(language, "coordinator")
    if not coordinator or _first_word(text) in words(language, "subordinator"):
        return
    start = 0
    for match in coordinator.finditer(text):
        left, right = text[start : match.start()], text[match.end() :]
        if _is_clause(left, language) and _stands_alone(left, right, language, comma=match.group()[0] in ",;–—"):
            start = match.start()
            yield match.start()


def _stands_alone(left: str, right: str, language: str, *, comma: bool) -> bool:
    """Whether the clause after a connective has a subject and a verb of its own and nothing reaches over the cut."""
    following = _WORD.findall(right)
    if not following or following[0] not in words(language, "subject_start"):
        return False
    if not words(language, "reaching").isdisjoint(following):  # a condition at the end may hold for both clauses
        return False
    if not comma and not words(language, "subordinator").isdisjoint(_WORD.findall(left)):
        return False
    if not comma and "," in left and not _is_clause(left.rpartition(",")[2], language):
        return False  # "but street parking and a garage are available"
    return _has_verb(_WORD.findall(_CLAUSE_END.split(right, maxsplit=1)[0]), language)


def _is_clause(piece: str, language: str) -> bool:
    found = _WORD.findall(piece)
    return len(found) >= _FEWEST_WORDS and not _verbs(language).isdisjoint(found[1:])


@cache
def _verbs(language: str) -> frozenset[str]:
    """Everything that may be the verb of a clause."""
    verbs = words(language, "finite") | _forms(language, "verbs") | words(language, "verbs")
    return verbs | _forms(language, "verbs_or_nouns") | words(language, "verbs_or_nouns")


def _has_verb(found: list[str], language: str) -> bool:
    """Whether the words of a clause that begins with its subject reach a finite verb soon enough."""
    if not found:  # "and – they say – the crowd left"
        return False
    plural = found[0] in words(language, "plural_subject")
    for number, word in enumerate(found[1 : _SUBJECT_REACH + 1], 1):
        if word in words(language, "subordinator"):
            return False
        if word in words(language, "finite") or (plural and word in words(language, "verbs")):
            return True
        if word in _forms(language, "verbs") and not _is_adjective(found, number, language):
            return True
        after = found[number + 1 : number + 2]
        if word in _forms(language, "verbs_or_nouns") and number > 1 and after and _opens_object(after[0], language):
            return True
    return False


def _is_adjective(found: list[str], number: int, language: str) -> bool:
    """A participle is no verb behind its determiner or an adverb ("a printed card"), or before "by"."""
    if language != "en" or not found[number].endswith("ed"):
        return False
    before, after = found[number - 1], found[number + 1 : number + 2]
    bound = before in words(language, "preposition") or before in ("than", "being")
    return number == 1 or bound or before.endswith("ly") or after == ["by"]


def _opens_object(word: str, language: str) -> bool:
    return word[0].isdigit() or word in words(language, "determiner") or word in words(language, "number_word")


@cache
def _forms(language: str, key: str) -> frozenset[str]:
    """Listed forms, and for English the regular forms of the listed verbs."""
    listed = words(language, key)
    return listed if language != "en" else frozenset(form for verb in listed for form in _inflected(verb))


def _inflected(verb: str) -> tuple[str, ...]:
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        third = verb + "es"
    elif verb.endswith("y") and verb[-2] not in "aeiou":
        third = verb[:-1] + "ies"
    else:
        third = verb + "s"
    if verb.endswith("e"):
        past = verb + "d"
    elif verb.endswith("y") and verb[-2] not in "aeiou":
        past = verb[:-1] + "ied"
    else:
        past = verb + "ed"
    return third, past


def _limit_cuts(text: str, language: str) -> Iterator[int]:
    """Start of a time limit at the end of the text, with the white space before it."""
    limit = template(language, "time_limit")
    body = _TAIL.sub("", text)
    found = (match for match in limit.finditer(body) if match.end() == len(body)) if limit else iter(())
    for match in found:
        before = body[: match.start()]
        if _may_lose_its_end(before, language):
            yield len(before.rstrip())
        return


def _may_lose_its_end(before: str, language: str) -> bool:
    """Whether what stands before a time limit is a whole main clause without it."""
    found, nearest = _WORD.findall(before), _WORD.findall(before.rpartition(",")[2])
    if not _is_clause(before, language) or not words(language, "subordinator").isdisjoint(nearest[1:]):
        return False
    return found[-1] not in words(language, "bound_before")


def _first_word(text: str) -> str:
    match = _WORD.search(text)
    return match.group() if match else ""
