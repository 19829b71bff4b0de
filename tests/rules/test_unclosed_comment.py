from __future__ import annotations

import pytest

from tests.rules.cases import BOM, FENCE, lines, run


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# L\n\n<!-- newest first\n\n## A\n", [3]),
        ("# L\r\n\r\n<!-- newest\r\n## A\r\n", [3]),
        (f"{BOM}<!-- a\n## A\n", [1]),
        ("<!-- a\n\nb -->\n## A\n", []),
        (f"{FENCE}\n<!-- a\n{FENCE}\n## B\n", []),
        ("    <!-- code\n\n## B\n", []),
    ],
)
def test_what_is_open_at_the_end(source: str, expected: list[int]) -> None:
    assert lines("unclosed-comment", source) == expected


def test_message_counts_what_has_vanished() -> None:
    (finding,) = run("unclosed-comment", "## A\n\n<!-- note\n\n## B\n\n## C\n")
    assert "hides 2 lines below it, which look like 2 entries; write -->" in finding.message
