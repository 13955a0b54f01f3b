"""What the page says, and what it must not do: obey the texts in it, grow with them, or claim what nobody measured."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.page.flow import Flow
from grounding_middleware.evaluation.page.making import write_page
from grounding_middleware.evaluation.page.prices import prices
from grounding_middleware.evaluation.page.worst import KEPT_EXAMPLES, Fault, Worst
from grounding_middleware.evaluation.runs import Scored, ScoredClaim
from grounding_middleware.labels import Action, Label

WriteRun = Callable[..., Path]
MadeAnswers = Callable[..., Iterator[Scored]]


class Parsed(HTMLParser):
    """The page taken apart: `tags` with their attributes, and the `text` a reader sees, on one line."""

    def __init__(self, document: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._seen: list[str] = []
        self._shown = True
        self.feed(document)
        self.text = " ".join(" ".join(self._seen).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Also of elements without an end."""
        self.tags.append((tag, dict(attrs)))
        self._shown = tag not in ("style", "title")

    def handle_endtag(self, tag: str) -> None:
        """Styles and titles hold no elements."""
        self._shown = True

    def handle_data(self, data: str) -> None:
        """Text, references resolved."""
        if self._shown:
            self._seen.append(data)


@pytest.fixture
def page(write_run: WriteRun, tmp_path: Path) -> Callable[..., str]:
    """`page(answers, gold=False)` is the page of a run with these answers."""

    def make(answers: Iterable[Scored], file: str = "run", **header: Any) -> str:
        out = tmp_path / "page.html"
        write_page(write_run(answers, file, **header), (), out)
        return out.read_text("utf-8")

    return make


def claim(text: str = "It takes 5 days.", start: int = 0, **fields: Any) -> ScoredClaim:
    return ScoredClaim(text=text, start=start, end=start + len(text), **fields)


def answer(*claims: ScoredClaim, **fields: Any) -> Scored:
    fields = {"id": "a1", "answer": "It takes 5 days.", "action": Action.OK, "shown": True, **fields}
    return Scored(claims=claims, **fields)


def test_texts_of_others_have_no_effect(hostile_run: Path, tmp_path: Path) -> None:
    """Markup, templates and control characters in any field of a run stay text; what cannot be seen is escaped."""
    write_page(hostile_run, (hostile_run,), tmp_path / "page.html")
    document = (tmp_path / "page.html").read_text("utf-8")
    parsed = Parsed(document)
    assert {tag for tag, _ in parsed.tags} & {"script", "img", "iframe", "object", "base", "form"} == set()
    links = {attrs["href"] for tag, attrs in parsed.tags if tag in ("a", "link")}
    assert all(link and link.startswith(("#", "data:,")) for link in links)
    assert not [attrs for _, attrs in parsed.tags if any(name.startswith("on") or name == "style" for name in attrs)]
    assert "<script>alert(1)</script>" in parsed.text
    assert "{{ 7*7 }}" in parsed.text
    assert "\\u202e" in parsed.text
    assert not set("\u202e\u2066\u200b\x00\x1b\ufeff") & set(document)


def test_one_long_claim_and_many_segments_do_not_grow_the_page(page: Callable[..., str]) -> None:
    """A claim of a megabyte and two thousand segment values make a page of ordinary size that says what is left out."""
    long = "word " * 200_000
    big = answer(
        claim(long, gold=Label.CONTRADICTED, label=Label.SUPPORTED, reason=long, excerpt=long, cited=("d",)),
        answer=long, question=long, id=long,
    )  # fmt: skip
    many = (answer(id=f"a{at}", segments={"customer": f"c{at}"}, answer="x") for at in range(2_000))
    document = page([big, *many])
    assert len(document) < 300_000
    assert "characters …]" in document
    assert "(others)" in document


def test_memory_does_not_grow_with_the_run(made_answers: MadeAnswers) -> None:
    """Label flow and worst examples of six times as many answers need no more memory."""
    flow, worst, kept = Flow(), Worst(), []
    tracemalloc.start()
    for number, one in enumerate(made_answers(1800), 1):
        flow.add(one)
        worst.add(one)
        if number in (300, 1800):
            gc.collect()
            kept.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert kept[1] < 1.25 * kept[0]


def test_the_worst_are_kept_whenever_they_come(made_answers: MadeAnswers) -> None:
    """A contradicted statement that was shown as supported heads the list, first or last in the run; few are kept."""
    grave = answer(claim(gold=Label.CONTRADICTED, label=Label.SUPPORTED, risk="action"), id="grave")
    mild = [
        answer(claim(gold=Label.INSUFFICIENT_EVIDENCE, label=Label.UNVERIFIED), id=f"mild-{at}") for at in range(50)
    ]
    for order in ([grave, *mild], [*mild, grave]):
        worst = Worst()
        for one in order:
            worst.add(one)
        found = worst.cases(Fault.MISSED)
        assert (len(found), worst.seen[Fault.MISSED]) == (KEPT_EXAMPLES, 51)
        assert [case.title for case in found][:2] == ["Answer grave", "Answer mild-0"]


def test_six_outcomes_are_told_apart_by_word_and_sign(page: Callable[..., str]) -> None:
    """Supported, contradicted, insufficient, invalid citation, unverified, not a claim: six things to a reader."""
    labels = [label for label in Label if label is not Label.ABSTENTION]
    text = Parsed(page([answer(*(claim(gold=label, label=label) for label in labels))])).text
    told = ("✓ supported", "✗ contradicted", "? insufficient evidence", "§ invalid citation", "– not a claim")
    for words in (*told, "… unverified (nobody could check)"):
        assert f"{words} 1 1" in text  # a row of the label flow: one, and one in all


