"""What stands around a sentence of a source and may decide what it says (DESIGN §5).

A sentence stands on its own unless something else in its text limits it, takes it back, only imagines it or only
quotes it: a heading ("Not covered"), the line above a list ("If you are a member:"), the sentence behind it ("This does
not apply to groups"). Then its own words do not say the whole truth.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from grounding_middleware.claims.blocks import BlockKind
from grounding_middleware.reading.hints import Hints, hints
from grounding_middleware.reading.layout import Piece
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.subjects import spoken
from grounding_middleware.reading.tokens import Token
from grounding_middleware.reading.units import Cue, Unit

__all__ = ["Around", "surroundings"]

_ASKS: Final = ("?", "？", "؟")
_LEADS: Final = (":", "：")
_NOTED: Final = re.compile(r"(?:(?<!\*)\*|[†‡¹²³])$")  # the sign of a footnote
_OPENS: Final = 4  # words in which a sentence names what it is about
_ALONE: Final = frozenset({"this", "dies", "cela", "ceci", "ça", "esto", "eso", "ciò", "isto", "isso", "dit", "to"})
_LABEL_WORDS: Final = 8  # of a line that stands above others like a heading
_BOLD: Final = 7  # the depth of a heading without marks
_LIMITS: Final = ("negation", "condition")
_WHOLE_LIMITS: Final = ("quantity.only", "time.ended", "time.until", "certainty.attributed", "certainty.planned")
_HARMLESS: Final = ("condition.inclusion",)
_ELSE: Final = frozenset({"otherwise", "or else"})  # tells the other case, and leaves this one as it is
_EXCEPT: Final = ("condition.exception", "condition.unless", "condition.only_if")


@dataclass(frozen=True, slots=True)
class Around:
    """`before` is the sentence before, `above` the headings and lead-in lines over it, outermost first.

    `limited` is True when its surroundings may change what it says.
    """

    before: Unit | None = None
    above: tuple[Unit, ...] = ()
    limited: bool = False


def surroundings(pieces: Sequence[Piece], units: Sequence[Unit], section: Sequence[Unit]) -> list[Around]:
    """One for each piece of a text, read into `units`, under the headings of its section."""
    return list(_Walk(section).run(pieces, units))


class _Walk:
    """One pass over the pieces; the headings above and the lead in force are its only state."""

    def __init__(self, section: Sequence[Unit]) -> None:
        self.section = section
        self.headings: list[tuple[int, Unit]] = []
        self.lead: Unit | None = None
        self.lead_block = -1
        self.bound: int | None = None  # the block whose sentences an opening limits
        self.row_limits = False
        self.quoted = False

    def run(self, pieces: Sequence[Piece], units: Sequence[Unit]) -> Iterator[Around]:
        before: Unit | None = None
        following = [*units[1:], None]
        for piece, unit, behind in zip(pieces, units, following, strict=True):
            self._enter(piece, unit)
            inside = self.quoted
            self._quotes(unit)
            yield Around(before, self._above(), inside or self._limited(piece, unit, behind))
            self._leave(piece, unit)
            before = unit

    def _above(self) -> tuple[Unit, ...]:
        lead = () if self.lead is None else (self.lead,)
        return (*self.section, *(heading for _, heading in self.headings), *lead)

    def _enter(self, piece: Piece, unit: Unit) -> None:
        """What ends where this piece begins."""
        if piece.kind is BlockKind.HEADING or _is_label(piece, unit):
            depth = piece.depth or _BOLD
            self.headings = [(level, heading) for level, heading in self.headings if level < depth]
            self.lead, self.bound = None, None
        listed = piece.kind in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER)
        if self.lead is not None and not listed and piece.block > self.lead_block + 1:
            self.lead = None
        if self.bound is not None and piece.block > self.bound:
            self.bound = None
        if piece.kind is BlockKind.TABLE_HEADER:
            self.row_limits = False

    def _leave(self, piece: Piece, unit: Unit) -> None:
        """What this piece says of those behind it."""
        words = hints(unit.language)
        text = unit.text.rstrip()
        if piece.kind is BlockKind.HEADING or _is_label(piece, unit):
            self.headings.append((piece.depth or _BOLD, unit))
        elif text.endswith(_LEADS) and piece.kind is not BlockKind.LIST_ITEM:
            self.lead, self.lead_block = unit, piece.block
        elif text.endswith(_ASKS):
            self.bound = piece.block + 1 if _limits(unit, words) else None
        elif _supposes(unit, words):
            self.bound = piece.block
        elif _points_forward(unit, words) and _takes_back(unit, words):
            self.bound = piece.block + 1
        elif piece.kind is BlockKind.TABLE_ROW and _one_cell(unit):
            self.row_limits = _limits(unit, words)

    def _quotes(self, unit: Unit) -> None:
        """Whether a quotation goes on behind this sentence."""
        opened = sum(unit.text.count(mark) for mark in "“„«")
        closed = sum(unit.text.count(mark) for mark in "”»") + (unit.text.count("“") if "„" in unit.text else 0)
        if unit.text.count('"') % 2 or opened > closed:
            self.quoted = not self.quoted if unit.text.count('"') % 2 else True
        elif closed > opened:
            self.quoted = False

    def _limited(self, piece: Piece, unit: Unit, behind: Unit | None) -> bool:
        words = hints(unit.language)
        return (
            self.bound is not None
            or (self.row_limits and piece.kind is BlockKind.TABLE_ROW)
            or any(_limits(one, words) for one in self._above())
            or unit.text.rstrip().endswith(_ASKS)
            or bool(_NOTED.search(unit.text.rstrip()))
            or (behind is not None and _restricts(behind, unit, words))
        )


def _is_label(piece: Piece, unit: Unit) -> bool:
    """A short line of its own without a stop: a heading that lost its mark."""
    text = unit.text.rstrip()
    alone = piece.kind is BlockKind.PARAGRAPH and piece.alone
    return alone and len(unit.tokens) <= _LABEL_WORDS and text[-1:].isalnum() and not unit.values


def _one_cell(unit: Unit) -> bool:
    return sum(bool(cell.strip()) for cell in unit.text.split("|")) == 1


def _limits(unit: Unit, words: Hints) -> bool:
    """What stands under it holds only under a condition, for some, for a time, or not at all."""
    return any(value.bound for value in unit.values) or _takes_back(unit, words)


def _takes_back(unit: Unit, words: Hints) -> bool:
    """The same as far as words tell, not values."""
    if any(_limiting(cue) for cue in unit.cues if not _asks(cue, unit)):
        return True
    return any(token.norm in words.undone for token in unit.tokens)


def _limiting(cue: Cue) -> bool:
    return (cue.table in _LIMITS or cue.name in _WHOLE_LIMITS) and cue.name not in _HARMLESS


def _asks(cue: Cue, unit: Unit) -> bool:
    """The first word only asks: "When does it open?", "When to sow"."""
    first = cue.position == 0 and cue.name == "condition.if"
    follows = next((token.norm for token in unit.tokens if token.start >= cue.end), "")
    return first and (unit.text.rstrip().endswith(_ASKS) or follows == "to")


def _supposes(unit: Unit, words: Hints) -> bool:
    first = next(iter(spoken(unit)), None)
    return first is not None and first.norm in words.supposing


def _points_forward(unit: Unit, words: Hints) -> bool:
    return any(token.norm in words.forward for token in unit.tokens)


def _restricts(behind: Unit, unit: Unit, words: Hints) -> bool:
    """The next sentence makes an exception to this one, or takes it back."""
    said = spoken(behind)
    if not said:
        return False
    if _excepts(behind, unit, said, words):
        return True
    cues = [cue for cue in behind.cues if _limiting(cue)]
    needs = any(item.keys & lexicon(behind.language).requiring for item in behind.items)
    if not cues and not needs and not any(token.norm in words.undone for token in behind.tokens):
        return False
    if not _refers(behind, said, words):
        return False
    return not _about_thing(behind, unit, said) or _same_predicate(behind, unit, said)


def _refers(behind: Unit, said: Sequence[Token], words: Hints) -> bool:
    """It opens with "this", or says it alone among its first words: "Für Gruppen gilt dies nicht"."""
    nouns = {item.start for item in behind.items}
    for number, (token, follows) in enumerate(pairwise((*said[: _OPENS + 1], None))):
        before_noun = follows is not None and follows.start in nouns
        if behind.language == "de" and follows is not None and not follows.capital:
            before_noun = False  # a verb
        article = token is not None and token.norm in lexicon(behind.language).articles
        if token is None or token.norm not in words.this or (article and before_noun):
            continue
        if number == 0 or (token.norm in _ALONE and (not before_noun or behind.language == "pl")):
            return True
    return False


def _excepts(behind: Unit, unit: Unit, said: Sequence[Token], words: Hints) -> bool:
    """Opens an exception: "Except on Sundays.", "Exceptions: ...", "Not for groups.", "Only members get in free"."""
    first = said[0]
    if first.norm in words.apart:
        return True
    opens = [cue for cue in behind.cues if cue.start <= said[min(1, len(said) - 1)].start]
    if any(cue.name in _EXCEPT and cue.text.casefold() not in _ELSE for cue in opens):
        return True
    if any(cue.name == "quantity.only" for cue in opens) and (len(said) <= _LABEL_WORDS or behind.keys & unit.keys):
        return True
    verbs = any(token.norm in lexicon(behind.language).auxiliaries for token in said) or behind.of("modality")
    return any(cue.table == "negation" for cue in opens) and not verbs and len(said) <= _LABEL_WORDS


def _about_thing(behind: Unit, unit: Unit, said: Sequence[Token]) -> bool:
    """It goes on about a thing, not about what was said: "It is not heated", "This mill was not the first"."""
    first, follows = said[0], said[1:2]
    if first.norm in ("it", "es", "these", "those", "diese", "deze", "te"):
        return True
    noun = next((item for item in behind.items if follows and item.start == follows[0].start), None)
    return noun is not None and bool(noun.keys & unit.keys)


def _same_predicate(behind: Unit, unit: Unit, said: Sequence[Token]) -> bool:
    """Denies of some what was said of all: "valid on all trams. It is not valid on night trams"."""
    denied = any(cue.table == "negation" or cue.name == "quantity.only" for cue in behind.cues)
    start = said[1].end if len(said) > 1 else behind.end
    return denied and any(item.keys & unit.keys for item in behind.items if item.start >= start)
