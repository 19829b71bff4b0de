from __future__ import annotations

import pytest

from learnings.core.findings.finding import Severity, apply
from learnings.core.roles import Role
from tests.rules.cases import lines, run

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


def test_a_path_is_from_the_folder_or_from_the_root() -> None:
    source = "@own.md @docs/a.md @a.md\n"
    assert found(source, "pkg/CLAUDE.md") == [(2, 20, "@a.md")]


MOVED = "<!-- renamed 2026-03-02 by 1a2b3c4d5e6f7: src/old.py to src/new.py -->\n"


def test_it_names_the_commit_the_day_and_what_to_write() -> None:
    (finding,) = run("dead-reference", f"# L\n{MOVED}\n## A\n\nSee `src/old.py:7`.\n")
    assert (finding.line, finding.column, finding.severity) == (6, 6, Severity.NOTICE)
    renamed = '"src/old.py:7" was renamed in 1a2b3c4d5e6f on 2026-03-02'
    assert finding.message == f'{renamed}; write "src/new.py"'


def test_the_fix_changes_the_path_alone() -> None:
    source = f"# L\n{MOVED}\n## A\n\nSee  `src/old.py:7`, `src/old.py`  \n"
    fixes = [finding.fix for finding in run("dead-reference", source) if finding.fix]
    fixed = apply(source.encode(), fixes, path="agents/learnings.md").decode()
    text = "See  `src/new.py:7`, `src/new.py`  \n"
    assert fixed == f"# L\n{MOVED}\n## A\n\n{text}"


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
