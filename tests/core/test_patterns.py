"""Patterns that wait for their first use, and that all patterns of the package do."""

from __future__ import annotations

import re

from learnings.core.patterns import lazy_pattern


def test_a_lazy_pattern_answers_as_a_compiled_one() -> None:
    lazy = lazy_pattern(r"(a+)(b?)", re.IGNORECASE)
    compiled = re.compile(r"(a+)(b?)", re.IGNORECASE)
    text = "xAAb aa"
    for _ in range(2):  # what is looked up first is kept
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub("-", text) == compiled.sub("-", text)
        match = lazy.match(text, 1)
        assert match is not None
        assert match.span() == (1, 4)
    assert lazy.pattern == compiled.pattern
