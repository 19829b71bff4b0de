from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import BOM, FENCE, run

RULE = "ignore-without-reason"
IGNORE = "<!-- learnings: ignore[a] -->"


def positions(source: str, role: Role | None = Role.LEARNINGS) -> list[tuple[int, int]]:
    return [(finding.line, finding.column) for finding in run(RULE, source, role=role)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("## A <!-- learnings: ignore[line-limit] -->\n", [(1, 6)]),
        ("<!-- learnings: ignore[line-limit] -->\n## A\n", [(1, 1)]),
        (f"{BOM}<!-- learnings: ignore[line-limit] -->\n## A\n", [(1, 1)]),
        ("## A\r\n\r\n  <!-- learnings: ignore[a, b] -->\r\n", [(3, 3)]),
        ("## A\n<!--\nlearnings: ignore[a]\n-->\n", [(2, 1)]),
        ("## A\n<!-- learnings: ignore[a] — … -->\n", [(2, 1)]),
        ("- a\n\n  <!-- learnings: ignore[a] -->\n", [(3, 3)]),
        (
            f"{IGNORE} <!-- learnings: ignore[b] why --><!--learnings:ignore[c]-->",
            [(1, 1), (1, 64)],
        ),
    ],
)
@pytest.mark.parametrize("role", [*Role, None])
def test_no_reason(source: str, expected: list[tuple[int, int]], role: Role | None) -> None:
    assert positions(source, role) == expected


@pytest.mark.parametrize(
    "source",
    [
        "## A <!-- learnings: ignore[line-limit] why -->\n",
        f"{FENCE}\n<!-- learnings: ignore[line-limit] -->\n{FENCE}\n",
        "<!-- <!-- learnings: ignore[line-limit] -->\n",
        "A <!-- learnings: ignore[line-limit] --> in the middle.\n",
    ],
)
def test_reason_or_no_ignore_at_all(source: str) -> None:
    assert positions(source) == []


def test_message_names_the_rules() -> None:
    (finding,) = run(RULE, "<!-- learnings: ignore[b,a, b ] -->\n")
    assert finding.message == "no reason for ignoring b, a; write one after the bracket"


def test_cannot_be_ignored() -> None:
    source = "## A\n\n<!-- learnings: ignore[ignore-without-reason] -->\n"
    assert positions(source) == [(3, 1)]
