"""The data files: every template compiles, every list exists, YAML turned no word into something else."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
import yaml

from grounding_middleware.claims.lexicon import load, template, words

FILES = sorted(
    path.name.removesuffix(".yaml")
    for path in (files("grounding_middleware.claims") / "data").iterdir()
    if path.is_file()
)
LANGUAGES = [name for name in FILES if name not in ("abbreviations", "languages")]


@pytest.mark.parametrize("name", LANGUAGES)
def test_every_template_compiles_and_matches_nothing_empty(name: str) -> None:
    """A template that matches the empty text would turn everything into a greeting."""
    for key, entry in load(name).items():
        pattern = template(name, key)
        for word in words(name, key) if isinstance(entry, str) else ():
            re.compile(word.replace("<", "").replace(">", ""))
        if key in (
            "greeting",
            "thanks",
            "opinion",
            "pleasantry",
            "offer",
            "interface",
            "abstention",
            "intro",
            "reference",
        ):
            assert pattern is not None
            assert not pattern.fullmatch("")


@pytest.mark.parametrize("name", FILES)
def test_every_entry_is_text(name: str) -> None:
    """YAML reads no, on and yes as truth values; such a word has to be quoted."""

    def check(value: object) -> None:
        if isinstance(value, dict):
            assert all(isinstance(key, str) for key in value)
            [check(item) for item in value.values()]
        elif isinstance(value, list):
            [check(item) for item in value]
        else:
            assert isinstance(value, str)

    text = (files("grounding_middleware.claims") / "data" / f"{name}.yaml").read_text("utf-8")
    check(yaml.safe_load(text))


@pytest.mark.parametrize("name", ["en", "de", "fr", "es"])
def test_the_full_languages_have_all_lists(name: str) -> None:
    """CH-11: what is covered for a language is known; these four have everything the code asks for."""
    asked = {
        "abstention", "turn", "clause_break", "pleasantry", "pleasant_start", "offer", "offer_question", "interface",
        "intro", "reference", "source_label", "assertive_question", "polar_question", "confirmation", "step", "finite",
        "question_word", "counted_heading", "determiner", "preposition", "joining", "verbs", "verbs_or_nouns",
        "pronouns", "connective", "connective_phrases", "expletive", "negation", "modal", "strong", "quantifier",
        "condition_word", "number_word", "coordinator", "subordinator", "reaching", "subject_start", "plural_subject",
        "bound_before", "time_limit", "risk_money", "risk_operation", "risk_commitment",
    }  # fmt: skip
    assert asked <= load(name).keys()


def test_an_uncovered_language_has_no_lists() -> None:
    """CH-11: nothing is guessed for a language without a data file."""
    assert load("xx") == {}
    assert template("xx", "greeting") is None
    assert words("xx", "negation") == frozenset()
