from __future__ import annotations

import pytest

from learnings.core.entries.document import ReadOptions, read
from learnings.core.entries.memory_folder import FolderDocument, read_folder_file


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
        ("#### deep\n", "none", 0),
        ("", "none", 0),
    ],
)
def test_the_first_rule_that_holds_decides(text: str, name: str, level: int) -> None:
    dialect = read(text.encode()).dialect

    assert (dialect.name, dialect.level) == (name, level)
    assert dialect.reason


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
    assert (document.memory_lines, document.front_matter, document.preamble_end) == (2, 0, 0)
    assert FolderDocument("m", files, index_lines=7).memory_lines == 7
