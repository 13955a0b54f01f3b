"""What the exported model costs: load time, memory, time for a claim, for an answer, for twenty claims at once.

    python -m training.costs MODEL_FOLDER DATA/ragtruth_qa.jsonl

Wall and processor time in milliseconds, one thread; on a machine with other work only the latter means something.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from grounding_middleware.judges import JudgeItem, JudgeTask, run
from grounding_middleware.judges.nli import NLIJudge, OnnxModel
from grounding_middleware.records import Claim, Span
from training.statements import passages

Timed = tuple[float, float]


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("answers", type=Path, help="a set of whole answers with sentences")
    parser.add_argument("--most", type=int, default=30, help="answers")
    args = parser.parse_args()
    before = _memory()
    begun = time.perf_counter(), time.process_time()
    judge = NLIJudge(OnnxModel(args.model), "mini")
    print(f"load {_since(begun)[0]:.0f} ms wall, {_since(begun)[1]:.0f} ms processor")
    tasks = [_task(row) for row in _rows(args.answers, args.most)]
    answers = [_timed(judge, task) for task in tasks]
    claims = [_timed(judge, task.replace(items=(item,))) for task in tasks[: args.most // 3] for item in task.items]
    print(f"claim, one at a time: {_told(claims)}")
    print(f"answer, {np.mean([len(task.items) for task in tasks]):.1f} claims: {_told(answers)}")
    twenty = [_timed(judge, _twenty(tasks, at)) for at in range(5)]
    print(f"20 claims batched: {_told(twenty)}")
    print(f"memory: {before:.0f} MB before loading, {_memory():.0f} MB at most")
    return 0


def _rows(path: Path, most: int) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[:most]]


def _task(row: dict[str, object]) -> JudgeTask:
    """The sentences of an answer as claims about all of its passages."""
    answer, context, extra = str(row["claim"]), str(row["context"]), row["extra"]
    spans = tuple(Span(id=f"p#{at}", text=text) for at, text in enumerate(passages(context)))
    spots = extra["sentences"] if isinstance(extra, dict) else []
    claims = (
        Claim(id=f"c{at}", text=answer[spot["start"] : spot["end"]], start=spot["start"], end=spot["end"])
        for at, spot in enumerate(spots)
        if answer[spot["start"] : spot["end"]].strip()
    )
    items = tuple(JudgeItem(claim=claim, span_ids=()) for claim in claims)
    return JudgeTask(question="", answer=answer, evidence=spans, items=items)


def _twenty(tasks: Sequence[JudgeTask], at: int) -> JudgeTask:
    """Twenty claims about the passages of one answer."""
    task = tasks[at]
    items = [
        JudgeItem(claim=item.claim.replace(id=f"t{number}"), span_ids=())
        for number, item in enumerate((one for other in tasks for one in other.items), start=1)
    ]
    return task.replace(items=tuple(items[20 * at : 20 * at + 20]))


def _timed(judge: NLIJudge, task: JudgeTask) -> Timed:
    begun = time.perf_counter(), time.process_time()
    run(judge.judge(task), {judge.name: judge.model})
    return _since(begun)


def _since(begun: Timed) -> Timed:
    return 1_000 * (time.perf_counter() - begun[0]), 1_000 * (time.process_time() - begun[1])


def _told(times: Sequence[Timed]) -> str:
    wall, own = np.array(times).T
    return (
        f"p50 {np.median(wall):.0f}, p95 {np.quantile(wall, 0.95):.0f} ms wall; "
        f"p50 {np.median(own):.0f}, p95 {np.quantile(own, 0.95):.0f} ms processor ({len(times)} times)"
    )


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


if __name__ == "__main__":
    sys.exit(main())
