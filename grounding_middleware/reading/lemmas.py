"""Lemmas: one comparable form of a word, from simplemma, loaded per language on first use.

A language nobody knows compares by the word itself. A light stem stands beside the lemma because dictionaries miss
regular forms ("cancelled"); it removes inflection only, so that approver and approval stay apart.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final
from unicodedata import combining, normalize

if TYPE_CHECKING:
    from simplemma import Lemmatizer

LEMMATISED: Final = frozenset({"en", "de", "fr", "es", "it", "pt", "nl", "pl"})
_CACHE = 1 << 15  # words remembered per process; bounded, so memory stays flat
_ENGLISH_ENDINGS: Final = (("ies", "y"), ("ied", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""))
_MIN_STEM = 3
_FAMILY: Final = 6  # letters that words of one family share at their start
_ENDING: Final = 5  # letters their endings may have
_MIN_BRITISH: Final = 5  # letters: hour, metre and rise are spelt the same or mean something else
_SPELLINGS: Final = (("our", "or"), ("tre", "ter"), ("ise", "ize"), ("yse", "yze"), ("isation", "ization"))
_INFINITIVES: Final = {"fr": "r", "es": "r", "pt": "r", "it": "re"}
"""What makes an infinitive of a form that is a noun as well, for which dictionaries keep the noun: conserve, paga."""


_PARTICIPLES: Final = {
    "fr": {
        "inclus": "inclure", "permis": "permettre", "réduit": "réduire", "ouvert": "ouvrir", "couvert": "couvrir",
        "offert": "offrir", "rendu": "rendre", "suspendu": "suspendre", "requis": "requérir",
    },
    "it": {
        "compreso": "comprendere", "incluso": "includere", "escluso": "escludere", "concesso": "concedere",
        "aperto": "aprire", "coperto": "coprire", "offerto": "offrire",
    },
    "es": {
        "incluido": "incluir", "excluido": "excluir", "abierto": "abrir", "cubierto": "cubrir", "puesto": "poner",
        "dispuesto": "disponer",
    },
    "pt": {
        "incluído": "incluir", "excluído": "excluir", "aberto": "abrir", "entregue": "entregar",
        "suspenso": "suspender",
    },
}  # fmt: skip
"""Participles that dictionaries list as adjectives or nouns only, in the masculine."""
_REGULAR: Final = {
    "fr": (re.compile(r"ée?s?$"), ("er",)),
    "it": (re.compile(r"(?:a|i|u)t[oaie]$"), ("are", "ire", "ere")),
    "es": (re.compile(r"(?:a|i)d[oa]s?$"), ("ar", "er", "ir")),
    "pt": (re.compile(r"(?:a|i|í)d[oa]s?$"), ("ar", "er", "ir")),
}
"""Endings of regular participles, and those of the infinitives they may belong to, of the same vowel where it tells."""
_MIN_PARTICIPLE: Final = 5


@lru_cache(maxsize=1)
def _lemmatizer() -> Lemmatizer:
    from simplemma import Lemmatizer  # noqa: PLC0415  # 0.1 s import and a dictionary: only when words are compared

    return Lemmatizer()


@lru_cache(maxsize=_CACHE)
def keys(word: str, language: str) -> frozenset[str]:
    """Every form under which `word` (already case-folded) may be matched; never empty."""
    found = {word, word.replace("-", "")}
    if (language in LEMMATISED and word.isascii()) or (language in LEMMATISED and word.isalpha()):
        lemma = _lemma(word, language)
        found.add(lemma)
        if language == "en":
            found |= {_stem(lemma), _stem(word)}
            found |= {_american(form) for form in (lemma, word)}
        elif lemma != word:
            found.add(_lemma(lemma, language))  # a participle's lemma may be its masculine: aprovada, aprovado, aprovar
        elif (infinitive := word + _INFINITIVES.get(language, "")) != word:
            found |= {infinitive} if known(infinitive, language) else set()
    found |= _infinitives(word, language)
    told = _PARTICIPLES.get(language, {})
    return frozenset(found | {told[form] for form in found if form in told})


def _infinitives(word: str, language: str) -> set[str]:
    """The verb of a regular participle, which dictionaries list as an adjective: approuvé, cerrada, pagata."""
    pattern, endings = _REGULAR.get(language, (None, ()))
    ending = pattern.search(word) if pattern and len(word) >= _MIN_PARTICIPLE else None
    if ending is None:
        return set()
    vowel = ending[0][0]
    fitting = endings if vowel not in "ai" else [one for one in endings if (one[0] == "a") == (vowel == "a")]
    verbs = (word[: ending.start()] + one for one in fitting)
    return {verb for verb in verbs if known(verb, language)}


def _lemma(word: str, language: str) -> str:
    """The dictionary form; Dutch marks a separable prefix in it ("goed_keuren")."""
    return _lemmatizer().lemmatize(word, lang=language).casefold().replace("_", "") or word


def _american(word: str) -> str:
    """The American spelling of a British word: colour, centre, organise, analyse; other words as they are."""
    for british, american in _SPELLINGS:
        if len(word) > _MIN_BRITISH and word.endswith(british):
            return word.removesuffix(british) + american
    return word


def related(left: str, right: str) -> bool:
    """Whether two words are of one family by their letters: "begleitet", "Begleitung"; a hint, never an anchor."""
    one, two = _unaccented(left), _unaccented(right)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False)))
    return shared >= _FAMILY and max(len(one), len(two)) - shared <= _ENDING


def _unaccented(word: str) -> str:
    return "".join(letter for letter in normalize("NFD", word.casefold()) if not combining(letter))


def known(word: str, language: str) -> bool:
    """Whether the dictionary of a language has this word."""
    from simplemma import is_known  # noqa: PLC0415  # as above

    return bool(is_known(word, lang=language))


def warm(languages: tuple[str, ...] = ("en",)) -> None:
    """Load the dictionaries now, so that the first answer does not pay for them (0.2 s English, 2 s German)."""
    for language in languages:
        keys("warming", language)


def _stem(word: str) -> str:
    """Inflection off, doubled consonant and final e off: cancelled, cancelling, cancels -> cancel."""
    for ending, instead in _ENGLISH_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    if len(word) > _MIN_STEM and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if word.endswith("ll") and len(word) > _MIN_STEM + 2:
        word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > _MIN_STEM else word
