"""`probe`: finds what a worse verifier lets through, by name; both directions; bounded and repeatable."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from grounding_middleware import Grounder, Policy, Report, Span
from grounding_middleware.checks import CHECKS, modality
from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.probing import (
    Attempt,
    Grade,
    Mutant,
    Statement,
    chosen,
    of_documents,
    probe,
    render,
    through,
)
from grounding_middleware.evaluation.probing.shrinking import smallest
from grounding_middleware.judges import Batch, CallableModel, JudgeTask, Opinion, Replies
from grounding_middleware.labels import Label
from grounding_middleware.records import Quote
from grounding_middleware.report import plain

MODALS = ("modality_raised", "duty_weakened")
OTHERS = ("negation", "ten_times", "spelled_number", "roles_swapped", "quotation_altered", "wrong_paragraph")
SILENT = Policy(needs_judge=False)


class Credulous:
    """A judge that supports everything it is asked about, with the whole first span as its proof."""

    name = "credulous"
    model = CallableModel(lambda _: "", "credulous")

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """No call."""
        yield ()
        span = task.evidence[0]
        proof = (Quote(span_id=span.id, start=0, end=len(span.text), text=span.text),)
        return tuple(Opinion(claim_id=item.claim.id, label=Label.SUPPORTED, quotes=proof) for item in task.items)


@pytest.fixture(scope="module")
def terms(by_document) -> list[Statement]:
    """Two of the shipped documents."""
    return [*by_document["tenancy-terms.txt"], *by_document["contractor-expense-policy-2026.md"]]


def test_a_sound_verifier_lets_nothing_through(terms) -> None:
    """None of the false statements is called supported, and the true ones are not flagged."""
    result = probe(through(Grounder(policy=SILENT)), terms, most=4)
    assert {row.name: row.passed for row in result.rows if row.passed} == {}
    assert result.controls.flagged == result.controls.failed == 0
    assert result.controls.supported > 0.9 * result.controls.tried
    assert result.tried > 80


def test_without_the_modality_check_exactly_the_modals_get_away(terms) -> None:
    """A seeded weakness is found by the name of its transformations: caught before, left in the text after."""
    sound, worse = (
        probe(
            through(Grounder(policy=SILENT, checks=checks)), terms, transformations=chosen((*MODALS, *OTHERS)), most=6
        )
        for checks in (CHECKS, [check for check in CHECKS if check is not modality.check])
    )
    changed = {row.name for row in sound.rows if row.caught != worse.row(row.name).caught}
    assert changed == set(MODALS)
    assert all(sound.row(name).left < worse.row(name).left == worse.row(name).tried for name in MODALS)


def test_a_judge_that_believes_everything_passes_what_no_rule_decides(terms) -> None:
    """With the modality check gone the modals pass as supported, and they alone of what the other rules catch."""
    checks = [check for check in CHECKS if check is not modality.check]
    wanted = chosen((*MODALS, "quotation_altered", "wrong_paragraph", "ten_times"))
    result = probe(through(Grounder(Credulous(), checks=checks)), terms, transformations=wanted, most=4)
    assert {row.name for row in result.rows if row.passed} == set(MODALS)
    assert all(row.passed == row.tried for row in result.rows if row.name in MODALS)
    assert [example.transformation for example in result.examples] == list(MODALS)


def test_a_verifier_that_flags_everything_does_not_look_good(terms) -> None:
    """Its controls are falsely flagged, and no mutant counts as caught."""
    result = probe(lambda _: "", terms[:10], transformations=chosen(["negation"]))
    assert (result.tried, result.controls.supported) == (0, 0)
    assert result.controls.flagged == result.controls.tried > 0


def test_a_verifier_that_fails_is_neither_a_leak_nor_a_catch(terms) -> None:
    """Whatever it raises is counted apart."""

    def broken(_: Attempt) -> str:
        raise RuntimeError("down")

    result = probe(broken, terms[:5], transformations=chosen(["negation"]))
    assert (result.passed, result.tried) == (0, 0)
    assert result.failed == result.controls.tried > 0


def test_texts_that_leave_a_chain_are_compared_without_their_markers(terms) -> None:
    """A chain that repeats everything, with markers of its own, lets everything through."""
    result = probe(lambda attempt: f"Well: {attempt.answer} [9]", terms[:20], transformations=chosen(["negation"]))
    assert result.passed == result.tried > 0


def test_the_same_seed_gives_the_same_result(terms) -> None:
    """Another one draws others; never more than asked for."""
    wanted = chosen(["negation", "owner_swapped", "entity_replaced"])
    first, again, other = (
        probe(lambda attempt: attempt.answer, terms, transformations=wanted, most=5, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again != other
    assert max(row.tried for row in first.rows) <= 5


@pytest.mark.parametrize("most", [0, -1])
def test_bad_input_is_named(most, terms) -> None:
    """A bound below one; nothing to probe with."""
    with pytest.raises(InputError, match="most: got"):
        probe(lambda attempt: attempt.answer, terms, most=most)
    with pytest.raises(InputError, match="no supported statement"):
        probe(lambda attempt: attempt.answer, [])


def test_the_example_is_the_smallest() -> None:
    """Other sentences of the answer, other spans and other sentences of the span are gone; what it rests on stays."""
    spans = tuple(Span(id=f"s#{n}", source_id="s", text=f"Room {n} is heated. Windows stay shut.") for n in range(9))
    said = "Parcels must be weighed at the desk. Lamps are tested weekly."
    spans = (*spans, Span(id="s#9", source_id="s", text=said))
    answer = "Room 1 is heated [s#1]. Parcels may be weighed at the desk [s#9]. Room 2 is heated [s#2]."
    start = answer.index("Parcels")
    end, modal = start + len("Parcels may be weighed at the desk"), start + len("Parcels ")
    origin = Statement(Attempt(answer.replace("may", "must"), spans), start, end + 1, ("s#9",), "en")
    mutant = Mutant("duty_weakened", origin, Attempt(answer, spans), start, end, ((modal, modal + 3),), "test")
    found = smallest(mutant, lambda attempt: attempt.answer)
    assert found.attempt.answer == "Parcels may be weighed at the desk [s#9]."
    assert [span.text for span in found.attempt.evidence] == ["Parcels must be weighed at the desk."]
    assert found.attempt.answer[slice(*found.changed[0])] == "may"


def test_shrinking_is_bounded_and_keeps_the_grade() -> None:
    """At most so many verifications; what no longer leaks is not taken."""
    spans = tuple(Span(id=f"s#{n}", source_id="s", text=f"Room {n} is heated.") for n in range(30))
    attempt = Attempt("Room 1 is not heated.", spans)
    mutant = Mutant("negation", Statement(attempt, 0, 20, ("s#1",), "en"), attempt, 0, 20, ((10, 13),), "test")
    calls: list[int] = []

    def verify(one: Attempt) -> str:
        calls.append(len(one.evidence))
        return one.answer if len(one.evidence) > 25 else ""

    found = smallest(mutant, verify, calls=12)
    assert len(found.attempt.evidence) > 25
    assert len(calls) <= 13


def test_only_the_changed_words_of_a_sentence_count() -> None:
    """That its other part is right does not hide the wrong one, nor the other way round."""
    statement = of_documents([Span(id="s#1", text="Lamps are tested weekly, and parcels must be weighed at the desk.")])
    result = probe(through(Grounder(policy=SILENT)), statement, transformations=chosen(["duty_weakened"]))
    assert result.row("duty_weakened").caught == result.row("duty_weakened").tried == 1


def test_the_table_tells_both_directions(terms) -> None:
    """Tried, passed, interval, left, caught, held; controls; what was not tried; examples with their words marked."""
    result = probe(through(Grounder(policy=SILENT)), terms, transformations=chosen(["automatic", "scale_word"]), most=3)
    text = plain(render(result), 120)
    assert "left: in the text, but nobody could check it" in " ".join(text.split())
    assert "0 passed as supported, 3 left in the text unchecked" in " ".join(text.split())
    assert "0 falsely flagged (95 %: 0.0% - " in text
    assert "nothing to change for: scale_word" in text
    assert "automatic  left in the text unchecked: " in text
    assert " automatically» " in text
    assert result.examples[0].grade is Grade.LEFT


def test_a_report_is_taken_at_its_word(terms) -> None:
    """A verifier may give reports of its own; the grounder's sinks are not called."""
    seen: list[Report] = []
    verify = through(Grounder(policy=SILENT, sinks=[seen.append]))
    probe(verify, terms[:5], transformations=chosen(["negation"]))
    assert seen == []
