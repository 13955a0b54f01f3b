"""What is not checked for a language is said (CH-11); where we do not know "not", only the same words are supported."""

from __future__ import annotations

import pytest

from grounding_middleware import Grounder, Label, Policy, Report
from grounding_middleware.reading.lexicon import COVERED
from grounding_middleware.records import Outcome
from grounding_middleware.report import to_text

UNCOVERED = [
    # language, source, its own words, the same with a word less, another value
    ("sv", "Avgiften för bokningen återbetalas inte efter 30 dagar.", "inte ", "30", "60"),
    ("da", "Medlemmerne må ikke parkere i gården efter klokken 22, heller ikke om sommeren.", "ikke ", "22", "20"),
    (
        "tr",
        "Üyelik ücreti 30 gün içinde iade edilmez, ancak bu kural herkes için geçerlidir.",
        "ancak ",
        "30",
        "60",
    ),
    ("id", "Biaya tidak dikembalikan setelah 14 hari dan anggota harus membayar penuh.", "tidak ", "14", "41"),
    ("ru", "Взнос не возвращается после 30 дней с даты записи.", "не ", "30", "60"),
    ("ja", "返金は30日以内に行われない場合があります。", "ない", "30", "60"),
    ("zh", "会员不得在30天内取消预订。", "不得", "30", "60"),
    ("ko", "회원은 30일 이내에 예약을 취소할 수 없습니다.", "이내에 ", "30", "60"),
    ("ar", "لا يجوز للأعضاء إلغاء الحجز خلال 30 يوما من التسجيل.", "لا ", "30", "60"),
]


def check(answer: str, source: str) -> Report:
    return Grounder(policy=Policy(needs_judge=False)).check(answer, evidence=[source])


def _rules(report: Report) -> list[tuple[str, Outcome]]:
    return [(f.rule, f.outcome) for verdict in report.claims for f in verdict.findings if f.check == "coverage"]


@pytest.mark.parametrize(("language", "source", "word", "value", "other"), UNCOVERED, ids=[row[0] for row in UNCOVERED])
def test_only_the_same_words_are_supported(language: str, source: str, word: str, value: str, other: str) -> None:
    """DESIGN §5: without its negations nothing but the same words is supported; one word less may be "not"."""
    assert language not in COVERED
    assert [claim.label for claim in check(source, source).claims] == [Label.SUPPORTED]
    assert Label.SUPPORTED not in [claim.label for claim in check(source.replace(word, "", 1), source).claims]
    assert Label.SUPPORTED not in [claim.label for claim in check(source.replace(value, other, 1), source).claims]


@pytest.mark.parametrize(("language", "source"), [row[:2] for row in UNCOVERED], ids=[row[0] for row in UNCOVERED])
def test_what_was_not_checked_is_said_with_the_claim_and_in_the_report(language: str, source: str) -> None:
    """CH-11: each claim names the language and the family that nobody checked; the terminal shows it."""
    report = check(source, source)
    assert _rules(report) == [("language-not-covered", Outcome.CANNOT_TELL)]
    assert any(f"language '{language}'" in notice and "negation" in notice for notice in report.notices)
    assert f"! language '{language}'" in to_text(report)


@pytest.mark.parametrize("cut", ["Årsavgiften återbetalas till medlemmen.", "Årsavgiften återbetalas"])
def test_a_clause_of_a_sentence_is_not_supported_there(cut: str) -> None:
    """What follows may take it back: "men inte efter 30 dagar" (but not after 30 days)."""
    source = "Årsavgiften återbetalas till medlemmen, men inte efter 30 dagar."
    assert Label.SUPPORTED not in [claim.label for claim in check(cut, source).claims]


def test_a_value_may_be_written_otherwise_there() -> None:
    """Values are compared in every language: 1 000 is 1000."""
    source = "Avgiften för en plats i hamnen är 1 000 kronor per år och betalas av medlemmen."
    assert [claim.label for claim in check(source.replace("1 000", "1000"), source).claims] == [Label.SUPPORTED]


def test_sources_in_another_language_are_said() -> None:
    """Words of two languages are not compared; the report says so instead of a silent "no finding"."""
    report = check("The fee is not paid back to the member.", "Avgiften återbetalas till medlemmen inom 30 dagar.")
    assert _rules(report) == [("sources-in-another-language", Outcome.CANNOT_TELL)]
    assert any("answer in 'en', sources in 'sv'" in notice for notice in report.notices)


@pytest.mark.parametrize("language", COVERED)
def test_a_covered_language_has_no_such_notice(language: str) -> None:
    """The notice is told only where something was left out."""
    text = {
        "en": "The fee is due in May and must be paid by members.",
        "de": "Die Gebühr ist im Mai fällig und muss bezahlt werden.",
        "fr": "Les frais sont dus en mai et doivent être payés par les membres.",
        "es": "La cuota se paga en mayo y debe ser abonada por los socios.",
        "it": "La quota è dovuta a maggio e deve essere pagata dai soci.",
        "pt": "A quota é devida em maio e deve ser paga pelos sócios.",
        "nl": "De bijdrage is in mei verschuldigd en moet door de leden worden betaald.",
        "pl": "Składka jest płatna w maju i musi być opłacona przez członków.",
    }[language]
    assert _rules(check(text, text)) == []
