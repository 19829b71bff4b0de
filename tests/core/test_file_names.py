"""Which paths lead into git's own folder, as `core.protectNTFS` and `core.protectHFS` see them."""

from __future__ import annotations

import re

import pytest

from learnings.core.file_names import LEARNINGS_NAMES, MEMORY_ENDINGS, MEMORY_PLACES, leads_into_git
from learnings.core.instruction_paths import (
    import_line,
    is_instructions,
    is_started,
    is_text,
    reads_itself,
)
from learnings.core.patterns import lazy_pattern


def test_every_name_of_a_memory_file_ends_as_one() -> None:
    assert all(name.endswith(MEMORY_ENDINGS) for name in (*LEARNINGS_NAMES, *MEMORY_PLACES))


def test_paths_that_lead_into_the_folder_of_git() -> None:
    into = [
        *(".git", ".git/config", "a/.git/hooks/x", ".GIT/x", "git~1", "a/GIT~1/x"),
        *(".git.", ".git ", ".git . .", ".git::$INDEX_ALLOCATION/config", "a\\.git\\config"),
        *(".g\u200cit/x", "\ufeff.git", ".git\u202e/x"),
    ]
    others = [
        *("", "git", "a.git/x", ".gitignore", ".github/x.md", "git~2/x", ".git~1"),
        *(".git-notes.md", "docs/.git.md", "x/git~1.md", "..git/x", "TASKS.md"),
    ]
    assert [path for path in (*into, *others) if leads_into_git(path)] == into


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


def test_a_lazy_pattern_answers_as_a_compiled_one() -> None:
    lazy = lazy_pattern(r"(a+)(b?)", re.IGNORECASE)
    compiled = re.compile(r"(a+)(b?)", re.IGNORECASE)
    text = "xAAb aa"
    for _ in range(2):  # what is looked up first is kept
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub("-", text) == compiled.sub("-", text)
        match = lazy.match(text, 1)
        assert match is not None
        assert match.span() == (1, 4)
    assert lazy.pattern == compiled.pattern
