from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.chunks import chunks_of, joined_outline
from learnings.core.markdown.outline import Block, Heading
from learnings.core.markdown.scanner import scan
from learnings.core.text import chomp, encode, split_lines

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
        assert outline is None or list(chunk.headings or ()) == headings
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
