"""A guard around chains and engines: what the model was shown reaches the validators, request by request."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

import pytest
from guardrails import AsyncGuard, Guard, Validator, register_validator
from guardrails_ai.types import FailResult, PassResult, ValidationResult
from llama_index.core.memory import ChatMemoryBuffer

from grounding_middleware import Grounder, Policy
from grounding_middleware.errors import ConfigError, InputError
from grounding_middleware.records import Action, Report
from grounding_middleware_guardrails import GuardGrounder, QuotesAndNumbers, VerifiedClaims, ground, guard_from_spec
from grounding_middleware_llama_index import asking, report_of

pytestmark = pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")

QUESTION = "How long does a refund take?"
RELEASED = "Vouchers are not refunded."


@register_validator(name="test/replaces", data_type="string")
class Replaces(Validator):
    """Somebody else's validator: fails where `old` is found, and replaces it by `new`."""

    def __init__(self, old: str, new: str, on_fail: Any = "fix") -> None:
        super().__init__(on_fail=on_fail, old=old, new=new)
        self.old, self.new = old, new

    def _validate(self, value: Any, metadata: Any) -> ValidationResult:
        del metadata
        if self.old not in value:
            return PassResult()
        return FailResult(error_message="found", fix_value=value.replace(self.old, self.new))


def removing(**arguments: Any) -> Any:
    """A guard that removes."""
    return Guard().use(VerifiedClaims(**arguments))


def test_chain(chain: Any) -> None:
    """The evidence is what the chain retrieved and the model saw; input and output are the chain's."""
    guarded = ground(chain, removing())
    assert guarded.invoke(QUESTION) == RELEASED
    report = guarded.with_report().invoke(QUESTION)
    assert report.action is Action.REVISED
    assert [span.source_id for span in report.evidence.spans] == ["refunds.md", "vouchers.md"]
    assert (report.capture.delivered, report.capture.rules_reached) == (2, 1)


async def test_chain_async(chain: Any) -> None:
    """Awaited, batched and streamed it is the same; a stream gives the whole answer, once."""
    guarded = ground(chain, removing())
    assert await guarded.ainvoke(QUESTION) == RELEASED
    assert await guarded.abatch([QUESTION, QUESTION]) == [RELEASED, RELEASED]
    assert [piece async for piece in guarded.astream(QUESTION)] == [RELEASED]
    assert list(guarded.stream(QUESTION)) == [RELEASED]  # sync, in a running loop


def test_query_engine(query_engine: Any, index: Any, scripted: Any) -> None:
    """The same for LlamaIndex: nodes are the evidence, streams are buffered, the original is untouched."""
    safe = ground(query_engine, removing())
    response = safe.query(QUESTION)
    assert str(response) == RELEASED
    assert [span.source_id for span in report_of(response).evidence.spans] == ["refunds.md", "vouchers.md"]
    assert asyncio.run(_queried(safe)) == RELEASED
    streaming = ground(index.as_query_engine(llm=scripted, streaming=True), removing())
    assert list(streaming.query(QUESTION).response_gen) == [RELEASED]
    assert "two days" in str(query_engine.query(QUESTION))


async def _queried(engine: Any) -> str:
    return str(await engine.aquery(QUESTION))


def test_chat_engine(index: Any, scripted: Any) -> None:
    """The memory of a chat holds what was released, not what the model said."""
    memory = ChatMemoryBuffer.from_defaults(token_limit=4_000)
    chat = ground(index.as_chat_engine(chat_mode="context", llm=scripted, memory=memory), removing())
    assert str(chat.chat(QUESTION)) == RELEASED
    assert "two days" not in "".join(str(message.content) for message in chat.chat_history)


def test_requests_do_not_mix(chain_saying: Any) -> None:
    """Eight chains at once over one guard, each with documents of its own."""
    guard = removing()

    def one(number: int) -> str:
        said = f"The fee is EUR {number}. The fee is EUR {number + 1}."
        chain = chain_saying(said, documents=[("fees.md", f"The fee is EUR {number}.")])
        return str(ground(chain, guard).invoke("?"))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(10, 50))) == [f"The fee is EUR {number}." for number in range(10, 50)]


def test_one_validator_withholds(chain: Any) -> None:
    """What another validator of the guard refuses is withheld, and the report says who did it."""
    guard = Guard().use(VerifiedClaims(), QuotesAndNumbers())
    report = ground(chain, guard).with_report().invoke(QUESTION)
    assert report.action is Action.BLOCKED
    assert "two days" not in report.text
    assert "the guard withholds it" in report.decision.reason


@pytest.mark.parametrize("on_fail", ["refrain", "exception", "filter"])
def test_validators_of_others_withhold(on_fail: str, chain: Any) -> None:
    """However they say so, in a thread or inside a running loop."""
    guard = Guard().use(VerifiedClaims(), Replaces("Vouchers", "Cards", on_fail=on_fail))
    guarded = ground(chain, guard).with_report()

    async def inside() -> Report:
        report: Report = guarded.invoke(QUESTION)
        return report

    for report in (guarded.invoke(QUESTION), asyncio.run(inside())):
        assert report.action is Action.BLOCKED
        assert "Vouchers" not in report.text


