"""The table: balanced accuracy and AUC of word overlap, rules, model, rules and model, for each measuring set.

    python -m training.table DATA RULES.jsonl SCORES.jsonl [--write MODEL_FOLDER/grounding.json]

Thresholds are fixed by language and by length (one window of text, or several) on one part of the rows; everything
printed is about the other part. Intervals are from a bootstrap over rows. With --write the abstention bands go into the
model's own file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from training.bands import Bands, fixed, shown
from training.figures import auc, balanced, best_threshold, resampled
from training.scored import Scored, joined
from training.statements import SETS

Score = Callable[[Scored], float]
METHODS: Final[dict[str, Score]] = {
    "overlap": lambda one: one.overlap,
    "rules": lambda one: float(one.rules),
    "model": lambda one: one.entailment,
    "both": lambda one: one.entailment + 2.0 * one.rules,
}
_DRAWS: Final = 1000


def main() -> int:
    """Print the table and the bands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("rules", type=Path)
    parser.add_argument("scores", type=Path)
    parser.add_argument("--most", type=int, default=400, help="statements of each set")
    parser.add_argument("--write", type=Path, help="grounding.json to put the bands into")
    args = parser.parse_args()
    found = joined(args.data, args.rules, args.scores, args.most)
    thresholds = {name: _thresholds(found, score) for name, score in METHODS.items()}
    gains = [_line(name, [one for one in found if one.dataset == name], thresholds) for name in SETS]
    known = [gain for gain in gains if gain is not None]
    print(
        f"\nrules and model against the better of overlap and rules: mean {np.mean(known):+.1f} points, "
        f"better on {sum(gain > 0 for gain in known)} of {len(known)} sets (aim: +8 and 9 of 12)"
    )
    bands = fixed(found)
    print(shown(found, bands))
    if args.write:
        _write(args.write, bands)
    return 0


def _thresholds(found: Sequence[Scored], score: Score) -> dict[tuple[str, bool], float]:
    """For each language and length the threshold with the best mean over sets, on the rows that are not reported."""
    groups: dict[tuple[str, bool], dict[str, list[Scored]]] = {}
    for one in found:
        if one.is_fixed_on:
            groups.setdefault(one.group, {}).setdefault(one.dataset, []).append(one)
    return {
        group: best_threshold([(_array(rows, score), _labels(rows)) for rows in sets.values()])
        for group, sets in groups.items()
    }


def _line(name: str, rows: Sequence[Scored], thresholds: dict[str, dict[tuple[str, bool], float]]) -> float | None:
    """Print a set's figures; the gain over the better baseline in points."""
    told = [one for one in rows if not one.is_fixed_on]
    labels = _labels(told)
    if not told or labels.all() or not labels.any():
        return None
    said = {
        method: np.array([score(one) >= thresholds[method].get(one.group, 0.5) for one in told])
        for method, score in METHODS.items()
    }
    cells = [
        f"{100 * balanced(said[method], labels):5.1f} {auc(_array(told, score), labels):.2f}"
        for method, score in METHODS.items()
    ]
    better = max(("overlap", "rules"), key=lambda method: balanced(said[method], labels))
    low, high = resampled(
        [one.row for one in told],
        lambda at: balanced(said["both"][at], labels[at]) - balanced(said[better][at], labels[at]),
        _DRAWS,
    )
    gain = 100 * (balanced(said["both"], labels) - balanced(said[better], labels))
    mark = "*" if SETS[name] else " "
    print(
        f"{name + mark:22} {len(told):4} {labels.mean():.2f} | {' | '.join(cells)} | "
        f"{gain:+5.1f} [{100 * low:+.1f}, {100 * high:+.1f}]",
        flush=True,
    )
    return gain


def _array(rows: Sequence[Scored], score: Score) -> NDArray[Any]:
    return np.array([score(one) for one in rows])


def _labels(rows: Sequence[Scored]) -> NDArray[Any]:
    return np.array([one.is_supported for one in rows], dtype=bool)


def _write(path: Path, bands: Bands) -> None:
    own = json.loads(path.read_text("utf-8"))
    own["thresholds"] = bands.thresholds.model_dump(mode="json")
    path.write_text(json.dumps(own, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    print(f"{'set (* family trained on)':22}    n base | overlap    | rules      | model      | both       | gain")
    sys.exit(main())
