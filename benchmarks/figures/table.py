"""Writes the table of the README from figures.json, between its two marks; `--check` only tells whether it is there."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

HERE = Path(__file__).parent
README = HERE.parents[1] / "README.md"
BEGIN: Final = "<!-- figures: written by benchmarks/figures/table.py -->"
END: Final = "<!-- end of figures -->"
HEAD: Final = (
    "set", "claims, to be flagged", "called supported", "of them rightly", "flagged of the wrong ones",
    "flags that are right", "falsely flagged", "wrong ones passed", "balanced accuracy: rules", "word overlap",
    "best of 5 peers",
)  # fmt: skip
OURS: Final = ("word overlap >= 0.7", "grounding-middleware, rules", "grounding-middleware, whole case")


def main() -> int:
    """Rewrite the README, or compare; 1 when it differs."""
    text = README.read_text("utf-8")
    wanted = placed(text, table(json.loads((HERE / "figures.json").read_text("utf-8"))))
    if "--check" in sys.argv:
        return int(text != wanted)
    README.write_text(wanted, "utf-8")
    return 0


def placed(text: str, lines: str) -> str:
    """The README with these lines between the marks; raises `ValueError` when a mark is missing."""
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    return f"{text[:begin]}\n{lines}\n{text[end:]}"


def table(found: dict[str, Any]) -> str:
    """The table and what it was made with."""
    rows = [HEAD, ("---",) * len(HEAD), *(row(one, found["peers"]) for one in found["sets"])]
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    told = f"Measured on {found['date']} with {versions}, Python {found['python']}; the rules alone, no judge."
    return "\n".join((*("| " + " | ".join(cells) + " |" for cells in rows), "", told))


def row(one: dict[str, Any], peers: dict[str, Any]) -> tuple[str, ...]:
    """One set; "-" where there is nothing to say."""
    rates, base = one["rates"], one["baseline"]
    bad, good = rates["recall"]["n"], rates["false_positives"]["n"]
    return (
        one["name"] + (" (public)" if one["public"] else ""),
        f"{bad + good:,}, {bad:,}",
        share(rates["supported_precision"]["n"] / (bad + good)),
        share(rates["supported_precision"]["value"], 3),
        share(rates["recall"]["value"]),
        share(rates["precision"]["value"]),
        share(rates["false_positives"]["value"], 3),
        share(rates["escapes"]["value"], 3),
        share(base["verifier_balanced"]),
        share(base["overlap_balanced"]),
        best(one["name"], peers),
    )


def best(name: str, peers: dict[str, Any]) -> str:
    """The highest balanced accuracy of a published verifier on the same pairs; what it cannot decide counts half."""
    rows = peers.get(f"{name}, all cases") or peers.get(name) or []
    found = [(halves(one), one["verifier"]) for one in rows if one["verifier"] not in OURS]
    return f"{max(found)[0]:.2f} ({max(found)[1]})" if found else "-"


def halves(one: dict[str, Any]) -> float:
    """Between passing and withholding what is undecided; a verifier that does not tell it apart has one figure."""
    strict: float | None = one["withheld"]
    lenient: float = one["balanced"]
    return lenient if strict is None else (lenient + strict) / 2


def share(value: float | None, digits: int = 2) -> str:
    """From 0 to 1."""
    return "-" if value is None else f"{value:.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
