"""What a check of the memory index says that a fix does."""

from __future__ import annotations

import pytest

from learnings.index.index_fixes import with_fixes
from learnings.index.index_problems import problems_of
from learnings.rules import RULES
from learnings.rules.index import IndexRule
from tests.index.index_cases import BLOCK, ROWS, TABLE, TWO, Files, index_and_files

BY_KIND = {rule.kind: rule for rule in RULES if isinstance(rule, IndexRule)}


def fixes_in(text: str, files: Files, form: str = ROWS) -> dict[tuple[str, int], str | None]:
    """Return what the fix of each problem does, by kind and line."""
    index, indexed = index_and_files(text, files, form)
    faults = list(problems_of(index, indexed))
    fixes = {
        (problem.kind, problem.line): BY_KIND[problem.kind].fix_of(problem)
        for problem in with_fixes(index, indexed, faults)
    }
    return {key: fix and fix.does for key, fix in fixes.items()}


@pytest.mark.parametrize(
    ("text", "files", "form", "expected"),
    [
        # The cell of the file is for the user to correct.
        (
            "| Topic | File | Key |\n|---|---|---|\n| x | a.md | When four |\n",
            TWO,
            TABLE,
            {
                ("wrong-section", 3): False,
                ("missing-row", 3): True,
                ("missing-row", 7): True,
                ("missing-row", 9): True,
            },
        ),
        (
            "",
            {"a.md": "## ```\n\n## B\n"},
            ROWS,
            {("missing-row", 1): False, ("missing-row", 3): True},
        ),
        # What is added would be swallowed, but what is there can be put in order.
        (
            "## a.md\n\n/how two\n/when one\n\n```\ncode\n",
            TWO,
            ROWS,
            {("order", 4): True, ("missing-row", 9): False, ("missing-row", 3): False},
        ),
        (
            "<!-- INDEX:START -->\n## A\n<!-- INDEX:END -->\n\n## B\n",
            {},
            BLOCK,
            {("row-form", 2): False},
        ),
    ],
)
def test_what_is_not_fixed_has_no_fix(
    text: str, files: Files, form: str, expected: dict[tuple[str, int], bool]
) -> None:
    assert {key: does is not None for key, does in fixes_in(text, files, form).items()} == expected
