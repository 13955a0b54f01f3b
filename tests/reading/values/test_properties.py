"""Laws of reading and comparing, for any text in any language."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grounding_middleware.reading import values
from grounding_middleware.reading.values import Relation

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "da", "ja", "zh", "ar", "ru", "xx", "")
WRITTEN = [
    "1 2 17 1,500 1.234 2,5 0.5 3½ 1/2 10^6 − - – ( ) [S1] % € $ EUR USD kg km h min °C half a third one two twenty",
    "million bn Mio. at least up to within more than about from to between and or per month a day 2023-09-02 3 March",
    "2026 Q1 08:30 5 pm noon UTC version 4.10 or newer section 4.2 AX-4471 https://a.example/1 第 10営業日 以内 3万 円",
    "百分之五 ٣٠ يومًا quarter of dozen 's ' \" , . ; : \n | / x × + ± ~ ≤ II",
]
PIECES = st.sampled_from([piece for line in WRITTEN for piece in line.split(" ")])
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(PIECES, max_size=14).map(" ".join),
    st.lists(PIECES, max_size=14).map("".join),
)
SETTINGS = settings(derandomize=True, deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
# one value each, which no neighbour may change
PHRASES = st.sampled_from(
    ["14 days", "EUR 1,450", "85.19%", "2 September 2023", "5 km", "at least 3 months", "between 5 and 10 kg", "17:00",
     "1,500 people", "half a million parcels", "version 4.10", "within 5 working days", "$2.4 bn", "three in four"]
)  # fmt: skip
PLAIN = st.sampled_from(
    ["The rule is clear.", "Nobody asked.", "It was late; they left.", "“Quite so”, he said.", "- and then", ""]
)


@SETTINGS
@given(TEXTS, st.sampled_from(LANGUAGES))
def test_offsets_are_exact_ordered_and_apart(text, language):
    """`text[v.start:v.end] == v.text`, in order, without overlap, for any text."""
    past = 0
    for value in values.find(text, language):
        assert past <= value.start < value.end <= len(text)
        assert text[value.start : value.end] == value.text
        assert value.phrase[0] <= value.start
        assert value.end <= value.phrase[1]
        past = value.end


@SETTINGS
@given(TEXTS, st.sampled_from(LANGUAGES))
def test_ledger_and_masks_lie_outside_the_values(text, language):
    """What is masked or unread is in no value, and what has digits is in one of the three."""
    found = values.find(text, language)
    held = [position for value in found for position in range(value.start, value.end)]
    missing = [position for start, end in values.unread(text, found, language) for position in range(start, end)]
    masks = [position for mask in values.masked(text, language) for position in range(mask.start, mask.end)]
    assert not set(held) & set(missing)
    assert not set(held) & {position for position in masks if text[position].isdecimal()}
    phrases = {position for value in found for position in range(*value.phrase)}
    digits = {position for position, char in enumerate(text) if char.isdecimal()}
    assert digits <= phrases | set(missing) | set(masks)


@SETTINGS
@given(TEXTS, TEXTS, st.sampled_from(LANGUAGES))
def test_every_value_entails_itself_and_no_pair_raises(left, right, language):
    """Reflexive, total, and always with a reason; a conflict always says what differs."""
    ours, theirs = values.find(left, language), values.find(right, language)
    for value in ours:
        assert values.compare(value, value).relation is Relation.ENTAILED
        for other in theirs:
            found = values.compare(value, other)
            assert found.reason
            assert found.relation is not Relation.DISJOINT or found.kind is not None
        values.derivable(value, theirs)


@SETTINGS
@given(PLAIN, PHRASES, PLAIN)
def test_reading_does_not_depend_on_what_stands_around(before, phrase, after):
    """The same words give the same value wherever they stand in a text without other values."""
    alone = values.find(phrase)
    inside = values.find(f"{before} {phrase} {after}")
    assert [value.text for value in inside] == [value.text for value in alone]
    for one, other in zip(alone, inside, strict=True):
        assert (one.kind, one.interval, one.currency, one.per, one.approx) == (
            other.kind,
            other.interval,
            other.currency,
            other.per,
            other.approx,
        )


@SETTINGS
@given(st.integers(min_value=0, max_value=10**12), st.sampled_from([",", ".", "'", "\u202f", "\u00a0", "٬"]))
def test_grouped_digits_are_read_back(number, sign):
    """Whatever sign groups the thousands, the number is one of the readings."""
    text = f"{number:,}".replace(",", sign)
    found = values.find(f"The total is {text} kg.", "de")
    assert len(found) == 1
    assert Fraction(number) in {each.low for each in (found[0], *found[0].others)}


@SETTINGS
@given(st.dates(), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d.%m.%Y"]))
def test_complete_dates_are_read_back(day, form):
    """A date written in full gives year, month and day, for years people write in four digits."""
    if not 1000 <= day.year <= 2199:
        return
    found = values.find(f"It began on {day.strftime(form)}.")
    assert len(found) == 1
    assert (found[0].date.year, found[0].date.month, found[0].date.day) == (day.year, day.month, day.day)


HOSTILE = [
    "9",
    "9**",
    "1,",
    "1.",
    "1 ",
    "a1",
    "one ",
    "and ",
    "1-",
    "_1",
    "a@",
    "三",
    "1 to ",
    "1/",
    "1:",
    "\n1.",
    "$1",
    "1万",
    "[",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_is_read_without_error(piece):
    """Long runs of anything neither raise nor lose their offsets."""
    text = piece * (8000 // len(piece))
    for value in values.find(text):
        assert text[value.start : value.end] == value.text
    values.unread(text, values.find(text))
