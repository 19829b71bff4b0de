"""Verdicts as text."""

from __future__ import annotations

from learnings.surfaces.render.due_text import render
from tests.surfaces.verdicts import verdict


def test_the_name_of_a_file_begins_no_line_of_its_own() -> None:
    text = render([verdict([("When a", "x")], file="a\n::error::b/learnings.md")])
    assert text.startswith("a\\n::error::b/learnings.md: ")
    assert "\n::error" not in text
