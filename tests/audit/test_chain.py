"""The chain: records are written in one way only, and whatever is changed afterwards is found and located."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding_middleware import InputError
from grounding_middleware.audit.chain import canonical, dump, hash_of, link, load
from grounding_middleware.audit.reading import read
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind, Tip
from grounding_middleware.audit.verification import MAX_FAULTS, Fault, Verification, verify

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
TEXTS = ("plain", "naïve “quotes” 東京", "a\nb\u2028c\x00d", '{"head":{},"content":null}', "\ud800 alone", "█")


def chain(count: int, start: Tip | None = None) -> list[AuditRecord]:
    """`count` linked records with contents of all sorts; each third has none."""
    tip, records = start or Tip(), []
    for number in range(count):
        content = None if number % 3 == 2 else {"text": TEXTS[number % len(TEXTS)], "n": number}
        entry = Entry(kind=RecordKind.ANSWER, subject=f"a{number}", facts={"action": "ok"}, content=content)
        records.append(link(entry, tip, NOON))
        tip = records[-1].tip
    return records


def stored(records: list[AuditRecord]) -> bytes:
    return b"".join(f"{dump(record)}\n".encode("ascii") for record in records)


def found(data: bytes, folder: Path, **options: Tip | None) -> Verification:
    """The verification of a file with these bytes, as the last file of a trail."""
    (folder / "000000000001.jsonl").write_bytes(data)
    return verify(read(folder), **options)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trail")


RECORDS = chain(9)
DATA = stored(RECORDS)


def test_a_chain_as_written_is_intact(place: Path) -> None:
    """Nothing is found in what was not changed, whatever text it holds."""
    result = found(DATA, place)
    assert (result.intact, result.records, result.tip) == (True, 9, RECORDS[-1].tip)
    assert RECORDS[0].data()["text"] == "plain"
    assert [record.data().get("text") for record in RECORDS if record.content] == [
        TEXTS[n % len(TEXTS)] for n in range(9) if n % 3 != 2
    ]


def test_a_line_is_read_exactly_as_it_is_written() -> None:
    """`load` undoes `dump`; a record is one line of ASCII."""
    for record in RECORDS:
        line = dump(record)
        assert line.isascii()
        assert "\n" not in line
        assert load(line) == record


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line + " ",
        lambda line: line.replace('"seq":1', '"seq": 1'),
        lambda line: line.replace('{"head"', ' {"head"'),
        lambda line: line.replace('"subject":"a0"', '"subject":"a0","subject":"a0"'),
        lambda line: line.replace('"kind":"answer"', '"kind":"other"'),
        lambda line: line.replace('"seq":1', '"seq":0'),
        lambda line: line.replace('"seq":1', '"seq":1,"extra":1'),
        lambda line: line[:40],
        lambda _: "",
        lambda _: "[" * 100_000,
        lambda _: '{"head":' + "[" * 100_000,
        lambda _: '{"head":7,"content":null}',
    ],
)
def test_any_other_line_is_refused(change: object) -> None:
    """Spaces, doubled or unknown keys, unknown kinds, cut lines: none of them is a record."""
    line = change(dump(RECORDS[0]))  # type: ignore[operator]
    assert line != dump(RECORDS[0])
    with pytest.raises(InputError, match=r"is (no audit record|not written as this package)"):
        load(line)


def test_canonical_json_has_one_form_and_no_nan() -> None:
    """Same data, same text, whatever the order of keys; NaN and objects are refused."""
    assert canonical({"b": 1, "a": "é"}) == canonical({"a": "é", "b": 1}) == '{"a":"\\u00e9","b":1}'
    for wrong in (float("nan"), {"a": object()}, {1: 2, "a": 1}):
        with pytest.raises(InputError, match="plain JSON"):
            canonical(wrong)


def test_times_are_utc_whatever_the_zone_given() -> None:
    """A record's time is UTC; a moment without a zone is refused."""
    entry = Entry(kind=RecordKind.ANSWER)
    assert '"time":"2026-05-04T12:00:00Z"' in dump(link(entry, Tip(), NOON))
    with pytest.raises(ValueError, match="timezone"):
        link(entry, Tip(), datetime(2026, 5, 4))  # noqa: DTZ001  # what is refused


