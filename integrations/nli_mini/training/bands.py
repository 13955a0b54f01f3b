"""Abstention bands: from which probability on the model may speak, by language and length, for a wanted precision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from grounding_middleware.judges.nli.thresholds import NEVER, Band, Thresholds, calibrate
from grounding_middleware.judges.nli.thresholds import Scored as Pair
from grounding_middleware.records import Label
from training.scored import NEAREST, Scored
from training.statements import SETS

PRECISION: Final = 0.95
MARGIN: Final = 0.01  # asked for on top where thresholds are fixed, as the best of many is a little lucky
AT_LEAST: Final = 30
ANSWERS: Final = frozenset({"ragtruth_qa", "ragtruth_summary", "ragtruth_data2txt"})
"""Whole RAG answers, where nine sentences in ten are right. Where there is more text than one window, the wanted
precision is asked for on them: the other sets with long texts were collected to be wrong half of the time, as no user's
answers are. There a lower one must be reached as well, so that the model does not live on the many right ones alone."""

ELSEWHERE: Final = 0.8
FEW: Final = 15  # statements that are enough there

LONGEST: Final = 64  # windows; the judge looks at no more evidence


class Bands(NamedTuple):
    """The thresholds and, by language and length, how many statements they were fixed on."""

    thresholds: Thresholds
    counts: dict[tuple[str, bool], int]


def fixed(found: Sequence[Scored]) -> Bands:
    """One band for each language and length, measured on the statements that are not reported."""
    groups: dict[tuple[str, bool], list[Scored]] = {}
    for one in found:
        if one.is_fixed_on:
            groups.setdefault(one.group, []).append(one)
    counts = {group: len(rows) for group, rows in sorted(groups.items())}
    bands = [_band(group, groups[group]) for group in counts]
    told = f"{sum(counts.values())} statements of {len(SETS)} public sets, precision {PRECISION} in each band"
    return Bands(
        Thresholds(supported=NEVER, contradicted=NEVER, measured=told, bands=tuple(bands), nearest=NEAREST), counts
    )


def _band(group: tuple[str, bool], rows: Sequence[Scored]) -> Band:
    language, is_long = group
    answers = [one for one in rows if one.dataset in ANSWERS] if is_long else []
    least = _least(answers or rows, PRECISION + MARGIN)
    supported = least.supported
    if answers:
        others = [one for one in rows if one.dataset not in ANSWERS]
        supported = max(supported, _least(others, ELSEWHERE, FEW).supported)
    return Band(
        language=language,
        windows=LONGEST if is_long else 1,
        supported=supported,
        contradicted=least.contradicted,
    )


def _least(rows: Sequence[Scored], precision: float, at_least: int = AT_LEAST) -> Thresholds:
    pairs = [Pair(one.entailment, one.contradiction, _label(one)) for one in rows]
    return calibrate(pairs, precision=precision, at_least=at_least)


def shown(found: Sequence[Scored], bands: Bands) -> str:
    """Lines for each set: what is supported and flagged within the bands, on the statements that are reported."""
    lines = ["", "bands: " + "; ".join(_told(bands)), _HEAD]
    for name in SETS:
        rows = [one for one in found if one.dataset == name and not one.is_fixed_on]
        if rows:
            lines.append(f"{name:22} {len(rows):4} | {_cells(rows, bands.thresholds)}")
    return "\n".join(lines)


_HEAD: Final = f"{'with abstention':22}    n | supported: share, precision (rules alone) | flags: share, false"


def _cells(rows: Sequence[Scored], thresholds: Thresholds) -> str:
    said = [decided(one, thresholds) for one in rows]
    yes = [one.is_supported for one, label in zip(rows, said, strict=True) if label is Label.SUPPORTED]
    alone = [one.is_supported for one in rows if one.rules > 0]
    no = [one.is_supported for one, label in zip(rows, said, strict=True) if label is Label.CONTRADICTED]
    good = sum(one.is_supported for one in rows)
    return (
        f"{len(yes) / len(rows):5.2f} {_share(yes)} ({len(alone) / len(rows):.2f} {_share(alone)}) | "
        f"{len(no) / len(rows):5.2f} {sum(no) / max(1, good):.3f}"
    )


def decided(one: Scored, thresholds: Thresholds) -> Label:
    """What rules and model together say; what rules decide stands."""
    if one.rules:
        return Label.SUPPORTED if one.rules > 0 else Label.CONTRADICTED
    supported, contradicted = thresholds.least(one.statement.language, one.windows)
    if one.entailment >= supported and one.contradiction < 0.5:
        return Label.SUPPORTED
    if one.contradiction >= contradicted and one.entailment < 0.5:
        return Label.CONTRADICTED
    return Label.UNVERIFIED


def _share(right: Sequence[bool]) -> str:
    return f"{sum(right) / len(right):.3f}" if right else "    -"


def _told(bands: Bands) -> Iterator[str]:
    for band, count in zip(bands.thresholds.bands, bands.counts.values(), strict=True):
        length = "one window" if band.windows == 1 else "more text"
        yield f"{band.language}, {length} ({count}): {band.supported:.3f} / {band.contradicted:.3f}"


def _label(one: Scored) -> Label:
    """The label as people gave it; what is only "not supported" is no contradiction for sure."""
    return Label(one.statement.label) if one.statement.label in set(Label) else Label.INSUFFICIENT_EVIDENCE
