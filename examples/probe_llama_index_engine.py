"""Which false answers of the model does a wrapped LlamaIndex engine let through? Run it with `python` and its name.

The probe makes false statements of supported ones; a scripted model says each of them over an index that holds the same
evidence, and the report of the wrapped engine is graded: supported, undecided, caught or held back.
"""

import warnings

from llama_index.core import Document, SummaryIndex
from stand_ins.llama_index_llm import Scripted

from grounding_middleware import Report, Span
from grounding_middleware.evaluation.probing import Attempt, chosen, of_documents, probe
from grounding_middleware_llama_index import ground, report_of

warnings.filterwarnings("ignore", message="policy .* expects a judge")
RULES = [
    Span(id="rules#0", source_id="rules", text="Refunds are paid within ten days. Vouchers must be shown at the desk."),
    Span(id="rules#1", source_id="rules", text="Parcels of more than 20 kg travel by rail."),
]


def verify(attempt: Attempt) -> Report:
    """The report of your engine, built over this evidence, when its model says this."""
    index = SummaryIndex.from_documents([Document(text=span.text, id_=span.id) for span in attempt.evidence])
    engine = index.as_query_engine(llm=Scripted(says=lambda _: attempt.answer))
    return report_of(ground(engine).query(attempt.question or "?"))


wanted = chosen(["spelled_number", "ten_times", "threshold_direction", "duty_weakened"])
result = probe(verify, of_documents(RULES, marker=""), transformations=wanted)  # its answers carry no citations
for row in result.rows:
    print(
        f"{row.name:20} {row.tried} tried: {row.passed} passed, {row.left} left, {row.caught} caught, {row.held} held"
    )
print(f"true statements: {result.controls.supported} of {result.controls.tried} supported")
