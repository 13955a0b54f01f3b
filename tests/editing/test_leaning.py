"""What the first words of a sentence say about the one before it, per language; words that only look like it."""

from __future__ import annotations

import pytest

from grounding_middleware.editing.dangling import Lean, leaning, subject
from grounding_middleware.editing.words import is_bare_answer

NONE, SOME, PREV, REF = Lean.NOTHING, Lean.SOMETHING, Lean.PREVIOUS, Lean.REFERENT

LEANS = [
    ("en", "However, it is closed", PREV | REF), ("en", "Therefore the fee is due", PREV), ("en", "It is closed", REF),
    ("en", "It's closed on Sundays", REF), ("en", "**This** rule applies", REF), ("en", "When they arrive, call", REF),
    ("en", "Its price is low", REF), ("en", "Also, parking is free", SOME), ("en", "Then close the lid", SOME),
    ("en", "In addition to this, a form is due", PREV), ("en", "Another option is cash", SOME),
    ("en", "For this reason, cash is needed", PREV), ("en", "Both are free", REF), ("en", "If so, call us", PREV),
    ("en", "In it, a key is kept", REF), ("en", "But parking is free", PREV), ("en", "Finally, it closes", SOME | REF),
    ("en", "It is possible to pay cash", NONE), ("en", "It's always important to pay", NONE),
    ("en", "It depends", NONE), ("en", "Both the app and the shop accept cash", NONE),
    ("en", "Instead of cash, use a card", NONE), ("en", "Later claims are refused", NONE), ("en", "Thermal bags", NONE),
    ("en", "Second instalments are due", NONE), ("en", "The fee is due", NONE), ("en", "Butter is sold", NONE),
    ("en", "So far, cash is accepted", NONE), ("en", "You may pay cash", NONE), ("en", "There is a fee", NONE),
    ("en", "Yet to come are two fees", NONE), ("en", "", NONE), ("en", "[S1]", NONE), ("en", "Item 3 is free", NONE),
    ("de", "Allerdings ist sie zu", PREV), ("de", "Sie ist zu", REF), ("de", "Sie können zahlen", NONE),
    ("de", "Diese Regel gilt", REF), ("de", "Das gilt nachts", REF), ("de", "Das Ticket gilt nachts", NONE),
    ("de", "Es ist möglich, bar zu zahlen", NONE), ("de", "Es gibt zwei Karten", NONE), ("de", "Es gilt nachts", REF),
    ("de", "Außerdem ist Parken frei", SOME), ("de", "Daher fällt eine Gebühr an", PREV),
    ("de", "Die Karte gilt", NONE),
    ("de", "Wenn er zu ist, rufen Sie an", REF), ("de", "Damit Sie zahlen können, gibt es Automaten", NONE),
    ("fr", "Cependant, elle est fermée", PREV | REF), ("fr", "Elle est fermée", REF), ("fr", "Il est valable", REF),
    ("fr", "Il faut payer", NONE), ("fr", "Il n'y a pas de frais", NONE), ("fr", "Cette règle vaut", REF),
    ("fr", "Si elle est fermée, appelez", REF), ("fr", "De plus, le parking est payant", SOME),
    ("fr", "La carte", NONE),
    ("es", "Sin embargo, está cerrada", PREV), ("es", "Esta regla vale", REF), ("es", "También vale", SOME),
    ("es", "Si no, se paga", PREV), ("es", "Si no paga, llame", NONE), ("es", "La tarjeta vale", NONE),
    ("it", "Tuttavia, è chiusa", PREV), ("it", "Questa regola vale", REF), ("it", "La carta vale", NONE),
    ("pt", "No entanto, está fechada", PREV), ("pt", "Ela está fechada", REF), ("pt", "O cartão vale", NONE),
    ("nl", "Echter, de winkel is dicht", PREV), ("nl", "Deze regel geldt", REF), ("nl", "Het kaartje geldt", NONE),
    ("nl", "Het is dicht", REF), ("nl", "Het is mogelijk te betalen", NONE), ("de-AT", "Sie ist zu", REF),
    ("", "However, it is closed", PREV | REF), ("", "Cependant, le parking est payant", PREV), ("", "Die Karte", NONE),
    ("ja", "それは無料です", NONE), ("pl", "Jednak jest zamknięte", NONE),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "lean"), LEANS)
def test_leaning(language: str, text: str, lean: Lean) -> None:
    """Connectives, additions and pronouns at the start are told apart from words that only look like them."""
    assert leaning(text, language) == lean


@pytest.mark.parametrize(("language", "text", "expected"), [
    ("en", "The day pass costs less", "day pass"), ("en", "A day pass is valid", "day pass"),
    ("en", "Norland has a port", "norland"),
    ("en", "The card costs are high", "card costs"), ("en", "The card offer is over", "card offer"),
    ("en", "Cards glow", ""),
    ("en", "In most towns, parking is free", ""), ("en", "It is free", "it"), ("en", "", ""),
    ("de", "Die Karte gilt", "karte"),
    ("fr", "La carte est gratuite", "carte"), ("es", "La tarjeta vale", "tarjeta"), ("ja", "カードは無料です", ""),
    ("en", "The very long name of the holder of the card is Bo", ""),
])  # fmt: skip
def test_subject(language: str, text: str, expected: str) -> None:
    """The subject is read only where a known predicate follows it soon; else nothing is said."""
    assert subject(text, language) == expected


@pytest.mark.parametrize(("text", "bare"), [
    ("Yes.", True), ("**No!**", True), ("Ja", True), ("Oui.", True), ("Sí, claro", False), ("Yes, it is free", False),
    ("Of course!", True), ("", False), ("No fees", False),
])  # fmt: skip
def test_bare_answers(text: str, bare: bool) -> None:  # noqa: FBT001  # a table of expectations
    """A bare "Yes." is recognised, a sentence that begins with it is not."""
    assert is_bare_answer(text) is bare


@pytest.mark.parametrize(
    "text", ["It is " + "only " * 5000 + "x", "It is " + "ly" * 9000, "neither " * 5000, "so " * 9000]
)
def test_hostile_openings_are_read_fast(text: str) -> None:
    """No text makes the patterns explode: this returns at once instead of never."""
    assert leaning(text, "") in Lean
