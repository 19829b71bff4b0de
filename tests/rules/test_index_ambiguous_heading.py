"""The rule `index-ambiguous-heading`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, run

RULE = "index-ambiguous-heading"
SAME = INDEX + CLI + "## When a build hangs\n\n### When A Build hangs\n"
TITLES = INDEX + CLI + "# When a build hangs\n\n## When a build hangs\n"
DOTS = INDEX + CLI + "## When a build hangs\n\n## .When a build hangs\n"


def test_second_heading_of_one_file_is_named() -> None:
    (finding,) = run(RULE, SAME)
    assert (finding.path, finding.line) == ("agents/decisions/cli.md", 3)
    assert "line 1" in finding.message


@pytest.mark.parametrize("source", [TITLES, DOTS])
def test_titles_and_structural_headings_do_not_count(source: str) -> None:
    assert run(RULE, source) == []
