from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.text import BOM, chomp, split_lines
from learnings.surfaces.editor.answers import TextPlaces

# An emoji is two units of UTF-16 and four bytes of UTF-8, an umlaut one unit and two bytes.
ASTRAL = "a😀ü𝔘b\nnext\n"


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [("utf-16", [0, 1, 3, 4, 6, 7]), ("utf-8", [0, 1, 5, 7, 11, 12]), ("utf-32", [*range(6)])],
)
def test_each_character_has_its_units(encoding: str, columns: list[int]) -> None:
    places = TextPlaces(ASTRAL, encoding)
    assert [places.range_of(1, column)[0] for column in range(1, 7)] == [(0, c) for c in columns]
    assert places.range_of(2, 3)[0] == (1, 2), "units of the line above do not count"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_ends_of_lines(end: str) -> None:
    places = TextPlaces(f"one{end}{end}three  {end}")
    assert places.range_of(1) == ((0, 0), (0, 3))
    assert places.range_of(2) == ((1, 0), (1, 0))
    assert places.range_of(3, 2) == ((2, 1), (2, 5)), "blanks at the end are not marked"
    assert places.range_of(9, 9)[0] == (3, 0), "beyond the end"


def test_a_return_within_a_line_ends_one_in_the_editor_only() -> None:
    places = TextPlaces("one\rtwo\nthree\n")
    assert places.range_of(1, 5)[0] == (1, 0)
    assert places.range_of(2)[0] == (2, 0)
    assert [places.line_at(line) for line in range(5)] == [1, 1, 2, 2, 2]


def test_a_byte_order_mark_is_a_character_of_the_editor_and_no_column() -> None:
    assert TextPlaces(f"{BOM}# One\n").range_of(1, 3)[0] == (0, 3)
    assert TextPlaces("# One\n").range_of(1, 3)[0] == (0, 2)
    assert TextPlaces(f"{BOM}# One\n", "utf-8").range_of(1, 1)[0] == (0, 3)
    assert TextPlaces(f"{BOM}# One\ntwo\n").range_of(2, 1)[0] == (1, 0)


@pytest.mark.parametrize("text", ["", "one", "one\n", "\n"])
def test_short_texts(text: str) -> None:
    places = TextPlaces(text)
    assert places.range_of(1)[0] == (0, 0)
    assert places.line_at(0) == 1
    assert places.line_at(7) == 1
    assert places.edit_to(text) is None


def test_an_edit_leaves_the_other_lines_alone() -> None:
    edit = TextPlaces("one\r\n😀\r\nthree\r\n").edit_to("one\r\ntwo\r\nthree\r\n")
    assert edit == ((1, 0), (2, 0), "two\r\n")
    assert TextPlaces("a\n😀").edit_to("a\n😀\n") == ((1, 0), (1, 2), "😀\n")
    assert TextPlaces("a\n").edit_to("a\na\n") == ((1, 0), (1, 0), "a\n")
    assert TextPlaces("a\na\n").edit_to("a\n") == ((1, 0), (2, 0), "")


TEXTS = st.text(st.sampled_from("ab 😀ü\n\r" + BOM), max_size=40)


def units(text: str, encoding: str) -> int:
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    codec = encoding if encoding == "utf-8" else f"{encoding}-le"
    return len(text.encode(codec)) // width


@given(TEXTS, st.sampled_from(["utf-8", "utf-16", "utf-32"]))
def test_every_place_is_where_a_slow_count_finds_it(text: str, encoding: str) -> None:
    places, offset = TextPlaces(text, encoding), 0
    for number, line in enumerate(split_lines(text), start=1):
        bom = number == 1 and line.startswith(BOM)
        for column in range(1, len(chomp(line)) + 1 - bom):
            at = offset + column - 1 + bom
            before = text[:at].replace("\r\n", "\n").replace("\r", "\n")
            last = before.rpartition("\n")[2]
            if text[at - 1 : at + 1] != "\r\n":
                assert places.range_of(number, column)[0] == (
                    before.count("\n"),
                    units(last, encoding),
                )
        offset += len(line)


@given(TEXTS, TEXTS)
def test_an_edit_makes_the_other_text(text: str, other: str) -> None:
    places = TextPlaces(text, "utf-32")
    edit = places.edit_to(other)
    if edit is None:
        assert text == other
        return
    lines = [
        0,
        *(
            n + 1
            for n, c in enumerate(text)
            if c == "\n" or (c == "\r" and text[n + 1 : n + 2] != "\n")
        ),
    ]
    *ends, new = edit
    start, end = (lines[line] + character for line, character in ends)
    assert text[:start] + new + text[end:] == other


@pytest.mark.soak
def test_a_place_is_a_look_up() -> None:
    """20,000 places in 200,000 lines take 0.1 s; counting lines for each took minutes."""
    places = TextPlaces("😀 line\n" * 200_000)
    begun = time.perf_counter()
    for number in range(20_000):
        assert places.range_of(number * 10 + 1, 3)[0] == (number * 10, 3)
    assert time.perf_counter() - begun < 5
