"""Charts as inline SVG, drawn by Vega-Lite (vl-convert) without a browser, a script or a connection.

Colours are CSS variables of the page, so that one drawing serves light, dark and print. Every chart repeats a table
that stands beside it; screen readers are given one sentence instead of the marks. Raises `ConfigError` when the extra
`report` is not installed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Final

from grounding_middleware.errors import ConfigError

__all__ = ["Bar", "Interval", "Point", "bars", "intervals", "trend"]

WIDTH: Final = 350  # the narrowest phone, so that letters stay legible there; wider screens scale it up
_VEGA_LITE: Final = "6.4"  # the newest one of vl-convert 1.9; named, so that drawings do not change by themselves
_LETTERS: Final = 22  # of a row's name on one line: half of the width; longer names stand whole in the table
_AXIS: Final = {
    "labelColor": "var(--ink)",
    "titleColor": "var(--ink)",
    "gridColor": "var(--line)",
    "domainColor": "var(--line)",
    "tickColor": "var(--line)",
    "labelFontSize": 12,
    "titleFontSize": 12,
    "titleFontWeight": "normal",
    "labelLimit": 0,
}
_CONFIG: Final = {
    "font": "system-ui, sans-serif",
    "background": None,
    "view": {"stroke": None},
    "axis": _AXIS,
    "aria": False,
}


@dataclass(frozen=True, slots=True)
class Bar:
    """`count` statements of the row `name` that belong to `part`."""

    name: str
    part: str
    count: int


@dataclass(frozen=True, slots=True)
class Interval:
    """A measured share of the row `name` with its interval, all between 0 and 1."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Point:
    """A measured value of the run `name`."""

    name: str
    value: float
    low: float
    high: float


def bars(rows: Sequence[Bar], hues: Mapping[str, str]) -> str:
    """Stacked bars of one length: what share of its row each part is. `hues` orders the parts and colours them."""
    return _drawn(
        [{"name": bar.name, "part": bar.part, "count": bar.count} for bar in rows],
        {
            "height": {"step": 26},
            "mark": {"type": "bar", "stroke": "var(--paper)", "strokeWidth": 1},
            "transform": [{"calculate": f"indexof({json.dumps(list(hues))}, datum.part)", "as": "rank"}],
            "encoding": {
                "y": _names(bar.name for bar in rows),
                "x": {
                    "field": "count",
                    "type": "quantitative",
                    "stack": "normalize",
                    "title": None,
                    "axis": {"format": ".0%", "values": [0, 0.5, 1]},
                },
                "order": {"field": "rank", "type": "quantitative"},
                "color": {
                    "field": "part",
                    "type": "nominal",
                    "scale": {"domain": list(hues), "range": [f"var(--{hue})" for hue in hues.values()]},
                    "legend": None,
                },
            },
        },
    )


def intervals(rows: Sequence[Interval], hue: str, upto: float | None = None) -> str:
    """A dot with its interval for each row, on one scale of shares from 0 to `upto`, or to the highest interval."""
    y = _names(row.name for row in rows)
    scale: dict[str, Any] = {"zero": True} if upto is None else {"domain": [0, upto]}
    x = {"type": "quantitative", "title": None, "axis": {"format": ".0%", "tickCount": 4}, "scale": scale}
    color = f"var(--{hue})"
    return _drawn(
        [{"name": row.name, "value": row.value, "low": row.low, "high": row.high} for row in rows],
        {
            "height": {"step": 36},
            "layer": [
                {
                    "mark": {"type": "rule", "strokeWidth": 3, "color": color},
                    "encoding": {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "size": 90, "filled": True, "opacity": 1, "color": color},
                    "encoding": {"y": y, "x": {**x, "field": "value"}},
                },
            ],
        },
    )


def trend(points: Sequence[Point], hue: str) -> str:
    """A line with the band of its intervals over the runs, the oldest on the left."""
    x = {"field": "name", "type": "ordinal", "sort": None, "title": None, "axis": {"labelAngle": -35, "labelLimit": 90}}
    y = {"type": "quantitative", "title": None, "axis": {"format": ".0%", "tickCount": 4}, "scale": {"zero": True}}
    color = f"var(--{hue})"
    return _drawn(
        [{"name": point.name, "value": point.value, "low": point.low, "high": point.high} for point in points],
        {
            "height": 130,
            "layer": [
                {
                    "mark": {"type": "area", "color": color, "opacity": 0.2},
                    "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
                },
                {
                    "mark": {"type": "line", "color": color, "point": {"color": color, "size": 50}},
                    "encoding": {"x": x, "y": {**y, "field": "value"}},
                },
            ],
        },
    )


def _names(names: Iterable[str]) -> dict[str, Any]:
    """The axis of row names on lines of their own, with room for wide fonts: the page's font is not measured here."""
    lines = {name: wrap(name, _LETTERS, max_lines=2, placeholder="…") for name in names}
    room = 8 * max((len(line) for found in lines.values() for line in found), default=0) + 8
    axis = {"minExtent": room, "labelExpr": f"({json.dumps(lines)})[datum.label]"}
    return {"field": "name", "type": "nominal", "sort": None, "title": None, "axis": axis}


def _drawn(values: Sequence[Mapping[str, Any]], spec: Mapping[str, Any]) -> str:
    try:
        import vl_convert  # noqa: PLC0415  # 84 MB that only this page needs
    except ModuleNotFoundError as error:
        raise ConfigError(
            f'charts: {error.name} is not installed; pip install "grounding-middleware[report]"'
        ) from None
    whole = {
        "data": {"values": list(values)},
        "width": WIDTH,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "config": _CONFIG,
        **spec,
    }
    # The empty list allows no address at all: data stands in the chart, or nowhere.
    return vl_convert.vegalite_to_svg(whole, vl_version=_VEGA_LITE, allowed_base_urls=[])
