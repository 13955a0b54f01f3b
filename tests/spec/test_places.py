"""Relative names of a spec count from its file, and whatever is wrong says where it stands, also when it is built."""

from __future__ import annotations

import json
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from grounding_middleware import ConfigError, Grounder
from grounding_middleware.review import ReviewQueue
from grounding_middleware.spec import grounder_from, load, parse, review_queue
from grounding_middleware.strict_documents import load as read

FERRY = "The ferry leaves at 07:45."
WRONG = "The ferry leaves at 08:45 [S1]."
OUTLETS = "grounding: 1\naudit: {folder: trail}\nreview: {database: 'sqlite:///queue.db'}\n"


@pytest.fixture(autouse=True)
def _no_judge_is_fine() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a spec; the program works in another one."""
    (tmp_path / "config").mkdir()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    (tmp_path / "config" / "grounding.yaml").write_text(OUTLETS, "utf-8")
    return tmp_path


@pytest.mark.parametrize("given", ["absolute", "relative", "loaded"])
def test_outlets_lie_beside_the_file_of_the_spec(home: Path, given: str) -> None:
    """Whatever folder the program works in, and however the file is named."""
    path = {"absolute": home / "config" / "grounding.yaml"}.get(given, Path("../config/grounding.yaml"))
    grounder = grounder_from(load(path)) if given == "loaded" else Grounder.from_spec(path)
    grounder.check(WRONG, evidence=[FERRY])
    assert list((home / "config" / "trail").glob("*.jsonl"))
    assert ReviewQueue(f"sqlite:///{home / 'config' / 'queue.db'}").claim("ana") is not None
    assert list((home / "elsewhere").iterdir()) == []


def test_the_folder_is_that_of_the_link_not_of_what_it_leads_to(home: Path) -> None:
    """Clusters mount configuration as links into hidden folders that are replaced as a whole."""
    (home / "mounted").mkdir()
    (home / "mounted" / "grounding.yaml").symlink_to(home / "config" / "grounding.yaml")
    Grounder.from_spec(home / "mounted" / "grounding.yaml").check(WRONG, evidence=[FERRY])
    assert (home / "mounted" / "trail").is_dir()
    assert not (home / "config" / "trail").exists()


def test_without_a_file_they_lie_in_the_working_directory(home: Path) -> None:
    """A mapping and a text have no place of their own."""
    for source in (load({"grounding": 1, "audit": {"folder": "a"}}), parse("grounding: 1\naudit: {folder: b}\n")):
        grounder_from(source).check(WRONG, evidence=[FERRY])
    assert sorted(path.name for path in (home / "elsewhere").iterdir()) == ["a", "b"]


def test_what_stands_in_the_environment_is_taken_as_it_is(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was written by somebody who does not know where the spec lies."""
    monkeypatch.setenv("QUEUE", "sqlite:///queue.db")
    path = home / "config" / "grounding.yaml"
    path.write_text("grounding: 1\nreview: {database: {env: QUEUE}}\n", "utf-8")
    Grounder.from_spec(path).check(WRONG, evidence=[FERRY])
    assert (home / "elsewhere" / "queue.db").is_file()


def test_a_home_folder_is_the_users(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~` is no folder of that name."""
    monkeypatch.setenv("HOME", str(home / "me"))
    path = home / "config" / "grounding.yaml"
    path.write_text("grounding: 1\naudit: {folder: ~/trail}\n", "utf-8")
    Grounder.from_spec(path).check(WRONG, evidence=[FERRY])
    assert (home / "me" / "trail").is_dir()


def test_the_hash_does_not_depend_on_the_place(home: Path) -> None:
    """The same document in two folders is the same configuration, and equal."""
    shutil.copy(home / "config" / "grounding.yaml", home / "grounding.yaml")
    one, other = load(home / "config" / "grounding.yaml"), load(home / "grounding.yaml")
    assert (one, one.version) == (other, other.version) == (parse(OUTLETS), parse(OUTLETS).version)


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ("audit: {folder: file/trail}", r"grounding\.yaml:2: audit\.folder is '.*file/trail'"),
        ("review: {database: {env: NOT_SET}}", r"grounding\.yaml:2: review\.database: .*NOT_SET is not set"),
        (
            "review: {database: 'sqlite:///no/such/folder/x.db'}",
            r"grounding\.yaml:2: review\.database: .*cannot be used",
        ),
        ("judge:\n  tiers:\n    - {kind: local, model: no-model}", r"grounding\.yaml:4: judge\.tiers\[0\]\.model: "),
        ("judge:\n  tiers:\n    - {kind: named, name: x}", r"grounding\.yaml:4: judge\.tiers\[0\]\.name is 'x'"),
        (
            "judge:\n  tiers:\n    - kind: openai\n      model: m\n      api_key: {env: NOT_SET}",
            r"grounding\.yaml:6: judge\.tiers\[0\]\.api_key: .*NOT_SET is not set",
        ),
    ],
)
def test_what_only_the_machine_can_tell_has_file_and_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, section: str, says: str
) -> None:
    """Found when the spec is built, told like everything else."""
    monkeypatch.delenv("NOT_SET", raising=False)
    (home / "config" / "file").write_text("in the way", "utf-8")
    path = home / "config" / "grounding.yaml"
    path.write_text(f"grounding: 1\n{section}\n", "utf-8")
    with pytest.raises(ConfigError, match=says):
        Grounder.from_spec(path)


def test_a_missing_extra_is_a_wrong_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the field that needs it, and what to install."""
    for name in [name for name in sys.modules if name.startswith("grounding_middleware.store")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    for section in ("audit", "review"):
        with pytest.raises(ConfigError, match=rf'{section}\.database: .*pip install "grounding-middleware\[store\]"'):
            Grounder.from_spec({"grounding": 1, section: {"database": "sqlite:///x.db"}})


def test_a_section_of_another_document_keeps_its_lines(home: Path) -> None:
    """A spec inside a larger file names the file, the line, and the whole way to the field."""
    path = home / "config" / "app.yaml"
    path.write_text("port: 80\nchecks:\n  grounding: 1\n  evidence:\n    minimum: 0\n", "utf-8")
    whole = read(path)
    with pytest.raises(ConfigError, match=r"app\.yaml:5: checks\.evidence\.minimum is 0"):
        load(whole.section("checks", whole.data["checks"]))
    path.write_text(json.dumps({"checks": {"grounding": 1, "audit": {"folder": "trail"}}}, indent=1), "utf-8")
    whole = read(path)
    grounder_from(whole.section("checks", whole.data["checks"])).check(WRONG, evidence=[FERRY])
    assert (home / "config" / "trail").is_dir()


def test_a_queue_needs_its_section() -> None:
    """`review_queue` of a spec without one says so."""
    with pytest.raises(ConfigError, match="has no section review"):
        review_queue(load("high"))
