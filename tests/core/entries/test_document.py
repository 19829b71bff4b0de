from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.entries.document import (
    LARGEST_FILE,
    MOST_LINES,
    Document,
    ReadOptions,
    excess_of,
    read,
    read_older,
    within_limits,
)

FRAGMENTS = (
    *("## One\n", "## [2026-02-16-120000] Stamped\n", "## [L-014] Identified\n", "### Deeper\n"),
    *("##Broken\n", "- 2026-02-01: item\n", "---\n", "---\ntitle: x\n---\n", "```\n", "<!-- \n"),
    *("-->\n", "<!-- INDEX:START -->\n", "<!-- INDEX:END -->\n", "## Themes\n", "\ufeff", "\n"),
    *("\r", "~~Superseded by~~\n", "no end"),
)


def titles(document: Document) -> list[str]:
    return [entry.title for entry in document.entries]


@pytest.mark.parametrize(
    ("text", "preamble_end", "expected"),
    [
        ("# L\n\nIntro.\n\n---\n## A\n- a\n## B\n- b\n", 5, ["A", "B"]),
        ("# L\n\nIntro.\n\n## A\na\n", 4, ["A"]),
        ("# L\n\n```\n---\n```\n\n## A\n", 6, ["A"]),
        ("## A\n\n---\n\n## B\n", 0, ["A", "B"]),
        ("Intro\n---\n\n## A\n", 2, ["A"]),
        ("# L\n\nnothing yet\n", 3, []),
    ],
)
def test_the_preamble_ends_at_the_first_ruler_or_the_first_entry(
    text: str, preamble_end: int, expected: list[str]
) -> None:
    document = read(text.encode())

    assert (document.preamble_end, titles(document)) == (preamble_end, expected)


def test_what_is_no_heading_is_no_entry() -> None:
    hidden = ["```\n## no\n```\n", "<!--\n## no\n-->\n", "    ## no\n", "- item\n\n  ## no\n"]
    for text in (*hidden, "Title\n-----\n", "<div>\n## no\n</div>\n"):
        data = f"## A\n\na\n\n{text}\n## B\n\nb\n".encode()
        assert titles(read(data, ReadOptions("heading"))) == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("---\ntitle: Memory\ntags: [a]\n---\n## A\n\n## B\n", 4),
        ("---\n\n## A\n\nwords here\n\n---\n\n## B\n", 0),
        ("---\n## A\n---\n## B\n", 0),
        ("---\ntitle: x\n\n## A\n\n## B\n", 0),
    ],
)
def test_front_matter_is_cut_off_and_counted_and_a_separator_is_none(text: str, end: int) -> None:
    document = read(text.encode())
    assert (document.front_matter, titles(document)) == (end, ["A", "B"])
    assert document.entries[0].first == text.splitlines().index("## A") + 1
    assert not end or document.preamble_end == end


def test_an_entry_at_level_3_ends_at_its_category() -> None:
    document = read(b"# L\n\n## Cat\n\n### A\n\na\n\n## Dog\n\n### B\n\nb\n")

    assert titles(document) == ["A", "B"]
    assert [span.kind for span in document.spans] == ["preamble", "entry", "category", "entry"]
    assert document.entries[0].last == 8


def test_bullets_keep_what_hangs_below_them() -> None:
    data = b"# L\n\n- 2026-02-01: a\n  more\n\n  - nested\n- 2026-02-02: b\n"
    first, second = read(data).entries

    assert (first.first, first.last, second.first) == (3, 6, 7)
    assert first.body == "  more\n\n  - nested\n"
    assert first.level == 0


@pytest.mark.parametrize(
    "tail",
    [
        "## Themes\n\n- [build](learnings/build.md)\n",
        "<!-- INDEX:START -->\n| a |\n<!-- INDEX:END -->\n\n",
    ],
)
def test_what_follows_the_entries_is_the_tail(tail: str) -> None:
    text = f"## A\n\na\n\n## B\n\nb\n\n{tail}"
    document = read(text.encode())

    assert titles(document) == ["A", "B"]
    assert "".join(document.lines[document.spans[-1].first - 1 :]) == tail
    assert document.spans[-1].kind == "tail"


def test_an_older_version_in_another_dialect_is_read_in_its_own() -> None:
    options = ReadOptions("timestamped")
    older = b"- 2026-02-01: a\n- 2026-02-02: b\n"

    assert titles(read(older, options)) == []
    assert titles(read_older(older, options)) == ["a", "b"]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_up_to_the_limit_are_no_excess(end: bytes) -> None:
    most = (b"a" + end) * MOST_LINES
    assert excess_of(most) is None
    assert excess_of(most + end) == "has more than 200,000 lines, too long for a memory file"
    assert within_limits(most) == most
    assert within_limits(most + b"b" + end) == most


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=30).map("".join).map(str.encode) | st.binary())
def test_the_spans_are_the_file_without_a_gap(data: bytes) -> None:
    document = read(data)
    assert document.to_bytes() == data
    numbers = [n for span in document.spans for n in range(span.first, span.last + 1)]
    assert numbers == list(range(1, len(document.lines) + 1))
    assert len({entry.identity for entry in document.entries}) == len(document.entries)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## A\n\n```\ncode\n\n## B\n", ["a"]),
        ("\ufeff## A\n\n## B\n", ["a", "b"]),
        ("# L\n\n- append below\n\n---\n\n- 2026-02-01: a\n- 2026-02-02: b\n", ["a", "b"]),
        ("## A\n\n<!-- INDEX:START -->\n<!-- INDEX:END -->\n\n## B\n", ["a", "b"]),
        ("## When  X\n\n## when x\n\n## WHEN X\n", ["when x", "when x #2", "when x #3"]),
        (
            "## [2026-02-16-120000] A\n\n## [2026-02-16-120000] B\n",
            ["2026-02-16-120000 a", "2026-02-16-120000 b"],
        ),
    ],
)
def test_identities(text: str, expected: list[str]) -> None:
    assert [entry.identity for entry in read(text.encode()).entries] == expected


def test_bytes_up_to_the_limit_are_no_excess() -> None:
    line = b"x" * 39 + b"\n"
    most = line * (LARGEST_FILE // 40 - 1) + b"x" * 35 + b"\n" + b"1234"
    assert (len(most), excess_of(most)) == (LARGEST_FILE, None)
    assert excess_of(most + b"5") == "has more than 4 MB, too large for a memory file"
    assert within_limits(most + b"5") == most[:-4]
    assert within_limits(b"x" * (LARGEST_FILE + 1)) == b""


def test_a_fixed_preamble_hides_the_headings_in_it() -> None:
    data = b"# L\n\n## How to\n\nx\n\n## A\n\na\n"
    assert titles(read(data)) == ["How to", "A"]
    fixed = read(data, ReadOptions(preamble_lines=4))
    assert (titles(fixed), fixed.preamble_end) == (["A"], 4)


def test_superseded_is_a_line_of_the_body() -> None:
    data = b"## A\n\n~~Superseded by B~~\n\n## B\n\nis ~~Superseded~~ not\n"
    assert [entry.superseded for entry in read(data).entries] == [True, False]
    # A lone CR separates where nothing else does.
    document = read(b"# L\r\r## A\ra\r## B\r")
    assert (titles(document), len(document.lines)) == (["A", "B"], 5)
