"""Archives of our own: every original is read back byte for byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.entries.archives import (
    ArchivePart,
    archive_path,
    contains,
    dropped_part,
    group_part,
    is_archive_name,
    not_in,
    originals_in,
    read_archive,
    with_originals,
)
from learnings.core.entries.document import read
from learnings.core.errors import UnusableFile
from learnings.core.markdown.blocks import blocks_of

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
    assert head.startswith("# Archived entries of learnings.md (2026-04-02)\n\nWhat has left ")
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
