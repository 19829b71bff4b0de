from __future__ import annotations

import pytest

from tests.core.entries.test_shapes import cases
from tests.rules.cases import case

SHAPES = (
    *("journal", "team-log", "team-log-times", "agent-history", "agent-history-headings"),
    *("log-with-patterns", "log-without-patterns", "four-sections", "register"),
    *("register-with-headings", "table-inside-entries", "decision-records", "numbered-lessons"),
    *("entries-at-the-top", "use-above-a-ruler", "bold-lessons", "empty-bug-log"),
)


@pytest.mark.parametrize("name", SHAPES)
def test_a_shape_is_sound(name: str) -> None:
    findings = case(cases()[name][1]).findings()
    assert [f for f in findings if f.rule not in ("memory-not-loaded", "dialect-unknown")] == []
