"""Which model runs wrote an answer, and which fed those."""

from __future__ import annotations

from grounding_middleware.capture import ModelRun, able, fed_by, recognised, writers

ANSWER = "Refunds are paid within ten days."


def test_the_run_whose_words_are_the_answer_wrote_it() -> None:
    """An attempt that was retried saw other evidence."""
    first, second = ModelRun("a", output="Something else entirely."), ModelRun("b", output=f" {ANSWER}\n")
    assert writers([first, second], ANSWER) == [second]


def test_a_part_of_the_answer_will_do_if_it_is_long_enough() -> None:
    """Answers are put together; a short word in common means nothing."""
    part, short = ModelRun("a", output="Refunds are paid within ten days"), ModelRun("b", output="ten days")
    assert writers([part, short], f"Response 1: {ANSWER}") == [part]
    assert writers([short], ANSWER) == [short], "nothing is recognised, so all that could be"


def test_a_piece_of_what_a_run_wrote_is_its_piece() -> None:
    """A stream is checked while it grows, and a parser may take a part; a short piece means nothing."""
    whole, other = ModelRun("a", output=f"{ANSWER} They go to the card."), ModelRun("b", output="Something else.")
    assert writers([whole, other], ANSWER) == [whole]
    assert recognised([whole, other], "Refunds") == []


def test_runs_of_a_group_write_together() -> None:
    """A refine loop shows one node in each call."""
    group, other = object(), object()
    runs = [
        ModelRun("a", group=group, output="no"),
        ModelRun("b", group=group, output=ANSWER),
        ModelRun("c", group=other),
    ]
    assert writers(runs, ANSWER) == runs[:2]


def test_runs_that_are_known_to_answer_go_before_all_others() -> None:
    """Selectors and rewriters come early, rerankers late; neither writes answers."""
    early, ranking, answering = ModelRun("a", early=True), ModelRun("b"), ModelRun("c", group=object())
    assert able([early, ranking, answering]) == [answering]
    assert able([early, ranking]) == [ranking]
    assert able([early]) == [early]
    assert able([]) == []


def test_what_a_run_was_fed_is_followed_back() -> None:
    """A summary stands in the prompt of the run that wrote the answer; its own prompt held the source."""
    leaf = ModelRun("source", output="Refunds take ten days, to the card.")
    middle = ModelRun(f"Summaries: {leaf.output}", output="In short, refunds take ten days.")
    last = ModelRun(f"Context: {middle.output}", output=ANSWER)
    stranger = ModelRun("other", output="Parcels travel by rail, where possible.")
    assert fed_by([last], [leaf, middle, stranger, last]) == [last, middle, leaf]
