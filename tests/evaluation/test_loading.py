"""Golden sets: every format says the same thing, every fault is named by file, line and field."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware import InputError
from grounding_middleware.evaluation import Example, dump, load
from grounding_middleware.evaluation.golden import UNSUPPORTED, Side
from grounding_middleware.evaluation.loading import golden_sha256
from grounding_middleware.records import Label

CASES = Path(__file__).parents[1] / "cases"
SOURCES = [{"id": "S1", "text": "Refunds take 5 days."}, {"id": "S2", "text": "The fee is 5 EUR."}]
ANSWER = "Refunds take 9 days [S1]. The fee is 5 EUR [S2]."
OWN: dict[str, Any] = {
    "id": "a1",
    "question": "How long?",
    "sources": SOURCES,
    "answer": ANSWER,
    "claims": [
        {"text": "Refunds take 9 days", "label": "CONTRADICTED", "kind": "deadline", "also_ok": []},
        {"text": "The fee is 5 EUR", "label": "SUPPORTED", "cites": ["S2"], "segments": {"hard": "no"}},
    ],
    "facts": ["The fee is 5 EUR", {"id": "wait", "text": "5 days", "also": ["five days"]}],
    "answerable": True,
    "actions": ["revised"],
    "forbidden": ["9 days"],
    "segments": {"domain": "refunds", "lang": "en"},
    "as_of": "2026-05-04",
    "requester": {"region": "EU"},
    "review_seconds": 12.5,
}
Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """A file with these rows, as JSON lines."""

    def write(*rows: Any, name: str = "golden.jsonl") -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows), "utf-8")
        return path

    return write


def test_our_own_format_and_back(written: Written) -> None:
    """What is written is what is read, offsets included."""
    (example,) = load([written(OWN)])
    assert [ANSWER[claim.start : claim.end] for claim in example.claims] == [claim.text for claim in example.claims]
    assert [claim.side for claim in example.claims] == [Side.FLAG, Side.PASS]
    assert [fact.wordings for fact in example.facts] == [("The fee is 5 EUR",), ("5 days", "five days")]
    assert list(load([written(dump(example).rstrip("\n"), name="again.jsonl")])) == [example]


def test_the_cases_of_this_project_load() -> None:
    """Both files of cases, every claim at its place; lines about one answer are one example."""
    examples = list(load([CASES / "claims.jsonl", CASES / "answers.jsonl"]))
    claims = [(example, claim) for example in examples for claim in example.claims]
    lines = sum(len((CASES / name).read_text("utf-8").splitlines()) for name in ("claims.jsonl",))
    assert len([claim for _, claim in claims if claim.id]) == lines
    assert all(example.answer[claim.start : claim.end] == claim.text for example, claim in claims)
    whole = [example for example in examples if example.actions]
    assert len(whole) == len((CASES / "answers.jsonl").read_text("utf-8").splitlines())
    assert any(example.facts for example in whole)
    assert any(example.forbidden for example in whole)


def test_everything_our_cases_hold_survives_our_own_format(written: Written) -> None:
    """Converting a set loses nothing."""
    examples = list(load([CASES / "claims.jsonl", CASES / "answers.jsonl"]))
    assert list(load([written(*(dump(example).rstrip("\n") for example in examples))])) == examples


def test_claims_of_one_answer_are_one_example(written: Written) -> None:
    """The rate of whole answers must not count an answer once for each of its claims."""
    case = {"answer": ANSWER, "sources": SOURCES, "domain": "refunds"}
    rows = [
        {**case, "id": "x-1", "claim": "Refunds take 9 days", "label": "CONTRADICTED", "hard": "deterministic"},
        {**case, "id": "x-2", "claim": "The fee is 5 EUR", "label": "SUPPORTED", "hard": "semantic"},
        {**case, "id": "y-1", "answer": "The fee is 5 EUR.", "claim": "The fee is 5 EUR", "label": "SUPPORTED"},
    ]
    first, second = load([written(*rows)])
    assert (first.id, [claim.id for claim in first.claims], second.id) == ("x-1", ["x-1", "x-2"], "y-1")
    assert first.segments == {"domain": "refunds"}
    assert [claim.segments["hard"] for claim in first.claims] == ["deterministic", "semantic"]


def test_public_rows(written: Written) -> None:
    """A claim with its context, or a whole answer with its sentences; UNSUPPORTED says that nobody said how."""
    row = {"id": "d:1", "dataset": "d", "context": "passage 1: One.\n\npassage 2: Two.", "split": "test"}
    rows = [
        {**row, "claim": "Three.", "label": "UNSUPPORTED", "extra": {}},
        {
            **row,
            "id": "d:2",
            "claim": "One. Three.",
            "label": "UNSUPPORTED",
            "extra": {
                "question": "How many?",
                "model": "m",
                "sentences": [
                    {"start": 0, "end": 4, "label": "SUPPORTED"},
                    {"start": 5, "end": 11, "label": "CONTRADICTED"},
                ],
            },
        },
    ]
    first, second = load([written(*rows)])
    assert (first.sources, first.claims[0].label, first.claims[0].side) == (("One.", "Two."), UNSUPPORTED, Side.FLAG)
    assert [(claim.text, claim.label) for claim in second.claims] == [
        ("One.", Label.SUPPORTED),
        ("Three.", Label.CONTRADICTED),
    ]
    assert second.segments == {"dataset": "d", "model": "m"}


TABLE = """id,question,source,source,answer,claim,label,also_ok,domain,hard
a1,"Wie lange?","Refunds take 5 days.","The fee is ""5 EUR"".","Refunds take 9 days.
The fee is 5 EUR.",Refunds take 9 days,CONTRADICTED,INSUFFICIENT_EVIDENCE|INVALID_CITATION,refunds,yes
a1,"Wie lange?","Refunds take 5 days.","The fee is ""5 EUR"".","Refunds take 9 days.
The fee is 5 EUR.",The fee is 5 EUR,SUPPORTED,,refunds,no

