from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from learnings.consolidation.merge.losses import Lost
from learnings.consolidation.merge.units import merged_units
from learnings.consolidation.merge.versions import NotMerged
from learnings.core.entries.document import read
from learnings.core.text import chomp, decode, split_lines
from tests.consolidation.merge.memories import (
    Lesson,
    Sides,
    merged,
    text_of,
    three_versions,
    versions_with_a_merged_base,
)

FRAGMENTS = (
    *("# L\n", "## One\n", "## One\r\n", "## Two\n", "### Deep\n", "## Themes\n", "end"),
    *("text\n", "more\r\n", "\n", "---\n", "```\n", "<!-- \n", "-->\n", "\ufeff"),
    *("- 2026-02-01: item\n", "- 2026-02-02: other\n", "## [2026-02-16-120000] S\n"),
    *("<!-- INDEX:START -->\n", "<!-- INDEX:END -->\n"),
)
ODD = st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join)


def lines(text: str) -> Counter[str]:
    """Return the lines of a text, and how often each stands there.

    They are without terminators, and headings without their level, which may become that of ours.
    """
    return Counter(chomp(line).replace("\ufeff", "").lstrip("#") for line in split_lines(text))


def identities(data: bytes) -> set[str]:
    return {entry.identity for entry in read(data).entries}


def by_number(lessons: tuple[Lesson, ...]) -> dict[int, Lesson]:
    return {lesson.number: lesson for lesson in lessons}


def three_way(
    base: Lesson | None, ours: Lesson | None, theirs: Lesson | None, *, is_item: bool
) -> Lesson | None:
    """Return the merged lesson, by definition; raises ValueError for a conflict.

    An item has no heading that could be changed by itself.
    """
    if theirs in (ours, base):
        return ours
    if ours == base:
        return theirs
    if is_item or ours is None or theirs is None or base is None:
        raise ValueError
    for one, other in ((ours, theirs), (theirs, ours)):
        if (one.edit, other.name) == (base.edit, base.name):
            return other._replace(name=one.name)
    raise ValueError


def expected(sides: Sides) -> tuple[set[Lesson], set[int]]:
    """The lessons of the merged file, and the numbers of those in conflict."""
    base, ours, theirs = map(by_number, sides.lessons)
    is_item = sides.styles[0].dialect == "bullet"
    lessons: set[Lesson | None] = set()
    conflicts = set()
    for number in {**base, **ours, **theirs}:
        versions = base.get(number), ours.get(number), theirs.get(number)
        try:
            lessons.add(three_way(*versions, is_item=is_item))
        except ValueError:
            conflicts.add(number)
    return {lesson for lesson in lessons if lesson}, conflicts


@given(three_versions())
def test_the_merge_holds_what_it_should(sides: Sides) -> None:
    base, ours, theirs = sides.files
    result = merged(base, ours, theirs)
    text = decode(result.data).replace("\r\n", "\n")
    lessons, conflicts = expected(sides)
    style = sides.styles[0]
    for lesson in lessons:
        assert text_of(lesson, style) in text
    for number in conflicts:
        for side in sides.lessons[1:]:
            if number in by_number(side):
                assert text_of(by_number(side)[number], style) in text
    assert len(result.conflicts) == len(conflicts)
    assert ("<<<<<<<" in text) == bool(conflicts)
    other = merged(base, theirs, ours)
    assert len(other.conflicts) == len(conflicts)
    if not conflicts:
        assert len(read(result.data).entries) == len(lessons)
        assert identities(result.data) == identities(other.data)
        if sides.lessons[1] and ours != base:
            assert result.data.endswith(b"\n") == ours.endswith(b"\n")
            assert result.data.count(b"\r\n") in (0, result.data.count(b"\n"))
    for versions in ((base, ours, base), (base, base, ours), (base, ours, ours)):
        assert merged(*versions).data == ours


@pytest.mark.slow
@settings(max_examples=150)
@given(ODD, ODD, ODD)
def test_no_line_of_an_odd_file_is_lost(base: str, ours: str, theirs: str) -> None:
    try:
        result = merged(base.encode(), ours.encode(), theirs.encode())
    except NotMerged:  # then git merges it line by line
        return
    old, new = lines(base), lines(decode(result.data))
    added = (lines(ours) - old) + (lines(theirs) - old)
    assert [line for line in added if line.strip("-") and not new[line]] == []


UNITS = (
    *("- [ ] ask", "- [x] ask", "- [ ] write", "- [x] write", "- why", "  since", "1. first"),
    *("| a | b |", "| c | d |", "**Status**: open", "**Status**: done", "Owner: ops", "- It: bug"),
    *("Prose.", "More prose.", "", "", "### Todo", "```", "~~~", "code = 1"),
)
TEXTS = st.lists(st.sampled_from(UNITS), max_size=9).map(tuple)


@given(TEXTS, TEXTS, TEXTS)
def test_no_line_of_a_text_is_lost(
    base: tuple[str, ...], ours: tuple[str, ...], theirs: tuple[str, ...]
) -> None:
    merged_lines = merged_units(base, ours, theirs)
    if merged_lines is None:
        return
    added = (Counter(ours) - Counter(base)) | (Counter(theirs) - Counter(base))
    assert {line for line in added if line} <= {*merged_lines}
    assert {*base} & {*ours} & {*theirs} <= {*merged_lines}
    assert merged_units(base, ours, base) == ours
    assert merged_units(base, base, theirs) == theirs


def assert_nothing_is_lost(base: bytes, ours: bytes, theirs: bytes, result: bytes) -> None:
    """Assert that the result has the entries and lines of both sides, and the new entries."""
    one, other = ({entry.title for entry in read(data).entries} for data in (ours, theirs))
    added = {title for title in one | other if title not in decode(base)}
    assert [title for title in (one & other) | added if title not in decode(result)] == []
    old, *sides, new = (lines(decode(data)) for data in (base, ours, theirs, result))
    both = (line for line in sides[0] & sides[1] if old[line] < 2)
    assert [line for line in both if line.strip("- ") and not new[line]] == []


def assert_merged_without_loss(versions: tuple[bytes, bytes, bytes]) -> None:
    try:
        result = merged(*versions)
    except Lost:  # each side has another of two entries with one title
        return
    assert_nothing_is_lost(*versions, result.data)


@given(versions_with_a_merged_base())
def test_conflicts_in_the_base_lose_nothing(versions: tuple[bytes, bytes, bytes]) -> None:
    assert_merged_without_loss(versions)


@pytest.mark.soak
@settings(max_examples=300)
@given(versions_with_a_merged_base() | three_versions().map(lambda sides: sides.files))
def test_many_merges_lose_nothing(versions: tuple[bytes, bytes, bytes]) -> None:
    assert_merged_without_loss(versions)
