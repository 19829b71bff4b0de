from __future__ import annotations

import pytest

from learnings.core.roles import Role
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
from tests.rules.cases import run

RULE = "agent-default-number"


def positions(text: str, *, naming: str = "`learnings due`") -> list[tuple[int, int, str]]:
    source = f"{naming}\n\n{text}\n"
    findings = run(RULE, source, path=".claude/agents/tidy.md", role=Role.AGENT)
    return [(finding.line, finding.column, finding.message) for finding in findings]


@pytest.mark.parametrize("name", [*FILE_KEYS, *GENERAL_KEYS])
def test_every_setting(name: str) -> None:
    default = (FILE_KEYS.get(name) or GENERAL_KEYS[name]).default
    if isinstance(default, int | float) and not isinstance(default, bool):
        assert positions(f"`{name}` *(default {default})*") == []
        assert len(positions(f"`{name}` *(default {default + 1})*")) == 1
    else:
        ((_, _, message),) = positions(f"`{name}` *(default 1)*")
        assert "is not a number" in message


@pytest.mark.parametrize(
    "text",
    [
        "The newest `keep-recent` *(default 3)* stay.",
        "`covered` *(default 0.4)* and `coverage` *(default 0.90)*",
        "`timeout` *(default 3)*, freshness-free",
    ],
)
def test_right_or_not_ours(text: str) -> None:
    assert positions(text) == []


@pytest.mark.parametrize(
    ("text", "line", "column", "wording"),
    [
        ("`freshness` (default: 8)", 3, 13, "8 is not the default of freshness, which is 7"),
        ("*(default 9)* active days (`freshness`)", 3, 2, "9 is not the default of freshness"),
        ("- one\n- `freshness`\r\n  *(default 8)*", 5, 4, "default of freshness, which is 7"),
    ],
)
def test_wrong(text: str, line: int, column: int, wording: str) -> None:
    ((*position, message),) = positions(text)
    assert position == [line, column]
    assert wording in message


def test_only_in_files_that_name_learnings() -> None:
    assert positions("`freshness` *(default 8)*", naming="Our learnings, `learnings.md`") == []
