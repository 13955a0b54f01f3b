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
from grounding_middleware.records import Citation, Label, Treatment, Verdict

OPEN = {False: ("⟦", "⟧"), True: ("⟪", "⟫")}
LEADS = ("", "", "", "", "However, ", "It ", "Then ", "Also, ", "This ", "Therefore ")
STOPS = (".", " [S1].", ". [S2]", "[S3].", "!")
LITTER = (r"\S {3,}\S", r" [.!,](?:\s|$)", r"[^ \n>][ \t]+(?:\r?\n|$)", r"(?m)^\W*[.!]", r"(?:\r?\n){4,}", r"\A\s+\S")
EMPTY = {("list_item_open", "list_item_close"), ("thead_close", "table_close")}
MARKDOWN = MarkdownIt("commonmark").enable("table")


class _Writer:
    """Writes random blocks; `draw` decides everything, so that hypothesis can shrink what it finds."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.count = 0

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def statement(self, text: str = "{} is open") -> str:
        """A statement with a word that occurs nowhere else."""
        self.count += 1
        low, high = OPEN[self.draw(st.booleans())]
        return f"{low}{text.format(f'Qz{self.count}x')}{high}"

    def sentences(self) -> str:
        words = ("{} is free", "{} costs 5 euros", "{} is valid in\nall towns", "{} opens at 6")
        texts = [
            self.statement(self.pick(*LEADS) + self.pick(*words)) + self.pick(*STOPS) for _ in range(self.number(1, 3))
        ]
        emphasis = self.pick("", "", "", "**", "_")
        return emphasis + self.pick(" ", " ", "  ").join(texts) + emphasis

    def heading(self) -> str:
        return "#" * self.number(1, 3) + f" Title {self.number(1, 9)}"

    def items(self, depth: int = 0) -> str:
        numbered = self.draw(st.booleans())
        rows = []
        for number in range(1, self.number(1, 4) + 1):
            mark = f"{number}. " if numbered else "- "
            body = self.sentences().replace("\n", "\n" + " " * (len(mark) + 4 * depth))
            rows.append(" " * (4 * depth) + mark + body)
            if depth < 1 and self.number(0, 4) == 0:
                rows.append(self.items(depth + 1))
        return "\n".join(rows)

    def introduced(self) -> str:
        return self.pick("⦅Steps:⦆", self.statement("{} is so") + ":") + "\n\n" + self.items()

    def table(self) -> str:
        rows = [self.statement("| {} | 5 |") for _ in range(self.number(1, 3))]
        return "\n".join(("| Card | Price |", "|---|---|", *rows))

    def code(self) -> str:
        return "\n".join(("```sh", *(self.statement("run {}") for _ in range(self.number(1, 3))), "```"))

    def quotation(self) -> str:
        return "> " + self.sentences().replace("\n", "\n> ")

    def question(self) -> str:
        return "⦅What about this?⦆" + self.pick(" ", "\n\n") + self.sentences()

    def block(self) -> str:
        kinds = (self.sentences, self.items, self.introduced, self.table, self.code, self.quotation, self.heading)
        return self.draw(st.sampled_from((*kinds, self.question, self.sentences)))()


@st.composite
def marked_answers(draw: st.DrawFn) -> str:
    """An answer of random blocks in which every statement has a word of its own, some of them to be removed."""
    writer = _Writer(draw)
    blocks = [writer.block() for _ in range(writer.number(1, 6))]
    text = "\n\n".join(blocks) + writer.pick("", "\n", "\n\n")
    return text.replace("\n", writer.pick("\n", "\n", "\n", "\r\n"))


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


PIECES = (
    *("word", "12", "Also", "It", "x", ".", "!", "?", ":", ",", " ", " ", "  ", "\n", "\n", "\n\n", "\r\n", "\t"),
    *("- ", "1. ", "2) ", "# ", "## ", "> ", "|", "|---|\n", "```\n", "```sh\n", "---\n", "***", "**", "*", "_", "`"),
    *("(", ")", "[", "]", "[1]: ", "[S1]", "“", "”", "„", '"', "«", "»", "’", "{", "}", '"a": 1', "<br>", "\u00a0"),
    *("。", "、", "语", "é", "؟", "🎉", "\u200b"),
)


@st.composite
def wild_answers(draw: st.DrawFn) -> tuple[str, tuple[Verdict, ...]]:
    """Any text, with verdicts on any ranges of it, as no splitter would ever place them."""
    answer = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=60)))
    marks = sorted(draw(st.lists(st.integers(0, len(answer)), max_size=12)))
    forms = st.sampled_from(["sentence", "sentence", "list_item", "table_row", "code", "heading"])
    labels = st.sampled_from([Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_A_CLAIM])
    verdicts = []
    for start, end in zip(marks[::2], marks[1::2], strict=False):
        label = draw(labels)
        remove = label is Label.CONTRADICTED
        verdicts.append(
            Verdict(
                id=f"c{start}", text=answer[start:end], start=start, end=end, form=draw(forms), label=label,
                treatment=Treatment.REMOVE if remove else Treatment.KEEP, context=draw(st.sampled_from(["", "x"])),
            )
        )  # fmt: skip
    return answer, tuple(verdicts)


@given(wild_answers())
def test_whatever_the_text_nothing_removed_is_left(wild: tuple[str, tuple[Verdict, ...]]) -> None:
    """Even with verdicts in impossible places every letter of a removed one goes, and edits never overlap."""
    answer, verdicts = wild
    citations = [
        Citation(marker="[S1]", ref="S1", start=match.start(), end=match.end())
        for match in re.finditer(r"\[S1\]", answer)
    ]
    text, edits, final = edit(answer, verdicts, citations)
    assert all(one.end <= other.start for one, other in pairwise(edits))
    left = set(range(len(answer))) - {at for change in edits for at in range(change.start, change.end)}
    structure = {at for match in re.finditer(r"(?m)\d+[.)、]|\[S1\]|```sh", answer) for at in range(*match.span())}
    for verdict in final:
        if verdict.treatment is Treatment.REMOVE:
            stays = [at for at in range(verdict.start, verdict.end) if at in left and answer[at].isalnum()]
            assert not set(stays) - structure, (text, verdict)
    assert edit(answer, final, citations)[0] == text


@pytest.mark.parametrize("wrong", [{"text": "something else"}, {"start": 3}, {"end": 400}])
def test_verdicts_of_another_answer_are_refused(wrong: dict, case: Callable) -> None:
    """A verdict whose offsets do not fit raises instead of cutting at the wrong place."""
    answer, verdicts, citations = case("⟪Cards are free⟫. ⟦Fees are low⟧.")
    with pytest.raises(ValueError, match="verdicts: 'c0'"):
        edit(answer, [verdicts[0].model_copy(update=wrong), verdicts[1]], citations)
