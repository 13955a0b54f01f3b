"""The line scanner: against markdown-it-py as the referee, and where it departs from CommonMark on purpose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from grounding_middleware.claims.blocks import BlockKind, scan

GROUPS = (
    "Dogs are welcome here", "Dogs are welcome\nbut cats are not", "# Pets", "### Pets and *fees*", "- dogs\n- cats",
    "- dogs\n  and cats\n- birds", "* dogs\n  * puppies\n  * hounds\n* cats", "1. stop\n2. wait\n3. start", "+ one",
    "```\nrun --all\n\nstop\n```", "~~~ sh\n# no heading\n~~~", "| Pet | Fee |\n|---|---|\n| Dog | 5 |\n| Cat | 3 |",
    "> quoted words\n> and more", "> - quoted item", "---", "***", "Pets\n====", "    indented code",
    "Fees\n---", "- dogs\n\n  more on dogs\n- cats", "1) stop\n2) wait", "Price | Fee\n--- | ---\na | b",
)  # fmt: skip

documents = st.lists(st.sampled_from(GROUPS), min_size=1, max_size=6).map("\n\n".join)

_OURS = {
    BlockKind.HEADING: "heading",
    BlockKind.CODE: "code",
    BlockKind.FENCE: "code",
    BlockKind.RULE: "rule",
    BlockKind.TABLE_HEADER: "table",
    BlockKind.TABLE_RULE: "table",
    BlockKind.TABLE_ROW: "table",
}
_THEIRS = {
    "heading_open": "heading",
    "fence": "code",
    "code_block": "code",
    "hr": "rule",
    "table_open": "table",
    "paragraph_open": "text",
}


def ours(text: str) -> dict[int, str]:
    kinds: dict[int, str] = {}
    for block in scan(text):
        kind = _OURS.get(block.kind, "text")
        if kind == "text" and (block.depth or block.kind is BlockKind.LIST_ITEM):
            kind = "item"
        for number in range(text.count("\n", 0, block.start), text.count("\n", 0, block.end) + 1):
            kinds[number] = f"quoted {kind}" if block.quoted else kind
    return kinds


def theirs(text: str) -> dict[int, str]:
    kinds: dict[int, str] = {}
    depth = quotes = 0
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        depth += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        quotes += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        if token.type in _THEIRS and token.map:
            kind = _THEIRS[token.type]
            kind = "item" if kind == "text" and depth else kind
            for number in range(*token.map):
                kinds[number] = f"quoted {kind}" if quotes else kind
    return kinds


@given(documents)
def test_lines_are_of_the_kind_the_referee_says(text: str) -> None:
    """CL-2: lists, tables, headings, code and quotations are told apart as CommonMark does."""
    blank = {number for number, line in enumerate(text.split("\n")) if not line.strip(" >")}
    mine = {number: kind for number, kind in ours(text).items() if number not in blank}
    assert mine == {number: kind for number, kind in theirs(text).items() if number not in blank}


@given(
    st.lists(st.sampled_from([*"#>-*+|`~1.)= \t\n\r", "ab", "| a | b |", "|---|---|", "```"]), max_size=40).map("".join)
)
def test_content_lines_are_ordered_and_lose_no_letter(text: str) -> None:
    """CL-3: whatever the structure, each line of content is a range of its own, in order."""
    end = 0
    covered = [False] * len(text)
    for block in scan(text):
        assert block.start <= block.end
        for low, high in block.lines:
            assert end <= low <= high
            end = high
            covered[low:high] = [True] * (high - low)
    left = "".join(letter for letter, seen in zip(text, covered, strict=True) if not seen)
    assert "ab" not in left or "```" in text or "~" in text


@pytest.mark.parametrize(
    ("text", "kind", "content"),
    [
        ("> 500 SGD is the limit", BlockKind.PARAGRAPH, "> 500 SGD is the limit"),
        ("3. Mai 2026 gilt", BlockKind.PARAGRAPH, "3. Mai 2026 gilt"),
        ("**Fees**", BlockKind.HEADING, "**Fees**"),
        ("| a | b |", BlockKind.TABLE_ROW, "a | b"),
        ("The lift is closed.\n---", BlockKind.PARAGRAPH, "The lift is closed."),
        ("（1）押金", BlockKind.LIST_ITEM, "押金"),
        ("• dogs", BlockKind.LIST_ITEM, "dogs"),
        ("[^1]: see the lease", BlockKind.LIST_ITEM, "see the lease"),
    ],
)
def test_departures_from_commonmark(text: str, kind: BlockKind, content: str) -> None:
    """CL-3 before CommonMark: no limit, date or label is lost in structure."""
    block = scan(text)[0]
    assert (block.kind, text[slice(*block.lines[0])]) == (kind, content)
