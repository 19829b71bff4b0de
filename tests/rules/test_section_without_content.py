from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import FENCE, lines, run

RULE = "section-without-content"


def flagged(source: str) -> list[int]:
    return lines(RULE, source, role=Role.TARGET, path="docs/decisions/a.md")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# D\n\n## A\n\n### B\n\ntext\n", [3]),
        ("## A\n<!--\none\ntwo\nthree\n-->\n### B\n", [1]),
        ("## A\r\n\r\n### B\r\n", [1]),
        ("## A\none\ntwo\nthree\n### B\n", []),
        ("# D\n## A\n## B\n", []),
        (f"## A\n\n{FENCE}\n### B\n{FENCE}\n", []),
    ],
)
def test_sections_with_few_lines(source: str, expected: list[int]) -> None:
    assert flagged(source) == expected


def test_message_says_how_many_and_what_to_write() -> None:
    (finding,) = run(RULE, "## A\n\none\n\n### B\n", role=Role.TARGET)
    assert '"A" has 1 line of its own' in finding.message
    assert finding.message.endswith('or write "## .A"')
    (finding,) = run(RULE, "### A\n#### B\n", role=Role.TARGET)
    assert '"A" has no lines of its own' in finding.message
