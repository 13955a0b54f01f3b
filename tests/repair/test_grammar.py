"""What may take whose place in a sentence: no in doubt."""

from __future__ import annotations

import pytest

from grounding_middleware.repair.grammar import cased, grammar, same_form


@pytest.mark.parametrize(
    ("before", "old", "new", "fits"),
    [
        ("It is a ", "5-day", "8-day", False),
        ("It is a ", "5-day", "7-day", True),
        ("It is an ", "8-day", "11-day", True),
        ("It is an ", "8-day", "18-day", True),
        ("It is a ", "10-day", "180-day", True),
        ("It is a ", "manager", "assistant", False),
        ("It is a ", "manager", "director", True),
        ("It is an ", "hour", "day", False),
        ("It is a ", "unit", "uniform", False),
        ("It is a ", "FAQ", "SDK", False),
        ("It takes ", "5 days", "8 days", True),
        ("It costs a", "5", "8", True),
    ],
)
def test_articles(before: str, old: str, new: str, *, fits: bool) -> None:
    """An article keeps its noun's first sound; where letters do not tell the sound, nothing is changed."""
    assert grammar("en").article_fits(before, old, new) is fits


@pytest.mark.parametrize(
    ("language", "old", "new", "fits"),
    [
        ("en", "must", "may", True),
        ("en", "are required to", "may", False),
        ("en", "all", "some", True),
        ("en", "every", "some", False),
        ("en", "Before", "after", True),
        ("de", "muss", "darf", True),
        ("de", "müssen", "darf", False),
        ("fr", "doit", "peut", True),
        ("xx", "must", "may", False),
    ],
)
def test_swaps(language: str, old: str, new: str, *, fits: bool) -> None:
    """Words change places only within one class of one number of one language."""
    assert grammar(language).swappable(old, new) is fits


@pytest.mark.parametrize(
    ("words", "before", "free"),
    [("at most", True, True), ("within", True, False), ("", True, True), ("or more", False, True), ("", False, True)],
)
def test_what_qualifies_a_value(words: str, before: bool, free: bool) -> None:  # noqa: FBT001  # a table
    """Words that only qualify a number may change; one that governs it, such as "within", may not."""
    assert grammar("en").qualifies(words, before=before) is free


@pytest.mark.parametrize(
    ("old", "new", "proper", "result"),
    [
        ("A third", "half", False, "Half"),
        ("twelve", "Fifty", False, "fifty"),
        ("about", "EUR 5", False, "EUR 5"),
        ("may", "March 2026", True, "March 2026"),
        ("5 days", "Two days", False, "Two days"),
    ],
)
def test_case(old: str, new: str, proper: bool, result: str) -> None:  # noqa: FBT001  # a table
    """The first letter follows what it replaces, unless the word is a name or an acronym."""
    assert cased(old, new, proper=proper) == result


def test_forms() -> None:
    """Only words with the same ending agree with the same neighbours."""
    assert same_form("rejected", "approved")
    assert same_form("rises", "falls")
    assert not same_form("closed", "open")
