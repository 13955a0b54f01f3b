"""The procurement incident without any framework: run with `python examples/check_an_answer.py`, offline, no key."""

from pathlib import Path

from grounding_middleware import Grounder
from grounding_middleware.report import to_text
from grounding_middleware.sources import read_sources

HERE = Path(__file__).parent

report = Grounder().check(
    (HERE / "procurement-answer.md").read_text("utf-8"),
    evidence=read_sources([str(HERE / "documents" / "contractor-expense-policy-2026.md")]),
    question="I am a contractor in Singapore. How are expenses above SGD 500 approved?",
    as_of="2026-05-04",
)

print(to_text(report))
print(f"action: {report.action}")
for claim in report.claims:
    print(f"{claim.label}: {claim.text}")
