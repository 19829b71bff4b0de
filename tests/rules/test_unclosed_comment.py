"""Comments that swallow the rest of a file."""

from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, FRONT, lines, run


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# L\n\n<!-- newest first\n\n## A\n", [3]),
        ("<!-- a -->\n<!-- b\n## A\n", [2]),
        ("# L\r\n\r\n<!-- newest\r\n## A\r\n", [3]),
        (f"{FRONT}<!-- a\n## A\n", [4]),
        (f"{BOM}<!-- a\n## A\n", [1]),
        (f"<!--\n{FENCE}\n", [1]),
        ("<!-- a -- >\n## A\n", [1]),
    ],
)
def test_open_at_the_end(source: str, expected: list[int]) -> None:
    assert lines("unclosed-comment", source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "<!-- a\n\nb -->\n## A\n",
        "## A\n\ntext <!-- in a paragraph\n\n## B\n",
        f"{FENCE}\n<!-- a\n{FENCE}\n## B\n",
        "- item\n  <!-- a\n\n## B\n",
        "    <!-- code\n\n## B\n",
        "`<!--` opens a comment\n\n## B\n",
        "<!-->\n## B\n-->\n",
    ],
)
def test_closed_or_no_comment(source: str) -> None:
    assert lines("unclosed-comment", source) == []


def test_message_counts_what_has_vanished() -> None:
    (finding,) = run("unclosed-comment", "## A\n\n<!-- note\n\n## B\n\n## C\n")
    assert "hides 2 lines below it, which look like 2 entries; write -->" in finding.message
