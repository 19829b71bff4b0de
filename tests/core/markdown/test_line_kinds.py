from __future__ import annotations

from learnings.core.markdown.line_kinds import has_text


def test_blanks_and_rulers_are_not_text() -> None:
    empty = ["", "\n", " \t\r\n", "---\n", "* * *\r\n", "___\r", "**\n"]
    texts = ["a\n", "- a\n", "**a**\r\n", "---a", "===\n", "#\n", "—\n"]
    assert [line for line in (*empty, *texts) if has_text(line)] == texts
