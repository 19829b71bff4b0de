"""Where the instructions of agents are looked for, and how far what they name is followed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from learnings.check.loading import MemoryLoading
from learnings.workspace.tree import Tree
from tests.support.repository import GitRepository

MEMORY = "agents/learnings.md"
ENTRY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
IMPORT = "@agents/learnings.md\n"
NAME = "Append an entry to `agents/learnings.md` when a test was flaky.\n"


@pytest.fixture
def memory(repository: GitRepository) -> GitRepository:
    """A repository with a learnings file, which nothing names."""
    repository.write(MEMORY, ENTRY)
    repository.write("README.md", "# Parcels\n\nThe memory is in agents/learnings.md.\n")
    repository.commit()
    return repository


def is_named(repository: GitRepository, path: str = MEMORY) -> bool:
    return MemoryLoading(Tree(repository.path)).is_named(path)


def test_what_runs_our_program(memory: GitRepository) -> None:
    skill, hook = ".claude/skills/handoff/SKILL.md", ".claude/settings.json"
    for path, text, expected in (
        (skill, "Then run `learnings due`.", True),
        (skill, "Collect learnings from this session.", False),
        (hook, '{"hooks": [{"command": "learnings"}]}', True),
        (hook, '{"enabledPlugins": {"learnings@learnings": true}}', True),
        (hook, '{"permissions": {"allow": ["Bash(make test)"]}}', False),
        (".claude/hooks/start.sh", "learnings ages --summary", True),
        # To know that a check exists is not to read what it checks.
        ("CLAUDE.md", "Run `learnings check` and `learnings due`.", False),
    ):
        memory.write(path, text)
        assert is_named(memory) is expected, text
        (memory.path / path).unlink()


def test_imports_are_followed_over_five_files_and_come_to_an_end(memory: GitRepository) -> None:
    for length, expected in ((1, True), (5, True), (6, False)):
        names = ["CLAUDE.md", *(f"docs/{number}.txt" for number in range(length))]
        for name, target in zip(names, [*names[1:], MEMORY], strict=True):
            memory.write(name, f"@/{target}\n")
        assert is_named(memory) is expected
    memory.write("CLAUDE.md", "@AGENTS.md @docs/a.md @CLAUDE.md\n")
    memory.write("AGENTS.md", "@CLAUDE.md @docs/b.md\n")
    memory.write("docs/a.md", "@b.md @/AGENTS.md")
    memory.write("docs/b.md", "@a.md")
    assert not is_named(memory)


@pytest.mark.parametrize("written", [f"@{MEMORY}:", f"@{MEMORY},", "@docs/learnings.md"])
def test_an_import_that_loads_nothing_does_not_name_the_memory(
    memory: GitRepository, written: str
) -> None:
    loading = MemoryLoading(Tree(memory.path))
    assert loading.failed_import_of(MEMORY) is None
    memory.write("docs/guide.md", f"See {written.replace('@agents', '@../agents')} there.\n")
    memory.write("CLAUDE.md", f"# Parcels\n\nSee {written} there, and @docs/guide.md\n")
    loading = MemoryLoading(Tree(memory.path))
    assert not loading.is_named(MEMORY)
    failed = loading.failed_import_of(MEMORY)
    assert failed is not None
    assert (failed.written, failed.line, failed.chain) == (written, 3, ("CLAUDE.md",))
    memory.write("AGENTS.md", f"Read {MEMORY} first.\n")
    assert is_named(memory)


def test_failed_imports_have_the_shortest_chain_that_leads_to_them(memory: GitRepository) -> None:
    names = ["CLAUDE.md", *(f"docs/{number}.md" for number in range(6))]
    for number, name in enumerate(names):
        memory.write(name, f"@/docs/{number}.md @gone.md @/CLAUDE.md @/docs/1.md\n")
    chains = [one.chain for one in MemoryLoading(Tree(memory.path)).failed_imports("CLAUDE.md")]
    start = ("CLAUDE.md",)
    found = [start, *((*start, f"docs/{n}.md") for n in (0, 1)), (*start, "docs/1.md", "docs/2.md")]
    assert chains[:4] == found
    assert len(chains[-1]) == 5, "agents follow five hops; the last file is imported by the fifth"
    others = MemoryLoading(Tree(memory.path))
    memory.write("AGENTS.md", "@docs/1.md @no.md\n")
    assert [one.path for one in others.failed_imports("AGENTS.md")] == ["no.md"]


def test_a_document_that_instructions_name_is_read_but_not_followed(memory: GitRepository) -> None:
    memory.write("CLAUDE.md", "How we work is in [the guide](docs/guide.md).\n")
    memory.write("docs/guide.md", NAME)
    assert is_named(memory)
    memory.write("docs/guide.md", "More is in `docs/more.md`.\n")
    memory.write("docs/more.md", NAME)
    assert not is_named(memory)
    memory.write("AGENTS.md", "See docs/guide.md, and @docs/guide.md")
    assert is_named(memory)


def test_nothing_outside_of_the_repository_is_read(memory: GitRepository, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(NAME, encoding="utf-8")
    memory.write("CLAUDE.md", f"@../outside.md @{outside.as_posix()} @docs/link.md\n")
    (memory.path / "docs").mkdir()
    (memory.path / "docs/link.md").symlink_to(outside)
    (memory.path / "AGENTS.md").symlink_to(outside)
    assert not is_named(memory)


@pytest.mark.parametrize("link", ["CLAUDE.md", ".cursor/rules/memory.mdc", "docs/memory.md"])
def test_a_link_to_the_memory_loads_or_names_it(memory: GitRepository, link: str) -> None:
    if link.startswith("docs/"):
        memory.write("CLAUDE.md", f"@{link}\n")
    path = memory.path / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(os.path.relpath(memory.path / MEMORY, path.parent))
    assert is_named(memory)


def test_instructions_without_sense(memory: GitRepository) -> None:
    for data in (b"\0" * 10, b"\xff\xfe", b"", b"@\n" * 1000, b"@" * 100_000):
        memory.write("CLAUDE.md", data)
        memory.write(".claude/settings.json", data)
        assert not is_named(memory)


def test_what_cannot_be_read_may_name_it(
    memory: GitRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.write("GEMINI.md", "x" * 5_000_000)
    assert is_named(memory)
    (memory.path / "GEMINI.md").unlink()
    memory.write("CLAUDE.md", "x" * 5_000_000)
    assert is_named(memory)
    (memory.path / "CLAUDE.md").unlink()
    assert not is_named(memory)
    monkeypatch.setattr("learnings.check.loading._MOST_READ", 1)
    memory.write("CLAUDE.md", "One.\n")
    assert not is_named(memory)
    memory.write("AGENTS.md", "Two.\n")
    assert is_named(memory)
    (memory.path / "AGENTS.md").unlink()
    assert not is_named(memory)

    def broken(_path: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("os.scandir", broken)
    assert is_named(memory)


INSTRUCTIONS = [
    *("CLAUDE.md", ".claude/rules/deep/er/memory.md", ".github/copilot-instructions.md"),
    *(".cursor/rules/memory.mdc", ".clinerules", "PROMPT.md", ".claude/memory/MEMORY.md"),
    # What an agent starts.
    *(".claude/skills/handoff/scripts/append.py", ".claude/hooks/start.sh", "opencode.json"),
    *(".claude/settings.json", ".github/prompts/handoff.prompt.md", ".codex/config.toml"),
]
IN_PACKAGES = [
    "packages/api/CLAUDE.md",
    "packages/api/.claude/rules/memory.md",
    "skills/a/SKILL.md",
]


@pytest.mark.parametrize("path", [*INSTRUCTIONS, *IN_PACKAGES])
def test_files_that_name_it(memory: GitRepository, path: str) -> None:
    memory.write(path, NAME)
    assert is_named(memory) is (path in INSTRUCTIONS), "those at the root count untracked"
    memory.commit()
    assert is_named(memory)
    memory.write(path, "Run the tests.\n")
    assert not is_named(memory)


def test_other_files_that_name_it(memory: GitRepository) -> None:
    for path in (
        *("NOTES.md", "docs/claude.md", ".github/workflows/learnings.yml", "skills/a/notes.md"),
        *("agents/decisions/cli.md", "agents/archive/learnings-consolidated-2026-03-01.md"),
        *(".claude/plans/a.md", ".claude/skills/handoff/logo.png", "tools/m/agents/curator.md"),
    ):
        memory.write(path, NAME)
    memory.commit()
    assert not is_named(memory)
    memory.write("tools/m/.claude-plugin/plugin.json", '{"name": "m"}')
    memory.commit()
    assert is_named(memory), "the agent of a plugin in any folder"


def test_files_that_are_loaded_without_a_name(memory: GitRepository) -> None:
    for path in ("packages/api/AGENTS.md", ".jules/bolt.md", "tasks/lessons.md"):
        memory.write(path, ENTRY)
        assert is_named(memory, path) is (path != "tasks/lessons.md")
    for folder, name in (("api", "AGENTS.md"), ("web", "CLAUDE.md")):  # untracked, beside the file
        memory.write(f"{folder}/{MEMORY}", ENTRY)
        memory.write(f"{folder}/{name}", "Read agents/learnings.md.\n")
        assert is_named(memory, f"{folder}/{MEMORY}")
        assert not is_named(memory)


def test_where_git_lists_nothing_no_file_is_known_to_be_unnamed(tmp_path: Path) -> None:
    (tmp_path / "lessons.md").write_text(ENTRY, encoding="utf-8")
    assert MemoryLoading(Tree(tmp_path)).is_named("lessons.md")
    (tmp_path / ".git").mkdir()  # nor is this a repository that git knows
    assert MemoryLoading(Tree(tmp_path)).is_named("lessons.md")
