from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import lines


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ("description: a: b\n", [2]),
        ("globs: *.ts, *.tsx\nalwaysApply: false\n", []),
        ("applyTo: {a,b}/**\n", []),
    ],
)
def test_front_matter(front: str, expected: list[int]) -> None:
    source = f"---\n{front}---\nText.\n"
    for path in (".claude/rules/a.md", ".cursor/rules/b.mdc"):
        assert lines("unreadable-front-matter", source, path=path, role=Role.TARGET) == expected, (
            path
        )
    assert lines("unreadable-front-matter", source, path="CLAUDE.md", role=Role.TARGET) == []
