"""Archives of our own: every original is read back byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.entries.archives import (
    ArchivePart,
    contains,
    dropped_part,
    group_part,
    not_in,
    originals_in,
    read_archive,
    with_originals,
)
from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.entries.rewriting import (
    insertion_line,
    is_newest_first,
    original_of,
    with_entry,
    without_entries,
)
from learnings.core.errors import FixRefused, UnusableFile
from learnings.core.file_names import archive_path, is_archive_name
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_edits import without_filler
from tests.support.memories import Memory, memories

FILE, DAY = "agents/learnings.md", "2026-04-02"
PLAIN = b"## When a build hangs\n\nLook at the lock first.\n\n"
AWKWARD = (
    *(
        b"",
        b"\n",
        b"\r",
        b"## No final newline",
        b"## CRLF\r\n\r\ntext\r\n",
        b"### Third\n\n- item\n",
    ),
    *(b"## CRLF, no final newline\r\ntext", b"## ends with a lone CR\r", b"## old Mac\r\rtext\r"),
    *(
        b"## An open fence\n\n```sh\nls\n",
        b"## An open comment\n\n<!-- \n## Group: x\n",
        b"<pre>\n",
    ),
    b"## Tildes\n\n~~~~ markdown original\n## Inner\n~~~~\n~~~\n",
    b"## Looks like ours\n\n## Group: Builds\n\n~~~ markdown original\nx\n~~~\n",
    *(b"- 2026-03-01: an item\n  more\n", b"## Separator\n\n---\n", b"    ~~~\n\t~~~\n"),
    *(b"\xff\xfe\x00 no text \xc3\x28\n", "## Größe \u2028 \x85 \x0c\n".encode()),
)
DATA = st.lists(st.sampled_from(AWKWARD), max_size=4).map(b"".join) | st.binary(max_size=60)
PARTS = st.lists(
    st.builds(
        lambda make, name, originals: make(name, originals),
        st.sampled_from([group_part, dropped_part]),
        st.sampled_from(["Builds", "C #", "  two\n words ", "`<!--` x", "\x1b[2J\udc80", ""])
        | st.text(max_size=9),
        st.lists(DATA, max_size=3),
    ),
    max_size=3,
)


def archive(before: bytes | None, *parts: ArchivePart) -> bytes:
    return with_originals(before, parts, learnings_file=FILE, date=DAY)


def pairs(data: bytes) -> list[tuple[str, bytes]]:
    return [(original.heading, original.data) for original in originals_in(data)]


@given(first=PARTS, second=PARTS)
def test_every_original_comes_back(first: list[ArchivePart], second: list[ArchivePart]) -> None:
    once = archive(None, *first)
    assert archive(once, *first) == once
    twice = archive(once, *second)
    assert twice.startswith(once)
    for parts in (first, second):
        for part in parts:
            assert not_in(twice, part.originals) == []
            assert set(part.originals) <= {
                data for heading, data in pairs(twice) if heading == part.heading
            }


def test_an_archive_reads_well() -> None:
    once = archive(
        None, group_part("Builds", [PLAIN]), dropped_part("false since April", [b"- short"])
    )
    head, separator, parts = once.decode().partition("\n## Group: Builds\n")
    assert head.startswith("# Archived entries of learnings.md (2026-04-02)\n\nEntries that left ")
    assert separator + parts == (
        f"\n## Group: Builds\n\n~~~ markdown original\n{PLAIN.decode()}~~~\n\n"
        "## Dropped: false since April\n\n"
        "~~~ markdown original, without a newline at its end\n- short\n~~~\n"
    )
    more = archive(once, dropped_part("false since April", [b"- later\n"]))
    assert more == once + b"\n~~~ markdown original\n- later\n~~~\n"


def test_line_ends_are_those_of_the_file_and_survive_a_conversion() -> None:
    crlf = archive(None, group_part("x", [b"## A\r\n\r\ntext"]))
    assert crlf.count(b"\n") == crlf.count(b"\r\n")
    converted = crlf.replace(b"\r\n", b"\n")
    assert pairs(converted) == [("Group: x", b"## A\n\ntext")]
    assert pairs(archive(converted, group_part("y", [b"## B\r\n"])))[1] == ("Group: y", b"## B\r\n")


@pytest.mark.parametrize("end", ["```\nopen", "<!-- open\n", "<pre>\nopen\n", "~~~~~~~~"])
def test_an_archive_that_would_swallow_an_original_is_refused(end: str) -> None:
    with pytest.raises(UnusableFile, match="ends inside an unclosed code block or comment"):
        archive(f"# Archive\n\n## Group: x\n\n{end}".encode(), group_part("y", [PLAIN]))


def test_an_archive_of_ours_is_one_for_history() -> None:
    (entry,) = read(PLAIN).entries
    grouped = read_archive(archive(None, dropped_part("y", [b"- z\n"]), group_part("x", [PLAIN])))
    assert contains(grouped.text, entry)
    assert contains(grouped.grouped, entry)
    alone = read_archive(archive(None, group_part("x", [b"- z\n"]), dropped_part("y", [PLAIN])))
    assert contains(alone.text, entry)
    assert not contains(alone.grouped, entry)


def test_paths_of_archives() -> None:
    assert archive_path(FILE, DAY) == "agents/archive/learnings-consolidated-2026-04-02.md"
    assert archive_path("LESSONS.MD", DAY) == "archive/lessons-consolidated-2026-04-02.md"
    assert archive_path("a.b/notes", DAY) == "a.b/archive/notes-consolidated-2026-04-02.md"
    for file in (FILE, "LESSONS.MD", "a.b/notes", "x/.md", "É/ÉTÉ.md"):
        assert is_archive_name(archive_path(file, DAY).rpartition("/")[2], file), file


def test_awkward_originals_come_back_and_are_no_part_of_the_structure() -> None:
    for data in AWKWARD:
        assert pairs(archive(None, group_part("x", [data]))) == [("Group: x", data)]
    text = archive(None, group_part("mine", AWKWARD), dropped_part("mine", AWKWARD))
    assert [original.data for original in originals_in(text)] == [*AWKWARD, *AWKWARD]
    lines = enumerate(text.split(b"\n"), start=1)
    parts = [(n, 2) for n, line in lines if line in (b"## Group: mine", b"## Dropped: mine")]
    assert [(h.line, h.level) for h in blocks_of(text).outline.headings][1:] == parts


def test_archives_of_ours_and_by_hand_are_added_to() -> None:
    once = archive(None, dropped_part("false", [PLAIN]))
    again = archive(once, dropped_part("false", [PLAIN]), group_part("Builds", [PLAIN]))
    assert pairs(again) == [("Dropped: false", PLAIN), ("Group: Builds", PLAIN)]
    assert pairs(archive(None, group_part("x", [PLAIN, PLAIN]))) == [("Group: x", PLAIN)] * 2
    by_hand = b"# Archive\n\n## Group: Builds\n\n### When a build hangs\n\nLook."
    assert originals_in(by_hand) == ()
    text = archive(by_hand, group_part("Builds", [PLAIN]), dropped_part("x", [b"- y\n"]))
    assert text.startswith(by_hand)
    assert pairs(text) == [("Group: Builds", PLAIN), ("Dropped: x", b"- y\n")]


FALLING = b"# L\n\n## [2026-03-03] C\n\nc\n\n## [2026-03-01] A\n\na\n"
RISING = b"# L\n\n## [2026-03-01] A\n\na\n\n## [2026-03-03] C\n\nc\n"
B = b"## [2026-03-02] B\n\nb\n"


def texts(data: bytes) -> list[bytes]:
    return own_texts(read(data))


def own_texts(document: Document) -> list[bytes]:
    return ["".join(without_filler(e.lines)).rstrip().encode() for e in document.entries]


@given(memory=memories(), chosen=st.sets(st.integers(0, 6)))
def test_what_stays_keeps_its_text(memory: Memory, chosen: set[int]) -> None:
    document = read(memory.data)
    entries = [e for number, e in enumerate(document.entries) if number in chosen]
    after = without_entries(document, entries)
    left = read(after).read_as(document.dialect)
    kept = [text for n, text in enumerate(own_texts(document)) if n not in chosen]
    assert own_texts(left) == kept


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("A", "- **B**: b\n\n---\n\n## Two\n\n- **C**: c\n"),
        ("B", "- **A**: a\n\n---\n\n## Two\n\n- **C**: c\n"),
        ("C", "- **A**: a\n- **B**: b\n\n---\n\n## Two\n\n"),
    ],
)
def test_a_chapter_ends_as_it_ended(title: str, left: str) -> None:
    text = "# L\n\n## One\n\n- **A**: a\n- **B**: b\n\n---\n\n## Two\n\n- **C**: c\n"
    document = read(text.encode(), ReadOptions("bullet"))
    (entry,) = (entry for entry in document.entries if entry.title == title)
    after = without_entries(document, [entry], ReadOptions("bullet"))
    assert after.decode() == f"# L\n\n## One\n\n{left}"
    again = read(after, ReadOptions("bullet"))
    assert with_entry(again, original_of(entry), older=document).decode() == text
    new = with_entry(again, b"- **D**: d\n")
    assert [e.title for e in read(new, ReadOptions("bullet")).entries][-1] == "D"
    assert "\n\n- **D**" not in new.decode() or title == "C"


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
    back = own_texts(read(data).read_as(document.dialect))
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
