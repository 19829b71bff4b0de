from __future__ import annotations

import pytest

from tests.rules.cases import FRONT, lines, run

RULE = "setext-entry"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A\n\ntext\n---\n", [3]),
        ("## A\r\n\r\ntext\r\n---\r\n", [3]),
        (f"{FRONT}## A\n\ntext\n---\n", [6]),
        ("## A\n\n<!-- note -->\ntext\n---\n", [4]),
        ("# L\n\nB\n-----\n\ntext\n\nC\n-----\n\nmore\n", [3, 8]),
        ("L\n---\n\nabout it\n\nB\n---\n\ntext\n", [6]),
        ("## A\n\ntext\n\n---\n\n## B\n", []),
        ("## A\n\n- item\n\n  its text\n---\n", []),
        ("## A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n---\n", []),
        ("## A\n\n<!--\ntext\n---\n-->\n", []),
        ("## A\n\n    code\n---\n", []),
        ("## A\n\ntext\n===\n", []),
        ("# L\n\ntext\n---\n", []),
        ("L\n===\n\nTesting\n---\n- item\n", []),
        ("L\n---\n\nabout it\n\n- item\n", []),
        ("## A\n\n- item\n---\n", []),
        ("---\ntitle: x\n---\n## A\n", []),
    ],
)
def test_what_is_underlined(source: str, expected: list[int]) -> None:
    assert lines(RULE, source) == expected


def test_level_of_the_entries_decides() -> None:
    source = "# A\n\nB\n===\n\nC\n---\n"
    (finding,) = run(RULE, "## A\n\nC\n---\n\nB\n===\n")
    assert finding.line == 3
    assert 'write "## C"' in finding.message
    assert lines(RULE, source, dialect="heading") == []
