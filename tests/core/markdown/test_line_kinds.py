from __future__ import annotations

from learnings.core.markdown.line_kinds import has_text
from tests.support.cases import cases


@cases("line", ["", "\n", " \t\r\n", "---\n", "* * *\r\n", "___\r", "**\n"])
def test_blanks_and_rulers_are_not_text(line: str) -> None:
    assert not has_text(line)


@cases("line", ["a\n", "- a\n", "**a**\r\n", "---a", "===\n", "#\n", "—\n"])
def test_anything_else_is_text(line: str) -> None:
    assert has_text(line)
