from __future__ import annotations

import pytest

from learnings.index.forms import FORMS, read_index
from tests.index.index_cases import ARROW, BLOCK, FORMS_AS_TEXT, TABLE

FORMED = pytest.mark.parametrize("form", FORMS_AS_TEXT)


@FORMED
@pytest.mark.parametrize(
    ("newline", "top"), [("\n", "---\na: 1\n---\n"), ("\r\n", "\ufeff"), ("\r", "")]
)
def test_the_rows_of_each_form(form: str, newline: str, top: str) -> None:
    data = (top + FORMS_AS_TEXT[form]).replace("\n", newline).encode()
    index = read_index(data, form=form, path="a.md")

    assert [(row.reading.keys[-1], row.path) for row in index.rows] == [
        ("when x" if form != TABLE else "/when x", "a.md"),
        ("key", "a.md"),
    ]
    assert "when x" in index.rows[0].reading.keys
    assert index.to_bytes() == data


@FORMED
@pytest.mark.parametrize("around", [("```\n", "```\n"), ("~~~\n", ""), ("<!-- \n", "-->\n")])
def test_code_and_comments_hold_no_rows(form: str, around: tuple[str, str]) -> None:
    rows = FORMS_AS_TEXT[form].replace("<!-- INDEX:START -->\n", "")
    rows = rows.replace("<!-- INDEX:END -->\n", "")
    text = f"## a.md\n\n{around[0]}{rows}{around[1]}"
    if form == BLOCK:
        text = f"<!-- INDEX:START -->\n{text}<!-- INDEX:END -->\n"

    assert not read_index(text.encode(), form=form, path="a.md").rows


def test_there_is_an_example_of_each_form_and_another_is_refused() -> None:
    assert set(FORMS_AS_TEXT) == set(FORMS)
    with pytest.raises(ValueError, match=r"'none' is not a form .* rows, table"):
        read_index(b"", form="none")


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
def test_what_is_wrong_with_the_markers_of_a_block(text: str, lines: list[int]) -> None:
    assert [line for line, _ in read_index(text.encode(), form=BLOCK, path="a.md").faults] == lines


def test_what_a_section_stands_for() -> None:
    for written, known, path in (
        ("a.md", [], "a.md"),
        ("a/b.md", ["a/b.md"], "a/b.md"),
        ("b.md", ["agents/b.md"], "agents/b.md"),
        ("../a.md", ["a.md"], "a.md"),
        ("with blank.md", [], None),
        ("with blank.md", ["with blank.md"], "with blank.md"),
        ("See a/b.md", [], None),
        ("Makefile", ["Makefile"], "Makefile"),
    ):
        assert read_index(b"", path="agents/i.md").resolve(written, known) == path


def test_the_paths_to_look_up() -> None:
    index = read_index(b"## `x/a.md`\n\n## ./b.md\n\n## Notes\n\n# c.md\n", path="agents/i.md")
    paths = ("x/a.md", "agents/x/a.md", "b.md", "agents/b.md", "Notes", "agents/Notes")
    assert index.named_paths() == paths
    assert read_index(b"", form=ARROW).resolve("https://example.org/a.md", ()) is None
