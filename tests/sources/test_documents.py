"""Front matter, ids and offsets of source documents (EV-2, EV-3)."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from grounding_middleware.errors import InputError
from grounding_middleware.sources import read_sources

EXAMPLES = Path(__file__).parents[2] / "examples" / "documents"

POLICY = """---
source_id: policy
version: 1.10
effective_from: 2026-01-01
effective_to: null
superseded_by: ~
audience:
  region: [EU, UK]
  tenant: acme
owner: Finance
---

# Policy

Alcohol is not reimbursed.
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def test_front_matter_fills_the_span(tmp_path: Path) -> None:
    """Known keys become fields, as written: version 1.10 stays 1.10; nulls are absent; the rest is metadata."""
    (span,) = read_sources([write(tmp_path, "p.md", POLICY)])
    assert (span.id, span.source_id, span.version, span.section) == ("policy#0", "policy", "1.10", "Policy")
    assert (span.effective_from, span.effective_to, span.superseded_by) == (date(2026, 1, 1), None, None)
    assert span.audience == {"region": ["EU", "UK"], "tenant": "acme"}
    assert span.metadata["owner"] == "Finance"
    assert POLICY[span.start : span.end] == span.text == "Alcohol is not reimbursed."
    assert span.offsets_verified


def test_an_audience_in_words_is_metadata(tmp_path: Path) -> None:
    """Prose such as "contractors, all regions" is for people; only a mapping decides who may rely on a source."""
    (span,) = read_sources([write(tmp_path, "p.md", "---\naudience: contractors, all regions\n---\nx\n")])
    assert span.audience == {}
    assert span.metadata["audience"] == "contractors, all regions"


def test_without_front_matter_the_file_name_is_the_source(tmp_path: Path) -> None:
    """A rule at the top of a text is not front matter, and the stem names the source."""
    spans = read_sources([write(tmp_path, "house rules.txt", "---\n\nOne.\n\nTwo.")])
    assert [(span.id, span.text) for span in spans] == [("house rules#0", "One."), ("house rules#1", "Two.")]


def test_a_named_file_is_one_span(tmp_path: Path) -> None:
    """`S1=policy.md` is for answers that cite whole documents as [S1]: one span, the whole body, its own source id."""
    text = POLICY + "\nSecond paragraph.\n"
    (span,) = read_sources([f"S1={write(tmp_path, 'p.md', text)}"])
    assert (span.id, span.source_id, span.version) == ("S1", "policy", "1.10")
    assert text[span.start : span.end] == span.text == "# Policy\n\nAlcohol is not reimbursed.\n\nSecond paragraph."


def test_a_file_name_may_hold_an_equals_sign(tmp_path: Path) -> None:
    """A file that exists is read, whatever its name looks like."""
    (span,) = read_sources([write(tmp_path, "a=b.md", "x")])
    assert span.source_id == "a=b"


def test_two_editions_of_one_source_stay_apart() -> None:
    """Same source, other version: the ids carry the version."""
    spans = read_sources([str(EXAMPLES / "contractor-*.md")])
    heads = {span.id.partition("#")[0] for span in spans}
    assert heads == {"contractor-expense-policy@2025.2", "contractor-expense-policy@2026.1"}
    assert len({span.id for span in spans}) == len(spans)


def test_the_same_edition_twice_is_an_error(tmp_path: Path) -> None:
    """Two files that claim to be the same source cannot both be cited by its name."""
    first, second = write(tmp_path, "a.md", POLICY), write(tmp_path, "b.md", POLICY)
    with pytest.raises(InputError, match="both are source 'policy@1\\.10'; name one of them"):
        read_sources([first, second])


def test_a_file_given_twice_is_read_once(tmp_path: Path) -> None:
    """Overlapping patterns do no harm."""
    path = write(tmp_path, "a.md", "x")
    assert len(read_sources([path, str(tmp_path / "*.md")])) == 1


@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_every_example_document_is_sliced_exactly(path: Path) -> None:
    """`file[start:end] == span.text`, and no visible character of the body outside headings is lost."""
    text = path.read_text("utf-8")
    spans = read_sources([str(path)])
    rest = text
    for span in reversed(spans):
        assert span.start is not None
        assert text[span.start : span.end] == span.text
        rest = rest[: span.start] + rest[span.end :]
    body = rest.split("---", 2)[-1] if rest.startswith("---") else rest
    assert all(line.startswith("#") or line.isupper() for line in body.splitlines() if line.strip())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no text"),
        ("---\na: b\n---\n \n", "holds no text"),
        ("---\n- a\n- b\n---\nx", "front matter: allowed are lines 'key: value'"),
        ("---\na: [b\n---\nx", "front matter: "),
        ("---\na: &x 1\nb: *x\n---\nx", "aliases"),
        ("---\neffective_from: soon\n---\nx", "effective_from: Input should be a valid date"),
        ("---\neffective_from: 2026-02-01\neffective_to: 2026-01-01\n---\nx", "is before effective_from"),
        ("---\nversion: [1, 2]\n---\nx", "version: Input should be a valid string"),
    ],
)
def test_unusable_documents_are_named(tmp_path: Path, text: str, message: str) -> None:
    """One line with the file and what is wrong, never a traceback."""
    path = write(tmp_path, "bad.md", text)
    with pytest.raises(InputError) as caught:
        read_sources([path])
    assert str(caught.value).startswith(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