def test_what_only_flags_withholds_nothing(chain: Any) -> None:
    """With action flag, or noop of another validator, the verified text is released."""
    for other in (QuotesAndNumbers(action="flag"), Replaces("Vouchers", "Cards", on_fail="noop")):
        guarded = ground(chain, Guard().use(VerifiedClaims(), other))
        assert guarded.invoke(QUESTION) == RELEASED
    all_right = ground(
        chain, Guard().use(VerifiedClaims(unchecked="keep"), Replaces("refunded", "paid", on_fail="noop"))
    )
    assert all_right.invoke(QUESTION) == RELEASED


def test_a_verified_text_that_is_changed_is_verified_again(ask: Any) -> None:
    """A fix of another validator is released only if it is supported as well."""
    evidence = ["Vouchers are not refunded.", "Cards are refunded."]
    for new, released in (("Cards are refunded", "Cards are refunded."), ("Vouchers are refunded", None)):
        grounder = GuardGrounder(removing())
        grounder.guard.use(VerifiedClaims(), Replaces("Vouchers are not refunded", new))  # behind the back of the check
        report = grounder.check("Vouchers are not refunded.", evidence=evidence)
        if released:
            assert report.text == released
            assert "changed the text" in report.notices[-1]
        else:
            assert report.action is Action.BLOCKED
            assert "Vouchers" not in report.text


def test_sinks_see_the_final_report(chain: Any) -> None:
    """Once for each answer, as it was decided in the end."""
    seen: list[Report] = []
    guard = Guard().use(
        VerifiedClaims(grounder=Grounder(policy=Policy(escalate_above=1.0), sinks=(seen.append,)), unchecked="keep"),
        QuotesAndNumbers(),
    )
    report = ground(chain, guard).with_report().invoke(QUESTION)
    assert seen == [report]
    assert report.action is Action.BLOCKED


def test_empty_answers(chain_saying: Any) -> None:
    """guardrails-ai takes an empty text for none at all."""
    report = ground(chain_saying(""), removing()).with_report().invoke("?")
    assert report.action is Action.UNANSWERED


def test_a_bug_in_a_validator_releases_nothing(chain_saying: Any, kit: Any) -> None:
    """It reaches the caller as an exception."""
    with pytest.raises(RuntimeError, match="a bug"):
        ground(chain_saying("Parcels travel by rail."), removing(judge=kit.FixedJudge(error="a bug"))).invoke(QUESTION)


def test_guards_that_verify_nothing_are_refused(chain: Any) -> None:
    """Exactly one validator verifies, and it does not let unverified text through."""
    for guard, message in (
        (Guard(), "has 0 grounding/verified_claims"),
        (Guard().use(QuotesAndNumbers()), "has 0 grounding/verified_claims"),
        (Guard().use(VerifiedClaims(), VerifiedClaims()), "stands at \\$ twice"),
        (Guard().use(VerifiedClaims(action="flag")), "releases unverified text"),
        (Guard().use(VerifiedClaims(), Replaces("a", "b")), "would change the text"),
        (Guard().use(VerifiedClaims(), on="messages"), "on 'messages' is met by nothing"),
        (AsyncGuard().use(VerifiedClaims()), "got AsyncGuard"),
        (VerifiedClaims(), "got VerifiedClaims"),
    ):
        with pytest.raises(ConfigError, match=message):
            ground(chain, guard)


def test_a_day_that_must_be_named_is_not_guessed(chain: Any, query_engine: Any) -> None:
    """`require_as_of` of a spec holds around chains and engines: today is not filled in."""
    guard = guard_from_spec({"grounding": 1, "evidence": {"require_as_of": True}})
    with pytest.raises(InputError, match="as_of: is missing"):
        ground(chain, guard).invoke(QUESTION)
    with pytest.raises(InputError, match="as_of: is missing"):
        ground(query_engine, guard).query(QUESTION)
    day = date(2026, 3, 4)
    assert ground(chain, guard, as_of=day).with_report().invoke(QUESTION).evidence.as_of == day
    with asking(as_of=day):
        found = report_of(ground(query_engine, guard).query(QUESTION))
    assert found is not None
    assert found.evidence.as_of == day


def test_options(chain: Any, query_engine: Any) -> None:
    """The guard decides, streams are whole, and anything else is no target."""
    for options in ({"grounder": Grounder()}, {"judge": print}, {"policy": None}):
        with pytest.raises(ConfigError, match="the guard decides"):
            ground(chain, removing(), **options)
    with pytest.raises(ConfigError, match="not pieces"):
        ground(chain, removing(), stream="claims")
    with pytest.raises(ConfigError, match="got str; allowed are LangChain runnables"):
        ground("chain", removing())
    with pytest.raises(ConfigError, match="no such setting"):
        ground(query_engine, removing(), stream_mode=1)
