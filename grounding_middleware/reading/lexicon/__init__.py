"""Closed-class words per language, loaded from the TOML files beside this module on first use.

Languages without a file have an empty lexicon: `covered` is False and callers report the family as not checked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Any, get_origin, get_type_hints

from grounding_middleware.reading.lemmas import keys
from grounding_middleware.reading.tokens import tokenize

COVERED = ("en", "de", "fr", "es", "it", "pt", "nl", "pl")
_CUE_TABLES = ("negation", "modality", "certainty", "quantity", "condition", "time")
SAME = "same"  # begins the key that words of one meaning share
_LONG_BASE = 4  # letters of a word that a negative prefix makes another of
_MAX_PHRASE = 6  # tokens of the longest phrase in any file; bounds the work per token

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Frame:
    """Words of an attribution to the source itself; phrases as token norms."""

    nouns: frozenset[Phrase] = frozenset()
    verbs: frozenset[Phrase] = frozenset()
    prepositions: frozenset[Phrase] = frozenset()
    ends: frozenset[Phrase] = frozenset()
    looking: frozenset[Phrase] = frozenset()


@dataclass(frozen=True)
class Apart:
    """The second word of a cue told in two: "table.entry", where its scope begins, and what must not follow it."""

    name: str
    from_first: bool
    unless_before: frozenset[str]


@dataclass(frozen=True)
class Same:
    """Wordings that say the same: words by a key they share, phrases and prepositions by what they stand for."""

    words: dict[str, str]
    phrases: dict[Phrase, str]
    prepositions: dict[Phrase, str]
    before_ing: dict[str, str]


@dataclass(frozen=True)
class Lexicon:
    """What the words of one language do.

    `cues` maps a phrase (token norms) to "table.entry", for example "modality.duty"; `apart` the first word of a cue
    told in two (ne ... pas) to its second words; `opening` words are conditions only where they open a clause. With
    `concord` several negations of a clause are one ("non ... mai"). `function` words have no content of their own.

    `joins` says what a conjunction does: and, or, nor, but. `contractions` maps a preposition that is one word with its
    article to the preposition (nella: in). `agents` introduce who acts in a passive. `separable` are prefixes of verbs
    that stand at the end of a clause. `free_order`: the order of words does not tell who acts. `antonyms` maps a word
    form to its clusters and side in each. `asked` maps a question phrase to what an answer to it must hold.
    `unlimited` marks of certainty deny any limit, `nobody` is denied and a subject in one, `lacking` means "without".
    `denying` verbs need no second word behind "ne". `negative_prefixes` make the opposite of a word that ends as
    `prefix_endings` say (of any word where there are none), but not of those in `unturned`; `changes` say what is done
    to a thing, `causing` that it is made what the next word says; `possible` modals leave open whether it is so;
    `participles` behind an auxiliary are verbs, not cues.
    """

    language: str
    covered: bool
    concord: bool
    free_order: bool
    opening: frozenset[str]
    separable: frozenset[str]
    cues: dict[Phrase, str]
    apart: dict[str, dict[str, Apart]]
    joins: dict[str, str]
    contractions: dict[str, str]
    agents: frozenset[str]
    function: frozenset[str]
    pronouns: frozenset[str]
    first_and_second: frozenset[str]
    articles: frozenset[str]
    auxiliaries: frozenset[str]
    prepositions: frozenset[str]
    relatives: frozenset[str]
    conjunctions: frozenset[str]
    connectives: dict[Phrase, str]
    antonyms: dict[str, tuple[tuple[int, int], ...]]
    directions: dict[str, str]
    time_limits: frozenset[str]
    particles: frozenset[str]
    strong: frozenset[str]
    giving: frozenset[str]
    symmetric: frozenset[str]
    in_force: frozenset[str]
    demanding: frozenset[str]
    instructing: frozenset[str]
    existence: frozenset[str]
    totals: frozenset[str]
    results: frozenset[str]
    measure_verbs: frozenset[str]
    measure_nouns: frozenset[str]
    frame: Frame
    same: Same
    asked: dict[Phrase, str]
    costs: frozenset[str]
    unlimited: frozenset[str]
    requiring: frozenset[str]
    participles: frozenset[str]
    nobody: frozenset[str]
    lacking: frozenset[str]
    negative_prefixes: tuple[str, ...]
    prefix_endings: tuple[str, ...]
    unturned: frozenset[str]
    possible: frozenset[str]
    changes: frozenset[str]
    causing: frozenset[str]
    denying: frozenset[str]
    not_all: frozenset[str]

    def forms(self, norm: str) -> frozenset[str]:
        """Comparable forms of a word; words that only say "up" or "down" share one."""
        found = keys(norm, self.language)
        alike = (table[key] for key in found for table in (self.directions, self.same.words) if key in table)
        return found.union(alike)

    def preposition_at(self, norms: Sequence[str], position: int) -> tuple[str, int] | None:
        """The preposition that the phrase at `position` stands for, and the length of the phrase."""
        return _longest(self.same.prepositions, self._preposition_words, norms, position)

    def phrase_at(self, norms: Sequence[str], position: int) -> tuple[str, int] | None:
        """The word, with its preposition if any, that the phrase at `position` stands for, and its length."""
        found = _longest(self.same.phrases, self._phrase_words, norms, position)
        if found is None and norms[position] in self.same.before_ing:
            follows = norms[position + 1] if position + 1 < len(norms) else ""
            return (self.same.before_ing[norms[position]], 1) if follows.endswith("ing") else None
        return found

    def cue_at(self, norms: Sequence[str], position: int) -> tuple[str, int] | None:
        """The longest cue phrase starting at `position` and its length in tokens."""
        if norms[position] not in self._cue_words:
            return None  # as for nearly every word
        return _longest(self.cues, self._cue_words, norms, position)

    def asked_at(self, norms: Sequence[str], position: int) -> tuple[str, int] | None:
        """The longest question phrase starting at `position`: what it asks for, and its length in tokens."""
        return _longest(self.asked, self._question_words, norms, position)

    def connective_at(self, norms: Sequence[str], position: int) -> int:
        """Length of the connective phrase at `position`, 0 if there is none."""
        if norms[position] not in self._connective_words:
            return 0
        found = _longest(self.connectives, self._connective_words, norms, position)
        return found[1] if found else 0

    @cached_property
    def _cue_words(self) -> dict[str, int]:
        return _openers(self.cues)

    @cached_property
    def _phrase_words(self) -> dict[str, int]:
        return _openers(self.same.phrases)

    @cached_property
    def _preposition_words(self) -> dict[str, int]:
        return _openers(self.same.prepositions)

    @cached_property
    def _question_words(self) -> dict[str, int]:
        return _openers(self.asked)

    @cached_property
    def _connective_words(self) -> dict[str, int]:
        return _openers(self.connectives)

    def opposite(self, left: str, right: str) -> bool:
        """True if the two word forms stand on opposite sides of one antonym pair."""
        return bool(self.against((left,)) & self.sides((right,)))

    def sides(self, forms: Iterable[str]) -> frozenset[tuple[int, int]]:
        """The antonym pairs in which one of these word forms stands, with its side."""
        return frozenset(place for form in forms for place in self.antonyms.get(form, ()))

    def against(self, forms: Iterable[str]) -> frozenset[tuple[int, int]]:
        """The places in antonym pairs that are opposite to one of these word forms."""
        if self.antonyms.keys().isdisjoint(forms):
            return frozenset()  # as for nearly every word
        return frozenset((pair, 1 - side) for pair, side in self.sides(forms))

    def prefixed(self, forms: frozenset[str]) -> frozenset[str]:
        """What these word forms become with a negative prefix, or without theirs; nothing where that is no opposite."""
        if not self.unturned.isdisjoint(forms):
            return frozenset()
        long = (form for form in forms if len(form) >= _LONG_BASE and form.endswith(self.prefix_endings))
        return frozenset(other for form in long for other in self._turned(form))

    def _turned(self, form: str) -> Iterator[str]:
        for prefix in self.negative_prefixes:
            yield prefix + form
            if form.startswith(prefix) and len(form) - len(prefix) >= _LONG_BASE:
                yield form.removeprefix(prefix)


def _openers(phrases: dict[Phrase, str]) -> dict[str, int]:
    """The first words of these phrases, with the length of the longest phrase they open."""
    found: dict[str, int] = {}
    for phrase in phrases:
        found[phrase[0]] = max(found.get(phrase[0], 0), min(len(phrase), _MAX_PHRASE))
    return found


def _longest(
    phrases: dict[Phrase, str], openers: dict[str, int], norms: Sequence[str], position: int
) -> tuple[str, int] | None:
    for length in range(min(openers.get(norms[position], 0), len(norms) - position), 0, -1):
        name = phrases.get(tuple(norms[position : position + length]))
        if name is not None:
            return name, length
    return None


@lru_cache(maxsize=16)
def lexicon(language: str) -> Lexicon:
    """The lexicon of `language`; empty when there is none."""
    if language not in COVERED:
        return _empty(language)
    data = tomllib.loads((files(__package__) / f"{language}.toml").read_text(encoding="utf-8"))
    contractions, agents = data["function"].pop("contractions", {}), data["function"].pop("agents", [])
    function = {name: frozenset(words) for name, words in data["function"].items()}
    phrases = ("connectives", "additive")
    changes = data["antonyms"].get("changes", [])
    return Lexicon(
        language=language,
        covered=True,
        free_order=bool(data["verbs"].pop("free_order", False)),
        separable=frozenset(data["verbs"].pop("separable", ())),
        opening=frozenset(data["condition"].pop("opening", ())),
        participles=frozenset(data["condition"].pop("participles", ())),
        requiring=frozenset().union(*(keys(word, language) for word in data["verbs"]["requiring"])),
        unlimited=frozenset(data["certainty"].pop("unlimited")),
        nobody=frozenset(data["negation"].pop("nobody")),
        lacking=frozenset(data["negation"].pop("lacking")),
        denying=frozenset(data["negation"].pop("denying", ())),
        not_all=frozenset(data["negation"].pop("not_all", ())),
        concord=bool(data["negation"].pop("concord", False)),
        apart=_apart(data),
        possible=frozenset(data["modality"].pop("possible", ())),
        cues=_cues(data),
        joins={word: kind for kind, words in data["joins"].items() for word in words},
        contractions=contractions,
        agents=frozenset(agents),
        function=frozenset().union(*(words for name, words in function.items() if name not in phrases)),
        pronouns=function["pronouns"],
        first_and_second=function["first_and_second"],
        articles=function["articles"],
        auxiliaries=function["auxiliaries"],
        prepositions=function["prepositions"],
        relatives=function["relatives"],
        conjunctions=function["conjunctions"],
        connectives={_norms(phrase): name for name in phrases for phrase in data["function"][name]},
        negative_prefixes=tuple(data["antonyms"].get("prefixes", ())),
        prefix_endings=tuple(data["antonyms"].get("prefix_endings", ("",))),
        unturned=frozenset().union(*(keys(word, language) for word in data["antonyms"].get("unturned", ()))),
        antonyms=_antonyms([*data["antonyms"]["directions"], *data["antonyms"]["pairs"], *changes], language),
        changes=frozenset(_antonyms(changes, language)),
        causing=frozenset().union(*(keys(word, language) for word in data["antonyms"].get("causing", ()))),
        directions=_directions(data["antonyms"]["directions"], language),
        strong=frozenset(word for word in data["certainty"]["strong"] if " " not in word),
        giving=frozenset().union(*(keys(word, language) for word in data["verbs"]["giving"])),
        symmetric=frozenset().union(*(keys(word, language) for word in data["verbs"]["symmetric"])),
        in_force=frozenset().union(*(keys(word, language) for word in data["verbs"]["in_force"])),
        demanding=frozenset().union(*(keys(word, language) for word in data["verbs"].get("demanding", []))),
        instructing=frozenset(data["verbs"].get("instructing", ())),
        existence=frozenset().union(*(keys(word, language) for word in data["verbs"].get("existence", []))),
        totals=frozenset().union(*(keys(word, language) for word in data["nouns"]["totals"])),
        results=frozenset().union(*(keys(word, language) for word in data["verbs"]["results"])),
        particles=frozenset(data["verbs"]["particles"]),
        measure_verbs=frozenset().union(*(keys(word, language) for word in data["verbs"]["measure"])),
        measure_nouns=frozenset().union(*(keys(word, language) for word in data["verbs"]["measure_nouns"])),
        frame=Frame(**{name: frozenset(map(_norms, words)) for name, words in data["frame"].items()}),
        same=_same(data.get("same", {}), language),
        time_limits=frozenset().union(*(keys(word, language) for word in data["nouns"]["time_limit"])),
        costs=frozenset().union(*(keys(word, language) for word in data["question"].pop("costs"))),
        asked={_norms(phrase): kind for kind, phrases in data["question"].items() for phrase in phrases},
    )


def _empty(language: str) -> Lexicon:
    """Nothing is known: every table is empty, every flag off."""
    empty: dict[type, Any] = {
        bool: False,
        dict: {},
        tuple: (),
        frozenset: frozenset(),
        Frame: Frame(),
        Same: _same({}, language),
    }
    kinds = get_type_hints(Lexicon)
    tables = {name: empty[get_origin(kind) or kind] for name, kind in kinds.items() if name != "language"}
    return Lexicon(language=language, **tables)


def _same(data: dict[str, Any], language: str) -> Same:
    stood_for = [*data.get("phrases", {}).values(), *data.get("before_ing", {}).values()]
    rows = [*data.get("words", ()), *sorted({word.partition(" ")[0] for word in stood_for} - _grouped(data))]
    return Same(
        words={form: f"{SAME} {row}" for row in rows for word in row.split() for form in keys(word, language)},
        phrases={_norms(phrase): word for phrase, word in data.get("phrases", {}).items()},
        prepositions={_norms(phrase): word for phrase, word in data.get("prepositions", {}).items()},
        before_ing=data.get("before_ing", {}),
    )


def _grouped(data: dict[str, Any]) -> set[str]:
    return {word for row in data.get("words", ()) for word in row.split()}


def _norms(phrase: str) -> Phrase:
    return tuple(token.norm for token in tokenize(phrase))


def _cues(data: dict[str, dict[str, Any]]) -> dict[Phrase, str]:
    found: dict[Phrase, str] = {}
    for table in _CUE_TABLES:
        for entry, phrases in data[table].items():
            for phrase in phrases:
                found.setdefault(_norms(phrase), f"{table}.{entry}")
    return found


def _apart(data: dict[str, dict[str, Any]]) -> dict[str, dict[str, Apart]]:
    """[[negation.apart]] first, second, name ("negation.clause" unless given), from_first, unless_before."""
    found: dict[str, dict[str, Apart]] = {}
    for row in data["negation"].pop("apart", ()):
        rule = Apart(
            row.get("name", "negation.clause"), row.get("from_first", True), frozenset(row.get("unless_before", ()))
        )
        for first in row["first"]:
            found.setdefault(first, {}).update(dict.fromkeys(row["second"], rule))
    return found


def _antonyms(pairs: list[list[str]], language: str) -> dict[str, tuple[tuple[int, int], ...]]:
    sides: dict[str, list[tuple[int, int]]] = {}
    for number, pair in enumerate(pairs):
        for side, words in enumerate(pair):
            for word in words.split():
                for form in keys(word, language):
                    sides.setdefault(form, []).append((number, side))
    return {word: tuple(found) for word, found in sides.items()}


def _directions(pairs: list[list[str]], language: str) -> dict[str, str]:
    return {
        form: f"direction {number} {side}"
        for number, pair in enumerate(pairs)
        for side, words in enumerate(pair)
        for word in words.split()
        for form in keys(word, language)
    }
