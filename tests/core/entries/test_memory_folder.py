"""A file of a memory folder: its title, date and text."""

from __future__ import annotations

import pytest

from learnings.core.entries.memory_folder import FolderDocument, read_folder_file


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
