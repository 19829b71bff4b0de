"""Entries taken out of a file and put back; all other bytes stay."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.entries.archives import dropped_part, originals_in, with_originals
from learnings.core.entries.document import ReadOptions, read
from learnings.core.entries.rewriting import (
    insertion_line,
    is_newest_first,
    original_of,
    with_entry,
    without_entries,
)
from learnings.core.errors import FixRefused
from tests.support.memories import Memory, memories

FALLING = b"# L\n\n## [2026-03-03] C\n\nc\n\n## [2026-03-01] A\n\na\n"
RISING = b"# L\n\n## [2026-03-01] A\n\na\n\n## [2026-03-03] C\n\nc\n"
B = b"## [2026-03-02] B\n\nb\n"


def texts(data: bytes) -> list[bytes]:
    return [original_of(entry).rstrip() for entry in read(data).entries]


@given(memory=memories(), chosen=st.sets(st.integers(0, 6)))
def test_what_stays_keeps_its_bytes(memory: Memory, chosen: set[int]) -> None:
    document = read(memory.data)
    entries = [e for number, e in enumerate(document.entries) if number in chosen]
    expected = memory.data
    for entry in reversed(entries):
        before, middle, after = expected.rpartition(original_of(entry))
        assert middle
        expected = before + after
    assert without_entries(document, entries) == expected


@given(memory=memories(), order=st.permutations(range(7)))
def test_what_left_comes_back(memory: Memory, order: list[int]) -> None:
    document = read(memory.data)
    entries = [document.entries[n] for n in order[: len(order) // 2] if n < len(document.entries)]
    if len(entries) == len(document.entries):
        entries = entries[1:]
    data = without_entries(document, entries)
    part = dropped_part("x", map(original_of, entries))
    archive = with_originals(None, [part], learnings_file="l.md", date="2026-04-01")
    for original in originals_in(archive):
        data = with_entry(read(data).read_as(document.dialect), original.data)
    back = [original_of(e).rstrip() for e in read(data).read_as(document.dialect).entries]
    assert sorted(back) == sorted(texts(memory.data))
    if memory.is_sorted and len(document.entries) - len(entries) > 1:
        assert back == texts(memory.data)


@pytest.mark.parametrize(
    ("data", "insert", "titles"),
    [
        (FALLING, "auto", "CBA"),
        (RISING, "auto", "ABC"),
        (FALLING, "bottom", "CAB"),
        (RISING, "top", "BAC"),
        (RISING.replace(b"03-01", b"03-02"), "auto", "ABC"),
        (RISING.replace(b"2026-03-0", b"2026-04-0"), "auto", "BAC"),
    ],
)
def test_an_entry_goes_where_dates_want_it(data: bytes, insert: str, titles: str) -> None:
    result = with_entry(read(data), B, insert=insert)
    assert [entry.title for entry in read(result).entries] == [*titles]


def test_an_entry_without_a_date_goes_to_the_end_where_new_ones_go() -> None:
    assert insertion_line(read(FALLING), None) == 3
    assert insertion_line(read(RISING), None) == 10
    assert insertion_line(read(RISING), None, "top") == 3
    assert insertion_line(read(FALLING), None, "bottom") == 10
    assert insertion_line(read(b"# L\n\ntext\n"), "2026-03-02") == 4
    themes = b"\n## Themes\n\n- one\n"
    result = with_entry(read(RISING + themes), b"## [undated] B\n\nb\n")
    assert result == RISING + b"\n## [undated] B\n\nb\n" + themes


def test_blank_lines_are_added_where_a_heading_lacks_one() -> None:
    assert with_entry(read(RISING), b"## D\n\nd") == RISING + b"\n## D\n\nd"
    tight = RISING.replace(b"\n\n## [2026-03-03]", b"\n## [2026-03-03]")
    assert b"a\n\n## [2026-03-02] B\n\nb\n\n## [2026-03-03]" in with_entry(read(tight), B)
    crlf = RISING.replace(b"\n", b"\r\n").rstrip()
    assert with_entry(read(crlf), b"## D\r\n") == crlf + b"\r\n\r\n## D\r\n"


@pytest.mark.parametrize("title", ["One", "Two", "Three", "Four"])
def test_an_entry_goes_back_to_where_it_stood(title: str) -> None:
    data = (
        b"# L\n\n## First\n\n### One\n\na\n\n## Second\n\nAbout it.\n\n### Two\n\nb\n"
        b"### Three\n\nc\n\n## Third\n### Four\nd"
    )
    older = read(data)
    (entry,) = (entry for entry in older.entries if entry.title == title)
    left = without_entries(older, [entry])
    assert with_entry(read(left), original_of(entry), older=older) == data


def test_a_byte_order_mark_stays_with_its_file() -> None:
    data = b"\xef\xbb\xbf" + RISING.removeprefix(b"# L\n\n")
    first, _ = read(data).entries
    assert original_of(first) == b"## [2026-03-01] A\n\na\n\n"
    left = without_entries(read(data), [first])
    assert left == b"\xef\xbb\xbf## [2026-03-03] C\n\nc\n"
    assert with_entry(read(left), original_of(first)) == data


def test_entries_that_hide_others_go_to_the_end() -> None:
    open_fence = b"## [2026-03-02] B\n\n```\nopen\n"
    result = with_entry(read(RISING), open_fence)
    assert [entry.title for entry in read(result).entries] == ["A", "C", "B"]
    data = RISING + b"\n```\nopen\n"
    result = with_entry(read(data), B)
    assert [entry.title for entry in read(result).entries] == ["A", "B", "C"]
    with pytest.raises(FixRefused, match="in an unclosed code block or comment"):
        with_entry(read(b"# L\n\n<!-- \n"), B)


def test_what_would_be_read_differently_stays() -> None:
    # Without the dated item, the items of the introduction are entries.
    data = b"# L\n\n- how to use\n\n---\n\n- 2026-03-01: one\n"
    document = read(data, ReadOptions(dialect="bullet"))
    assert without_entries(document, document.entries) == b"# L\n\n- how to use\n\n---\n\n"
    html = b"# L\n\n## A\n\n<div>\n\n## B\n\nb\n</div>\n"
    document = read(html)
    assert [e.title for e in document.entries] == ["A", "B"]
    assert without_entries(document, document.entries[:1]) == b"# L\n\n## B\n\nb\n</div>\n"


def test_the_direction_is_that_of_most_neighbours() -> None:
    falling = ("2026-03-02", "2026-03-01")
    assert is_newest_first(falling)
    assert is_newest_first(("2026-03-03", None, *falling, "2026-03-09"))
    zigzag = ("2026-03-01", "2026-03-03", "2026-03-02")
    for dates in (falling[::-1], zigzag, falling[:1] * 2, (None,), ()):
        assert not is_newest_first(dates)
