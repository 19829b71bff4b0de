"""Which headings a space can be put into without reading the file differently."""

from __future__ import annotations

import pytest

from learnings.core.entries.document import AUTO, ReadOptions, read
from learnings.core.entries.meant_lines import meant_lines, repair

STAMPED = "## [2026-02-16-120000] A\n\n## [2026-02-17-120000] B\n\n"
BULLETS = "- 2026-01-01 a\n- 2026-01-02 b\n\n"


def fixed(text: str, options: ReadOptions = AUTO) -> dict[int, str]:
    document = read(text.encode(), options)
    return repair(document, meant_lines(document), options).lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("## A\n\n##Title\n", {3: "## Title\n"}),
        ("## A\n\n##Title", {3: "## Title"}),
        ("## A\r\n\r\n##Title\r\n", {3: "## Title\r\n"}),
        ("## A\r\r##Title\r", {3: "## Title\r"}),
        ("## A\n\n##\u00a0Title  \n", {3: "## Title  \n"}),
        ("\ufeff##Title\n", {1: "\ufeff## Title\n"}),
        ("\ufeff\u200b## Title\n", {1: "\ufeff## Title\n"}),
        ("## A\n\n\ufeff## Title\r\n", {3: "## Title\r\n"}),
        ("## A\n\n\u2060 \u200b## Title\n", {3: "## Title\n"}),
        ("## A\n\n\u00a0## Title\n", {3: "## Title\n"}),
        ("## A\n\n##\u200b Title\n", {3: "## Title\n"}),
        ("- a\n\u200b- b\n", {2: "- b\n"}),
        ("- a\n\ufeff2. b\n", {2: "2. b\n"}),
        ("---\na: 1\n---\n##Title\n", {4: "## Title\n"}),
        ("##Title\n\n##Other\n", {1: "## Title\n", 3: "## Other\n"}),
        ("## A\ntext\n##Title\n", {3: "## Title\n"}),
        (f"{STAMPED}##[2026-02-18-120000] C\n", {5: "## [2026-02-18-120000] C\n"}),
        (f"{BULLETS}##Title\n- 2026-01-03 c\n", {4: "## Title\n"}),
    ],
)
def test_a_blank_is_put_in(text: str, lines: dict[int, str]) -> None:
    assert fixed(text) == lines
    # A configured dialect stays.
    assert fixed("- a\n- b\n\n##Title\n", ReadOptions("bullet")) == {4: "## Title\n"}


@pytest.mark.parametrize(
    "text",
    [
        # No heading by that: the HTML goes on to the next blank line.
        "## A\n\n<custom-tag>\n##Title\n</custom-tag>\n",
        # The list would end at the heading, and the code would not.
        "## A\n\n- item\n##Title\n  ```\n  code\ntext\n",
        # Entries would no longer be the list items, for the sake of one line.
        "- a\n- b\n\n##Title\n",
    ],
)
def test_where_the_file_would_be_read_differently_nothing_is(text: str) -> None:
    document = read(text.encode())
    assert len(meant_lines(document)) == 1
    assert fixed(text) == {}


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("- a\n- b\n\n##Title\n", 2),
        ("##One\n\n- a\n- b\n- c\n- d\n\n##Two\n\ntext\n", 4),
        ("##Title\n\n### A\n\na\n\n### B\n\n##Other\n", 2),
        ("##Title\n\n##Other\n", 0),
    ],
)
def test_entries_that_would_be_lost_are_counted(text: str, lost: int) -> None:
    document = read(text.encode())
    spaced = repair(document, meant_lines(document), AUTO)
    assert (spaced.entries_lost, bool(spaced.lines)) == (lost, not lost)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("Use `<pre>` or <script>.\n\n##Title\n", [3]),
        ("<pre>\n\n##Code\n</pre>\n\n##Title\n", [6]),
        ("<div>\n##Code\n\n##Title\n", [4]),
        ("   <STYLE>\n\n##Code\n", []),
        ("    <pre>\n\n##Title\n", [3]),
        ("```\n<pre>\n```\n\n##Title\n", [5]),
        ("## A\n\n##\rTitle\n", []),  # it is a heading already
        ("##retry all uploads\n\nThe last line.\n", [1]),  # nothing is above the first line
    ],
)
def test_html_hides_what_it_holds_and_no_more(text: str, lines: list[int]) -> None:
    document = read(text.encode())
    assert [heading.line for heading in meant_lines(document)] == lines
