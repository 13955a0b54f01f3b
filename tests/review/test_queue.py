"""An item belongs to one reviewer at a time, comes back when he is gone, and never comes back once it is decided."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from grounding_middleware import AnswerWithheldError, Grounder, InputError
from grounding_middleware.audit.verification import verify
from grounding_middleware.escalation import sampled, when
from grounding_middleware.printable import one_line
from grounding_middleware.records import CallRecord, Quote, Report, Severity
from grounding_middleware.review import AnswerRuling, ClaimRuling, ReviewQueue, State
from grounding_middleware.store.audit import SqlTrail

Reports = Callable[..., Report]
AGREE = AnswerRuling(ruling="agree")
HOSTILE = (
    "nul \x00, escape \x1b[2J\x1b]0;owned\x07, override \u202e, separators \u2028\x85\r\n, "
    "'; DROP TABLE review_items; --, %s :name ? {x} \\u0000 \ufffe\U0001f525"
)


def claimed(queue: ReviewQueue, reviewer: str) -> str:
    case = queue.claim(reviewer)
    return case.item.id if case else ""


def test_a_report_comes_back_whole(queue: ReviewQueue, report: Reports) -> None:
    """Answer, claims, evidence and verdicts, with the reason, and who may hold it until when."""
    item_id = queue.submit(report(), reason="daily audit sample")
    case = queue.claim("ana", lease_seconds=60)
    assert case is not None
    assert case.report == report()
    assert (case.item.id, case.item.reason, case.item.state) == (item_id, "daily audit sample", State.LEASED)
    assert (case.item.reviewer, case.item.claims, case.item.unsupported) == ("ana", 2, 1)
    assert case.item.until == case.item.created + timedelta(seconds=60)
    assert queue.case(item_id).report == report()


def test_hostile_text_is_only_text(queue: ReviewQueue, report: Reports) -> None:
    """Control characters, quotes and placeholders go in and come out, everywhere a person or a model can write."""
    given = report(question=HOSTILE, answer=HOSTILE, text=HOSTILE, claims=(), notices=(HOSTILE,))
    item_id = queue.submit(given, reason=HOSTILE)
    queue.take(item_id, "ana's; DROP TABLE review_items")
    queue.decide(item_id, "ana's; DROP TABLE review_items", AnswerRuling(ruling="edit", text=HOSTILE, note=HOSTILE))
    case = queue.case(item_id)
    assert case.report == given
    assert (case.edited, case.adjudications[0].given.note) == (HOSTILE, HOSTILE)
    assert one_line(case.item.question) == case.item.question != HOSTILE
    assert one_line(case.item.reason) == case.item.reason != HOSTILE


def test_the_same_report_is_the_same_item(queue: ReviewQueue, report: Reports) -> None:
    """Measured times aside; so a sink that is called again, or two sinks, make one item. Another report is another."""
    call = CallRecord(tier="llm", role="judge", model="m", prompt_version="1", latency_ms=5.0)
    first = queue.submit(report(calls=(call,), elapsed_ms=1.0))
    again = queue.submit(report(calls=(call.replace(latency_ms=7.0),), elapsed_ms=2.0))
    other = queue.submit(report(calls=(call.replace(reply="no"),)))
    assert first == again != other
    assert len(queue.items()) == 2


def test_what_is_decided_stays_decided(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """Neither time nor the same report again brings it back."""
    item_id = queue.submit(report())
    claimed(queue, "ana")
    queue.decide(item_id, "ana", AGREE)
    clock.forward(10**6)
    assert queue.submit(report()) == item_id
    assert queue.claim("bob") is None
    assert queue.case(item_id).item.state is State.DECIDED


def test_the_most_urgent_is_first_then_the_oldest(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """By the worst severity; equals in the order they came."""
    wanted = {}
    for name, severity in [("b", "MINOR"), ("c", "MINOR"), ("a", "CRITICAL"), ("d", None)]:
        worst = report().claims[0].replace(severity=severity and Severity(severity))
        wanted[name] = queue.submit(report(name, claims=(worst,)))
        clock.forward(1)
    order = [wanted[name] for name in "abcd"]
    assert [item.id for item in queue.items()] == order
    assert [claimed(queue, "ana") for _ in order] == order


def test_nobody_gets_what_another_one_holds(queue: ReviewQueue, report: Reports) -> None:
    """And when nothing waits, there is nothing to give."""
    ids = {queue.submit(report(str(number))) for number in range(2)}
    assert {claimed(queue, "ana"), claimed(queue, "bob")} == ids
    assert queue.claim("cem") is None


def test_an_expired_lease_returns_the_item(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """To anybody; the first holder then holds it no more."""
    item_id = queue.submit(report())
    queue.claim("ana", lease_seconds=60)
    clock.forward(59)
    assert queue.claim("bob") is None
    clock.forward(1)
    assert queue.case(item_id).item.state is State.WAITING
    assert claimed(queue, "bob") == item_id
    with pytest.raises(InputError, match=r"^reviewer: 'ana' holds no live lease"):
        queue.decide(item_id, "ana", AGREE)


def test_a_heartbeat_keeps_the_lease(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """From now on, for as long as asked; a lease that is over cannot be extended."""
    item_id = queue.submit(report())
    queue.claim("ana", lease_seconds=60)
    clock.forward(50)
    assert queue.extend(item_id, "ana", 60) == clock.now + timedelta(seconds=60)
    clock.forward(50)
    assert queue.claim("bob") is None
    clock.forward(10)
    with pytest.raises(InputError, match="no live lease"):
        queue.extend(item_id, "ana")


def test_a_released_item_waits_again_with_its_rulings(queue: ReviewQueue, report: Reports) -> None:
    """The next reviewer sees what the last one said."""
    item_id = queue.submit(report())
    claimed(queue, "ana")
    queue.adjudicate(item_id, "ana", ClaimRuling(claim_id="c1", ruling="agree"))
    queue.release(item_id, "ana")
    assert queue.case(item_id).item.reviewer == ""
    case = queue.claim("bob")
    assert case is not None
    assert [each.reviewer for each in case.adjudications] == ["ana"]
    with pytest.raises(InputError, match="no live lease"):
        queue.release(item_id, "ana")


def test_a_named_item_can_be_taken(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """Also again by who holds it; not while another one does."""
    first, second = queue.submit(report("1")), queue.submit(report("2"))
    assert queue.take(second, "ana").item.reviewer == "ana"
    assert queue.take(second, "ana").item.id == second
    with pytest.raises(InputError, match=rf"^item: {second} is leased to 'ana' until"):
        queue.take(second, "bob")
    clock.forward(10**5)
    assert queue.take(second, "bob").item.id == second
    assert claimed(queue, "ana") == first


def test_a_later_ruling_supersedes_and_both_are_kept(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """On a claim and on the answer, also after the decision; who and when stand beside each."""
    item_id = queue.submit(report())
    claimed(queue, "ana")
    queue.adjudicate(item_id, "ana", ClaimRuling(claim_id="c1", ruling="agree"))
    began = clock.now
    clock.forward(60)
    queue.decide(item_id, "ana", AGREE, [ClaimRuling(claim_id="c1", ruling="overrule", label="SUPPORTED")])
    assert queue.claim("bob") is None
    assert queue.take(item_id, "bob").item.state is State.DECIDED
    assert queue.claim("cem") is None
    queue.decide(item_id, "bob", AnswerRuling(ruling="overrule", action="blocked", note="too risky"))
    case = queue.case(item_id)
    told = [(each.reviewer, each.given.ruling, each.was) for each in case.adjudications]
    assert told == [
        ("ana", "agree", "CONTRADICTED"),
        ("ana", "overrule", "CONTRADICTED"),
        ("ana", "agree", "review"),
        ("bob", "overrule", "review"),
    ]
    assert [each.at for each in case.adjudications] == [began, *[began + timedelta(seconds=60)] * 3]
    assert case.of_claim("c1") == case.adjudications[1]
    assert case.of_answer == case.adjudications[3]


def test_a_decision_is_all_or_nothing(queue: ReviewQueue, report: Reports) -> None:
    """One wrong ruling among right ones keeps none of them, and the item stays with its reviewer."""
    item_id = queue.submit(report())
    claimed(queue, "ana")
    rulings = [ClaimRuling(claim_id=name, ruling="agree") for name in ("c1", "c9")]
    with pytest.raises(InputError, match=r"^claim_id: 'c9' is no claim of this answer, allowed are c1, c2, c3"):
        queue.decide(item_id, "ana", AGREE, rulings)
    case = queue.case(item_id)
    assert (case.adjudications, case.item.state) == ((), State.LEASED)


def test_an_edit_is_kept_and_shown_nowhere(queue: ReviewQueue, report: Reports) -> None:
    """The report stays what it was: nobody has verified the new text."""
    item_id = queue.submit(report())
    claimed(queue, "ana")
    queue.decide(item_id, "ana", AnswerRuling(ruling="edit", text="Refunds take 5 to 7 business days."))
    case = queue.case(item_id)
    assert case.edited == "Refunds take 5 to 7 business days."
    assert case.report == report()


def test_lists_are_by_state_and_reviewer(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """An item whose lease is over waits and is nobody's."""
    ids = [queue.submit(report(str(number))) for number in range(4)]
    for item_id, reviewer in zip(ids, ("ana", "ana", "bob"), strict=False):
        queue.take(item_id, reviewer, 60)
    queue.decide(ids[0], "ana", AGREE)

    def listed(**wanted: Any) -> set[int]:
        return {ids.index(item.id) for item in queue.items(**wanted)}

    assert [listed(state=state) for state in ("waiting", State.LEASED, "decided", None)] == [
        {3},
        {1, 2},
        {0},
        {0, 1, 2, 3},
    ]
    assert [listed(reviewer="ana"), listed(reviewer="ana", state="leased")] == [{0, 1}, {1}]
    clock.forward(60)
    assert [listed(state="waiting"), listed(reviewer="ana"), listed(reviewer="bob")] == [{1, 2, 3}, {0}, set()]
    pages = [queue.items(limit=3, offset=offset) for offset in (0, 3)]
    assert [*pages[0], *pages[1]] == [*queue.items()]


