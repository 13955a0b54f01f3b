"""Measures everything the table of the README says, and writes it down with date and versions: figures.json.

    python benchmarks/figures/measure.py            # all; about a quarter of an hour, and a package index for the peers
    python benchmarks/figures/measure.py --no-peers # ours alone; the figures of the peers stay as they were

Public data is measured when it is there (GROUNDING_DATA, see bench_2_public.py); sets that are missing keep no figures.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from grounding_middleware import __version__
from grounding_middleware.evaluation.grounders import FromSpec
from grounding_middleware.evaluation.measuring import measured
from grounding_middleware.evaluation.metrics import Summary
from grounding_middleware.evaluation.running import Plan

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FIGURES = HERE / "figures.json"
DATA = Path(os.environ.get("GROUNDING_DATA", ROOT.parent / "shared" / "data"))
LIBRARIES = ("sentencex", "text2num", "simplemma")
RATES = ("recall", "false_positives", "precision", "escapes", "supported_precision", "undecided_bad", "undecided_good")


def main() -> int:
    """Measure, print what was measured, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--no-peers", action="store_true")
    known = json.loads(FIGURES.read_text("utf-8")) if FIGURES.is_file() else {}
    found = {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {"grounding-middleware": __version__} | {name: version(name) for name in LIBRARIES},
        "python": platform.python_version(),
        "sets": [figures(path) for path in sets()],
        "peers": known.get("peers", {}) if parser.parse_args().no_peers else peers(),
    }
    FIGURES.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


def sets() -> Iterator[Path]:
    """Our cases, the fresh ones, and the public sets that are there."""
    yield ROOT / "tests" / "cases" / "claims.jsonl"
    yield from sorted((ROOT / "benchmarks" / "cases").glob("*.jsonl"))
    yield from sorted(DATA.glob("*.jsonl"))


def figures(path: Path) -> dict[str, Any]:
    """What `grounding eval --baseline` says of one set, the rules alone."""
    found = measured([str(path)], FromSpec(), None, Plan(processes=os.cpu_count() or 1), [])
    one = {"name": name_of(path), "public": path.parent == DATA, **counted(found)}
    print(json.dumps(one), flush=True)
    return one


def name_of(path: Path) -> str:
    """The set's name in the table."""
    return "visible" if path.name == "claims.jsonl" else path.stem


def counted(found: Summary) -> dict[str, Any]:
    """The figures the table needs: rates with their intervals, and the baseline."""
    rates = {name: found.rate(name).model_dump(include={"k", "n", "value", "low", "high"}) for name in RATES}
    return {
        "answers": found.answers,
        "errors": sum(found.errors.values()),
        "p50_ms": next(one.p50 for one in found.latency if one.name == "whole check"),
        "rates": rates,
        "baseline": found.baseline.model_dump() if found.baseline else None,
    }


def peers() -> dict[str, Any]:
    """The published verifiers, in an environment of their own."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "peers.json"
        script = ROOT / "benchmarks" / "peers" / "run.py"
        subprocess.run([sys.executable, str(script), "--json", str(out)], check=True)  # noqa: S603  # ours
        return dict(json.loads(out.read_text("utf-8")))


if __name__ == "__main__":
    sys.exit(main())
