from __future__ import annotations

from time import process_time

import pytest

from learnings.index.forms import read_arrow, read_plain_row
from learnings.index.row_reading import keys_of_cell, path_of_cell


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
    assert keys_of_cell(cell) == keys


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
    assert path_of_cell(cell) == path


@pytest.mark.slow
@pytest.mark.parametrize(
    "unit", [" ", "a — ", "| ", "**", "**a** — ", "a.b", "[", "`", "→", "(line 1"]
)
def test_a_line_of_a_megabyte_costs_no_square(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    start = process_time()
    for lead in ("", "/when a", "**a** — ", "a — "):
        read_plain_row(lead + text)
        read_arrow(lead + text)

    assert process_time() - start < 5
