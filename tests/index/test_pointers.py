from __future__ import annotations

import pytest

from learnings.index.row_reading import Pointer, pointers_in, pointers_of_cell

PAIRS = (("a", 3), ("b", 4), ("c", 5))


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ("see a/b.md:12", (Pointer("a/b.md", 12, 12),)),
        ("see a.md#L3-L9.", (Pointer("a.md", 3, 9),)),
        ("see a.md#L3-L9", (Pointer("a.md", 3, 9),)),
        ("see a.md:3 (b.md:4) and `c.md:5`", tuple(Pointer(f"{n}.md", i, i) for n, i in PAIRS)),
        ("(line 7)", (Pointer(None, 7, 7),)),
        ("[lines 7-9]", (Pointer(None, 7, 9),)),
        ("| L7–9 | x", (Pointer(None, 7, 9),)),
        ("the limit is 400 lines, line 401 fails", ()),
        ("v1.2:3", (Pointer("v1.2", 3, 3),)),
        ("(line 99999999999999999999)", ()),
    ],
)
def test_lines_that_a_text_points_at(text: str, pointers: tuple[Pointer, ...]) -> None:
    assert pointers_in(text) == pointers


@pytest.mark.parametrize(
    ("cell", "pointers"),
    [("12", (Pointer(None, 12, 12),)), (" L3-7 ", (Pointer(None, 3, 7),)), ("12 or so", ())],
)
def test_a_column_of_lines(cell: str, pointers: tuple[Pointer, ...]) -> None:
    assert pointers_of_cell(cell) == pointers