@settings(max_examples=400)
@given(at=st.integers(0, len(DATA) - 1), byte=st.integers(0, 255))
def test_a_changed_byte_is_found_and_located(place: Path, at: int, byte: int) -> None:
    """Any byte of the file, changed to any other: the fault names the line it stands in."""
    if DATA[at] == byte:
        return
    line = DATA.count(b"\n", 0, at) + 1
    result = found(DATA[:at] + bytes((byte,)) + DATA[at + 1 :], place)
    places = [fault.place for fault in result.faults] + [result.torn]
    assert line in {spot.line for spot in places if spot}
    assert all(spot.line in (line, line + 1) for spot in places if spot)


@settings(max_examples=100)
@given(at=st.integers(0, len(DATA) - 1), count=st.integers(1, 40))
def test_removed_bytes_are_found_and_located(place: Path, at: int, count: int) -> None:
    """Any piece cut out, except a whole end of the file: see the anchor."""
    data = DATA[:at] + DATA[at + count :]
    if DATA.startswith(data) and data.endswith(b"\n"):
        return
    line = DATA.count(b"\n", 0, at) + 1
    result = found(data, place)
    spots = {fault.place.line for fault in result.faults if fault.place} | (
        {result.torn.line} if result.torn else set()
    )
    assert spots & {line, line + 1}


@settings(max_examples=100)
@given(at=st.integers(0, len(DATA)), piece=st.binary(min_size=1, max_size=30))
def test_added_bytes_are_found(place: Path, at: int, piece: bytes) -> None:
    """Any piece put in, empty lines as well."""
    result = found(DATA[:at] + piece + DATA[at:], place)
    assert not result.intact or result.torn


@settings(max_examples=150)
@given(gone=st.sets(st.integers(0, 8), min_size=1, max_size=8))
def test_removed_records_are_found_and_named(place: Path, gone: set[int]) -> None:
    """Any records taken out are named by number, except those at the end: see the anchor."""
    kept = [record for at, record in enumerate(RECORDS) if at not in gone]
    result = found(stored(kept), place)
    inner = {at for at in gone if any(left > at for left in range(9) if left not in gone)}
    assert result.intact == (not inner)
    told = " ".join(fault.problem for fault in result.faults)
    for at in inner:
        assert any(low <= at + 1 <= high for low, high in _missing(told))


def _missing(told: str) -> list[tuple[int, int]]:
    words = told.split()
    ranges = [(int(words[at + 1]), int(words[at + 3])) for at, word in enumerate(words) if word == "records"]
    single = [(int(words[at + 1]),) * 2 for at, word in enumerate(words) if word == "record"]
    return [*ranges, *single]  # type: ignore[list-item]


@settings(max_examples=100)
@given(order=st.permutations(range(9)))
def test_records_in_another_order_are_found(place: Path, order: list[int]) -> None:
    """Every order but the right one is a fault."""
    assert found(stored([RECORDS[at] for at in order]), place).intact == (order == sorted(order))


def test_two_swapped_records_are_both_located(place: Path) -> None:
    """The later one comes too early, the earlier one stands behind it; nothing else is complained of."""
    swapped = [*RECORDS[:3], RECORDS[4], RECORDS[3], *RECORDS[5:]]
    assert [fault.place.line for fault in found(stored(swapped), place).faults if fault.place] == [4, 5]


def test_a_doubled_record_is_located(place: Path) -> None:
    """The copy stands in the wrong place, the others do not."""
    (fault,) = found(stored([*RECORDS[:5], *RECORDS[4:]]), place).faults
    assert (fault.place and fault.place.line, fault.seq) == (6, 5)


def test_a_record_written_anew_with_a_fitting_hash_is_located(place: Path) -> None:
    """Who changes a record and its own hash is told by the record behind it."""
    forged = RECORDS[4].replace(subject="other", hash="")
    forged = forged.replace(hash=hash_of(forged))
    (fault,) = found(stored([*RECORDS[:4], forged, *RECORDS[5:]]), place).faults
    assert (fault.place and fault.place.line, "record 5 was replaced" in fault.problem) == (6, True)


def test_a_changed_content_is_told_from_a_changed_head(place: Path) -> None:
    """The fault says which of both does not fit."""
    changed = RECORDS[4].replace(content='{"n":4}')
    (fault,) = found(stored([*RECORDS[:4], changed, *RECORDS[5:]]), place).faults
    assert (fault.seq, fault.problem) == (5, "its content was changed")
    (fault,) = found(stored([*RECORDS[:4], RECORDS[4].replace(subject="b"), *RECORDS[5:]]), place).faults
    assert (fault.seq, fault.problem) == (5, "was changed: its hash does not fit")


