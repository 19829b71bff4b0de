from __future__ import annotations

import pytest

from learnings.core.markdown.line_kinds import has_text


@pytest.mark.parametrize("line", ["", "\n", " \t\r\n", "---\n", "* * *\r\n", "___\r", "**\n"])
def test_blanks_and_rulers_are_not_text(line: str) -> None:
    assert not has_text(line)


@pytest.mark.parametrize("line", ["a\n", "- a\n", "**a**\r\n", "---a", "===\n", "#\n", "—\n"])
def test_anything_else_is_text(line: str) -> None:
    assert has_text(line)
