"""The rule `index-wrong-section`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines

RULE = "index-wrong-section"
WEB = "<!-- agents/decisions/web.md -->\n## When a page hangs\n"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("/when a page hangs\n", [4]),
        ("```\n/when a page hangs\n```\n", []),
        ("- When a page hangs — note\n", []),
        ("\n## agents/decisions/web.md\n\n/when a page hangs\n", []),
        ("\n## Notes\n\n/when a page hangs\n", [5]),
        ("\n## Notes\n\n/when a build hangs | only an example\n", []),
    ],
)
def test_rows_below_the_heading_of_another_file(rows: str, expected: list[int]) -> None:
    assert lines(RULE, INDEX + rows + CLI + "## When a build hangs\n" + WEB) == expected
