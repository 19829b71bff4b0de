"""How the words of a row, a cell and a pointer are read."""

from __future__ import annotations

from time import process_time

import pytest

from learnings.index.forms import read_arrow, read_index, read_plain_row
from learnings.index.row_reading import (
    Pointer,
    keys_of_cell,
    path_of_cell,
    pointers_in,
    pointers_of_cell,
)


def test_all_ways_to_read_a_row() -> None:
    ways = {"/When X|y": ("when x|y", "when x"), "Key – a — b": ("key – a — b", "key – a", "key")}
    for text, keys in (ways | {"/how x — y | z": ("how to x — y | z", "how to x — y")}).items():
        reading = read_plain_row(text)
        assert reading is not None
        assert (reading.keys, reading.plain, reading.fault) == (keys, True, None)
    for text, name in (
        ("- **Name** — a → b → `x.md`", "name"),
        ("**When a** — s → [x](x.md#when-a)", "when a"),
    ):
        reading = read_arrow(text)
        assert reading is not None
        assert (reading.keys, reading.path, reading.fault) == ((name,), "x.md", None)
    # Rows only if a heading says so.
    marked = ("- a — b", "* a — b", "1. a — b", "**a** — b", "> a — b", "| a — b", "__a__ — b")
    for text in (*marked, "— b — c"):
        reading = read_plain_row(text)
        assert reading is not None
        assert not reading.plain


def test_what_is_no_row() -> None:
    plain = ["", "words", " /when x", "\t/when x", "/usr/bin/x", "a—b", "a - b", "/"]
    arrows = ["**Name** — no arrow", "Name — s → x.md", "**Name** s → x.md", "→"]
    assert [text for text in plain if read_plain_row(text)] == []
    assert [text for text in arrows if read_arrow(text)] == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("/whenever x", "/whenever is not an operator"),
        ("/when", "no trigger"),
        ("/how \t|", "no trigger"),
        ("**N** — s →", "path"),
        ("**** — s → x.md", "name"),
    ],
)
def test_rows_that_cannot_be_read(text: str, word: str) -> None:
    reading = (read_arrow if "→" in text else read_plain_row)(text)
    assert reading is not None
    assert word in (reading.fault or "")


def test_a_row_has_the_path_of_its_section() -> None:
    text = b"/when a\n\n# Index\n\n/when b\n\n## a.md\n\n/when c\n\n### deeper\n\n/when d\n"
    text += b"\n## Notes\n\n/when e\n\n# End\n\n/when f\n"
    rows = [(row.reading.keys[0], row.path) for row in read_index(text).rows]
    paths = zip("abcdef", ("", "", "a.md", "a.md", "Notes", ""), strict=True)
    assert rows == [(f"when {name}", path) for name, path in paths]


def test_cells_that_name_a_heading_a_file_or_lines() -> None:
    keys: dict[str, tuple[str, ...]] = {"When x": ("when x",), "": ()}
    keys |= {"`/how x`": ("`/how x`", "how to x", "/how x")}
    keys |= {"[When x](a.md)": ("[when x](a.md)", "when x")}
    assert {cell: keys_of_cell(cell) for cell in keys} == keys
    cells = [" a.md ", "`a.md`", "[x](a.md#y)", "a.md:12", ""]
    assert [path_of_cell(cell) for cell in cells] == ["a.md"] * 4 + [""]
    assert pointers_of_cell("12") == (Pointer(None, 12, 12),)
    assert pointers_of_cell(" L3-7 ") == (Pointer(None, 3, 7),)
    assert pointers_of_cell("12 or so") == ()


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ("see a/b.md:12", [("a/b.md", 12, 12)]),
        ("see a.md#L3-L9.", [("a.md", 3, 9)]),
        ("a.md:3 (b.md:4) and `c.md:5`", [("a.md", 3, 3), ("b.md", 4, 4), ("c.md", 5, 5)]),
        ("(line 7)", [(None, 7, 7)]),
        ("[lines 7-9]", [(None, 7, 9)]),
        ("| L7–9 | x", [(None, 7, 9)]),
        ("the limit is 400 lines, line 401 fails", []),
        ("(line 99999999999999999999)", []),
    ],
)
def test_lines_that_a_text_points_at(
    text: str, pointers: list[tuple[str | None, int, int]]
) -> None:
    assert pointers_in(text) == tuple(Pointer(*pointer) for pointer in pointers)


SOAK_UNITS = ("a — ", "| ", "**", "a.b", "`", "→", "(line 1")


@pytest.mark.parametrize(
    "unit",
    [" ", "**a** — ", "[", *(pytest.param(unit, marks=pytest.mark.soak) for unit in SOAK_UNITS)],
)
def test_a_line_of_a_megabyte_costs_no_square(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    start = process_time()
    for lead in ("", "/when a", "**a** — ", "a — "):
        read_plain_row(lead + text)
        read_arrow(lead + text)
    assert process_time() - start < 5
