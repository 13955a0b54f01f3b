"""What rules and word overlap say about the statements, once, for all models that are compared with them.

python -m training.score_rules DATA OUT.jsonl
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import warnings
from pathlib import Path

from grounding_middleware import Grounder, Label
from training.statements import SETS, Statement, sample

_WORD = re.compile(r"\w+")
_FLAGS = (Label.CONTRADICTED, Label.INVALID_CITATION, Label.INSUFFICIENT_EVIDENCE)


def main() -> int:
    """Write one line a statement: overlap, and 1, 0 or -1 for supported, undecided and flagged by the rules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--most", type=int, default=400, help="statements of each set")
    parser.add_argument("--sets", nargs="*", default=list(SETS))
    args = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    grounder = Grounder()
    with args.out.open("w", encoding="utf-8") as file:
        for name in args.sets:
            for statement in sample(args.data, name, args.most):
                found = {"key": statement.key, "overlap": overlap(statement), "rules": ruled(grounder, statement)}
                file.write(json.dumps(found) + "\n")
            print(name, flush=True)
    return 0


def overlap(statement: Statement) -> float:
    """Share of the statement's words that stand anywhere in the passages."""
    words = {word.casefold() for word in _WORD.findall(statement.text)}
    there = {word.casefold() for passage in statement.passages for word in _WORD.findall(passage)}
    return len(words & there) / max(1, len(words))


def ruled(grounder: Grounder, statement: Statement) -> int:
    """1 if the rules support all of it, -1 if they flag any part, else 0."""
    report = grounder.check(statement.text, evidence=statement.passages)
    labels = [verdict.label for verdict in report.claims]
    if any(label in _FLAGS for label in labels):
        return -1
    return int(Label.UNVERIFIED not in labels and Label.SUPPORTED in labels)


if __name__ == "__main__":
    sys.exit(main())
