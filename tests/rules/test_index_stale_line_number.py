"""The rule `index-stale-line-number`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines

RULE = "index-stale-line-number"


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("decisions/cli.md:1", []),
        ("decisions/cli.md#L1", []),
        ("agents/decisions/cli.md:1-3", []),
        ("decisions/cli.md:2", [3]),
        ("decisions/cli.md:1-4", [3]),
        ("decisions/web.md:99", []),
        ("port 8080", []),
    ],
)
def test_lines_of_the_file_of_the_row(pointer: str, expected: list[int]) -> None:
    source = INDEX.replace("hangs", f"hangs | {pointer}") + CLI + "## When a build hangs\n\nLook.\n"
    assert lines(RULE, source) == expected
