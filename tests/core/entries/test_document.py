from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.entries.document import (
    LARGEST_FILE,
    MOST_LINES,
    Document,
    ReadOptions,
    Size,
    excess_of,
    read,
    read_older,
    within_limits,
)
from learnings.core.entries.memory_folder import FolderDocument, read_folder_file

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


def test_a_paragraph_that_announces_a_list_belongs_to_no_item() -> None:
    """Removing the last item of a topic must not take the name of the next one along."""
    text = (
        b"# L\n\n**Queues:**\n- a\n- b\n  more\n\n**Locks, in\nshort:**\n\n- c:\n- d\nlazy:\n- e\n"
    )
    document = read(text)
    assert [entry.text for entry in document.entries] == [
        "- a\n",
        "- b\n  more\n\n",
        "- c:\n",
        "- d\nlazy:\n",
        "- e\n",
    ]
    assert [span.kind for span in document.spans].count("category") == 1


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
        ("---\na: b\n---\n\ufeff## A\n\n## B\n", ["a", "b"]),
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


@pytest.mark.parametrize(
    ("text", "name", "level"),
    [
        ("# L\n\n## One\n\na\n\n## Two\n\nb\n", "heading", 2),
        ("## [2026-02-16-120000] A\n## [2026-02-17] B\n## C\n## D\n## E\n", "timestamped", 2),
        ("## [2026-02-16] A\n\n## B\n", "timestamped", 2),
        ("## [2026-02-16] A\n\n## B\n\n## C\n", "heading", 2),
        ("## [LRN-20260206-001] a\n\n## [LRN-20260206-002] b\n\n## c\n", "identified", 2),
        ("## Group\n\n### [L-014] A\n\n### [L-015] B\n", "identified", 3),
        ("## L-014: A\n\nx\n\n## L-015: B\n\ny\n", "identified", 2),
        ("## UTF-8: bytes\n\nx\n\n## SHA-256: sums\n\ny\n\n## A\n\n## B\n\n## C\n", "heading", 2),
        ("# L\n\n- 2026-02-01: a\n- b (2026-02-02)\n- c\n", "bullet", 0),
        ("# L\n\n- a\n- b\n", "bullet", 0),
        ("# L\n\n## Log\n\n- 2026-02-01: a\n- 2026-02-02: b\n", "bullet", 0),
        ("# L\n\n## When a\n\n- b\n- c (2026-02-02)\n- d\n", "heading", 2),
        ("## Cat\n\n### A\n\na\n\n### B\n\nb\n", "heading", 3),
        ("## Cat\n\n### A\n\n## Cat 2\n\nown text\n\n### B\n", "heading", 2),
        ("### A\n\na\n\n### B\n\nb\n", "heading", 3),
        ("## Cat\n\n### A\n\na\n", "heading", 2),
        ("# L\n\n- [Your lesson]\n- [What went wrong]\n", "none", 0),
        ("## [Short title]\n\n[What went wrong]\n", "none", 0),
        ("| ID | Decision |\n|---|---|\n| D_014 | a_b |\n| [D_15] | c |\n", "table", 0),
        (
            "# L\n\n**P1: Read the plan.** a\n\n**P2: Run it.** b\n\n**P3: Stop.** c\n",
            "paragraph",
            0,
        ),
        ("#### deep\n", "none", 0),
        ("", "none", 0),
    ],
)
def test_the_first_rule_that_holds_decides(text: str, name: str, level: int) -> None:
    document = read(text.encode())
    assert (document.dialect.name, document.dialect.level) == (name, level)
    assert document.dialect.reason
    formatted = read(text.translate(ESCAPED).encode())
    assert formatted.dialect == document.dialect
    assert [entry[:4] for entry in formatted.entries] == [entry[:4] for entry in document.entries]
    assert [*formatted.by_identity] == [*document.by_identity]


# Signs as formatters escape them.
ESCAPED = str.maketrans({"[": r"\[", "]": "&#93;", ":": r"\:", "(": r"\(", "_": r"\_"})


def test_what_is_configured_holds() -> None:
    levels = {("heading", 3): 3, ("heading", None): 2, ("timestamped", None): 2}
    levels |= {("bullet", None): 0, ("auto", 3): 3}
    data = b"## A\n\na\n\n### B\n\nb\n\n- item\n"
    assert {one: read(data, ReadOptions(*one)).dialect.level for one in levels} == levels
    document = read(b"# L\n\n## Chapter\n\n- a\n- b\n", ReadOptions(entry_level=2))
    assert [entry.title for entry in document.entries] == ["Chapter"]


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (b"---\nname: A name\n---\n\n# A heading\n", "A name"),
        (b'---\ntitle: "A title: colon"\nname: x\n---\n# A heading\n', "A title: colon"),
        (b"---\ntags: [a]\n---\n# A heading\n", "A heading"),
        (b"", "builds-hang"),
        (b"\xef\xbb\xbf# With a mark\r\n", "With a mark"),
        (b"---\nname: never closed\n# A heading\n", "A heading"),
    ],
)
def test_the_title(data: bytes, title: str) -> None:
    assert read_folder_file("docs/solutions/builds-hang.md", data).title == title


def test_front_matter_and_heading_are_no_text() -> None:
    data = b"---\nname: A\ndescription: what it says\n---\n\n# A heading\n\nText.\n"
    file = read_folder_file("a.md", data)
    assert (file.description, "".join(file.body)) == ("what it says", "\n\nText.\n")


@pytest.mark.parametrize(
    ("path", "data", "stated"),
    [
        ("2026-01-31-a.md", b"# A\n", "2026-01-31"),
        ("2026-01-31-a.md", b"---\ndate: 2026-02-01\n---\n# A\n", "2026-02-01"),
        ("a.md", b"---\ncreated: '2026-02-01T10:00'\n---\n", "2026-02-01"),
        ("2026-13-31-a.md", b"# A\n", None),
    ],
)
def test_the_stated_date(path: str, data: bytes, stated: str | None) -> None:
    assert read_folder_file(path, data).stated == stated


def test_a_folder_is_a_document_of_its_files() -> None:
    files = [("m/a.md", b"# A\n\nText of a.\n"), ("m/deep/b.md", b"No heading")]
    document = FolderDocument("m", files, index_lines=0)
    rows = [(e.title, e.identity, e.path, e.first, e.last, e.key) for e in document.entries]
    assert rows == [
        ("A", "a.md", "m/a.md", 1, 3, "a.md"),
        ("b", "deep/b.md", "m/deep/b.md", 1, 1, "deep/b.md"),
    ]
    assert document.entries[0].text == "# A\n\nText of a.\n"
    assert (document.size.number, document.front_matter, document.preamble_end) == (2, 0, 0)
    assert FolderDocument("m", files, index_lines=7).size == Size(7, "index line")
