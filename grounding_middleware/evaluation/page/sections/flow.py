"""Label flow: what the model wrote, and what of it left the house as it was, repaired, or not at all."""

from __future__ import annotations

from collections import Counter

from grounding_middleware.evaluation.page.blocks import Cell, Chart, Group, Note, Part, Row, Section, Table
from grounding_middleware.evaluation.page.charts import Bar, bars
from grounding_middleware.evaluation.page.flow import ORDER, AnyLabel, Flow
from grounding_middleware.evaluation.page.sections.telling import count, number
from grounding_middleware.evaluation.page.words import Destination, fate_words, label_words

__all__ = ["section"]

Counts = Counter[tuple[AnyLabel, Destination]]


def section(flow: Flow) -> Section:
    """Both views: by the label a person gave, and by the verifier's."""
    views = [
        ("By the right label (gold)", "Only statements that somebody labelled.", flow.by_gold),
        ("By the verifier's label", "Every statement of the answers.", flow.by_verdict),
    ]
    found = [view for view in views if view[2]]
    charts = tuple(Part(title, told, (_chart(counts),)) for title, told, counts in found)
    tables = tuple(_table(f"{title}: where the statements ended up", counts) for title, _, counts in found)
    return Section(
        "flow",
        "From what the model wrote to what the reader got",
        "Each row is one label before; its parts are where those statements ended up.",
        (Group(charts), *tables) if found else (Note("No statement was found, so there is nothing to show."),),
    )


def _chart(counts: Counts) -> Chart:
    labels, ends = _present(counts)
    rows = [Bar(_row(label, counts), fate_words(end).words, counts[label, end]) for label in labels for end in ends]
    return Chart(
        bars([bar for bar in rows if bar.count], {fate_words(end).words: fate_words(end).hue for end in ends}),
        f"Of {count(counts.total(), 'statement')}, by label: the share that ended up in each way.",
        tuple(Cell(str(fate_words(end)), fate_words(end).hue) for end in ends),
    )


def _table(caption: str, counts: Counts) -> Table:
    labels, ends = _present(counts)
    return Table(
        caption,
        ("Label", *(str(fate_words(end)) for end in ends), "All"),
        tuple(
            Row(
                (
                    Cell(str(label_words(label)), label_words(label).hue),
                    *(number(f"{counts[label, end]:,}") for end in ends),
                    number(f"{sum(counts[label, end] for end in ends):,}"),
                )
            )
            for label in labels
        ),
    )


def _present(counts: Counts) -> tuple[list[AnyLabel], list[Destination]]:
    return (
        [label for label in ORDER if any(key[0] == label for key in counts)],
        [end for end in Destination if any(key[1] is end for key in counts)],
    )


def _row(label: AnyLabel, counts: Counts) -> str:
    total = sum(found for key, found in counts.items() if key[0] == label)
    return f"{label_words(label).short} {total:,}"
