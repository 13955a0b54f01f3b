"""Published verifiers without a model beside the rules of this project: one table, the same pairs for all.

Makes its own environment beside this file on the first run (needs a package index then) and never touches that of the
project. The rules run in the environment this script is started with:

    python benchmarks/peers/run.py [--limit 1000] [--only NAME ...] [--sets WORD ...] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import figures
import ours
import pairs
from wrappers import WRAPPERS

HERE = Path(__file__).parent
VENV = HERE / ".venv"
PYTHON = VENV / ("Scripts" if sys.platform == "win32" else "bin") / "python"
REQUIREMENTS = HERE / "requirements.txt"
Answer = tuple[str, float | None, float]


def main() -> int:
    """Print one block of lines for each set."""
    options = _options()
    install()
    print(figures.LEGEND)
    found: dict[str, list[dict[str, Any]]] = {}
    for name, questions in pairs.sets(options.limit):
        if options.sets and not any(word in name for word in options.sets):
            continue
        bad = [pair.must_flag for pair in questions]
        print(f"\n{name}: {len(bad)} pairs, {sum(bad)} must be flagged\n{figures.HEAD}")
        for who, answer in verifiers(options.only, whole_cases=questions[0].case is not None):
            one = figures.of(who, bad, answer(questions))
            print(figures.row(one), flush=True)
            found.setdefault(name, []).append(asdict(one))
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


def install() -> None:
    """Make the environment of the others, again whenever the list of them changes."""
    stamp = VENV / "installed.txt"
    wanted = REQUIREMENTS.read_text("utf-8")
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return
    venv.create(VENV, clear=True, with_pip=True)
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(REQUIREMENTS)]
    subprocess.run(command, check=True)  # noqa: S603  # our own fixed command
    stamp.write_text(wanted, "utf-8")


def verifiers(
    only: list[str], *, whole_cases: bool
) -> Iterator[tuple[str, Callable[[list[pairs.Pair]], list[Answer]]]]:
    """Name and function of each, ours last."""
    found: dict[str, Callable[[list[pairs.Pair]], list[Answer]]] = {"word overlap >= 0.7": ours.overlap}
    found |= {name: (lambda rows, n=name: ask(n, rows)) for name in WRAPPERS}
    found["grounding-middleware, rules"] = ours.on_pairs
    if whole_cases:
        found["grounding-middleware, whole case"] = ours.on_cases
    return ((name, answer) for name, answer in found.items() if not only or name in only)


def ask(name: str, rows: list[pairs.Pair]) -> list[Answer]:
    """Run one published verifier in its own process and environment."""
    lines = [json.dumps({"claim": r.claim, "evidence": r.evidence, "question": r.question}) for r in rows]
    command = [str(PYTHON), "-W", "ignore", str(HERE / "wrappers.py"), name]
    done = subprocess.run(command, input="\n".join(lines), stdout=subprocess.PIPE, check=True, text=True)  # noqa: S603  # ours
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=1000, help="pairs of a public set, evenly spaced")
    parser.add_argument("--only", nargs="*", default=[], help="names of verifiers, as in the table")
    parser.add_argument("--sets", nargs="*", default=[], help="words in the names of the sets")
    parser.add_argument("--json", type=Path, help="file for the figures, too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
