"""Sections that only group others."""

from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import BOM, FENCE, FRONT, lines, run

RULE = "section-without-content"


def flagged(source: str) -> list[int]:
    return lines(RULE, source, role=Role.TARGET, path="docs/decisions/a.md")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("# D\n\n## A\n\n### B\n\ntext\n", [3]),
        ("## A\none\ntwo\n### B\n", [1]),
        ("## A\none\n\n\ntwo\n\n---\n\n### B\n", [1]),
        ("## A\n<!--\none\ntwo\nthree\n-->\n### B\n", [1]),
        ("## A\n### B\n#### C\n", [1, 2]),
        ("## A\n#### C\n", [1]),
        ("## A\r\n\r\n### B\r\n", [1]),
        (f"{FRONT}## A\n### B\n", [4]),
        (f"{BOM}## A\n### B\n", [1]),
        ("## .A\n### B\n#### C\n", [2]),
    ],
)
def test_few_lines(source: str, expected: list[int]) -> None:
    assert flagged(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "## A\none\ntwo\nthree\n### B\n",
        "## .A\n### B\n",
        "# D\n## A\n## B\n",
        "## A\n",
        f"## A\n{FENCE}\none\n{FENCE}\n### B\n",
        f"## A\n\n{FENCE}\n### B\n{FENCE}\n",
        "## A\n\n> ### B\n",
        "",
    ],
)
def test_enough_lines_or_nothing_below(source: str) -> None:
    assert flagged(source) == []


def test_message_says_how_many_and_what_to_write() -> None:
    (finding,) = run(RULE, "## A\n\none\n\n### B\n", role=Role.TARGET)
    assert '"A" has 1 line of its own' in finding.message
    assert finding.message.endswith('or write "## .A"')
    (finding,) = run(RULE, "### A\n#### B\n", role=Role.TARGET)
    assert '"A" has no lines of its own' in finding.message
