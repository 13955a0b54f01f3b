"""An existing query engine, wrapped; a scripted model stands in for an LLM: run it with `python` and its name."""

from stand_ins.llama_index_llm import ANSWER, Scripted, shop_rules

from grounding_middleware_llama_index import ground, report_of

engine = shop_rules.as_query_engine(llm=Scripted(says=lambda _: ANSWER))

safe = ground(engine)
question = "How long does a refund take?"

print("bare:    ", engine.query(question))
response = safe.query(question)
print("grounded:", response)

report = report_of(response)
print("action:  ", report.action)
for claim in report.claims:
    print(f"  {claim.label}: {claim.text}")
print("captured:", report.capture.captured, "delivered:", report.capture.delivered)
print("rules reached", report.capture.rules_reached, "of", report.capture.model_runs, "model runs")
