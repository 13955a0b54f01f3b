"""Transformations: what was read by hand is what they make; nothing that says the same; nothing malformed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from grounding_middleware import Span
from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.probing import TRANSFORMATIONS, Change, Mutant, Statement, chosen, of_documents
from grounding_middleware.evaluation.probing.words import LANGUAGES

HERE = Path(__file__).parent
READ = [json.loads(line) for line in (HERE / "hand_read.jsonl").read_text("utf-8").splitlines()]
TRAPS = yaml.safe_load((HERE / "traps.yaml").read_text("utf-8"))


@pytest.mark.parametrize("row", READ, ids=lambda row: f"{row['transformation']} {row['origin']}")
def test_what_was_read_by_hand_is_what_is_made(row, statements, made) -> None:
    """Each was read by hand beside its evidence and is not supported by it; another one has to be read, too."""
    found = [one for one in statements if (one.origin, one.text) == (row["origin"], row["was"])]
    assert (row["answer"], row["note"]) in made(found[0], row["transformation"])


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: f"{trap['transformation']}: {trap['text']}")
def test_no_change_that_says_the_same(trap, read) -> None:
    """A paraphrase, or a weaker statement, is no mutant."""
    pool = list(of_documents([Span(id="s#1", text=trap["text"])], marker=""))
    assert pool
    (one,) = chosen([trap["transformation"]])
    subjects = [read(statement, pool) for statement in pool]
    assert trap["never"] not in [mutant.text for subject in subjects for mutant in one.mutants(subject)]


@pytest.mark.parametrize("one", TRANSFORMATIONS, ids=lambda one: one.name)
def test_every_transformation_has_something_to_do(one, statements, read) -> None:
    """On our own documents and cases; and what it yields is another claim, evidence, day or citation, in place."""
    found = 0
    for statement in statements:
        for mutant in one.mutants(read(statement, statements[:60])):
            found += 1
            assert (mutant.attempt, mutant.text) != (statement.attempt, statement.text)
            assert mutant.text == mutant.attempt.answer[mutant.start : mutant.end] != ""
            assert all(mutant.start <= low <= high <= mutant.end for low, high in mutant.changed)
            assert mutant.note
        if found > 3:
            break
    assert found


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_changed_in_four_languages(language, statements, read) -> None:
    """Beside numbers and citations: negation, modality, certainty, conditions, exceptions, opposites, quotations."""
    own = [read(one, statements) for one in statements if one.language == language]
    wanted = {"negation", "modality_raised", "duty_weakened", "automatic", "automatic_approval", "condition_cut"}
    wanted |= {
        "exception_cut",
        "opposite",
        "detail_added",
        "quotation_altered",
        "threshold_direction",
        "spelled_number",
    }
    named = [one for one in TRANSFORMATIONS if one.name in wanted]
    made = {one.name for one in named if any(True for subject in own for _ in one.mutants(subject))}
    assert made == wanted


def test_other_languages_get_what_needs_no_words(read) -> None:
    """Numbers and citations, but no words."""
    text = "L'abbonamento costa 40 euro al mese. La tessera è valida per 12 mesi."
    (first, *_) = of_documents([Span(id="s#1", text=text)])
    made = {one.name for one in TRANSFORMATIONS for _ in one.mutants(read(first, [first]))}
    assert first.language == "it"
    assert {"ten_times", "other_digit", "invented_citation", "undelivered_source"} <= made
    assert not made & {"negation", "modality_raised", "opposite", "quotation_altered"}


def test_edits_keep_the_places_of_the_words(statements) -> None:
    """Ranges are exact after edits of any length before, inside and at the end of the statement."""
    attempt = next(one.attempt for one in statements if len(one.text) > 40)
    origin = Statement(attempt, 10, 30)
    edits = ((0, 2, "xyzzy"), (12, 14, ""), (20, 21, "longer"), (30, 30, " more"))
    mutant = Mutant.of("test", origin, Change(edits, "test"))
    old = attempt.answer
    assert mutant.text == old[10:12] + old[14:20] + "longer" + old[21:30] + " more"
    assert [mutant.attempt.answer[slice(*place)] for place in mutant.changed] == ["", "longer", " more"]


def test_an_unknown_transformation_is_named() -> None:
    """With what is allowed."""
    with pytest.raises(InputError, match=r"transformation 'nonsense' does not exist; allowed are .*negation"):
        chosen(["nonsense"])