def test_figures(queue: ReviewQueue, report: Reports) -> None:
    """Items by state; how often people agreed, by the machine's label."""
    ids = [queue.submit(report(str(number))) for number in range(3)]
    first = queue.items()[0].created
    for item_id in ids[:2]:
        queue.take(item_id, "ana")
    rulings = [
        ClaimRuling(claim_id="c1", ruling="agree"),
        ClaimRuling(claim_id="c1", ruling="edit", text="Refunds take a week."),
        ClaimRuling(claim_id="c1", ruling="overrule", label="SUPPORTED"),
        ClaimRuling(claim_id="c2", ruling="overrule", label="CONTRADICTED", kind="number"),
    ]
    queue.decide(ids[0], "ana", AGREE, rulings)
    figures = queue.stats()
    assert (figures.waiting, figures.leased, figures.decided, figures.waiting_since) == (1, 1, 1, first)
    assert [(each.label, each.agree, each.overrule, each.edit, each.share) for each in figures.agreement] == [
        ("CONTRADICTED", 1, 1, 1, 2 / 3),
        ("SUPPORTED", 0, 1, 0, 0.0),
    ]


def test_decided_cases_in_order(queue: ReviewQueue, report: Reports, clock: Any) -> None:
    """Oldest decision first, or those since a moment."""
    ids = [queue.submit(report(str(number))) for number in range(3)]
    for item_id in reversed(ids):
        queue.take(item_id, "ana")
        clock.forward(1)
        queue.decide(item_id, "ana", AGREE)
    assert [case.item.id for case in queue.decided()] == ids[::-1]
    assert [case.item.id for case in queue.decided(clock.now)] == ids[:1]


