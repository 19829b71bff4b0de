from __future__ import annotations

import pytest

from learnings.index.forms import read_index
from tests.index.index_cases import BLOCK


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("<!-- INDEX:START -->\n<!-- INDEX:END -->\n", []),
        ("nothing\n", []),
        ("<!-- INDEX:START -->\n", [1]),
        ("<!-- INDEX:END -->\n\n<!-- INDEX:START -->\n", [1]),
        ("<!-- INDEX:START -->\n<!-- INDEX:START -->\n<!-- INDEX:END -->\n", [2]),
        ("<!-- INDEX:START -->\n<!-- INDEX:END -->\n<!-- INDEX:END -->\n", [3]),
        ("<!-- INDEX:START -->\n\n## Entry\n\n<!-- INDEX:END -->\n", [3]),
        ("```\n<!-- INDEX:START -->\n```\n", []),
    ],
)
def test_what_is_wrong_with_the_markers(text: str, lines: list[int]) -> None:
    assert [line for line, _ in read_index(text.encode(), form=BLOCK, path="a.md").faults] == lines
