"""Good and bad paths for every role, as discovered and as configured."""

from __future__ import annotations

import pytest

from learnings.core.roles import Role, is_loaded_whole, matches, role_of
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import FileSettings, Settings, SettingsSource


def configured(**table: object) -> Settings:
    return settings_from(table, source=SettingsSource("learnings.toml"))


def roles(settings: Settings, *paths: str) -> list[Role | None]:
    return [role_of(path, settings) for path in paths]


@pytest.mark.parametrize(
    ("pattern", "good", "bad"),
    [
        ("a.md", ["a.md"], ["b/a.md", "a.mdx", "A.md", "a/md", ""]),
        ("a/*.md", ["a/b.md", "a/-.md"], ["a/b/c.md", "a/.b.md", "a/", "b/b.md"]),
        ("**/c.md", ["c.md", "a/c.md", "a/b/c.md"], ["a/xc.md", ".git/c.md", "a/.b/c.md"]),
        ("a/**", ["a/b", "a/b/c.md"], ["a", "b", "a/.b", "ab"]),
        ("a/**/b/**/c", ["a/b/c", "a/x/b/y/z/c"], ["a/c", "a/b", "b/a/c"]),
        ("**", ["a", "a/b"], [".a", "a/.b"]),
        ("**/*", ["a", "a/b"], [".a"]),
        ("a**", ["ab", "a"], ["a/b"]),
        (".x/*.md", [".x/a.md"], ["x/a.md", ".x/.a.md"]),
        (".*", [".a"], ["a", ".a/b"]),
        ("[ab]?.md", ["a1.md"], ["c1.md", "a.md", "a/.md"]),
        ("[!a].md", ["b.md"], ["a.md"]),
        ("a[.md", ["a[.md"], ["a.md"]),
    ],
)
def test_globs(pattern: str, good: list[str], bad: list[str]) -> None:
    assert [path for path in good if not matches(path, pattern)] == []
    assert [path for path in bad if matches(path, pattern)] == []
    assert not matches("/".join("a" * 200), "/".join(["**", "a"] * 100 + ["b"]))  # it ends


LEARNINGS = [
    *("learnings.md", "agents/LEARNINGS.md", "docs/lessons.md", ".claude/LESSONS.md"),
    *(".agents/learnings.md", ".agent/learnings.md", ".ai/learnings.md", ".context/learnings.md"),
    *(".learnings/learnings.md", ".planning/learnings.md", "tasks/lessons.md"),
    *("memory/learnings.md", ".claude/memory/learnings.md", ".claude/rules/learnings.md"),
]
TARGETS = [
    *("agents/decisions/cli.md", "agents/decisions/Ünï.md", "agent-core/fragments/a b.md"),
    *("docs/decisions/0001-x.md", ".context/learnings/git.md", ".context/decisions/git.md"),
    *(".context/conventions/git.md", "CLAUDE.md", "AGENTS.md", "docs/CLAUDE.md"),
    "tests/unit/AGENTS.md",
]
AGENTS = [
    *(".claude/agents/a.md", ".claude/skills/a/SKILL.md", ".claude/skills/a/deep/er.md"),
    *(".claude/commands/a/b.md", "agent-core/agents/a.md", "agent-core/skills/a/SKILL.md"),
]
NEITHER = [
    *("", "README.md", "Learnings.md", "learnings.MD", "learnings.txt", "my-learnings.md"),
    *("learnings.md/x.md", "/learnings.md", "src/learnings.md", "agents/sub/learnings.md"),
    *("agents/learnings.md.orig", "sub/agents/learnings.md", "Agents/learnings.md"),
    *("agent-core/learnings.md", ".claude/memory.md", "MEMORY.md", "x.claude/MEMORY.md"),
    *(".claude.md/MEMORY.md.bak", "DECISIONS.md", "agents/decisions/sub/cli.md"),
    *("agents/decisions/cli.txt", "agents/decisions/.hidden.md", "agents/decisions.md"),
    *("x/agents/decisions/cli.md", "agent-core/fragments/x/y.md", ".context/other/git.md"),
    *("docs/GEMINI.md", "claude.md", "agents\\learnings.md", "agents/decisions/\udce9"),
    *(".claude/agents/README.md", ".claude/agents/a.txt", ".claude/agents/a/b.md"),
    *(".claude/skills/a.md", ".claude/a.md", "agents/a.md", "x/.claude/agents/a.md"),
    *("agent-core/a.md", "web/vendor/x/AGENTS.md", "tests/fixtures/CLAUDE.md", "docs/claude.md"),
]


def test_files_that_agents_load_as_a_whole() -> None:
    whole = [
        *("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "src/api/AGENTS.md", "AGENT.md"),
        *("AGENTS.override.md", "GEMINI.md", "QWEN.md", ".junie/guidelines.md", ".cursorrules"),
        *("/srv/project/CLAUDE.md", "/srv/project/.github/copilot-instructions.md"),
    ]
    others = [
        *("", "README.md", "docs/agents.md", "claude.md", "CLAUDE.md.bak", "CLAUDE.md/x.md"),
        *("docs/copilot-instructions.md", "x.github/copilot-instructions.md", "MY-CLAUDE.md"),
        *("CLAUDE-queues.md", ".claude/rules/queues.md", "guidelines.md", "agents/learnings.md"),
    ]
    assert [path for path in whole if not is_loaded_whole(path)] == []
    assert [path for path in others if is_loaded_whole(path)] == []


def test_discovered_files() -> None:
    found = {Role.LEARNINGS: LEARNINGS, Role.TARGET: TARGETS, Role.AGENT: AGENTS, None: NEITHER}
    for role, paths in found.items():
        assert [path for path in paths if role_of(path, Settings()) is not role] == []


def test_what_is_configured_replaces_what_is_discovered() -> None:
    files = configured(file=[{"path": "notes/mine.md"}, {"path": "agents/decisions/kept.md"}])
    assert roles(files, "notes/mine.md", "agents/decisions/kept.md") == [Role.LEARNINGS] * 2
    assert roles(files, "learnings.md", "agents/learnings.md") == [None] * 2
    targets = configured(targets=["docs/adr/**/*.md", "GUIDE.md", "docs/learn*.md"])
    assert roles(targets, "docs/adr/1.md", "GUIDE.md") == [Role.TARGET] * 2
    assert roles(targets, "agents/decisions/cli.md", "CLAUDE.md", "tests/AGENTS.md") == [None] * 3
    assert roles(targets, "docs/learnings.md") == [Role.LEARNINGS]
    assert roles(Settings(targets=(AGENTS[0],)), AGENTS[0]) == [Role.TARGET]


def test_an_index_is_loaded_or_configured() -> None:
    for path in (
        *(".claude/MEMORY.md", ".claude/memory/MEMORY.md", "packages/a/.claude/MEMORY.md"),
        ".claude/agent-memory/reviewer/MEMORY.md",
    ):
        assert role_of(path, Settings()) is role_of(path, Settings(index=(path,))) is Role.INDEX
        assert role_of(path, Settings(targets=(path,))) is Role.TARGET
        assert role_of(path, Settings(files=(FileSettings(path=path),))) is Role.LEARNINGS
    of_default = "agents/memory-index.md"
    assert roles(Settings(), of_default) == [Role.INDEX]
    assert roles(Settings(index=("docs/index.md",)), of_default) == [None]
    for path, role in (("docs/decisions/i.md", Role.INDEX), ("docs/learnings.md", Role.LEARNINGS)):
        assert role_of(path, Settings(index=("other.md", path))) is role
