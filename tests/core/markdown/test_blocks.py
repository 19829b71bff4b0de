from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.markdown.blocks import blocks_of, front_matter_end
from learnings.core.markdown.line_kinds import has_text
from learnings.core.markdown.outline import Block, Heading, Outline, lines_of, section_ends
from learnings.core.text import split_lines

# The file, the last line of its front matter, and that of a file which has to have one.
FILES = {
    "empty": ("", 0, 0),
    "keys": ("---\na: b\n---\n# L\n", 3, 3),
    "nothing": ("---\n---\n# L\n", 2, 2),
    "byte order mark": ("\ufeff---\na: b\n---\n", 3, 3),
    "blanks behind the marks": ("--- \na: b\n---\t\n", 3, 3),
    "three dots": ("---\na: b\n...\n---\n", 3, 4),
    "never closed": ("---\na: b\n", 0, 0),
    "separator": ("---\n\nWords.\n\n---\n", 0, 5),
    "separators and nothing": ("---\n\n\n---\n", 0, 4),
    "a heading": ("---\n## A\na: b\n---\n", 0, 4),
    "below a line": ("\n---\na: b\n---\n", 0, 0),
}


@pytest.mark.parametrize(("text", "end", "certain_end"), FILES.values(), ids=FILES)
def test_front_matter_ends_at_its_second_mark(text: str, end: int, certain_end: int) -> None:
    lines = split_lines(text)

    assert front_matter_end(lines) == end
    assert front_matter_end(lines, certain=True) == certain_end


def test_blanks_and_rulers_are_not_text() -> None:
    empty = ["", "\n", " \t\r\n", "---\n", "* * *\r\n", "___\r", "**\n"]
    texts = ["a\n", "- a\n", "**a**\r\n", "---a", "===\n", "#\n", "—\n"]
    assert [line for line in (*empty, *texts) if has_text(line)] == texts


# Levels of headings, each on a line of its own with a line of text below it.
LEVELS = st.lists(st.integers(1, 6), max_size=12)


def test_fences_and_comments_hide_their_first_and_last_lines_as_well() -> None:
    outline = Outline(
        fences=(Block(3, 5, closed=True),),
        comments=(Block(7, 7, closed=True), Block(9, 10, closed=False)),
    )

    assert outline.hidden_lines() == {3, 4, 5, 7, 9, 10}
    assert outline.hidden_lines(2) == {1, 2, 3, 4, 5, 7, 9, 10}
    assert lines_of(outline.comments) == {7, 9, 10}


@given(LEVELS)
def test_a_section_ends_where_a_look_at_all_later_headings_says(levels: list[int]) -> None:
    headings = [Heading(2 * n + 1, level) for n, level in enumerate(levels)]
    count = 2 * len(levels)
    expected = [
        next((h.line for h in headings[n + 1 :] if h.level <= level), count + 1) - 1
        for n, level in enumerate(levels)
    ]

    assert section_ends(headings, count) == expected


@pytest.mark.parametrize("opening", ["```", "<!--"])
def test_what_is_open_hides_all_later_headings(opening: str) -> None:
    outline = blocks_of(f"## A\n{opening}\n## B\n## C\n".encode()).outline
    assert outline.headings == (Heading(1, 2),)
    assert outline.hiding_blocks == (Block(2, 4, closed=False),)
