"""`grounding review`: a day of a reviewer on the command line; what others wrote is shown and never obeyed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from grounding_middleware.cli import app
from grounding_middleware.records import Report
from grounding_middleware.review import Case, GoldenCase, Item, ReviewQueue, State
from grounding_middleware.review.stats import Stats
from grounding_middleware.store import Store

Reports = Callable[..., Report]
HOSTILE = "\x1b[2J\x1b]0;owned\x07 \u202eevil\u2028\r\n"


@pytest.fixture
def queue(database_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ReviewQueue]:
    """Where the command finds it by itself."""
    monkeypatch.setenv("GROUNDING_DB", database_url)
    monkeypatch.setenv("GROUNDING_REVIEWER", "ana")
    monkeypatch.chdir(tmp_path)
    with Store(database_url) as store:
        yield ReviewQueue(store)


def review(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["review", *arguments])


def test_a_day_of_a_reviewer(queue: ReviewQueue, report: Reports) -> None:
    """next, decide, show, stats, export: each prints what the next step needs."""
    item_id = queue.submit(report())
    assert review("list").stdout.startswith(f"{item_id} 0 waiting review 1/2 ")
    shown = review("next")
    assert shown.exit_code == 0
    assert "⟦1: Refunds take 10 days.⟧ The fee is 5 EUR. Hello!" in shown.stdout
    assert f"{item_id} 0 leased by ana" in shown.stdout
    ruling = ("--overrule", "1=supported", "--quote", "1=S1:5 to 7 business days", "--agree", "all")
    done = review("decide", item_id, "--answer", "overrule", "--action", "blocked", "--note", "not yet", *ruling)
    assert (done.exit_code, done.stdout) == (0, f"decided: {item_id}, 3 rulings on claims\n")
    told = review("show", item_id).stdout
    assert "claim 1: overrule, was CONTRADICTED; right is SUPPORTED; evidence S1 “5 to 7 business days”" in told
    assert "answer: overrule, was review; right is blocked; note: not yet" in told
    assert "CONTRADICTED: agree 0, overrule 1, edit 0; 0% left as they were" in review("stats").stdout
    exported = review("export", "--output", "golden.jsonl")
    assert (exported.exit_code, exported.stdout) == (0, "")
    assert [json.loads(line)["label"] for line in Path("golden.jsonl").read_text("utf-8").splitlines()] == [
        "SUPPORTED",
        "SUPPORTED",
        "NOT_A_CLAIM",
    ]
    assert len(review("export", "--overruled").stdout.splitlines()) == 1


def test_nothing_waits_and_nothing_to_export(queue: ReviewQueue) -> None:
    """Exit code 1: a script can tell it from a mistake."""
    assert queue.claim("ana") is None
    assert (review("next").exit_code, review("next").stdout) == (1, "")
    assert review("export").exit_code == 1
    assert review("list").exit_code == 0


def test_items_are_taken_and_given_back(queue: ReviewQueue, report: Reports) -> None:
    """By name, for as long as asked."""
    item_id = queue.submit(report())
    assert review("take", item_id, "--minutes", "60").exit_code == 0
    held = queue.case(item_id).item
    assert held.until is not None
    assert 3_500 < (held.until - held.created).total_seconds() < 3_700
    assert review("release", item_id).exit_code == 0
    assert queue.case(item_id).item.state is State.WAITING


def test_an_edit_comes_from_a_file(queue: ReviewQueue, report: Reports) -> None:
    """And is shown as what it is: not verified."""
    item_id = queue.submit(report())
    Path("new.md").write_text("Refunds take a week.", "utf-8")
    review("take", item_id)
    assert review("decide", item_id, "--answer", "edit", "--text", "new.md", "--reword", "1=A week.").exit_code == 0
    assert queue.case(item_id).edited == "Refunds take a week."
    shown = review("show", item_id).stdout
    assert "new text, not verified: “Refunds take a week.”" in shown
    assert "claim 1: edit, was CONTRADICTED; new text, not verified: “A week.”" in shown


def test_json_is_the_records(queue: ReviewQueue, report: Reports) -> None:
    """One record a line, which this package reads again."""
    item_id = queue.submit(report())
    (listed,) = review("list", "--json").stdout.splitlines()
    assert Item.model_validate_json(listed).id == item_id
    assert Case.model_validate_json(review("next", "--json").stdout).report == report()
    assert Case.model_validate_json(review("show", item_id, "--json").stdout) == queue.case(item_id)
    assert review("decide", item_id, "--answer", "agree").exit_code == 0
    lines = review("export").stdout.splitlines()
    assert [GoldenCase.model_validate_json(line).label for line in lines] == [
        "CONTRADICTED",
        "SUPPORTED",
        "NOT_A_CLAIM",
    ]
    assert Stats.model_validate_json(review("stats", "--json").stdout) == queue.stats()


@pytest.mark.parametrize("as_json", [(), ("--json",)])
def test_hostile_text_is_only_shown(queue: ReviewQueue, report: Reports, as_json: tuple[str, ...]) -> None:
    """No control, format or direction character reaches the terminal, whoever wrote it."""
    given = report(question=HOSTILE, answer=HOSTILE, text=HOSTILE, claims=(), notices=(HOSTILE,))
    item_id = queue.submit(given, reason=HOSTILE)
    printed = [review("list", *as_json), review("next", *as_json)]
    Path("new.md").write_text(HOSTILE, "utf-8")
    printed.append(review("decide", item_id, "--answer", "edit", "--text", "new.md", "--note", HOSTILE))
    printed += [review("show", item_id, *as_json), review("show", HOSTILE), review("stats", *as_json), review("export")]
    for result in printed:
        assert result.exit_code in (0, 1, 2)
        text = result.output.replace("\n", "")
        assert all(char.isprintable() for char in text), repr(text)


MISTAKES = [
    (["show", "nothing"], "item: there is no 'nothing' in the queue; `grounding review list`"),
    (["show", "ITEM7"], "did you mean ITEM?"),
    (["decide", "ITE", "--answer", "agree"], "did you mean ITEM?"),
    (["decide", "ITEM", "--answer", "agree", "--reviewer", "bob"], "reviewer: 'bob' holds no live lease"),
    (["decide", "ITEM", "--answer", "agree", "--agree", "9"], "agree: there is no claim '9', allowed are 1 to 3"),
    (["decide", "ITEM", "--answer", "agree", "--agree", "1", "--overrule", "c1=SUPPORTED"], "two rulings for claim c1"),
    (["decide", "ITEM", "--answer", "agree", "--overrule", "1"], "overrule: '1' is wrong, allowed is CLAIM=..."),
    (
        ["decide", "ITEM", "--answer", "agree", "--overrule", "1=WRONG"],
        "overrule: label 'WRONG' is wrong, allowed are SUPPORTED, ",
    ),
    (["decide", "ITEM", "--answer", "agree", "--overrule", "1=suported"], "did you mean SUPPORTED?"),
    (["decide", "ITEM", "--answer", "agree", "--overrule", "1=UNVERIFIED"], "label 'UNVERIFIED' is wrong"),
    (["decide", "ITEM", "--answer", "agree", "--overrule", "1=CONTRADICTED:nummer"], "did you mean number?"),
    (["decide", "ITEM", "--answer", "agree", "--overrule", "2=CONTRADICTED"], "kind: CONTRADICTED needs one"),
    (["decide", "ITEM", "--answer", "agree", "--quote", "1=S1:fee"], "quote: claim c1 has no ruling here"),
    (["decide", "ITEM", "--answer", "agree", "--agree", "1", "--quote", "1=S1:e"], "stands 6 times in S1"),
    (["decide", "ITEM", "--answer", "agree", "--agree", "1", "--quote", "1=S9:fee"], "names no span"),
    (["decide", "ITEM", "--answer", "edit"], "text goes with edit"),
    (["decide", "ITEM", "--answer", "edit", "--text", "nothing.md"], "nothing.md"),
    (["decide", "ITEM", "--answer", "overrule"], "action goes with overrule"),
    (["next", "--minutes", "0"], "lease_seconds: 0"),
    (["next", "--reviewer", " "], "reviewer: ' ' is wrong"),
    (["list", "--limit", "-1"], "limit: -1 is wrong"),
    (["export", "--output", "no/such/folder/x"], "output: "),
    (["list", "--db", "sqlite:///nothing.db"], "db: there is no file 'nothing.db'"),
    (["list", "--db", "mysql://me:secret@host/x"], "url: database is 'mysql'"),
    (["list", "--db", "nonsense"], "url: no database URL"),
]


@pytest.mark.parametrize(("arguments", "told"), MISTAKES)
def test_a_mistake_is_one_line(queue: ReviewQueue, report: Reports, arguments: list[str], told: str) -> None:
    """With exit code 2; the item stays with its reviewer, and no file is made."""
    item_id = queue.submit(report())
    queue.take(item_id, "ana")
    short = {"ITEM": item_id, "ITE": item_id[:6], "ITEM7": f"{item_id}7"}
    result = review(*[short.get(word, word) for word in arguments])
    assert result.exit_code == 2, result.output
    assert told.replace("ITEM", item_id) in result.stderr
    assert result.stderr.count("\n") == 1
    assert "secret" not in result.stderr
    assert queue.case(item_id).item.state is State.LEASED
    assert not Path("nothing.db").exists()


@pytest.mark.parametrize("missing", ["sqlalchemy", "alembic"])
def test_the_command_works_without_the_extra(missing: str) -> None:
    """The rest of `grounding` needs no database library; the queue says what to install."""
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from grounding_middleware.cli import main\n"
        "import grounding_middleware.review as review\n"
        "try: review.ReviewQueue\n"
        "except ModuleNotFoundError as error: print(error)\n"
        "sys.argv = ['grounding', 'review', 'list']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert f'need {missing}, which is not installed: pip install "grounding-middleware[store]"' in done.stderr
    assert 'pip install "grounding-middleware[store]"' in done.stdout
    assert done.stderr.count("\n") == 1
