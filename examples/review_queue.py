"""An answer goes to a reviewer and comes back as a golden case: run with `python examples/review_queue.py`, offline.

Needs the extra `store`. The database is a file in a temporary folder; a team would name a PostgreSQL server instead.
"""

import tempfile

from grounding_middleware import Grounder
from grounding_middleware.audit.answers import AuditSink
from grounding_middleware.audit.verification import verify
from grounding_middleware.escalation import sampled, when
from grounding_middleware.review import AnswerRuling, ClaimRuling, ReviewQueue, export, golden_cases
from grounding_middleware.store import Store
from grounding_middleware.store.audit import SqlTrail

SOURCES = [
    "Refunds are paid within 5 to 7 business days.",
    "Claims above SGD 500 must be reviewed by regional finance.",
]
ANSWER = "Claims above SGD 500 may be reviewed by regional finance [S2]."

with tempfile.TemporaryDirectory() as folder, Store(f"sqlite:///{folder}/grounding.db") as store:
    trail = SqlTrail(store)
    queue = ReviewQueue(store, trail=trail)
    to_people = when({"review", "escalate", "blocked"}, queue.submit)
    grounder = Grounder(judge=lambda _: "", sinks=(AuditSink(trail), to_people, sampled(0.02, queue.submit)))
    grounder.check(ANSWER, evidence=SOURCES, question="Who reviews claims above SGD 500?")

    case = queue.claim("ana", lease_seconds=600)
    assert case is not None, "nothing waits"
    print(f"{case.item.id}: {case.item.reason}")
    for claim in case.report.claims:
        print(f"  {claim.label} {claim.text}")

    rulings = [ClaimRuling(claim_id=claim.id, ruling="agree", note="must, not may") for claim in case.report.claims]
    edited = AnswerRuling(ruling="edit", text="Claims above SGD 500 must be reviewed by regional finance [S2].")
    queue.decide(case.item.id, "ana", edited, rulings)

    decided = queue.case(case.item.id)
    again = grounder.check(decided.edited, evidence=case.report.evidence)  # an edit is verified before it is shown
    print(f"edited text: {again.action}: {again.text}")
    for line in export(golden_cases(queue.decided())):
        print(line)
    print(f"audit trail intact: {verify(trail.records()).intact}")
