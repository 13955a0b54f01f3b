"""What holds for every subset of statements of every layout: nothing kept is lost, nothing removed is left."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from grounding_middleware.editing import edit
from grounding_middleware.records import Treatment

OPEN = {False: ("⟦", "⟧"), True: ("⟪", "⟫")}
LEADS = ("", "", "", "", "However, ", "It ", "Then ", "Also, ", "This ", "Therefore ")
STOPS = (".", " [S1].", ". [S2]", "[S3].", "!")
LITTER = (r"\S {3,}\S", r" [.!,](?:\s|$)", r"[^ \n>][ \t]+(?:\r?\n|$)", r"(?m)^\W*[.!]", r"(?:\r?\n){4,}", r"\A\s+\S")
EMPTY = {("list_item_open", "list_item_close"), ("thead_close", "table_close")}
MARKDOWN = MarkdownIt("commonmark").enable("table")


@st.composite
def marked_answers(draw: st.DrawFn) -> str:
    """An answer of random blocks in which every statement has a word of its own, some of them to be removed."""
    count = 0
    breaks = draw(st.sampled_from(["\n", "\n", "\n", "\r\n"]))

    def statement(*, lead: bool = True) -> str:
        nonlocal count
        count += 1
        low, high = OPEN[draw(st.booleans())]
        start = draw(st.sampled_from(LEADS)) if lead else ""
        words = draw(
            st.sampled_from(["is free", "costs 5 euros", "is valid in\nall towns" if lead else "is open", "opens at 6"])
        )
        return f"{low}{start}Qz{count}x {words}{high}"

    def sentences() -> str:
        texts = [statement() + draw(st.sampled_from(STOPS)) for _ in range(draw(st.integers(1, 3)))]
        emphasis = draw(st.sampled_from(["", "", "", "**", "_"]))
        return emphasis + draw(st.sampled_from([" ", " ", "  "])).join(texts) + emphasis

    def paragraph() -> str:
        return sentences()

    def heading() -> str:
        return "#" * draw(st.integers(1, 3)) + f" Title {draw(st.integers(1, 9))}"

    def items(depth: int = 0) -> str:
        numbered = draw(st.booleans())
        rows = []
        for number in range(1, draw(st.integers(1, 4)) + 1):
            mark = f"{number}. " if numbered else "- "
            body = sentences().replace("\n", "\n" + " " * (len(mark) + 4 * depth))
            rows.append(" " * (4 * depth) + mark + body)
            if depth < 1 and draw(st.integers(0, 4)) == 0:
                rows.append(items(depth + 1))
        return "\n".join(rows)

    def introduced() -> str:
        return draw(st.sampled_from(["⦅Steps:⦆", statement(lead=False) + ":"])) + "\n\n" + items()

    def table() -> str:
        rows = [f"{low}| Qz{number}x | 5 |{high}" for number, low, high in cells()]
        return "| Card | Price |\n|---|---|\n" + "\n".join(rows)

    def cells() -> list[tuple[int, str, str]]:
        nonlocal count
        found = []
        for _ in range(draw(st.integers(1, 3))):
            count += 1
            found.append((count, *OPEN[draw(st.booleans())]))
        return found

    def code() -> str:
        lines = [statement(lead=False) for _ in range(draw(st.integers(1, 3)))]
        return "```sh\n" + "\n".join(lines) + "\n```"

    def quote() -> str:
        return "> " + sentences().replace("\n", "\n> ")

    kinds = st.sampled_from([paragraph, paragraph, items, introduced, table, code, quote, heading])
    blocks = [draw(kinds)() for _ in range(draw(st.integers(1, 6)))]
    text = "\n\n".join(blocks) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", breaks)


def tokens(text: str) -> list[str]:
    return re.findall(r"Qz\d+x", text)


@given(marked_answers())
def test_every_statement_is_either_there_or_reported_gone(case: Callable, marked: str) -> None:
    """Kept statements stay byte for byte and in order, removed ones are nowhere, the verdicts say which is which."""
    answer, verdicts, citations = case(marked)
    text, edits, final = edit(answer, verdicts, citations)
    kept = [verdict for verdict in final if verdict.treatment is Treatment.KEEP]
    assert tokens(text) == [token for verdict in kept for token in tokens(verdict.text)]
    at = 0
    for verdict in kept:
        words = verdict.text if verdict.statement == "claim" else verdict.text.strip("#").strip()
        at = text.index(words, at) + len(words)
    assert all(before.id == after.id for before, after in zip(verdicts, final, strict=True))
    assert all(not change.replacement or change.reason == "renumbered" for change in edits)


@given(marked_answers())
def test_removing_nothing_changes_nothing(case: Callable, marked: str) -> None:
    """Without a removal the very same string comes back, whatever its layout."""
    answer, verdicts, citations = case(marked.replace("⟪", "⟦").replace("⟫", "⟧"))
    assert edit(answer, verdicts, citations) == (answer, (), verdicts)


@given(marked_answers())
def test_what_comes_back_is_final(case: Callable, marked: str) -> None:
    """Editing again with the verdicts that came back gives the same text: no rule finds more to remove."""
    answer, verdicts, citations = case(marked)
    text, edits, final = edit(answer, verdicts, citations)
    again, same_edits, still = edit(answer, final, citations)
    assert (again, still) == (text, final)
    assert [(change.start, change.end) for change in same_edits] == [(change.start, change.end) for change in edits]


@given(marked_answers())
def test_removal_leaves_no_litter(case: Callable, marked: str) -> None:
    """Nothing a reader would notice: new blanks before a stop or at a line end, lonely stops, gaps of blank lines."""
    answer, verdicts, citations = case(marked)
    text, _, _ = edit(answer, verdicts, citations)
    found = [litter for litter in LITTER if re.search(litter, text) and not re.search(litter, answer)]
    assert not found, text


@given(marked_answers())
def test_markdown_stays_whole(case: Callable, marked: str) -> None:
    """An independent Markdown reader finds no empty list item, no table without rows, no leftover emphasis marks."""
    answer, verdicts, citations = case(marked)
    text, _, _ = edit(answer, verdicts, citations)
    before, after = _faults(answer), _faults(text)
    assert not after - before, text


def _faults(text: str) -> set[str]:
    parsed = MARKDOWN.parse(text)
    kinds = [token.type for token in parsed]
    words = [child.content for token in parsed for child in token.children or () if child.type == "text"]
    faults = {f"{one} {other}" for one, other in pairwise(kinds) if (one, other) in EMPTY}
    return faults | {mark for mark in ("**", "_") if any(mark in word for word in words)}


@pytest.mark.parametrize("wrong", [{"text": "something else"}, {"start": 3}, {"end": 400}])
def test_verdicts_of_another_answer_are_refused(wrong: dict, case: Callable) -> None:
    """A verdict whose offsets do not fit raises instead of cutting at the wrong place."""
    answer, verdicts, citations = case("⟪Cards are free⟫. ⟦Fees are low⟧.")
    with pytest.raises(ValueError, match="verdicts: 'c0'"):
        edit(answer, [verdicts[0].model_copy(update=wrong), verdicts[1]], citations)
