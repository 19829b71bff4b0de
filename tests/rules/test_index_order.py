"""The rule `index-order`."""

from __future__ import annotations

import pytest

from tests.rules.cases import CLI, INDEX, lines

RULE = "index-order"
HEADINGS = "## When a build hangs\n\n## How to b\n\n## How to c\n"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("/how b\n/how c\n", []),
        ("/how c\n/how b\n", [5]),
        ("- note\n/how c\n\nA line.\n\n/how b\n", [9]),
        ("```\n/how c\n```\n/how b\n/how c\n", []),
    ],
)
def test_one_finding_at_the_first_that_is_too_low(rows: str, expected: list[int]) -> None:
    assert lines(RULE, INDEX + rows + CLI + HEADINGS) == expected
