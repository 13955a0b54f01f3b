"""What a quotation leaves out around it, or swallows inside it, that changes what it says."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from grounding_middleware.quotations import words
from grounding_middleware.quotations.folding import spaceless

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from grounding_middleware.records import Range

_REACH = 400
"""Characters of the sentence looked at on either side; keeps the cost of one look constant."""

_OPENERS = r"[*_\"'“„‘«(\[]*"
SENTENCE_END = re.compile(
    rf"""  [.!?…]["'’”»)\]*_]* (?=\s+{_OPENERS}[^\s\W]) (?!\s+{_OPENERS}[a-zà-öø-ÿа-яα-ω])
      | (?<=[a-z]{{2}})[.!?](?=[A-Z][a-z])
      | [。！？｡।॥;；؛؟|]
      | \n(?=[^\S\n]*(?:\n|[-*•–]\s|\d+[.)]\s))""",
    re.VERBOSE,
)
"""Where a sentence, list item or table cell ends; an abbreviation before a name is taken for an end."""

# \w lacks the vowel signs of Hebrew, Arabic and Indic scripts
_LETTER = r"[\w\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff]"
_TOKEN = re.compile(rf"{_LETTER}+(?:['’ʼ]t\b)?|[,，、،()—–]")
_CONTRACTED = ("n't", "n’t", "nʼt")
_PAUSE = re.compile(r"[。、，,!?！？\n]")
_NUMBERED = re.compile(r"\.\s*\d")
_ASIDE = 3  # words in "not, however, permitted"


class Surroundings(NamedTuple):
    """Ranges of the source text that a quotation left out; None where there is nothing of the kind.

    `negation` bears on the quoted words themselves; `clause_negation` stands elsewhere in the sentence before them.
    """

    negation: Range | None = None
    clause_negation: Range | None = None
    condition: Range | None = None


class _Token(NamedTuple):
    text: str
    start: int
    end: int

    @property
    def range(self) -> Range:
        return self.start, self.end

    @property
    def is_word(self) -> bool:
        return self.text[0].isalnum() or self.text[0] == "_"


def surroundings(text: str, start: int, end: int) -> Surroundings:
    """What `text[start:end]` leaves out on either side, within its sentence."""
    first, last = sentence(text, start, end)
    near, far = _negations_before(text, _tokens(text, first, start))
    near = near or _glued_before(text, first, start) or _negation_after(text, end, last)
    far = far or (_spaceless_clause(text, first, start) if spaceless(text[start]) else None)
    condition = _limit(text, end, last, words.CONDITIONS) or _limit(text, first, start, words.CONDITIONS)
    return Surroundings(near, far, condition)


def sentence(text: str, start: int, end: int) -> Range:
    """The sentence around `text[start:end]`, as far as it is looked at."""
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    ends = [match.end() for match in SENTENCE_END.finditer(text, low, end) if match.end() <= start]
    closing = SENTENCE_END.search(text, max(end - 1, 0), high)
    return (ends[-1] if ends else low), (max(closing.start(), end) if closing else high)


def negation_in(text: str, start: int, end: int) -> Range | None:
    """The first negation inside `text[start:end]`."""
    tokens = _tokens(text, start, end)
    found = (token.range for at, token in enumerate(tokens) if _negates(text, tokens, at))
    return next(found, None) or _spaceless(text, start, end, words.SPACELESS_NEGATIONS_BEFORE)


def limit_in(text: str, start: int, end: int) -> Range | None:
    """The first condition, exception or contrast inside `text[start:end]`."""
    return _limit(text, start, end, words.CONDITIONS | words.CONTRASTS)


def join_in(text: str, start: int, end: int) -> Range | None:
    """The first word inside `text[start:end]` that may bring in another subject."""
    return _first_word(text, start, end, words.JOINS)


def _tokens(text: str, start: int, end: int) -> list[_Token]:
    return [_Token(found.group().lower(), *found.span()) for found in _TOKEN.finditer(text, start, end)]


def _first_word(text: str, start: int, end: int, known: frozenset[str]) -> Range | None:
    return next((token.range for token in _tokens(text, start, end) if token.text in known), None)


def _spaceless(text: str, start: int, end: int, known: Iterable[str]) -> Range | None:
    found = [(at, at + len(word)) for word in known if (at := text.find(word, start, end)) >= 0]
    return min(found, default=None)


def _negates(text: str, tokens: Sequence[_Token], at: int) -> bool:
    """True when token `at` is a negation, and not part of a limit, an emphasis or a number ("no. 5")."""
    token = tokens[at]
    if token.text == "n":
        return text[token.end : token.end + 1] in ("'", "’")
    if token.text == "no" and any(other.text in words.PORTUGUESE for other in tokens):
        return False
    if token.text not in words.NEGATIONS:
        return token.text.endswith(_CONTRACTED)
    following = [word.text for word in tokens[at + 1 : at + 3]]
    if following and following[0] in words.EMPHASES:
        return False
    limit = len(following) > 1 and following[0] in words.COMPARATIVES and following[1] in words.COMPARED
    return not limit and not (token.text == "no" and _NUMBERED.match(text, token.end))


def _negations_before(text: str, tokens: Sequence[_Token]) -> tuple[Range | None, Range | None]:
    """The negation that bears on what follows `tokens`, and the nearest other one of the same sentence."""
    near, far = None, None
    negations = [at for at in range(len(tokens)) if _negates(text, tokens, at)]
    for at in reversed(negations):
        between = tokens[at + 1 :]
        if _all_light(between):
            near = tokens[at].range
        elif _opens(tokens, at) or not _new_clause(between, tokens[:at]):
            far = far or tokens[at].range
    return near, far


def _opens(tokens: Sequence[_Token], at: int) -> bool:
    """True for the negation of "No tenant may ..." and "In no case may ..."."""
    return at <= 1 and tokens[at].text in words.NEGATIVE_SUBJECTS


def _all_light(between: Sequence[_Token]) -> bool:
    """True when nothing between a negation and its predicate takes the negation off: "not, however, to be"."""
    light = [token.text for token in between]
    commas = [at for at, token in enumerate(between) if not token.is_word]
    if len(commas) == 2 and commas[0] == 0 and commas[1] <= _ASIDE + 1:
        light = light[commas[1] + 1 :]
    return all(word in words.AUXILIARIES for word in light)


def _new_clause(between: Sequence[_Token], before: Sequence[_Token]) -> bool:
    """True when a contrast, ", and" or the end of a conditional clause separates a negation from what follows."""
    if any(token.text in words.CONTRASTS for token in between):
        return True
    if any(not left.is_word and right.text in words.JOINS for left, right in pairwise(between)):
        return True
    conditional = any(token.text in words.CONDITIONS for token in before)
    return conditional and any(not token.is_word for token in between)


def _glued_before(text: str, low: int, start: int) -> Range | None:
    """A negation of a script without blanks that ends right where the quotation begins."""
    left = text[max(low, start - 4) : start].rstrip()
    end = max(low, start - 4) + len(left)
    longest = max((len(word) for word in words.SPACELESS_NEGATIONS_BEFORE if left.endswith(word)), default=0)
    return (end - longest, end) if longest else None


def _spaceless_clause(text: str, low: int, start: int) -> Range | None:
    """A negation earlier in the clause, in a script without blanks; single characters are too ambiguous for that."""
    pauses = [match.end() for match in _PAUSE.finditer(text, low, start)]
    long = (word for word in words.SPACELESS_NEGATIONS_BEFORE if len(word) > 1)
    return _spaceless(text, pauses[-1] if pauses else low, start, long)


def _negation_after(text: str, end: int, last: int) -> Range | None:
    """A negation that follows directly, or closes the clause in a language that puts it there."""
    if spaceless(text[end : end + 1]):
        stop = _PAUSE.search(text, end, last)
        return _spaceless(text, end, stop.end() if stop else last, words.SPACELESS_NEGATIONS_AFTER)
    tokens = _tokens(text, end, last)
    clause = _until(tokens, lambda token: not token.is_word or token.text in words.JOINS | words.CONTRASTS)
    if clause and not text[end : clause[0].start].strip():
        direct = _negates(text, clause, 0) and clause[0].text not in words.ADJUNCTS
        if direct or clause[0].text.startswith(words.LATE_NEGATION_STARTS):
            return clause[0].range
    late = (at for at, token in enumerate(clause) if token.text in words.LATE_NEGATIONS and _negates(text, clause, at))
    return next((clause[at].range for at in late), None)


def _until(tokens: Sequence[_Token], stop: Callable[[_Token], bool]) -> Sequence[_Token]:
    ends = (at for at, token in enumerate(tokens) if stop(token))
    return tokens[: next(ends, len(tokens))]


def _limit(text: str, start: int, end: int, known: frozenset[str]) -> Range | None:
    """The first of `known`, the "only" of "not only" left out."""
    tokens = _tokens(text, start, end)
    before = ["", *(token.text for token in tokens)]
    found = (
        token.range
        for token, previous in zip(tokens, before, strict=False)
        if token.text in known and not (token.text in words.EMPHASES and previous in words.NEGATIONS)
    )
    return next(found, None) or _spaceless(text, start, end, words.SPACELESS_CONDITIONS)
