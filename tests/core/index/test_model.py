from __future__ import annotations

import pytest

from learnings.core.index.model import ARROW, BLOCK, ROWS, TABLE, read_index

ROWS_OF_FORM = {
    ROWS: "## a.md\n\n/when x | y\nKey — s\n",
    TABLE: "| Topic | File | Key |\n|---|---|---|\n| t | a.md | /when x |\n| t | a.md | Key |\n",
    ARROW: "**When x** — s → a.md\n**Key** — s → a.md\n",
    BLOCK: "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n| d | When x |\n| d | Key |\n"
    "<!-- INDEX:END -->\n\n## When x\n",
}
FORMED = pytest.mark.parametrize("form", ROWS_OF_FORM)


@FORMED
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("top", ["", "\ufeff", "---\na: 1\n---\n"])
def test_the_rows_of_each_form(form: str, newline: str, top: str) -> None:
    data = (top + ROWS_OF_FORM[form]).replace("\n", newline).encode()
    index = read_index(data, form=form, path="a.md")

    assert [(row.reading.keys[-1], row.place) for row in index.rows] == [
        ("when x" if form != TABLE else "/when x", "a.md"),
        ("key", "a.md"),
    ]
    assert "when x" in index.rows[0].reading.keys
    assert index.to_bytes() == data


@FORMED
@pytest.mark.parametrize("around", [("```\n", "```\n"), ("~~~\n", ""), ("<!-- \n", "-->\n")])
def test_code_and_comments_hold_no_rows(form: str, around: tuple[str, str]) -> None:
    rows = (
        ROWS_OF_FORM[form].replace("<!-- INDEX:START -->\n", "").replace("<!-- INDEX:END -->\n", "")
    )
    text = f"## a.md\n\n{around[0]}{rows}{around[1]}"
    if form == BLOCK:
        text = f"<!-- INDEX:START -->\n{text}<!-- INDEX:END -->\n"

    assert not read_index(text.encode(), form=form, path="a.md").rows


def test_a_form_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="rows, table, block, arrow"):
        read_index(b"", form="list")


def test_only_sections_hold_rows() -> None:
    text = b"/when a\n\n# Index\n\n/when b\n\n## a.md\n\n/when c\n\n### deeper\n\n/when d\n"
    text += b"\n# End\n\n/when e\n"

    assert [row.reading.keys for row in read_index(text).rows] == [("when c",), ("when d",)]


@pytest.mark.parametrize(
    ("place", "known", "path"),
    [
        ("a.md", [], "a.md"),
        ("a/b.md", ["a/b.md"], "a/b.md"),
        ("b.md", ["agents/b.md"], "agents/b.md"),
        ("../a.md", ["a.md"], "a.md"),
        ("with blank.md", [], None),
        ("with blank.md", ["with blank.md"], "with blank.md"),
        ("Notes", [], None),
        ("See a/b.md", [], None),
        ("Makefile", ["Makefile"], "Makefile"),
    ],
)
def test_what_a_section_stands_for(place: str, known: list[str], path: str | None) -> None:
    assert read_index(b"", path="agents/i.md").resolved(place, known) == path


def test_an_arrow_to_the_web_is_no_file() -> None:
    assert read_index(b"", form=ARROW).resolved("https://example.org/a.md", ()) is None


def test_the_places_to_look_up() -> None:
    index = read_index(b"## `x/a.md`\n\n## ./b.md\n\n## Notes\n\n# c.md\n", path="agents/i.md")

    assert index.places() == (
        "x/a.md",
        "agents/x/a.md",
        "b.md",
        "agents/b.md",
        "Notes",
        "agents/Notes",
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<!-- INDEX:START -->\n<!-- INDEX:END -->\n", []),
        ("nothing\n", []),
        ("<!-- INDEX:START -->\n", [1]),
        ("<!-- INDEX:END -->\n\n<!-- INDEX:START -->\n", [1]),
        ("<!-- INDEX:START -->\n<!-- INDEX:START -->\n<!-- INDEX:END -->\n", [2]),
        ("<!-- INDEX:START -->\n<!-- INDEX:END -->\n<!-- INDEX:END -->\n", [3]),
        ("<!-- INDEX:START -->\n\n## Entry\n\n<!-- INDEX:END -->\n", [3]),
        ("```\n<!-- INDEX:START -->\n```\n", []),
    ],
)
def test_what_is_wrong_with_the_markers(text: str, lines: list[int]) -> None:
    assert [line for line, _ in read_index(text.encode(), form=BLOCK, path="a.md").faults] == lines
