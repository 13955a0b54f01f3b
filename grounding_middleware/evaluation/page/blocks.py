"""What a page is made of: plain data, one class for each kind of block the template knows.

Texts in here are text, never markup; the template escapes them. `Chart.svg` is the only markup.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

__all__ = [
    "Block",
    "Card",
    "Cards",
    "Case",
    "Cell",
    "Chart",
    "Group",
    "Heading",
    "Note",
    "Page",
    "Part",
    "Piece",
    "Row",
    "Section",
    "Source",
    "Table",
]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a table; numbers are set to the right; `hue` colours what the words say already."""

    text: str
    hue: str = ""
    number: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row; the first cell heads it. `faint` where too little was measured to conclude anything."""

    cells: tuple[Cell, ...]
    faint: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a caption, which is also the text alternative of the chart before it."""

    kind: ClassVar[str] = "table"
    caption: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A picture of a table near it: SVG markup of ours, the sentence that says what it shows, and what colours mean."""

    kind: ClassVar[str] = "chart"
    svg: str
    label: str
    legend: tuple[Cell, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One headline figure: value, interval, what was counted, and the change since the run before."""

    name: str
    value: str
    interval: str
    counted: str
    change: str = ""
    better: bool | None = None
    hue: str = ""


@dataclass(frozen=True, slots=True)
class Cards:
    """Headline figures side by side."""

    kind: ClassVar[str] = "cards"
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence of its own; `warning` says that something is wrong or cannot be said."""

    kind: ClassVar[str] = "note"
    text: str
    warning: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text; `marked` is the claim itself."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A passage beside a claim: the place it stands at, and whether it was quoted as evidence."""

    place: str
    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One bad example: the claim within its answer, the evidence beside it, and what was said about it in words."""

    kind: ClassVar[str] = "case"
    title: str
    question: str
    chips: tuple[Cell, ...]
    answer: tuple[Piece, ...]
    sources: tuple[Source, ...]
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading within a section, and what is meant by it."""

    kind: ClassVar[str] = "heading"
    title: str
    lead: str


@dataclass(frozen=True, slots=True)
class Part:
    """One column of a group."""

    title: str
    lead: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Parts side by side where there is room, one below the other on a phone."""

    kind: ClassVar[str] = "group"
    parts: tuple[Part, ...]


Block = Table | Chart | Cards | Note | Heading | Group | Case


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading that the contents list leads to."""

    name: str
    title: str
    lead: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page: `facts` and `commands` say what was measured and how to repeat it."""

    title: str
    lead: str
    notes: tuple[Note, ...]
    sections: tuple[Section, ...]
    facts: tuple[tuple[str, str], ...]
    commands: str
