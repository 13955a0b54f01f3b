"""What an exported model says about the statements: its probabilities for the windows nearest to each.

    python -m training.score_model DATA MODEL_FOLDER OUT.jsonl

The same windows and the same order as the judge of the package uses them; the table decides how many of them count.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from grounding_middleware.judges.nli.onnx import OnnxModel
from grounding_middleware.judges.nli.selection import nearest
from grounding_middleware.judges.nli.windows import windows
from grounding_middleware.judges.protocol import ModelCall
from training.scored import NEAREST
from training.statements import SETS, Statement, sample

_AT_ONCE = 32
_LEAST_ROOM = 16


def main() -> int:
    """Write one line a statement: number of windows, and three probabilities for each of the nearest, best first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--most", type=int, default=400, help="statements of each set")
    parser.add_argument("--file", default=None, help="the ONNX file, where there are several")
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    parser.add_argument("--nearest", type=int, default=NEAREST, help="windows scored for each statement")
    args = parser.parse_args()
    model = OnnxModel(args.model, file=args.file)
    with args.out.open("w", encoding="utf-8") as file:
        for name in args.sets:
            statements, begun = sample(args.data, name, args.most), time.process_time()
            for at in range(0, len(statements), _AT_ONCE):
                for line in scored(model, statements[at : at + _AT_ONCE], args.nearest):
                    file.write(json.dumps(line) + "\n")
            print(name, len(statements), f"{time.process_time() - begun:.1f} s of processor time", flush=True)
    return 0


def scored(model: OnnxModel, statements: list[Statement], most: int = NEAREST) -> list[dict[str, object]]:
    """One line for each statement; without scores where it cannot be read whole."""
    chosen = [pairs(model, statement, most) for statement in statements]
    flat = tuple(pair for found, _ in chosen for pair in found)
    scores = iter(model.complete(ModelCall(tier="x", role="x", prompt_version="x", pairs=flat)).scores if flat else ())
    return [
        {"key": statement.key, "windows": count, "scores": [next(scores) for _ in found]}
        for statement, (found, count) in zip(statements, chosen, strict=True)
    ]


def pairs(model: OnnxModel, statement: Statement, most: int = NEAREST) -> tuple[list[tuple[str, str]], int]:
    """The pairs of the nearest windows, best first, and how many windows there are."""
    room = model.max_tokens - model.special_tokens - model.count(statement.text)
    if room < _LEAST_ROOM:
        return [], 0
    found = [
        passage[start:end]
        for passage in statement.passages
        for start, end in windows(passage, room, model.count, statement.language)
    ]
    chosen = nearest(statement.text, found, statement.language, most)
    return [(found[at], statement.text) for at in chosen], len(found)


if __name__ == "__main__":
    sys.exit(main())