def test_a_run_without_gold_says_what_cannot_be_said(page: Callable[..., str], made_answers: MadeAnswers) -> None:
    """No gold, no error rate: the page says so twice and gives no figure of the verifier's quality."""
    text = Parsed(page(made_answers(20, gold=False), gold=False)).text
    assert "every figure here is the verifier's own opinion" in text
    assert "nobody can say how much the verifier missed or flagged falsely" in text
    assert "Recall" not in text


def test_an_empty_run_says_that_there_is_nothing(page: Callable[..., str]) -> None:
    """No answers, no figures, no crash."""
    text = Parsed(page([])).text
    assert "The run holds no answers" in text
    assert "0.0" not in text


def test_crashed_checks_are_said_at_the_top(page: Callable[..., str]) -> None:
    """Answers whose check crashed are in no figure, and the page says so before any figure."""
    text = Parsed(page([answer(id="x", error="ValueError: no"), answer(claim(label=Label.SUPPORTED))])).text
    said = "The check crashed on 1 answer (1: ValueError: no)"
    assert said in text
    assert text.index(said) < text.index("95 % interval")


def test_the_header_says_how_to_repeat_it(page: Callable[..., str]) -> None:
    """Package, date, hashes of golden set and spec, seed, and the two commands."""
    text = Parsed(page([answer()], "nightly", golden=("set.jsonl",))).text
    for part in ("grounding-middleware 0.1.0", "2026-11-02", "9e9e9e9e9e9e9e9e", "5c5c5c5c5c5c5c5c"):
        assert part in text
    assert "grounding eval set.jsonl --out nightly.jsonl grounding report nightly.jsonl --out page.html" in text


def test_runs_on_another_golden_set_are_no_trend(
    write_run: WriteRun, made_answers: MadeAnswers, tmp_path: Path
) -> None:
    """Only runs on the same golden set are compared; one on another is left out, and that is said."""
    now, before, other = (
        write_run(made_answers(30, seed), f"r{seed}", day=9 - seed, golden_sha256=digest * 64)
        for seed, digest in ((1, "a"), (2, "a"), (3, "b"))
    )
    write_page(now, (before, other), tmp_path / "page.html")
    text = Parsed((tmp_path / "page.html").read_text("utf-8")).text
    assert "Left out of the trend: 1 run on another golden set" in text
    assert "1. r2" in text
    assert "r3" not in text.partition("To make this page again")[0]


def test_a_change_is_called_better_only_when_intervals_are_apart(
    write_run: WriteRun, made_answers: MadeAnswers, tmp_path: Path
) -> None:
    """From 80 % misses to 5 % is an improvement; a few answers are no evidence of one."""
    for number, told in ((300, "better"), (6, "no clear change")):
        now, before = (
            write_run(made_answers(number, 1, misses=misses), f"r{misses}", day=day)
            for misses, day in ((0.05, 2), (0.8, 1))
        )
        write_page(now, (before,), tmp_path / "page.html")
        text = Parsed((tmp_path / "page.html").read_text("utf-8")).text
        card = text.partition("Passed although it must be flagged")[2].partition("Contradiction escapes")[0]
        assert told in card


def test_small_segments_come_last_and_in_grey(page: Callable[..., str]) -> None:
    """One answer that went wrong is no bad segment; the one with many answers heads the list."""
    bad = claim(gold=Label.CONTRADICTED, label=Label.SUPPORTED)
    good = claim(gold=Label.SUPPORTED, label=Label.SUPPORTED)
    one = [answer(bad, id="one", segments={"team": "small"})]
    many = [answer(bad if at % 3 else good, id=f"m{at}", segments={"team": "large"}) for at in range(40)]
    document = page([*one, *many])
    assert document.index("team = large") < document.index("team = small")
    assert '<tr class="faint"><th scope="row"><bdi>team = small' in document
    assert '<tr><th scope="row"><bdi>team = large' in document
    assert "fewer than 30 answers, too few to conclude anything" in document


def test_money_needs_prices(write_run: WriteRun, made_answers: MadeAnswers, tmp_path: Path) -> None:
    """Without a price there is no amount, never zero; with one it is tokens times price."""
    run = write_run(made_answers(50))
    write_page(run, (), tmp_path / "page.html")
    assert "No prices were given" in (tmp_path / "page.html").read_text("utf-8")
    write_page(run, (), tmp_path / "page.html", prices=prices(["llm=1000000,0"]))
    tokens = sum(tier.input_tokens or 0 for one in made_answers(50) for tier in one.tiers)
    assert f">{tokens:,.2f}<" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.parametrize("wrong", ["llm", "llm=1", "=1,2", "llm=1,x", "llm=-1,2", "llm=nan,1", "llm=inf,1"])
def test_wrong_prices_are_refused(wrong: str) -> None:
    """The message names what was given and what is allowed."""
    with pytest.raises(InputError, match=r"--price: .* is wrong; allowed is TIER=IN,OUT"):
        prices([wrong])


def test_a_file_that_is_no_run_leaves_the_page_alone(tmp_path: Path) -> None:
    """Bad input is named, and an earlier page is not overwritten."""
    (tmp_path / "page.html").write_text("earlier")
    (tmp_path / "run.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match=r"run\.jsonl, line 1"):
        write_page(tmp_path / "run.jsonl", (), tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == "earlier"


def test_a_run_is_never_overwritten(hostile_run: Path, tmp_path: Path) -> None:
    """Two names exchanged on the command line must not cost a run that took hours."""
    before = hostile_run.read_bytes()
    with pytest.raises(InputError, match=r"is one of the runs"):
        write_page(tmp_path / "other.jsonl", (hostile_run,), hostile_run.parent / "." / hostile_run.name)
    assert hostile_run.read_bytes() == before
