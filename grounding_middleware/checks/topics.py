"""What an abstention or a question is about: the words that name it, and those an answer may say in another way.

An answer to "may pushchairs be borrowed" names pushchairs; whether it says "lent" or "borrowed" is open. Words that
only ask ("the price of", "whether it is possible") are left out. Word classes come from closed lists and endings, and
what they cannot tell counts as replaceable: a topic read too loosely costs a second look, one read too strictly hides
an answer.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import groupby
from typing import Any, Final

from grounding_middleware.claims.lexicon import words as listed
from grounding_middleware.reading.lemmas import keys, related
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit

_ROOM: Final = 3  # letters a word must have before an ending that tells its class
_PART: Final = 4  # letters of the shortest word that counts as part of a compound or as its short form
_HEAD_LAST: Final = ("en",)  # "a Java client": the noun stands behind what describes it
_ASKING: Final = frozenset({"where", "when", "how", "whether", "if", "what", "why", "who"})
_FINITE: Final = ("modality", "negation", "certainty", "time")
_CAPITAL: Final = ("de",)  # nouns are written with a capital


@dataclass(frozen=True, slots=True)
class Topic:
    """`firm` words name the topic; `loose` ones an answer may replace; `priced` when an amount of money is asked for.

    `labels` are numbers that tell one thing of a kind from another ("batch 8").
    """

    firm: tuple[Item, ...]
    loose: tuple[Item, ...]
    labels: tuple[Item, ...]
    priced: bool

    @property
    def anchors(self) -> tuple[Item, ...]:
        """The words of which an answer has at least one."""
        return self.firm or self.loose


@dataclass(frozen=True, slots=True)
class Kin:
    """Words that may stand for each other; where there are `general` ones, a pair needs one of them."""

    general: frozenset[str]
    every: frozenset[str]

    def holds(self, mine: frozenset[str], theirs: frozenset[str]) -> bool:
        """Whether one of the two forms may stand for the other."""
        if not (mine & self.every and theirs & self.every):
            return False
        return not self.general or bool((mine | theirs) & self.general)


@dataclass(frozen=True)
class Vocabulary:
    """The word lists of one language, as comparable forms; see the data file."""

    language: str
    plain: frozenset[str]
    priced: frozenset[str]
    free: frozenset[str]
    amount: frozenset[str]
    of: frozenset[str]
    what: frozenset[str]
    whether: frozenset[str]
    who: frozenset[str]
    describing: frozenset[str]
    openers: frozenset[str]
    abstract: tuple[str, ...]
    adjective: tuple[str, ...]
    verbs: tuple[str, ...]
    concrete: frozenset[str]
    talk: frozenset[str]
    kin: tuple[Kin, ...]

    @cached_property
    def verb_forms(self) -> frozenset[str]:
        """Verbs of the language's statement templates, which look like nouns elsewhere."""
        return _forms(listed(self.language, "verbs") | listed(self.language, "verbs_or_nouns"), self.language)

    def is_verb(self, item: Item) -> bool:
        """Whether a form of the word is an infinitive; a noun may have such a form too."""
        return bool(self.verbs) and any(_ends(key, self.verbs) for key in item.keys)

    def alike(self, mine: Item, theirs: Item) -> bool:
        """The same word, one of its family, the short form or a part of the other, or one of the same kind."""
        if mine.keys & theirs.keys or related(mine.text, theirs.text):
            return True
        if _part(mine, theirs) or _part(theirs, mine):
            return True
        return any(group.holds(mine.keys, theirs.keys) for group in self.kin)


@lru_cache(maxsize=16)
def vocabulary(language: str) -> Vocabulary:
    """The word lists of `language`; empty ones where the data file has none."""
    data = _data().get(language, {})

    def forms(name: str) -> frozenset[str]:
        return _forms(data.get(name, "").split(), language)

    def written(name: str) -> frozenset[str]:
        return frozenset(data.get(name, "").split())

    def endings(name: str) -> tuple[str, ...]:
        return tuple(data.get(name, "").split())

    return Vocabulary(
        language,
        forms("plain") | forms("priced"),
        forms("priced"),
        forms("free"),
        forms("amount"),
        written("of"),
        written("what"),
        written("whether"),
        written("who"),
        forms("describing"),
        written("openers"),
        endings("abstract"),
        endings("adjective"),
        endings("verbs"),
        forms("concrete"),
        forms("talk"),
        tuple(_kin(group.split(), language) for group in data.get("kin", ())),
    )


def _kin(group: Sequence[str], language: str) -> Kin:
    general = [word.removesuffix("*") for word in group if word.endswith("*")]
    return Kin(_forms(general, language), _forms([word.removesuffix("*") for word in group], language))


