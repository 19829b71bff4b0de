from __future__ import annotations

import pytest

from learnings.core.roles import Role
from tests.rules.cases import run

FILES = "<!-- files: docs/a.md, my notes.md, pkg/own.md -->\n"


def found(source: str, path: str = "CLAUDE.md") -> list[tuple[int, int, str]]:
    findings = run("dead-import", FILES + source, path=path, role=Role.TARGET)
    return [(f.line, f.column, f.message.partition('"')[2].partition('"')[0]) for f in findings]


def test_it_is_named_with_its_place() -> None:
    assert found("# Guide\n\nSee @docs/gone.md, and (@./b.txt).\n") == [
        (4, 5, "@docs/gone.md"),
        (4, 25, "@./b.txt"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "@docs/a.md",
        "@my\\ notes.md",
        "``@docs/gone.md``",
        "mail bob@docs.md",
        "@~/.claude/own.md",
        "https://x.org/@docs/gone.md",
    ],
)
def test_what_is_none(line: str) -> None:
    assert found(f"{line}\n") == []


def test_only_agents_without_documented_imports_may_start_from_the_root() -> None:
    source = "@own.md @docs/a.md @a.md\n"
    assert found(source, "pkg/AGENTS.md") == [(2, 20, "@a.md")]
    root, gone = run("dead-import", FILES + source, path="pkg/CLAUDE.md", role=Role.TARGET)
    assert "write `@../docs/a.md`" in root.message
    assert "agents load nothing" in gone.message


def test_punctuation_that_claude_code_takes_for_the_path() -> None:
    for written in ("@docs/a.md:", "@docs/a.md,", "(@docs/a.md)"):
        (finding,) = run(
            "dead-import", f"{FILES}See {written} x", path="CLAUDE.md", role=Role.TARGET
        )
        assert f'do not load "{written}"' in finding.message
        assert found(f"See {written} x", "AGENTS.md") == []
