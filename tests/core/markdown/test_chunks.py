from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.chunks import scan_chunks
from learnings.core.markdown.outline import Block, Heading
from learnings.core.markdown.scanner import scan
from learnings.core.text import split_lines

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
    lines = split_lines(text)
    assert scan_chunks(lines) == scan(lines)
    assert outline_of(lines, version=True) == outline_of(lines)


@pytest.mark.parametrize("opening", ["```", "<!--"])
def test_what_is_open_hides_the_headings_of_all_later_chunks(opening: str) -> None:
    lines = [f"{line}\n" for line in ("## A", opening, "## B", "## C")]
    outline = outline_of(lines, version=True)
    assert outline.headings == (Heading(1, 2),)
    assert outline.hiding_blocks == (Block(2, 4, closed=False),)


def test_a_version_read_before_changes_nothing_in_the_next_one() -> None:
    first = ["## A\n", "```\n", "## B\n", "```\n", "## C\n"]
    outline_of(first, version=True)
    shifted = ["intro\n", *first]
    assert outline_of(shifted, version=True) == outline_of(shifted)