def test_a_content_that_is_gone_without_a_purge_is_located(place: Path) -> None:
    """An emptied record is a fault where no later purge names it."""
    emptied = [record.replace(content=None) if record.seq in (4, 5) else record for record in RECORDS]
    faults = found(stored(emptied), place).faults
    assert [(fault.place and fault.place.line, fault.seq) for fault in faults] == [(4, 4), (5, 5)]


def test_a_purge_explains_what_came_before_it_and_nothing_else(place: Path) -> None:
    """Its ranges count for earlier records only, and only those it names."""
    purge = link(Entry(kind=RecordKind.PURGE, facts={"purged": [[4, 4], [11, 12]]}), RECORDS[-1].tip, NOON)
    late = chain(3, purge.tip)
    emptied = [record.replace(content=None) for record in (*RECORDS[3:5], late[0])]
    rows = [*RECORDS[:3], *emptied[:2], *RECORDS[5:], purge, emptied[2], *late[1:]]
    result = found(stored(rows), place)
    assert [fault.seq for fault in result.faults] == [5, 11]
    assert result.purged == 3


def test_many_purges_of_single_answers_are_told_apart(place: Path) -> None:
    """Each second record purged, in any order of purges, excuses exactly those."""
    records = chain(40)
    emptied = [record.replace(content=None) if record.seq % 2 == 0 else record for record in records]
    named = [[seq, seq] for seq in range(40, 0, -2) if seq != 20]
    tip, purges = records[-1].tip, []
    for ranges in (named[:7], named[7:], named[3:9]):
        purges.append(link(Entry(kind=RecordKind.PURGE, facts={"purged": ranges}), tip, NOON))
        tip = purges[-1].tip
    faults = found(stored([*emptied, *purges]), place).faults
    assert [fault.seq for fault in faults] == [20]


def test_a_cut_end_needs_an_anchor(place: Path) -> None:
    """A chain cannot tell that whole records are missing at its end; the head that was kept elsewhere can."""
    anchor = RECORDS[-1].tip
    assert found(stored(RECORDS[:6]), place).intact
    (fault,) = found(stored(RECORDS[:6]), place, expect=anchor).faults
    assert (fault.place, fault.seq) == (None, 9)
    longer = [*RECORDS, *chain(2, anchor)]
    assert found(stored(longer), place, expect=anchor).intact


def test_a_trail_written_anew_needs_an_anchor(place: Path) -> None:
    """Who writes everything anew makes a sound chain, but not the one whose head was kept."""
    anew = []
    tip = Tip()
    for record in RECORDS:
        anew.append(link(Entry(kind=RecordKind.ANSWER, subject=f"other {record.seq}"), tip, NOON))
        tip = anew[-1].tip
    assert found(stored(anew), place).intact
    result = found(stored(anew), place, expect=RECORDS[4].tip)
    assert [fault.seq for fault in result.faults] == [5]


def test_a_trail_begins_with_its_first_record_unless_told_otherwise(place: Path) -> None:
    """A missing beginning is a fault; a part of a trail may begin anywhere."""
    assert not found(stored(RECORDS[2:]), place).intact
    assert found(stored(RECORDS[2:]), place, start=None).intact
    assert found(stored(RECORDS[2:]), place, start=RECORDS[1].tip).intact
    assert not found(stored(RECORDS[2:]), place, start=RECORDS[0].tip).intact


def test_many_faults_are_counted_and_not_all_kept() -> None:
    """Memory stays flat even when every record is wrong."""
    record = RECORDS[0].replace(hash="0")
    result = verify((place_, record) for place_ in _places(3 * MAX_FAULTS))
    assert (len(result.faults), result.fault_count) == (MAX_FAULTS, 3 * MAX_FAULTS)


def _places(count: int) -> object:
    from grounding_middleware.audit.verification import Place  # noqa: PLC0415  # only here

    return (Place(file="f", line=number) for number in range(1, count + 1))


def test_faults_read_as_one_line() -> None:
    """What a person sees: place, record, problem."""
    fault = Fault(place=None, seq=9, problem="is not there")
    assert str(fault) == "end: record 9: is not there"
