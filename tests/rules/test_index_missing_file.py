"""The rule `index-missing-file`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines, run

RULE = "index-missing-file"


@pytest.mark.parametrize(
    ("heading", "expected"),
    [("agents/gone.md", [5]), ("gone.md", [5]), ("Notes", []), ("See agents/gone.md", [])],
)
def test_sections_that_are_paths(heading: str, expected: list[int]) -> None:
    source = INDEX + f"\n## {heading}\n\n/when gone\n" + CLI + "## When a build hangs\n"
    assert lines(RULE, source) == expected


def test_rows_that_lead_nowhere_with_it_are_counted() -> None:
    source = INDEX + "\n## gone.md\n\n/when gone\n/how gone\n" + CLI + "## When a build hangs\n"
    (finding,) = run(RULE, source)
    assert "2 rows" in finding.message