def test_rulings_go_into_the_audit_trail(queue: ReviewQueue, report: Reports) -> None:
    """With who and when, under the id of the answer; text of a person only in the content, which can be purged."""
    trail = SqlTrail(queue.store)
    queue = ReviewQueue(queue.store, trail=trail)
    item_id = queue.submit(report())
    claimed(queue, "ana")
    queue.adjudicate(item_id, "ana", ClaimRuling(claim_id="c1", ruling="agree", note="seen"))
    queue.decide(item_id, "ana", AnswerRuling(ruling="edit", text="Refunds take a week."))
    records: Any = [found for _, found in trail.records()]
    assert verify(trail.records()).intact
    assert [(record.kind, record.subject, record.facts["rulings"]) for record in records] == [
        ("adjudication", "a1", ["agree"]),
        ("adjudication", "a1", ["edit"]),
    ]
    assert [record.data()["reviewer"] for record in records] == ["ana", "ana"]
    assert records[0].data()["rulings"][0]["note"] == "seen"
    assert "ana" not in str(records[0].facts)


def test_only_named_reviewers_may_hold_items(queue: ReviewQueue, report: Reports) -> None:
    """A draft goes to an authorised reviewer and to nobody else (ES-5)."""
    queue = ReviewQueue(queue.store, reviewers=["ana", "bob"])
    item_id = queue.submit(report())
    for refused in (
        lambda: queue.claim("eve"),
        lambda: queue.take(item_id, "eve"),
        lambda: queue.decide(item_id, "eve", AGREE),
    ):
        with pytest.raises(InputError, match=r"^reviewer: 'eve' may not review here, allowed are ana, bob"):
            refused()
    assert claimed(queue, "ana") == item_id


