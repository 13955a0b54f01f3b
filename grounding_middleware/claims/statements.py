"""What one statement does: claim, abstention, or one of the few things that are no claims (CL-6).

The default is *claim*. A statement is something else only when a template of its language covers all of it, and then
only if nothing material (a number, an amount, a date, a negation, a promise) rides along: a false claim costs a check,
a false non-claim would pass unverified.
"""

from __future__ import annotations

import re
from enum import StrEnum

from grounding_middleware.claims.lexicon import template, words

__all__ = ["Statement", "classify", "plain"]


class Statement(StrEnum):
    """Values of `Claim.statement`."""

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


_LONGEST = 700  # characters; nothing polite is longer, and the templates stay fast
_MARKUP = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)|<br ?/?>")
_SPACE = re.compile(r"\s+")
_TYPOGRAPHY = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "«": '"',
        "»": '"',
        "…": ".",
        "？": "?",
        "！": "!",
        "：": ":",
        "؟": "?",
        "，": ",",
    }
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_END = re.compile(r"[\s.!?:;,\"')\]]+$")
_START = re.compile(r"^[\s\"'(\[–—-]+")


SOURCE = "\x01"  # stands for a phrase that names sources, so that the templates stay small


def plain(text: str) -> str:
    """`text` in lower case without emphasis, with simple quotation marks and single spaces; offsets are lost."""
    return _SPACE.sub(" ", _MARKUP.sub("", text).translate(_TYPOGRAPHY).lower()).strip()


def classify(text: str, language: str, question: str = "") -> Statement:
    """The type of the statement `text`, which carries no markers; `question` is what the reader asked."""
    said = plain(text)
    if not any(letter.isalnum() for letter in said):
        return Statement.OPINION
    if len(said) > _LONGEST:
        return Statement.CLAIM
    core = _core(said, language)
    if _matches(core, language, "reference"):
        return Statement.REFERENCE
    if said.endswith("?"):
        return _question(said, core, language, question)
    for statement, key in _POLITE:
        if _matches(core, language, key):
            return statement if not material(core, language, question) else Statement.CLAIM
    if is_abstention(core, language):
        return Statement.ABSTENTION
    if said.endswith(":") and _matches(core, language, "intro") and not material(core, language, question):
        return Statement.INTRO
    return Statement.CLAIM


def _core(said: str, language: str) -> str:
    """`said` without outer punctuation and without openings such as "However," or "Based on the passages,"."""
    core = _END.sub("", _START.sub("", said))
    sources = template(language, "source_phrase")
    core = sources.sub(SOURCE, core) if sources else core
    lead = template(language, "lead")
    while lead and (match := lead.match(core)) and match.end() < len(core):
        core = core[match.end() :]
    return core


_POLITE = ((Statement.GREETING, "pleasantry"), (Statement.OFFER, "offer"), (Statement.INTERFACE, "interface"))


def _matches(core: str, language: str, key: str) -> bool:
    pattern = template(language, key)
    return bool(pattern and pattern.fullmatch(core))


def _question(said: str, core: str, language: str, question: str) -> Statement:
    """A question, an offer, or a claim in the form of a question."""
    if _matches(said, language, "factive_question") or _matches(core, language, "factive_question"):
        return Statement.CLAIM
    if _new(_AMOUNT_WORD.findall(said), question):
        return Statement.CLAIM
    if _matches(said, language, "offer"):
        return Statement.OFFER
    return Statement.QUESTION


_AMOUNT_WORD = re.compile(r"\S*[\d€$£¥₹%‰]\S*")


def _new(found: list[str], question: str) -> bool:
    """Whether any of the words `found` is not an echo of the question."""
    asked = plain(question)
    return any(word.strip(".,;:!?()\"'") not in asked for word in found)


def material(core: str, language: str, question: str = "") -> bool:
    """Whether the statement carries something that has to be verified and that the question did not contain."""
    found = _AMOUNT_WORD.findall(core)
    weighty = words(language, "negation") | words(language, "strong") | words(language, "condition_word")
    found += [word for word in _WORD.findall(core) if word in weighty or word in words(language, "number_word")]
    return bool(found) and _new(found, question)


def is_abstention(core: str, language: str) -> bool:
    """Whether the whole statement says that the sources, or the assistant, do not know."""
    if not _matches(core, language, "abstention"):
        return False
    turn = template(language, "turn")
    return not (turn and turn.search(core))
