"""Quotations (CH-8): they stand in their source to the letter, after the stated normalisation, or are false."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.case import Case, Place, Reporter
from grounding_middleware.claims.quoted import quotations
from grounding_middleware.quotations import Location, locate
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import tokenize
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("quotes")
_SHORT: Final = 3  # letters of words that titles leave in lower case (of, the, to)
_MIN_WORDS: Final = 2  # a single quoted word is a name or irony, not a quotation of the source
_TERM: Final = 3  # words of a term or nickname that marks may only set off: the "rich club"
_INTRODUCED: Final = 6  # tokens before a quotation in which a verb of saying introduces it
_MARKS: Final = " \"'“”„«»‘’‚「『"
_APOSTROPHES: Final = str.maketrans("", "", "'’")
_WORDS: Final = re.compile(r"\w+")
_CUT: Final = 2  # words before a quotation: a verb and its negation
_DOUBLED: Final = '""'  # marks escaped for a table of values: which of them pair is open


def check(case: Case) -> Iterator[Finding]:
    """For each quotation of the claim a match with its place, or a conflict that says why it is none."""
    for start, end in quotations(case.unit.text):
        piece = case.unit.text[start:end]
        if len(tokenize(piece)) < _MIN_WORDS or echoes(piece, case.question):
            continue
        yield _one(case, piece, (case.unit.start + start, case.unit.start + end))


def _one(case: Case, piece: str, at: tuple[int, int]) -> Finding:
    best: tuple[Location, str] | None = None
    for span_id in sorted(case.cited):
        text = case.library.span(span_id).text
        found = locate(piece, text)
        if found.faithful or (found.range and _denied_alike(case, at[0], text[: found.range[0]])):
            return _REPORT.match("quote-exact", f"quoted exactly: '{piece}'", Place(at, span_id, found.range))
        best = best if best and best[0].range else (found, span_id)
    if best is None:
        return _REPORT.doubt("quote-unchecked", "no usable source to compare the quotation with", Kind.QUOTE, Place(at))
    found, span_id = best
    if found.doubtful:
        return _REPORT.doubt(
            "quote-doubtful", f"'{piece}': {found.problem}", Kind.QUOTE, Place(at, span_id, found.range)
        )
    if _is_label(piece) or _is_term(case, piece, at[0]):
        message = f"'{piece}' looks like the name of a thing and does not stand in the cited source"
        return _REPORT.doubt("label-absent", message, Kind.QUOTE, Place(at, span_id))
    unclear = _unclear(case, piece)
    if unclear:
        return _REPORT.doubt("quote-doubtful", f"'{piece}' {unclear}", Kind.QUOTE, Place(at, span_id))
    message = f"'{piece}' is no quotation of the cited source: {found.problem}"
    return _REPORT.conflict("quote-false", message, Kind.QUOTE, Place(at, span_id, found.range))


def _unclear(case: Case, piece: str) -> str:
    """Why it may be a quotation after all: an open end, or the source's "it's head" spelt "its head"; else empty."""
    if _DOUBLED in piece:
        return "has doubled marks, so that its end is open"
    bare = piece.translate(_APOSTROPHES)
    texts = (case.library.span(span_id).text for span_id in sorted(case.cited))
    corrected = any(locate(bare, text.translate(_APOSTROPHES)).faithful for text in texts)
    return "differs from the source in an apostrophe" if corrected else ""


def _denied_alike(case: Case, start: int, before: str) -> bool:
    """The negation before the quotation in the source stands before it in the claim, too: 'not "priest material"'."""
    said = _WORDS.findall(case.unit.text[: start - case.unit.start])[-_CUT:]
    denied = {cue.text.casefold() for cue in case.unit.of("negation")}
    return said == _WORDS.findall(before)[-_CUT:] and any(word.casefold() in denied for word in said)


def echoes(piece: str, question: str) -> bool:
    """True when the quoted words are the reader's own: they stand in the question, or are one."""
    return piece.rstrip().endswith(("?", "？", "؟")) or locate(piece.casefold(), question.casefold()).faithful


def _is_label(piece: str) -> bool:
    """Every word of weight is capitalised, as on a button or in a title: "Factory Data Reset"."""
    words = [word for word in piece.split() if len(word) > _SHORT]
    return bool(words) and all(word[:1].isupper() for word in words)


def _is_term(case: Case, piece: str, start: int) -> bool:
    """A few words that nobody is said to have said: the marks may set off a term, a nickname or a translation.

    A number makes it more than a term: "a '13-day window'" quotes the source.
    """
    unit = case.unit
    if (
        len(piece.split()) > _TERM
        or any(sign.isdigit() for sign in piece)
        or unit.text[: start - unit.start].rstrip(_MARKS).endswith((":", "："))
    ):
        return False
    words = lexicon(unit.language)
    if _changed_words(case, piece, start):
        return False
    saying = {form for phrase in words.frame.verbs if len(phrase) == 1 for form in words.forms(phrase[0])}
    before = [token for token in unit.tokens if token.end <= start][-_INTRODUCED:]
    return not any(words.forms(token.norm) & saying for token in before)


def _changed_words(case: Case, piece: str, start: int) -> bool:
    """It names no thing, for it begins with a preposition or a negation, and the sentence it changes is there.

    "Replies "without any delay"" beside "replies without undue delay": the same words around it, some of them in it.
    """
    unit = case.unit
    words = lexicon(unit.language)
    first = piece.split(maxsplit=1)[0].casefold()
    opens = first in words.prepositions or any(cue.start == start for cue in unit.of("negation"))
    before = [token for token in unit.tokens if token.end <= start and token.text not in _MARKS][-1:]
    if not opens or any(token.norm in words.articles for token in before):
        return False
    inside = [item for item in unit.items if start <= item.start < start + len(piece)]
    rest = [item for item in unit.items if item not in inside]
    return any(
        any(one.partner(item) for item in inside) and len(rest) > 1 and all(one.partner(item) for item in rest)
        for one in case.alignments
    )