def test_threads_share_a_queue(queue: ReviewQueue, report: Reports) -> None:
    """A server submits from many threads at once; each report becomes one item."""
    reports = [report(f"a{number % 20}") for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(queue.submit, reports))
    assert sorted(item.id for item in queue.items()) == sorted(set(ids))
    with ThreadPoolExecutor(8) as pool:
        given = [item_id for item_id in pool.map(lambda number: claimed(queue, f"r{number}"), range(30)) if item_id]
    assert sorted(given) == sorted(set(ids))


@pytest.mark.filterwarnings("ignore:policy 'standard' expects a judge:UserWarning")
def test_submit_is_a_sink(queue: ReviewQueue) -> None:
    """It composes with `when` and `sampled`; an answer that both choose is queued once."""
    grounder = Grounder(sinks=(when({"escalate"}, queue.submit), sampled(1.0, queue.submit)))
    grounder.check("The fee is 7 EUR.", evidence=["The fee is 5 EUR."])
    grounder.check("The fee is 5 EUR.", evidence=["The fee is 5 EUR."])
    assert sorted(item.action for item in queue.items()) == ["escalate", "ok"]


@pytest.mark.filterwarnings("ignore:policy 'standard' expects a judge:UserWarning")
def test_an_answer_that_cannot_be_queued_is_not_shown(queue: ReviewQueue) -> None:
    """A failing database withholds the answer."""
    with queue.store.writing() as connection:
        connection.execute(sa.text("DROP TABLE review_rulings"))
        connection.execute(sa.text("DROP TABLE review_items"))
    with pytest.raises(AnswerWithheldError, match="submit failed, so the answer is not shown") as caught:
        Grounder(sinks=[queue.submit]).check("The fee is 5 EUR.", evidence=["The fee is 5 EUR."])
    assert caught.value.report.answer == "The fee is 5 EUR."


CALLS: list[tuple[str, Callable[[ReviewQueue, str, Report], object]]] = [
    ("answer_id", lambda queue, _, report: queue.submit(report.replace(answer_id=""))),
    ("answer_id", lambda queue, _, report: queue.submit(report.replace(answer_id="a\x00b"))),
    ("answer_id", lambda queue, _, report: queue.submit(report.replace(answer_id="a" * 201))),
    ("item", lambda queue, _, __: queue.case("nothing")),
    ("item", lambda queue, _, __: queue.take("nothing\x00", "ana")),
    ("item", lambda queue, _, __: queue.decide("nothing", "ana", AGREE)),
    ("state", lambda queue, _, __: queue.items("done")),
    ("limit", lambda queue, _, __: queue.items(limit=-1)),
    ("limit", lambda queue, _, __: queue.items(limit=1.5)),  # type: ignore[arg-type]
    ("offset", lambda queue, _, __: queue.items(offset=10**9)),
    ("since", lambda queue, _, __: list(queue.decided("2026-01-01"))),  # type: ignore[arg-type]
    *[
        ("reviewer", lambda queue, _, __, name=name: queue.claim(name))
        for name in ("", " ", "a\nb", "\x1b[1m", "a" * 201, None)
    ],
    *[
        ("lease_seconds", lambda queue, _, __, length=length: queue.claim("ana", length))
        for length in (0, -1, float("nan"), float("inf"), "9", None, 10**9)
    ],
    ("claim_id", lambda queue, item, _: queue.adjudicate(item, "ana", ClaimRuling(claim_id="c9", ruling="agree"))),
    (
        "label",
        lambda queue, item, _: queue.adjudicate(
            item, "ana", ClaimRuling(claim_id="c1", ruling="overrule", label="CONTRADICTED", kind="deadline")
        ),
    ),
    *[
        (
            "quote",
            lambda queue, item, _, quote=quote: queue.adjudicate(
                item, "ana", ClaimRuling(claim_id="c1", ruling="agree", quote=quote)
            ),
        )
        for quote in (
            Quote(span_id="S2", start=0, end=7, text="Refunds"),
            Quote(span_id="S1", start=1, end=8, text="Refunds"),
            Quote(span_id="S1", start=-7, end=-3, text="fee."),
            Quote(span_id="S1", start=0, end=0, text=""),
        )
    ],
]


@pytest.mark.parametrize(("field", "call"), CALLS, ids=[f"{number}-{field}" for number, (field, _) in enumerate(CALLS)])
def test_bad_input_names_its_field(queue: ReviewQueue, report: Reports, field: str, call: Any) -> None:
    """And leaves the queue as it was."""
    item_id = queue.submit(report())
    queue.take(item_id, "ana")
    before = queue.case(item_id)
    with pytest.raises(InputError, match=f"^{field}: "):
        call(queue, item_id, report())
    assert queue.case(item_id) == before
    assert len(queue.items()) == 1