@lru_cache(maxsize=1)
def _data() -> dict[str, dict[str, Any]]:
    path = files("grounding_middleware.checks") / "data" / "topics.toml"
    return tomllib.loads(path.read_text("utf-8"))


def _forms(found: Iterable[str], language: str) -> frozenset[str]:
    return frozenset(key for word in found for key in keys(word, language))


def read_topic(unit: Unit, items: Sequence[Item]) -> Topic:
    """The topic that these items of the unit name."""
    known = vocabulary(unit.language)
    named = [item for item in items if not item.keys & known.plain]
    labels = tuple(item for item in named if item.text.isdigit() and _behind_item(item, unit))
    words = [item for item in named if not item.text[:1].isdigit()]
    nouns = frozenset(item.position for item in _nouns(unit, known))
    firm = tuple(item for item in words if item.position in nouns)
    loose = tuple(item for item in words if item.position not in nouns)
    priced = any(item.keys & known.priced for item in items)
    return Topic(firm, loose, labels, priced)


def _behind_item(item: Item, unit: Unit) -> bool:
    return any(other.position == item.position - 1 for other in unit.items)


def _nouns(unit: Unit, known: Vocabulary) -> Iterator[Item]:
    """The items that are surely nouns of things or beings, or names."""
    for item in unit.items:
        if (item.name and unit.language not in _CAPITAL and item.position) or item.code:
            yield item
    for group in _groups(unit):
        yield from (item for item in _heads(unit, group, known) if not _abstract(item, known))


def _groups(unit: Unit) -> list[list[Item]]:
    """Runs of items with no other word between them."""
    numbered = enumerate(unit.items)
    return [[item for _, item in run] for _, run in groupby(numbered, key=lambda pair: pair[1].position - pair[0])]


def _heads(unit: Unit, group: list[Item], known: Vocabulary) -> list[Item]:
    if unit.language in _CAPITAL:
        return [item for item in group if item.text[:1].isupper() and item.position and not _nominalised(item)]
    first = group[0].position
    before = unit.tokens[first - 1].norm if first else ""
    if before not in known.openers:
        return []
    if unit.language in _HEAD_LAST:
        return _before_verb(unit, group, known)
    real = [item for item in group if not item.keys & known.plain][:1]
    single = unit.language != "nl" or len(group) == 1
    return [item for item in real if single and not _ends(item.text.casefold(), known.verbs)]


def _before_verb(unit: Unit, group: list[Item], known: Vocabulary) -> list[Item]:
    """The nouns of an English run, without adjectives, and without the verb of "where dogs spend the night"."""
    nouns = list(group)
    while len(nouns) > 1 and (_adjective(nouns[-1], known) or nouns[-1].keys & known.verb_forms):
        nouns.pop()
    if len(nouns) == len(group) and _ends_question(unit, nouns):
        nouns.pop()
    return [item for item in nouns if not _adjective(item, known)]


def _ends_question(unit: Unit, nouns: Sequence[Item]) -> bool:
    """A run behind a question word with no auxiliary after it ends in the verb."""
    behind = nouns[-1].position + 1
    after = unit.tokens[behind].norm if behind < len(unit.tokens) else ""
    helped = after in lexicon(unit.language).auxiliaries or any(
        cue.position == behind and cue.table in _FINITE for cue in unit.cues
    )
    return unit.tokens[nouns[0].position - 1].norm in _ASKING and not helped


def _adjective(item: Item, known: Vocabulary) -> bool:
    return bool(item.keys & known.describing) or _ends(item.text.casefold(), known.adjective)


def _abstract(item: Item, known: Vocabulary) -> bool:
    """A noun that an answer says with a verb: "renewal", "Verlängerung"."""
    if item.keys & known.concrete:
        return False
    return any(_ends(form, known.abstract) for form in (item.text.casefold(), *item.keys))


def _nominalised(item: Item) -> bool:
    """A German infinitive used as a noun: "das Grillen"."""
    return item.text.endswith("en") and any(key.endswith("en") and key != item.text.casefold() for key in item.keys)


def _part(part: Item, whole: Item) -> bool:
    """One word begins or ends the other, in any of its forms: "nach Hause" and "Hausbesuche"."""
    long = whole.text.casefold()
    forms = {part.text.casefold(), *part.keys}
    return any(len(form) >= _PART and (long.startswith(form) or long.endswith(form)) for form in forms)


def _ends(word: str, endings: tuple[str, ...]) -> bool:
    return any(word.endswith(ending) and len(word) >= len(ending) + _ROOM for ending in endings)
