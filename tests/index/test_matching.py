from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.index.headings import index_key, operator_and_trigger, operator_row
from learnings.index.near import NearKeys
from learnings.index.rows import FORMS, read_index
from tests.index.index_cases import BLOCK, FORMS_AS_TEXT, ROWS, TABLE, Files, fixed_text

KEYS = ("when a build hangs", "when a page hangs", "how to read a log", "caches")


def test_keys_come_in_the_order_of_their_similarity() -> None:
    near = NearKeys(KEYS).near("when the page hangs", ratio=0.6)
    assert [key for _, key in near] == ["when a page hangs", "when a build hangs"]
    assert all(0.6 <= ratio <= 1 for ratio, _ in near)
    assert NearKeys(KEYS).near("nothing of the kind", ratio=0.7) == []
    assert NearKeys(()).near("caches", ratio=0.1) == []


@given(st.lists(st.text("abcd ", min_size=1, max_size=9), min_size=1, max_size=20))
def test_a_key_is_like_itself(keys: list[str]) -> None:
    for key in keys:
        assert NearKeys(keys).near(key, ratio=1.0) == [(1.0, key)]


def test_thousands_of_keys_and_megabytes_of_one_take_no_long_time() -> None:
    # Compared each with each these would take minutes, and the long one hours.
    keys = [f"when step {number:04} of {number % 97} hangs" for number in range(2000)]
    near_keys = NearKeys([*keys, "x" * 1_000_000])
    assert all(near_keys.near(key + "s", ratio=0.9)[0][1] == key for key in keys[::50])
    assert near_keys.near("x" * 900_000, ratio=0.9)


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("When Writing Tests", ("when", "Writing Tests")),
        ("HOW TO  Do It", ("how", "Do It")),
        ("How to", None),
        ("When", None),
        ("Whenever x", None),
        ("How it works", None),
    ],
)
def test_how_a_title_is_written_as_a_row(title: str, parts: tuple[str, str] | None) -> None:
    assert operator_and_trigger(title) == parts
    assert operator_row(title) == ("/" + " ".join(parts) if parts else None)
    if parts:
        assert index_key(parts[1], operator=parts[0]) == index_key(title)


def test_a_row_and_its_heading_have_one_key() -> None:
    for operator, words, heading in (
        ("when", "writing mock tests", "When Writing  Mock Tests"),
        ("how", "to encode paths", "How to encode paths"),
        ("when", "straße", "WHEN STRASSE"),
        ("", "Use `git -C`", "use `GIT -c`"),
    ):
        assert index_key(words, operator=operator) == index_key(heading)
        assert index_key(" \t", operator=operator) == ""
    assert index_key("x", operator="when") != index_key("x", operator="how")
    assert index_key("`x`") != index_key("x")
    with pytest.raises(KeyError):
        index_key("x", operator="what")


FILES: Files = {
    "a.md": "## When Writing Tests\n\n## How to Read YAML\n\n## Caches\n\nKept. Long.\n",
    "b.md": "## When Reading Logs\n",
}
TABLE_HEAD = "| Topic | File | Key |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("form", "rows", "added"),
    [
        # In lower case, as the others.
        (ROWS, "/when writing tests\n", ["/how read yaml", "caches — Kept"]),
        # As the headings.
        (ROWS, "/when Writing Tests\n", ["/how Read YAML", "Caches — Kept"]),
        # Without operators, as the others.
        (ROWS, "When Writing Tests — s\n", ["How to Read YAML — a.md", "Caches — Kept"]),
        (
            TABLE,
            f"{TABLE_HEAD}| t | a.md | /when writing tests |\n",
            ["| How to Read YAML | a.md | /how read yaml |", "| Caches | a.md | caches |"],
        ),
    ],
)
def test_an_added_row_is_written_as_its_neighbours(form: str, rows: str, added: list[str]) -> None:
    top = "## a.md\n\n" if form == ROWS else ""
    only = {"a.md": FILES["a.md"]}
    lines = fixed_text(top + rows, only, form, add_missing=True).splitlines()

    assert sorted(lines) == sorted([*(top + rows).splitlines(), *added])


@pytest.mark.parametrize(
    ("rows", "added"),
    [
        ("/when writing tests\n/how read yaml\nCaches — s\n", "/when reading logs"),
        # As many are written one way as the other.
        ("/when Writing Tests\nHow to Read YAML — s\nCaches — s\n", "/when Reading Logs"),
    ],
)
def test_a_file_without_rows_takes_the_style_of_the_index(rows: str, added: str) -> None:
    text = fixed_text(f"## a.md\n\n{rows}", FILES, add_missing=True)
    assert text.endswith(f"## b.md\n\n{added}\n")


FORMED = pytest.mark.parametrize("form", FORMS_AS_TEXT)


@FORMED
@pytest.mark.parametrize(
    ("newline", "top"), [("\n", "---\na: 1\n---\n"), ("\r\n", "\ufeff"), ("\r", "")]
)
def test_the_rows_of_each_form(form: str, newline: str, top: str) -> None:
    data = (top + FORMS_AS_TEXT[form]).replace("\n", newline).encode()
    index = read_index(data, form=form, path="a.md")

    assert [(row.keys[-1], row.path) for row in index.rows] == [
        ("when x" if form != TABLE else "/when x", "a.md"),
        ("key", "a.md"),
    ]
    assert "when x" in index.rows[0].keys
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
