"""Which paths are those of instructions, of what agents start, and of what needs no name."""

from __future__ import annotations

import pytest

from learnings.core.instruction_paths import (
    import_line,
    is_instructions,
    is_started,
    is_text,
    reads_itself,
)

INSTRUCTIONS = [
    *("CLAUDE.md", "packages/api/AGENTS.md", ".claude/CLAUDE.md", "GEMINI.md", "docs/MEMORY.md"),
    *(".claude/rules/a/b.md", "packages/api/.claude/rules/a.md", ".clinerules", ".clinerules/a.md"),
    *(".cursor/rules/a.mdc", ".github/copilot-instructions.md", ".github/instructions/a.md"),
]
STARTED = [
    *(".claude/skills/a/SKILL.md", ".claude/agents/a.md", ".github/prompts/a.prompt.md"),
    *("skills/a/SKILL.md", ".claude/settings.json", "api/.claude/hooks/start", "opencode.json"),
]
NEITHER = [
    *("README.md", "claude.md", "docs/agents.md", ".claude/learnings.md", ".claude/plans/a.md"),
    *("xCLAUDE.md", "CLAUDE.md.bak", "rules/a.md", ".github/workflows/a.yml", "settings.json"),
    *(".claude/skills/a/logo.png", ".claude/rules/a.png", "x.claude/rules/a.md", ""),
]


@pytest.mark.parametrize("path", [*INSTRUCTIONS, *STARTED, *NEITHER])
def test_kinds(path: str) -> None:
    assert is_instructions(path) is (path in INSTRUCTIONS)
    assert is_started(path) is (path in STARTED)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *((path, True) for path in INSTRUCTIONS),
        (".serena/memories/a.md", True),
        ("packages/api/.planning/LEARNINGS.md", True),
        ("memory-bank/progress.md", True),
        (".context/LEARNINGS.md", False),
        (".serena", False),
        ("agents/learnings.md", False),
        ("docs/memory-bank.md", False),
    ],
)
def test_files_that_need_no_name(path: str, *, expected: bool) -> None:
    assert reads_itself(path) is expected


def test_texts() -> None:
    assert [name for name in ("a.md", "b/hook", ".rules", "a.png", "a.b") if is_text(name)] == [
        "a.md",
        "b/hook",
        ".rules",
    ]


def test_a_blank_does_not_end_an_import() -> None:
    assert import_line("agents/our learnings.md") == "@agents/our\\ learnings.md"
