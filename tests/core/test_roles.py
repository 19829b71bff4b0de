"""Good and bad paths for every role, as discovered and as configured."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnings.core.roles import Role, is_loaded_whole, matches, role_of
from learnings.core.settings.reader import settings_from
from learnings.core.settings.setting_values import FileSettings, Settings, SettingsSource

FOLDERS = [
    *("", "agents/", "docs/", ".claude/", ".agents/", ".agent/", ".ai/", ".context/"),
    *(".learnings/", ".planning/", "tasks/", "memory/", ".claude/memory/", ".claude/rules/"),
]
NAMES = ["learnings.md", "LEARNINGS.md", "lessons.md", "LESSONS.md"]
TARGETS = [
    "agents/decisions/cli.md",
    "agents/decisions/Ünï.md",
    "agent-core/fragments/a b.md",
    "docs/decisions/0001-x.md",
    ".context/learnings/git.md",
    ".context/decisions/git.md",
    ".context/conventions/git.md",
    "CLAUDE.md",
    "AGENTS.md",
]
NEITHER = [
    "",
    "README.md",
    "Learnings.md",
    "learnings.MD",
    "learnings.txt",
    "my-learnings.md",
    "learnings.md/x.md",
    "/learnings.md",
    "src/learnings.md",
    "agents/sub/learnings.md",
    "agents/learnings.md.orig",
    "sub/agents/learnings.md",
    "Agents/learnings.md",
    "agent-core/learnings.md",
    ".claude/memory.md",
    "MEMORY.md",
    "memory/MEMORY.md",
    ".claude.md/MEMORY.md.bak",
    "x.claude/MEMORY.md",
    "DECISIONS.md",
    "agents/DECISIONS.md",
    "agents/decisions/sub/cli.md",
    "agents/decisions/cli.txt",
    "agents/decisions/.hidden.md",
    "agents/decisions.md",
    "x/agents/decisions/cli.md",
    "agent-core/fragments/x/y.md",
    ".context/other/git.md",
    "docs/GEMINI.md",
    "claude.md",
    "agents\\learnings.md",
    "agents/decisions/\udce9",
]


def configured(*, targets: list[str] | None = None, files: list[str] | None = None) -> Settings:
    table: dict[str, object] = {} if targets is None else {"targets": targets}
    table["file"] = [{"path": path} for path in files or []]
    return settings_from(table, source=SettingsSource("learnings.toml"))


@pytest.mark.parametrize("path", [folder + name for folder in FOLDERS for name in NAMES])
def test_discovered_learnings_files(path: str) -> None:
    assert role_of(path, Settings()) is Role.LEARNINGS


def test_instructions_are_targets_in_any_folder_but_copies() -> None:
    roles = {
        "docs/CLAUDE.md": Role.TARGET,
        "tests/unit/AGENTS.md": Role.TARGET,
        "web/vendor/x/AGENTS.md": None,
        "tests/fixtures/CLAUDE.md": None,
        "docs/claude.md": None,
    }
    assert {path: role_of(path, Settings()) for path in roles} == roles
    others = configured(targets=["docs/*.md"])
    assert role_of("tests/AGENTS.md", others) is None


@pytest.mark.parametrize("path", TARGETS)
def test_default_targets(path: str) -> None:
    assert role_of(path, Settings()) is Role.TARGET


@pytest.mark.parametrize(
    "path",
    [
        ".claude/agents/a.md",
        ".claude/skills/a/SKILL.md",
        ".claude/skills/a/deep/er.md",
        ".claude/commands/a/b.md",
        "agent-core/agents/a.md",
        "agent-core/skills/a/SKILL.md",
    ],
)
def test_files_of_agents(path: str) -> None:
    assert role_of(path, Settings()) is Role.AGENT
    assert role_of(path, Settings(targets=(path,))) is Role.TARGET


@pytest.mark.parametrize(
    "path",
    [
        ".claude/agents/README.md",
        ".claude/agents/a.txt",
        ".claude/agents/a/b.md",
        ".claude/skills/a.md",
        ".claude/a.md",
        "agents/a.md",
        "x/.claude/agents/a.md",
        "agent-core/a.md",
    ],
)
def test_files_that_are_not_those_of_agents(path: str) -> None:
    assert role_of(path, Settings()) is None


@pytest.mark.parametrize("path", NEITHER)
def test_paths_without_a_role(path: str) -> None:
    assert role_of(path, Settings()) is None


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("notes/mine.md", Role.LEARNINGS),
        ("agents/decisions/kept.md", Role.LEARNINGS),
        ("agents/decisions/cli.md", Role.TARGET),
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
        ("docs/adr/deep/er/1.md", Role.TARGET),
        ("GUIDE.md", Role.TARGET),
        ("docs/learnings.md", Role.LEARNINGS),
        ("docs/other.md", None),
        ("agents/decisions/cli.md", None),
        ("CLAUDE.md", None),
    ],
)
def test_configured_targets_replace_the_default_ones(path: str, role: Role | None) -> None:
    settings = configured(targets=["docs/adr/**/*.md", "GUIDE.md", "docs/learn*.md"])
    assert role_of(path, settings) is role


def test_no_targets_can_be_configured() -> None:
    assert role_of("CLAUDE.md", configured(targets=[])) is None


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
        ("[[]1].md", ["[1].md"], ["1.md"]),
        ("a[.md", ["a[.md"], ["a.md"]),
    ],
)
def test_globs(pattern: str, good: list[str], bad: list[str]) -> None:
    assert [path for path in good if not matches(path, pattern)] == []
    assert [path for path in bad if matches(path, pattern)] == []


def as_expression(pattern: str) -> str:
    """The same glob for paths without dots, by way of a regular expression."""
    text = re.escape(pattern).replace(re.escape("**/"), "(?:[^/]+/)*")
    return text.replace(re.escape("*"), "[^/]*")


@given(
    st.lists(st.sampled_from(["a", "b", "ab", "*", "a*", "**"]), min_size=1, max_size=5),
    st.lists(st.sampled_from(["a", "b", "ab", "ba"]), min_size=1, max_size=5),
)
def test_globs_mean_what_the_regular_expression_means(parts: list[str], names: list[str]) -> None:
    pattern, path = "/".join([*parts, "*"]), "/".join(names)
    expected = re.fullmatch(as_expression(pattern), path) is not None
    assert matches(path, pattern) is expected


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


@pytest.mark.parametrize(
    ("path", "index", "role"),
    [
        ("agents/memory-index.md", "agents/memory-index.md", Role.INDEX),
        ("agents/memory-index.md", "docs/index.md", None),
        ("docs/index.md", "docs/index.md", Role.INDEX),
        ("docs/decisions/index.md", "docs/decisions/index.md", Role.INDEX),
        ("docs/learnings.md", "docs/learnings.md", Role.LEARNINGS),
    ],
)
def test_the_index_is_what_is_configured(path: str, index: str, role: Role | None) -> None:
    assert role_of(path, Settings(index=(index,))) is role
    assert role_of(path, Settings(index=("other.md", index))) is role


@pytest.mark.parametrize(
    "path",
    [
        *("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "src/api/CLAUDE.md"),
        *(
            "AGENTS.md",
            "src/api/AGENTS.md",
            "AGENTS.override.md",
            "AGENT.md",
            "GEMINI.md",
            "QWEN.md",
        ),
        *(".github/copilot-instructions.md", ".junie/guidelines.md", ".cursorrules"),
        *("/srv/project/CLAUDE.md", "/srv/project/.github/copilot-instructions.md"),
    ],
)
def test_files_that_agents_load_as_a_whole(path: str) -> None:
    assert is_loaded_whole(path)


@pytest.mark.parametrize(
    "path",
    [
        *("", "README.md", "docs/agents.md", "claude.md", "CLAUDE.md.bak", "CLAUDE.md/x.md"),
        *("docs/copilot-instructions.md", "x.github/copilot-instructions.md", "MY-CLAUDE.md"),
        *("CLAUDE-queues.md", ".claude/rules/queues.md", "guidelines.md", "agents/learnings.md"),
    ],
)
def test_files_that_agents_do_not_load_by_their_name(path: str) -> None:
    assert not is_loaded_whole(path)
