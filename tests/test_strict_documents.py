"""Configuration documents are read strictly: what a person could misread is an error that names its line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.errors import ConfigError
from grounding_middleware.strict_documents import MAX_CHARACTERS, MAX_DEPTH, load, parse, spelled

WRONG = {
    "duplicate key": ("a: 1\nb: 2\na: 3\n", "f:3: the key 'a' occurs twice"),
    "duplicate key, JSON": ('{"a": 1, "a": 2}', "the key 'a' occurs twice"),
    "tag": ("a: !!python/object/apply:os.system [ls]\n", "f:1: the tag"),
    "anchor": ("a: &x [1]\nb: *x\n", "f:1: anchors"),
    "bomb": ("a: &a [x, x]\nb: &b [*a, *a]\n", "f:1: anchors"),
    "alias": ("b: *x\n", "f:1: anchors"),
    "merge key": ("a:\n  <<: {b: 1}\n", "f:2: merge keys"),
    "second document": ("a: 1\n---\nb: 2\n", "f:2: a second document"),
    "nothing": ("# only a comment\n", "f: is empty"),
    "key that is a list": ("? [a]\n: b\n", "f:1: a key is a list or mapping"),
    "not a number": ("a: .nan\n", "f:1: .nan is no number"),
    "too large a number": ("a: 1e999\n", "f:1: 1e999 is no number"),
    "not a number, JSON": ('{"a": NaN}', "NaN is no number"),
    "too large a number, JSON": ('{"a": 1e999}', "1e999 is no number"),
    "no YAML": ("a: b: c\n", "f:1: is no YAML"),
    "no JSON": ('{"a": 1,\n}', "f:2: is no JSON"),
    "control character": ("a: \x00\n", "f: is no YAML"),
    "deep": ("- " * (MAX_DEPTH + 1) + "x\n", f"nested deeper than {MAX_DEPTH}"),
    "deep, JSON": ("[" * 100_000, f"nested deeper than {MAX_DEPTH}"),
    "deep, balanced": ('{"a":' * 60 + "1" + "}" * 60, f"nested deeper than {MAX_DEPTH}"),
    "long": ("a" * (MAX_CHARACTERS + 1), "characters; allowed are at most"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_can_be_misread_is_refused(name: str) -> None:
    """Each message begins with the name of the document and, in YAML, the line."""
    text, message = WRONG[name]
    with pytest.raises(ConfigError) as caught:
        parse(text, "f")
    assert message in str(caught.value)


def test_words_are_no_booleans() -> None:
    """YAML 1.1 turns the key `on` into true and `no` into false; here only true and false are booleans."""
    found = parse(
        "on: output\nno: yes\nflag: true\nnothing: ~\nversion: '1'\nshare: 0.5\ncount: 12\nbig: 1.10.0\n", "f"
    )
    assert found.data == {
        "on": "output",
        "no": "yes",
        "flag": True,
        "nothing": None,
        "version": "1",
        "share": 0.5,
        "count": 12,
        "big": "1.10.0",
    }


def test_every_value_has_its_line() -> None:
    """A place that does not exist gets the line of what would hold it."""
    found = parse("version: 1\nguards:\n  - name: a\n    on: output\n", "f.yaml")
    assert found.at(("guards", 0, "on")) == "f.yaml:4: guards[0].on"
    assert found.at(("guards", 0, "missing")) == "f.yaml:3: guards[0].missing"
    assert spelled(()) == ""


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A missing file and one that is not UTF-8 are named."""
    with pytest.raises(ConfigError, match=r"absent\.yaml: cannot be read: No such file"):
        load(tmp_path / "absent.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9\n")
    with pytest.raises(ConfigError, match=r"latin\.yaml: cannot be read: it is not UTF-8"):
        load(tmp_path / "latin.yaml")


TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(TEXTS.filter(lambda key: key != "<<"), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(TEXTS.filter(lambda key: key != "<<"), VALUES, min_size=1, max_size=3))
def test_what_pyyaml_writes_is_read_back(data: dict[str, Any]) -> None:
    """Quoted or plain, in blocks or in flow: the same data, whatever looks like another type."""
    dumped = yaml.safe_dump(data, allow_unicode=True, default_flow_style=False)
    assert parse(dumped, "f").data == data
