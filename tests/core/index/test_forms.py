from __future__ import annotations

from time import process_time

import pytest

from learnings.core.index.forms import (
    Pointer,
    cell_keys,
    cell_path,
    pointer_cell,
    pointers_in,
    read_arrow,
    read_row,
)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("/when x | words", ("when x | words", "when x")),
        ("/when x", ("when x",)),
        ("/When X|y", ("when x|y", "when x")),
        ("/how x — y | z", ("how to x — y | z", "how to x — y")),
        ("Key — summary", ("key — summary", "key")),
        ("Key – a — b", ("key – a — b", "key – a", "key")),
    ],
)
def test_all_ways_to_read_a_row(text: str, keys: tuple[str, ...]) -> None:
    found = read_row(text)

    assert found is not None
    assert (found.keys, found.plain, found.fault) == (keys, True, None)


@pytest.mark.parametrize(
    "text",
    ["", "words", " /when x", "\t/when x", "/usr/bin/x", "a—b", "a - b", "/", "no dash-here"],
)
def test_what_is_no_row(text: str) -> None:
    assert read_row(text) is None


@pytest.mark.parametrize(
    "text",
    ["- a — b", "* a — b", "1. a — b", "**a** — b", "> a — b", "| a — b", "__a__ — b", "— b — c"],
)
def test_what_is_a_row_only_if_a_heading_says_so(text: str) -> None:
    found = read_row(text)

    assert found is not None
    assert not found.plain


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("/what x | y", "/what is no operator"),
        ("/whenever x", "/whenever is no operator"),
        ("/when", "no trigger"),
        ("/when | words", "no trigger"),
        ("/how \t|", "no trigger"),
    ],
)
def test_rows_that_cannot_be_read(text: str, word: str) -> None:
    found = read_row(text)

    assert found is not None
    assert found.fault is not None
    assert word in found.fault


@pytest.mark.parametrize(
    ("text", "keys", "place"),
    [
        ("**Name** — about it → x/y.md", ("name",), "x/y.md"),
        ("- **Name** — a → b → `x.md`", ("name",), "x.md"),
        ("**When a** — s → [x](x.md#when-a)", ("when a",), "x.md"),
    ],
)
def test_rows_with_an_arrow(text: str, keys: tuple[str, ...], place: str) -> None:
    found = read_arrow(text)

    assert found is not None
    assert (found.keys, found.place, found.fault) == (keys, place, None)


@pytest.mark.parametrize(
    "text", ["**Name** — no arrow", "Name — s → x.md", "**Name** s → x.md", "→"]
)
def test_what_has_no_arrow_is_none(text: str) -> None:
    assert read_arrow(text) is None


@pytest.mark.parametrize(("text", "word"), [("**N** — s →", "path"), ("**** — s → x.md", "name")])
def test_rows_with_an_arrow_that_cannot_be_read(text: str, word: str) -> None:
    found = read_arrow(text)

    assert found is not None
    assert word in (found.fault or "")


@pytest.mark.parametrize(
    ("cell", "keys"),
    [
        ("When x", ("when x",)),
        ("`/how x`", ("`/how x`", "how to x", "/how x")),
        ("[When x](a.md)", ("[when x](a.md)", "when x")),
        ("", ()),
    ],
)
def test_cells_that_name_a_heading(cell: str, keys: tuple[str, ...]) -> None:
    assert cell_keys(cell) == keys


@pytest.mark.parametrize(
    ("cell", "path"),
    [
        (" a.md ", "a.md"),
        ("`a.md`", "a.md"),
        ("[x](a.md#y)", "a.md"),
        ("a.md:12", "a.md"),
        ("", ""),
    ],
)
def test_cells_that_name_a_file(cell: str, path: str) -> None:
    assert cell_path(cell) == path


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see a/b.md:12", (Pointer("a/b.md", 12, 12),)),
        ("see a.md#L3-L9.", (Pointer("a.md", 3, 9),)),
        ("see a.md#L3-L9", (Pointer("a.md", 3, 9),)),
        ("(line 7)", (Pointer(None, 7, 7),)),
        ("[lines 7-9]", (Pointer(None, 7, 9),)),
        ("| L7–9 | x", (Pointer(None, 7, 9),)),
        ("the limit is 400 lines, line 401 fails", ()),
        ("v1.2:3", (Pointer("v1.2", 3, 3),)),
        ("(line 99999999999999999999)", ()),
    ],
)
def test_lines_that_a_text_points_at(text: str, found: tuple[Pointer, ...]) -> None:
    assert pointers_in(text) == found


@pytest.mark.parametrize(
    ("cell", "found"),
    [("12", (Pointer(None, 12, 12),)), (" L3-7 ", (Pointer(None, 3, 7),)), ("12 or so", ())],
)
def test_a_column_of_lines(cell: str, found: tuple[Pointer, ...]) -> None:
    assert pointer_cell(cell) == found


@pytest.mark.parametrize(
    "unit", [" ", "a — ", "| ", "**", "**a** — ", "a.b", "[", "`", "→", "(line 1"]
)
def test_a_line_of_a_megabyte_costs_no_square(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    start = process_time()
    for lead in ("", "/when a", "**a** — ", "a — "):
        read_row(lead + text)
        read_arrow(lead + text)

    assert process_time() - start < 5
