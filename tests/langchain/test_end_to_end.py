"""The adapter with the real pipeline: what readers get in the situations every chain meets."""

from __future__ import annotations

import warnings

import pytest
from langchain_core.messages import AIMessage, convert_to_openai_messages
from langchain_core.runnables import RunnablePassthrough

from grounding_middleware import Action, Grounder, Label, Policy
from grounding_middleware.repair import Repair
from grounding_middleware_langchain import RunnableModel, ground

QUESTION = "When are refunds paid?"
RIGHT = "Refunds are paid within ten days."
FALSE = "Refunds are paid within two days."


@pytest.fixture
def grounder():
    """Checks only, no judge; the warning about that is not what is tested here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return Grounder()


def _report(kit, grounder, answer, **options):
    return ground(kit.chain(answer, **options), grounder).with_report().invoke(QUESTION)


def test_a_false_number_does_not_reach_the_reader(kit, grounder):
    """The chain's own documents contradict it; the proof is the clause that was delivered."""
    report = _report(kit, grounder, FALSE)
    assert [claim.label for claim in report.claims] == [Label.CONTRADICTED]
    assert "ten days" in report.claims[0].quotes[0].text
    assert "two days" not in ground(kit.chain(FALSE), grounder).invoke(QUESTION)


def test_a_true_answer_is_left_as_it_is(kit, grounder):
    """Nothing is changed that need not be."""
    assert ground(kit.chain(RIGHT), grounder).invoke(QUESTION) == RIGHT


async def test_sync_and_async_reports_are_equal(kit, grounder):
    """The same input gives the same report, byte for byte but for the time it took."""
    reported = ground(kit.chain(f"{RIGHT} {FALSE}"), grounder).with_report()
    first, second = reported.invoke(QUESTION), await reported.ainvoke(QUESTION)
    assert first == second
    assert first.model_dump_json(exclude={"elapsed_ms"}) == second.model_dump_json(exclude={"elapsed_ms"})


def test_no_evidence_never_reads_as_fine(kit, grounder):
    """Checklist 18 and EV-8: nothing retrieved, nothing supported, and it is said aloud."""
    report = _report(kit, grounder, RIGHT, retriever=kit.Retriever(documents=[]))
    assert report.action not in (Action.OK, Action.REVISED)
    assert all(claim.label is not Label.SUPPORTED for claim in report.claims)
    assert any("no evidence was captured" in notice for notice in report.notices)


@pytest.mark.parametrize("answer", ["", "   ", "Hello!"])
def test_an_answer_without_claims_is_no_supported_answer(kit, grounder, answer):
    """Checklist 18: no claim is not a proof."""
    report = _report(kit, grounder, answer)
    assert not any(claim.label is Label.SUPPORTED for claim in report.claims)


@pytest.mark.parametrize("answer", ["I don't know.", "The sources do not answer this question."])
def test_not_knowing_is_no_error(kit, grounder, answer):
    """Checklist 18: an honest "not found" is shown, not flagged."""
    report = _report(kit, grounder, answer, retriever=kit.Retriever(documents=kit.documents[1:2]))
    assert not any(claim.label in (Label.CONTRADICTED, Label.INVALID_CITATION) for claim in report.claims)


def test_a_cited_span_is_the_one_that_decides(kit, grounder):
    """The model cites the id it read in the rules; the citation resolves to that span."""

    def cite(messages):
        line = next(line for line in messages[0].text.splitlines() if line.startswith("[refunds"))
        return f"Refunds are paid within ten days {line.split(']')[0]}]."

    report = _report(kit, grounder, cite)
    (citation,) = report.citations
    assert citation.valid
    assert report.claims[0].label is Label.SUPPORTED


def test_numbered_documents_are_cited_by_their_numbers(kit, grounder):
    """A prompt that numbers its documents: [2] is its second document, and a number nobody gave is invalid."""

    def numbered(documents):
        return "\n".join(f"[{n}] {document.page_content}" for n, document in enumerate(documents, 1))

    head = {"context": kit.Retriever(documents=kit.documents) | numbered, "question": RunnablePassthrough()}
    model = kit.Model("Refunds are paid within ten days [1]. Refunds for vouchers are not possible [7].")
    report = ground(head | kit.prompt | model | (lambda m: m.text), grounder).with_report().invoke(QUESTION)
    assert [citation.valid for citation in report.citations] == [True, False]
    assert report.claims[1].label is Label.INVALID_CITATION


def test_an_expired_source_supports_nothing(kit, grounder):
    """EV-6: the day of the question decides, by default today."""
    kit.documents[0].metadata["effective_to"] = "2020-01-01"
    chain = kit.chain(RIGHT, retriever=kit.Retriever(documents=kit.documents[:1]))
    report = ground(chain, grounder).with_report().invoke(QUESTION)
    assert not any(claim.label is Label.SUPPORTED for claim in report.claims)
    report = ground(chain, grounder).with_report().invoke(QUESTION, {"configurable": {"as_of": "2019-06-01"}})
    assert report.claims[0].label is Label.SUPPORTED


def test_a_message_with_our_summary_goes_back_to_a_provider(kit, grounder):
    """Checklist 23: the next turn's payload is what it would be without us."""
    chain = kit.chain(AIMessage(RIGHT, id="m"), parser=RunnablePassthrough())
    verified = ground(chain, grounder).invoke(QUESTION)
    assert "grounding" in verified.response_metadata
    assert convert_to_openai_messages([verified]) == convert_to_openai_messages([AIMessage(RIGHT, id="m")])


