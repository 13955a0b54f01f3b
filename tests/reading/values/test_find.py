"""What `find` reads: golden tables by language, masks and the ledger of what was not understood."""

from __future__ import annotations

from grounding_middleware.reading import values

TABLES = {
    "test_text_is_read_as_the_table_says": (
        "find_english.jsonl",
        "find_languages.jsonl",
        "find_times.jsonl",
        "find_notations.jsonl",
    ),
    "test_what_is_no_value_is_masked_with_its_reason": ("masks.jsonl",),
    "test_what_was_not_understood_is_in_the_ledger": ("unread.jsonl",),
}


def test_text_is_read_as_the_table_says(row, faults):
    """Every value of the row, in order, with kind, amount, limit and everything written around it; and no other."""
    found = values.find(row["text"], row.get("language", "en"))
    assert [value.text for value in found] == [line.partition(" => ")[0] for line in row["values"]]
    wrong = {line: faults(value, line) for value, line in zip(found, row["values"], strict=True)}
    assert not {line: each for line, each in wrong.items() if each}
    assert all(row["text"][value.start : value.end] == value.text for value in found)


def test_what_is_no_value_is_masked_with_its_reason(row):
    """Addresses, references, codes and list numerals are told from values, and the reason is given."""
    language = row.get("language", "en")
    masks = [f"{row['text'][mask.start : mask.end]} => {mask.why}" for mask in values.masked(row["text"], language)]
    assert masks == row["masked"]
    assert [value.text for value in values.find(row["text"], language)] == row.get("values", [])


def test_what_was_not_understood_is_in_the_ledger(row):
    """Digits and number words that are in no value and no mask are reported (coverage ledger)."""
    language = row.get("language", "en")
    found = values.find(row["text"], language)
    assert [row["text"][start:end] for start, end in values.unread(row["text"], found, language)] == row["unread"]
