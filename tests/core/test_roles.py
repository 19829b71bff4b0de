"""Good and bad paths for every role, as discovered and as configured."""

from __future__ import annotations

import pytest

from learnings.core.roles import Role, is_loaded_whole, matches, role_of
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import FileSettings, Settings, SettingsSource


def configured(*, targets: list[str] | None = None, files: list[str] | None = None) -> Settings:
    table: dict[str, object] = {} if targets is None else {"targets": targets}
    table["file"] = [{"path": path} for path in files or []]
    return settings_from(table, source=SettingsSource("learnings.toml"))


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("notes/mine.md", Role.LEARNINGS),
        ("agents/decisions/kept.md", Role.LEARNINGS),
        ("learnings.md", None),
        ("agents/learnings.md", None),
    ],
)
def test_configured_files_switch_discovery_off(path: str, role: Role | None) -> None:
    settings = configured(files=["notes/mine.md", "agents/decisions/kept.md"])
    assert role_of(path, settings) is role


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("docs/adr/1.md", Role.TARGET),
        ("GUIDE.md", Role.TARGET),
        ("docs/learnings.md", Role.LEARNINGS),
        ("agents/decisions/cli.md", None),
        ("CLAUDE.md", None),
    ],
)
def test_configured_targets_replace_the_default_ones(path: str, role: Role | None) -> None:
    settings = configured(targets=["docs/adr/**/*.md", "GUIDE.md", "docs/learn*.md"])
    assert role_of(path, settings) is role


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


def test_a_glob_of_many_stars_ends() -> None:
    assert not matches("/".join("a" * 200), "/".join(["**", "a"] * 100 + ["b"]))


@pytest.mark.parametrize(
    "path",
    [
        ".claude/MEMORY.md",
        ".claude/memory/MEMORY.md",
        ".claude/agent-memory/reviewer/MEMORY.md",
        "packages/a/.claude/MEMORY.md",
    ],
)
def test_an_index_that_agents_load_is_one_unless_it_is_configured(path: str) -> None:
    assert role_of(path, Settings()) is Role.INDEX
    assert role_of(path, Settings(targets=(path,))) is Role.TARGET
    assert role_of(path, Settings(files=(FileSettings(path=path),))) is Role.LEARNINGS
    assert role_of(path, Settings(index=(path,))) is Role.INDEX


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


@pytest.mark.parametrize(
    ("paths", "role"),
    [
        (LEARNINGS, Role.LEARNINGS),
        (TARGETS, Role.TARGET),
        (AGENTS, Role.AGENT),
        (NEITHER, None),
    ],
)
def test_discovered_files(paths: list[str], role: Role | None) -> None:
    assert [path for path in paths if role_of(path, Settings()) is not role] == []


def test_configured_targets_win_over_what_is_discovered() -> None:
    assert role_of(AGENTS[0], Settings(targets=(AGENTS[0],))) is Role.TARGET
    assert role_of("CLAUDE.md", configured(targets=[])) is None
    assert role_of("tests/AGENTS.md", configured(targets=["docs/*.md"])) is None


@pytest.mark.parametrize(
    ("path", "index", "role"),
    [
        ("agents/memory-index.md", "agents/memory-index.md", Role.INDEX),
        ("agents/memory-index.md", "docs/index.md", None),
        ("docs/decisions/index.md", "docs/decisions/index.md", Role.INDEX),
        ("docs/learnings.md", "docs/learnings.md", Role.LEARNINGS),
    ],
)
def test_the_index_is_what_is_configured(path: str, index: str, role: Role | None) -> None:
    assert role_of(path, Settings(index=(index,))) is role
    assert role_of(path, Settings(index=("other.md", index))) is role


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
