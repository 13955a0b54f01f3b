"""Evaluate, review, export, evaluate: run with `python examples/measure_and_review.py`, offline, on real files.

Needs the extras `eval` and `store`. A grounder is measured on labelled answers. Answers nobody labelled go through it,
too; those it escalates wait for a person, whose rulings become labels; the grown set is measured again.
"""

import json
import tempfile
from pathlib import Path

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.evaluation import Plan, Summary, evaluate, summarise
from grounding_middleware.review import AnswerRuling, ClaimRuling, ReviewQueue, export, golden_cases
from grounding_middleware.store import Store

SOURCES = ["Refunds are paid within 5 to 7 business days.", "Recordings may be kept for 90 days. The fee is 5 EUR."]
LABELLED = [
    {
        "id": "refunds",
        "question": "How long do refunds take?",
        "answer": "Refunds are paid within 10 business days [S1]. The fee is 5 EUR [S2].",
        "claims": [
            {"text": "Refunds are paid within 10 business days", "label": "CONTRADICTED"},
            {"text": "The fee is 5 EUR", "label": "SUPPORTED"},
        ],
        "facts": ["within 5 to 7 business days"],
        "answerable": True,
    }
]
UNLABELLED = {
    "recordings": "Recordings must be kept for 90 days [S2].",
    "support": "The support team is friendly and quick [S2].",
    "fee": "The fee is 5 EUR [S2].",
}


def written(path: Path, rows: list[dict[str, object]]) -> Path:
    """The rows as JSON lines."""
    path.write_text("".join(f"{json.dumps({'sources': SOURCES, **row})}\n" for row in rows), "utf-8")
    return path


def show(title: str, summary: Summary) -> None:
    """Both error directions, what leaves, and what nobody could check; nothing to count is n/a."""
    print(title)
    for name in ("unsupported_before", "unsupported_after", "recall", "false_positives", "undecided_bad"):
        rate = summary.rate(name)
        value = "n/a" if rate.value is None else f"{rate.value:.2f} [{rate.low:.2f} - {rate.high:.2f}]"
        print(f"  {rate.title:38} {value:20} {rate.k}/{rate.n}")


def reviewer(report: Report) -> list[ClaimRuling]:
    """A person: the machine is right about duties; praise stands in no source."""
    return [
        ClaimRuling(claim_id=one.id, ruling="overrule", label="INSUFFICIENT_EVIDENCE", kind="added_detail")
        if "friendly" in one.text
        else ClaimRuling(claim_id=one.id, ruling="agree")
        for one in report.claims
    ]


with tempfile.TemporaryDirectory() as name, Store(f"sqlite:///{name}/review.db") as store:
    folder, grounder, queue = Path(name), Grounder(policy=Policy(needs_judge=False)), ReviewQueue(store)

    # 1. Evaluate what is labelled.
    golden = written(folder / "golden.jsonl", LABELLED)
    first = evaluate([golden], grounder, folder / "monday.jsonl")
    show("1. labelled answers", summarise(first.header, first))

    # 2. Run the rest; with its reports kept, because no gold says what is right.
    rest = written(folder / "rest.jsonl", [{"id": key, "answer": text} for key, text in UNLABELLED.items()])
    plan = Plan(reports=folder / "reports.jsonl")
    run = evaluate([rest], grounder, folder / "rest-run.jsonl", plan)
    print(f"2. unlabelled answers: {dict(summarise(run.header, run).actions)}")

    # 3. What was escalated goes to a person, who rules on every claim.
    reports = [Report.model_validate_json(line) for line in (folder / "reports.jsonl").read_text("utf-8").splitlines()]
    for report in reports:
        if report.action in ("review", "escalate", "blocked"):
            queue.submit(report)
    while case := queue.claim("ana", lease_seconds=600):
        queue.decide(case.item.id, "ana", AnswerRuling(ruling="agree"), reviewer(case.report))
        print(f"3. reviewed: {case.report.answer}")

    # 4. The rulings are labels: `grounding review export` prints the same lines.
    reviewed = folder / "reviewed.jsonl"
    reviewed.write_text("".join(f"{line}\n" for line in export(golden_cases(queue.decided()))), "utf-8")
    print(f"4. exported: {len(reviewed.read_text('utf-8').splitlines())} claims")

    # 5. Measure again, on both; it is another golden set now, so this run is what later ones are compared with.
    second = evaluate([golden, reviewed], grounder, folder / "tuesday.jsonl")
    show("5. labelled and reviewed answers", summarise(second.header, second))