def test_streaming_by_claim_shows_what_the_whole_answer_would(kit, grounder):
    """The sum of the pieces is the verified text of a policy without a limit on the whole."""
    kit.documents[0].page_content += " Parcels travel by rail."
    answer = f"{RIGHT} {FALSE} They go to the card used for the order. Parcels travel by rail."
    chain = kit.chain(answer, retriever=kit.Retriever(documents=kit.documents[:1]))
    whole = ground(chain, grounder).invoke(QUESTION)
    pieces = list(ground(chain, grounder, stream="claims").stream(QUESTION))
    assert "".join(pieces) == whole
    assert "two days" not in whole
    assert len(pieces) > 1


@pytest.mark.parametrize("stream", ["buffer", "claims"])
async def test_a_repaired_answer_takes_the_place_of_the_raw_one(kit, stream):
    """RE-2: corrected from the evidence, in every kind of output and way of calling; the report says what was tried."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        repairing = Grounder(repair=Repair())
    raw = f"They go to the card used for the order. {FALSE} Refunds for vouchers are not possible."
    repaired = raw.replace("two days", "ten days")
    guarded = ground(kit.chain(raw), repairing, stream=stream)
    assert guarded.invoke(QUESTION) == repaired
    assert list(guarded.stream(QUESTION)) == [repaired]
    assert [piece async for piece in guarded.astream(QUESTION)] == [repaired]
    at = raw.index("two days")
    blocks = [{"type": "text", "text": raw[:at]}, {"type": "text", "text": raw[at:]}]
    chain = kit.chain(AIMessage(blocks), parser=RunnablePassthrough())
    result = await ground(chain, repairing, stream=stream).ainvoke(QUESTION)
    assert result.text == repaired
    report = guarded.with_report().invoke(QUESTION)
    assert any(attempt.accepted for attempt in report.repairs)


@pytest.mark.filterwarnings("ignore::UserWarning")  # no judge
def test_a_chat_model_can_repair(kit):
    """A LangChain model behind the core's protocol: asked, traced as ours, and never believed without a check."""
    model = kit.Model("no reply that could be read")
    grounder = Grounder(repair=Repair(steps=("model",)), repair_model=RunnableModel(model))
    report = ground(kit.chain(f"{RIGHT} {FALSE} {RIGHT}"), grounder).with_report().invoke(QUESTION)
    assert model.seen
    assert "two days" not in report.text
    assert report.capture.model_runs == 1


def test_high_risk_policy_withholds_what_nobody_decided(kit):
    """The policy is the core's; the adapter only carries it."""

    def judge(prompt):
        raise ConnectionError("down")

    guarded = ground(
        kit.chain("Nobody knows what a refund costs the shop in fees."), judge=judge, policy=Policy(risk="high")
    )
    report = guarded.with_report().invoke(QUESTION)
    assert report.claims[0].label is Label.UNVERIFIED
    assert report.action is not Action.OK


def test_a_streamed_group_that_leans_on_the_one_before_is_read_with_it(kit, grounder):
    """A group that begins with "They" is checked with the sentence before it, and removed with its antecedent."""
    answer = (
        f"{FALSE} They go to the card used for the order. Parcels travel by rail. Vouchers are not refunded in cash."
    )
    kit.documents[0].page_content += " Parcels travel by rail. Vouchers are not refunded in cash."
    chain = kit.chain(answer, retriever=kit.Retriever(documents=kit.documents[:1]))
    text = "".join(ground(chain, grounder, stream="claims").stream(QUESTION))
    assert text == ground(chain, grounder).invoke(QUESTION)
    assert "They go" not in text
    assert "Parcels travel by rail." in text


@pytest.mark.parametrize(
    "answer",
    [
        "退款在十天内支付。退款会退到订单所用的银行卡。包裹通过铁路运送。",
        "يتم دفع المبالغ المستردة خلال عشرة أيام. تعاد إلى البطاقة المستخدمة.",
        "Die Erstattung erfolgt z. B. binnen zehn Tagen. Sie geht ggf. auf die Karte, mit der bezahlt wurde.",
        "Refunds:\n\n1. They are paid within ten days.\n2. They go to the card.\n\nParcels travel by rail.",
        "| What | When |\n|---|---|\n| Refunds | ten days |\n| Parcels | three days |\n\nThat is all there is to say.",
        "Run this:\n\n```sh\nrefund --days 10\n```\n\nRefunds are then paid within ten days.",
    ],
    ids=["Chinese", "Arabic", "German", "list", "table", "code"],
)
async def test_languages_and_layouts_pass_unchanged(kit, grounder, answer):
    """Checklist 19: what nothing speaks against leaves byte for byte, buffered and released by claim."""
    kit.documents[0].page_content = answer
    retriever = kit.Retriever(documents=kit.documents[:1])
    chain = kit.chain(answer, retriever=retriever)
    question = answer.split()[0].lower()
    assert ground(chain, grounder).invoke(question) == answer
    streaming = ground(chain, grounder, stream="claims")
    assert "".join(streaming.stream(question)) == answer
    assert "".join([piece async for piece in streaming.astream(question)]) == answer


@pytest.mark.parametrize("kind", ["sync", "async"])
async def test_sync_only_and_async_only_judges_serve_both(kit, kind):
    """Checklist 16: whichever way a judge is written, invoke and ainvoke give the same report."""

    def judge(_):
        return '{"verdicts": []}'

    async def ajudge(_):
        return '{"verdicts": []}'

    answer = "The shop is glad about every customer it has."
    reported = ground(kit.chain(answer), judge=judge if kind == "sync" else ajudge).with_report()
    first, second = reported.invoke(QUESTION), await reported.ainvoke(QUESTION)
    assert first.claims == second.claims
    assert first.decision == second.decision
    assert first.claims[0].label is Label.UNVERIFIED
