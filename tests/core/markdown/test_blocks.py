from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from learnings.core.markdown.blocks import blocks_of, front_matter_end
from learnings.core.markdown.chunks import chunks_of, joined_outline
from learnings.core.markdown.line_kinds import has_text
from learnings.core.markdown.outline import Block, Heading, Outline, lines_of, section_ends
from learnings.core.markdown.scanner import scan
from learnings.core.text import chomp, encode, split_lines

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


# fmt: off
LINES = st.sampled_from([
    "## A heading", "# Top", "### Deep", "##", "#no heading", "  ## indented", "##\ttab",
    "```", "```py", "~~~", "~~~~", "  ```", "    ```", "- ```",
    "<!-- comment", "-->", "<!-- whole -->", "<!-->", "text <!-- inside",
    "<div>", "</div>", "<pre>", "</pre>", "<script>", "<b>", "<?php", "?>", "<!X", "<![CDATA[",
    "- item", "1. first", "2. second", "-", "  continued", "      code", "* * *",
    "> quote", "> - item in quote", "> ```", "lazy text", "===", "---", "[a]: /b", "[a]:",
    "", "  ", "\t", "a\rb", "\r<div>", "\r## a", "\0", "\udc80",
])
# fmt: on
TEXTS = st.lists(LINES, max_size=16).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda newline: newline.join(lines))
)


@settings(deadline=None)  # the first uncertain text loads the parser
@given(TEXTS)
@example("## A\n```\n## B\n```\n## C\n")
@example("## A\n<!--\n## B\n-->\n## C\n")
@example("## A\n<div>\n## B\n\n## C\n")
@example("- a\n  ```\n## B\n```\n## C\n")
@example("## A\n\r<div>\n## B\n\n## C\n")
@example("## A\n-\n## B\n")
@example("## A\n[a]: b\n2. c\n## B\n")
def test_chunks_give_the_outline_of_the_whole(text: str) -> None:
    chunks = chunks_of(text)
    assert [line for chunk in chunks for line in chunk.lines] == split_lines(text)
    assert joined_outline(chunks) == scan(split_lines(text))
    for chunk in chunks:
        outline = scan(chunk.lines)
        headings = outline and [chomp(chunk.lines[h.line - 1]) for h in outline.headings]
        assert outline is None or list(chunk.headings) == headings
    data = encode(text)
    assert blocks_of(data, version=True) == blocks_of(data)


@pytest.mark.parametrize("opening", ["```", "<!--"])
def test_what_is_open_hides_the_headings_of_all_later_chunks(opening: str) -> None:
    outline = blocks_of(f"## A\n{opening}\n## B\n## C\n".encode(), version=True).outline
    assert outline.headings == (Heading(1, 2),)
    assert outline.hiding_blocks == (Block(2, 4, closed=False),)


def test_what_is_closed_below_a_line_like_a_heading_is_one_chunk() -> None:
    fenced = "## A\n```sh\n# one\n# two\n```\n"
    chunks = chunks_of(f"intro\n{fenced}## B\n## C\n## D\n")
    assert [chunk.text for chunk in chunks] == ["intro\n", f"{fenced}## B\n", "## C\n", "## D\n"]
    assert chunks_of(f"{fenced}## B\n")[0] is chunks[1]
    html = "## A\n<div>\n\n## B\n<div>\n## C\n"
    assert [chunk.text for chunk in chunks_of(html)] == [html[:12], html[12:]]
