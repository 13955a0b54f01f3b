"""Files that cannot be read give one clear line (issue: bad input is an error or a loud state)."""

from __future__ import annotations

from pathlib import Path

import pytest

from grounding_middleware.errors import InputError
from grounding_middleware.sources import read_sources, read_spans, read_text


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04\0\0", "is a binary file"),
        ("naïve".encode("latin-1"), "is not UTF-8 (byte 0xef at 2)"),
        ("text".encode("utf-16"), "is UTF-16"),
        (b"x" * 101, "is larger than 100 bytes"),
    ],
)
def test_unreadable_bytes(tmp_path: Path, data: bytes, message: str) -> None:
    """Binary, wrongly encoded and oversized files are named with the reason."""
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_text(path, 100)
    assert message in str(caught.value)


def test_text_is_kept_as_it_is(tmp_path: Path) -> None:
    """Newlines stay, so that offsets fit the file; only a byte order mark goes."""
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\n")
    assert read_text(path, 100) == "a\r\nb\n"


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("missing.md", "no such file"),
        ("*.nothing", "no file fits it"),
        ("=a.md", "allowed are FILE, 'PATTERN' and NAME=FILE"),
        ("S1=", "allowed are FILE, 'PATTERN' and NAME=FILE"),
        ("S1=*.md", "2 files fit; a name is for one file"),
        (".", "is a folder"),
    ],
)
def test_patterns_that_name_no_usable_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, message: str
) -> None:
    """What names no file, or too many, is quoted with what is allowed."""
    monkeypatch.chdir(tmp_path)
    for name in ("a.md", "b.md"):
        Path(name).write_text("x", "utf-8")
    with pytest.raises(InputError) as caught:
        read_sources([pattern])
    assert message in str(caught.value)


def test_a_glob_is_expanded_in_sorted_order(tmp_path: Path) -> None:
    """The order of the evidence does not depend on the file system; folders below are found by `**`."""
    (tmp_path / "sub").mkdir()
    for name in ("b.md", "a.md", "sub/c.md"):
        (tmp_path / name).write_text(name, "utf-8")
    assert [span.text for span in read_sources([str(tmp_path / "**" / "*.md")])] == ["a.md", "b.md", "sub/c.md"]


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "S1", "text": "x"}]',
        '{"spans": [{"id": "S1", "text": "x"}]}',
        '{"id": "S1", "text": "x"}\n',
        '\n{"id": "S1",\n"text": "x"}',
    ],
)
def test_span_files_in_three_forms(tmp_path: Path, text: str) -> None:
    """A list, an object with `spans`, or JSON lines."""
    path = tmp_path / "spans.json"
    path.write_text(text, "utf-8")
    assert [(span.id, span.text) for span in read_spans(path)] == [("S1", "x")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no span"),
        ("[]", "holds no span"),
        ("{", "line 1 is not JSON"),
        ('{"id": "S1", "text": "x"}\n{"id":', "line 2 is not JSON"),
        ('"text"', "holds a str"),
        ("[3]", "got int"),
        ("[" * 100_000, "is not JSON"),
        ('[{"id": "S1"}]', "text is None"),
        ('[{"id": "S1", "text": ""}]', "text is ''"),
        ('[{"id": "S1", "text": "abc", "start": 0, "end": 9}]', "[0, 9) does not fit a text of 3 characters"),
        ('[{"id": "S1", "text": "x"}, {"id": "S1", "text": "y"}]', "'S1' occurs twice"),
        ('[{"id": "S1", "text": "x", "sha256": "00"}]', "sha256"),
    ],
)
def test_unusable_span_files(tmp_path: Path, text: str, message: str) -> None:
    """One line with the file, the place and what is allowed."""
    path = tmp_path / "spans.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        read_spans(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
