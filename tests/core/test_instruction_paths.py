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


def test_files_that_need_no_name_and_texts() -> None:
    own = [".serena/memories/a.md", "pkg/.planning/LEARNINGS.md", "memory-bank/progress.md"]
    others = [".context/LEARNINGS.md", ".serena", "agents/learnings.md", "docs/memory-bank.md"]
    paths = [*INSTRUCTIONS, *own, *others]
    assert [path for path in paths if reads_itself(path)] == [*INSTRUCTIONS, *own]
    names = ("a.md", "b/hook", ".rules", "a.png", "a.b")
    assert [name for name in names if is_text(name)] == ["a.md", "b/hook", ".rules"]
    assert import_line("agents/our learnings.md") == "@agents/our\\ learnings.md"
