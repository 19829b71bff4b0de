from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from learnings.core.markdown.outline import Block, Heading, Outline, lines_of, section_ends

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
