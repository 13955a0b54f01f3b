"""Whether a statement can be read alone: pronoun subjects and bare answers need what stands before them (CL-5)."""

from __future__ import annotations

from grounding_middleware.claims.lexicon import template, words
from grounding_middleware.claims.wording import plain, tokens

__all__ = ["needs_context"]

_FRAGMENT_WORDS = 4
_VERB_SECOND = frozenset({"de", "nl"})
_MARKS = " ,.;:!?\"'()"
# Scripts without spaces: the pronoun simply begins the statement.
_INITIAL = {
    "ja": ("それ", "これ", "その", "この", "あれ", "彼", "同"),
    "zh": ("它", "他", "她", "这", "那", "该", "其", "此"),
    "ko": ("그것", "이것", "이는", "그는", "그들", "이들"),
    "ar": ("هو", "هي", "هم", "هذا", "هذه", "ذلك", "تلك"),
    "hi": ("यह", "वह", "ये", "वे", "इसका", "उसका"),
    "he": ("הוא", "היא", "הם", "זה", "זו", "אלה"),
    "th": ("มัน", "นี่", "นี้"),
}


def needs_context(text: str, language: str) -> bool:
    """True when a pronoun comes before any content word, or when the text is a bare name, number, yes or no."""
    said = plain(text).strip(_MARKS)
    found = tokens(said)
    if said.startswith(_INITIAL.get(language, ())) and language in _INITIAL:
        return True
    return _is_fragment(found, said, language) or _begins_with_pronoun(said, language)


def _is_fragment(found: list[str], said: str, language: str) -> bool:
    """Few words, no verb and no article behind the first of them, as it would stand in a command."""
    if language in _INITIAL and " " not in said:
        return len(said) < _FRAGMENT_WORDS
    if len(found) > _FRAGMENT_WORDS:
        return False
    if len(found) < 2 or not words(language, "finite"):
        return len(found) < 2
    verbs = words(language, "finite") | words(language, "verbs") | words(language, "verbs_or_nouns")
    if not words(language, "label_blocker").isdisjoint(found):
        return False  # a command: "Kündigen Sie schriftlich"
    third = {word.removesuffix("s") for word in found} | set(found)
    return verbs.isdisjoint(third) and found[1] not in words(language, "determiner")


def _begins_with_pronoun(said: str, language: str) -> bool:
    for phrase in words(language, "connective_phrases"):
        if said.startswith(phrase):
            said = said[len(phrase) :].lstrip(_MARKS)
    phrased, expletive = template(language, "pronoun_phrase"), template(language, "expletive")
    skipped = words(language, "connective") | words(language, "preposition")
    if language in _VERB_SECOND:
        skipped |= words(language, "finite")  # "Jedoch ist es teurer"
    at = 0
    for word in tokens(said):
        at = said.index(word, at)
        rest = said[at:]
        if phrased and phrased.match(rest):
            return True
        if word in words(language, "pronouns"):
            return not (expletive and expletive.match(rest))
        if word not in skipped:
            return False
        at += len(word)
    return False
