from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import run

PATH = ".claude/rules/python.md"


def found(front: str, path: str = PATH) -> list[tuple[int, str]]:
    source = f"---\n{front}---\n<!-- files: src/app.py, docs/a.md -->\nText.\n"
    findings = run("unmatched-paths", source, path=path, role=Role.TARGET)
    return [(finding.line, finding.message.partition(" ")[0]) for finding in findings]


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        ("description: x\npaths: lib/**\n", [(3, "paths")]),
        ("globs: *.ts, *.tsx\n", [(2, "globs")]),
        ('applyTo: "**/*.{ts,tsx}"\n', [(2, "applyTo")]),
        ("paths:\n", []),
        (f"paths: '{'{a,b}' * 20}'\n", []),
    ],
)
def test_globs(front: str, expected: list[tuple[int, str]]) -> None:
    assert found(front) == expected


def test_other_files_do_not_say_when_they_are_loaded() -> None:
    assert found("paths: lib/**\n", "CLAUDE.md") == []
    assert found("globs: lib/**\n", ".cursor/rules/a.mdc") == [(2, "globs")]
    assert found("applyTo: lib/**\n", ".github/instructions/a.instructions.md") == [(2, "applyTo")]