a2,,Yes.,,Yes.,Yes,SUPPORTED,,other,no
"""


def test_a_table(written: Written) -> None:
    """CSV with quoted line breaks: rows with one id are claims of one answer, unknown columns are segments."""
    first, second = load([written(TABLE.rstrip("\n"), name="golden.csv")])
    assert (first.id, first.question, len(first.claims), first.sources[1]) == (
        "a1", "Wie lange?", 2, 'The fee is "5 EUR".',
    )  # fmt: skip
    assert first.claims[0].also_ok == (Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION)
    assert (first.segments, second.segments) == ({"domain": "refunds"}, {"domain": "other", "hard": "no"})
    assert [claim.segments["hard"] for claim in first.claims] == ["yes", "no"]


def _with(**changes: Any) -> dict[str, Any]:
    return {**OWN, "id": "a2", **changes}


def _claim(**changes: Any) -> dict[str, Any]:
    return _with(claims=[{"text": "Refunds take 9 days", "label": "CONTRADICTED", **changes}])


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (OWN, "id: 'a1' occurs twice"),
        (_with(id=""), "id: got ''"),
        (_with(answer=None), "answer: got None"),
        ({"id": "a2", "answer": "x"}, "sources: is missing"),
        (_with(lable="x"), r"lable: is no field of a golden set; pydoc grounding_middleware\.evaluation\.golden"),
        (_with(segments={"page": 3}), "segments.page: got 3"),
        (_with(review_seconds=-1), "review_seconds: got -1"),
        (_with(facts=[{"id": "f", "text": "a"}, {"id": "f", "text": "b"}]), "facts: ids must differ"),
        (_with(actions=["passed"]), "actions.0: got 'passed'.*escalate"),
        (_claim(label="RIGHT"), "claims\\.0\\.label: got 'RIGHT'.*CONTRADICTED.*or 'UNSUPPORTED'"),
        (_claim(text="Refunds take 8 days"), "occurs 0 times in the answer"),
        (_claim(start=1, end=5), r"answer\[1:5\] is not the claim"),
        (_with(claims=[{"text": "5", "label": "SUPPORTED"}], answer="5 or 5"), "occurs 2 times"),
        (_with(claims="none"), "claims: got 'none'"),
        ('{"id": NaN}', "NaN is no number"),
        ('{"id": "a", "id": "b"}', "'id' occurs twice"),
        ("{", "allowed is one JSON object on each line"),
        ("[1]", "got list"),
        ("[" * 100_000, "allowed is one JSON object"),
        (_with(answer="x \ud800", claims=[]), "half a character"),
        (_with(segments={"lang": "\udc00"}), "half a character"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_refused(written: Written, row: Any, told: str) -> None:
    """By file, line, field, value and what is allowed."""
    path = written(OWN, "", row)
    with pytest.raises(InputError, match=rf"golden\.jsonl, line 3: .*{told}"):
        list(load([path]))


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("", "line 1: is empty; allowed are JSON lines, or CSV"),
        ("id,answer,claim\n1,a,a", "line 1: the column 'label' is missing"),
        ("id,answer,claim,label,lang,lang\n", "line 1: the column 'lang' occurs twice"),
        ("id,source,answer,claim,label\n1,a,a,a", "line 2: has 4 columns; the header has 5"),
        ("id,source,answer,claim,label\n1,a,a,b,SUPPORTED", "line 2: .*occurs 0 times"),
        ("id,source,answer,claim,label\n1,a,a,,SUPPORTED", "line 2: claim: is empty"),
        ("id,source,answer,claim,label\n1,a,a,a,RIGHT", "line 2: .*label.*RIGHT"),
        ("id,source,answer,claim,label,answerable\n1,a,a,a,SUPPORTED,perhaps", "answerable: got 'perhaps'"),
        ("id,source,answer,claim,label,start\n1,a,a,a,SUPPORTED,x", "line 2: start: got 'x'"),
        ('id,source,answer,claim,label\n1,a,"a,a,SUPPORTED', "allowed is CSV"),
        ("id,source,answer,claim,label\n1,a,a,a,SUPPORTED\n2,b,b,b,SUPPORTED\n1,c,c,c,SUPPORTED", "'1' occurs twice"),
        ("id,sources,answer,claim,label\n1,{},a,a,SUPPORTED", "sources: allowed is a JSON list"),
    ],
)
def test_a_wrong_table_is_refused(written: Written, table: str, told: str) -> None:
    """As JSON lines are."""
    with pytest.raises(InputError, match=rf"golden\.csv, {told}" if told.startswith("line") else told):
        list(load([written(table, name="golden.csv")]))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\xff\xfe", b"{\xff}\n"])
def test_a_file_without_examples_is_refused(tmp_path: Path, content: bytes) -> None:
    """No example is no golden set: an empty file must not read as a clean one."""
    path = tmp_path / "golden.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"golden\.jsonl"):
        list(load([path]))
    with pytest.raises(InputError, match="No such file"):
        list(load([tmp_path / "nothing.jsonl"]))
    with pytest.raises(InputError, match="No such file"):
        golden_sha256([tmp_path / "nothing.jsonl"])


def test_an_example_may_not_occur_in_two_files(written: Written) -> None:
    """Ids are unique over all files of a set."""
    paths = [written(OWN), written(OWN, name="other.jsonl")]
    with pytest.raises(InputError, match=r"other\.jsonl, line 1: id: 'a1' occurs twice"):
        list(load(paths))


def test_the_hash_is_that_of_the_content_in_order(written: Written) -> None:
    """Another label, another order: another set."""
    one, other = written(OWN), written(_with(), name="other.jsonl")
    hashes = {golden_sha256(paths) for paths in ([one], [other], [one, other], [other, one])}
    assert len(hashes) == 4


def test_an_example_is_frozen_data() -> None:
    """Built in code, too, claims find their places."""
    example = Example(id="e", answer="No. Yes.", sources=("Yes.",), claims=[{"text": "Yes", "label": "SUPPORTED"}])
    assert (example.claims[0].start, example.claims[0].end) == (4, 7)
