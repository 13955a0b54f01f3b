"""Sentences that lean on one that was removed ("However, it ..."): they go too, never quietly change their meaning.

The words are data (`words.toml`) for English, German, French, Spanish, Italian, Portuguese and Dutch; in others nothing
is known to lean. The rule errs on the side of removal: a pronoun refers to the nearest sentence that does not itself
begin with one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Flag, auto

from grounding_middleware.editing.layout import BlockKind
from grounding_middleware.editing.plan import Plan
from grounding_middleware.editing.units import Unit
from grounding_middleware.editing.words import Words, behind, candidates, opening, tables

_READ = 160  # characters at the start of a sentence that decide
_WORDS = re.compile(r"[\w']+")
_SOCIAL = frozenset({"greeting", "thanks", "offer", "interface", "reference"})


class Lean(Flag):
    """What a sentence needs before it."""

    NOTHING = 0
    SOMETHING = auto()
    PREVIOUS = auto()
    REFERENT = auto()


def leaning(text: str, language: str) -> Lean:
    """How the sentence leans on what stands before it; without a language all are tried, English first."""
    start = opening(text[:_READ])
    return next((found for words in candidates(language) if (found := _lean(start, words))), Lean.NOTHING)


def is_bare_answer(text: str) -> bool:
    """True for "Yes." and the like in any language: nothing without the sentence that follows."""
    words = " ".join(_WORDS.findall(text.lower())) if len(text) < _READ else ""
    return any(words in table.answers for table in tables().values())


def dangling(plan: Plan) -> bool:
    """Remove every kept sentence whose antecedent is gone; one pass from left to right, so chains fall as a whole."""
    changed = False
    before = _Before()
    for unit in plan.units:
        kind = plan.block(unit).kind
        if any(verdict.statement in _SOCIAL for verdict in plan.verdicts(unit)):
            continue
        if kind is BlockKind.HEADING:
            before = before if unit.gone else _Before()
            continue
        leans = _leans(plan, unit) if kind is BlockKind.TEXT else Lean.NOTHING
        reason = before.misses(leans, new_block=unit.block != before.block)
        if reason and not unit.gone:
            changed |= plan.remove(unit, reason)
        before.read(unit, leans)
    return changed


@dataclass(slots=True)
class _Before:
    """What became of the sentences before, back to the last heading."""

    block: int = -1
    last_gone: bool = False
    block_gone: bool = False
    referent_gone: bool = False
    some_gone: bool = False
    some_kept: bool = False

    def misses(self, leans: Lean, *, new_block: bool) -> str:
        """What a sentence that leans so would miss; empty when it has all it needs."""
        previous_gone = self.block_gone if new_block else self.last_gone
        if Lean.PREVIOUS in leans and previous_gone:
            return "it follows from a sentence that was removed"
        if Lean.REFERENT in leans and self.referent_gone:
            return "what it refers to was removed"
        if Lean.SOMETHING in leans and self.some_gone and not self.some_kept:
            return "it continues what was removed"
        return ""

    def read(self, unit: Unit, leans: Lean) -> None:
        """Go past one unit."""
        gone = bool(unit.gone)
        self.block_gone = gone and (self.block_gone or unit.block != self.block)
        self.block, self.last_gone = unit.block, gone
        self.some_gone |= gone
        self.some_kept |= not gone
        if Lean.REFERENT not in leans:
            self.referent_gone = gone


def _leans(plan: Plan, unit: Unit) -> Lean:
    return leaning(plan.text(unit)[:_READ], plan.language(unit))


def _lean(start: str, words: Words) -> Lean:
    found = Lean.NOTHING
    if words.alone.match(start):
        return found
    for pattern, lean in ((words.strong, Lean.PREVIOUS), (words.weak, Lean.SOMETHING)):
        match = pattern.match(start)
        if match:
            found, start = lean, behind(start[match.end() :])
            break
    lead = words.subordinators.match(start)
    after = behind(start[lead.end() :]) if lead else ""
    if any(words.pronouns.match(part) and not words.alone.match(part) for part in (start, after) if part):
        found |= Lean.REFERENT
    return found
