"""The front matter of instructions that cannot be read."""

from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import lines


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ("description: a: b\n", [2]),
        ("paths: src/**\nname: [x\n", [3]),
        ("globs: *.ts, *.tsx\nalwaysApply: false\n", []),
        ("paths: **/*.py\n", []),
        ("applyTo: {a,b}/**\n", []),
        ("globs:\n", []),
        ('paths: ["*.ts", "*.tsx"]\n', []),
    ],
)
def test_front_matter(front: str, expected: list[int]) -> None:
    source = f"---\n{front}---\nText.\n"
    for path in (".claude/rules/a.md", ".cursor/rules/b.mdc"):
        assert lines("unreadable-front-matter", source, path=path, role=Role.TARGET) == expected, (
            path
        )
    assert lines("unreadable-front-matter", source, path="CLAUDE.md", role=Role.TARGET) == []
