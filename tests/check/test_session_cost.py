"""Which files a session of each agent pays for."""

from __future__ import annotations

import os

import pytest

from learnings.check.loading import MemoryLoading
from learnings.check.session_cost import session_cost
from learnings.workspace.tree import Tree
from learnings.workspace.workspace import Workspace
from tests.support.command import Command
from tests.support.repository import GitRepository

MEMORY, RULES = "agents/learnings.md", ".claude/rules/learnings.md"
ENTRY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
NAMED, IMPORT = f"Append to `{MEMORY}`.", f"@{MEMORY}"

# Files with their texts, and what each agent loads, most expensive agent first.
CASES: list[tuple[dict[str, str], dict[str, str]]] = [
    # Nothing names the memory; a skill, a tool or instructions do.
    ({MEMORY: ENTRY, "agents/memory-index.md": "# Index\n"}, {}),
    ({MEMORY: ENTRY, "CLAUDE.md": "Run it."}, {"Claude Code": "CLAUDE.md"}),
    ({MEMORY: ENTRY, ".claude/skills/a/SKILL.md": NAMED}, {"any agent": MEMORY}),
    ({".jules/bolt.md": ENTRY}, {"any agent": ".jules/bolt.md"}),
    (
        {MEMORY: ENTRY, "CLAUDE.md": IMPORT, "AGENTS.md": "Run it."},
        {"Claude Code": f"CLAUDE.md {MEMORY}", "AGENTS.md readers": "AGENTS.md"},
    ),
    (
        {MEMORY: ENTRY, "CLAUDE.md": "See docs/a.md", "docs/a.md": NAMED, "AGENTS.md": NAMED},
        {"AGENTS.md readers": f"AGENTS.md {MEMORY}", "Claude Code": f"CLAUDE.md {MEMORY}"},
    ),
    # Imports: only once, of other files than documents; not in code, nor of a missing file.
    (
        {"CLAUDE.md": "@a.md @b.json @no.md `@c.md` @a.md", "a.md": "@CLAUDE.md", "b.json": "{}"},
        {"Claude Code": "CLAUDE.md a.md b.json"},
    ),
    # Rules with paths are loaded later, and so is the memory of a sub-agent or a package.
    ({RULES: f"---\npaths: ['src/**']\n---\n{ENTRY}"}, {}),
    ({RULES: f"---\nname: a\n---\n{ENTRY}"}, {"Claude Code": RULES}),
    (
        {
            ".cursor/rules/a.mdc": "---\nalwaysApply: true\nglobs: '*.py'\n---\nText.\n",
            ".cursor/rules/b.mdc": "---\ndescription: For tests\n---\nText.\n",
            "AGENTS.md": "Run it.",
        },
        {"Cursor": ".cursor/rules/a.mdc AGENTS.md", "AGENTS.md readers": "AGENTS.md"},
    ),
    ({".claude/agent-memory/a/MEMORY.md": "- a\n", "web/.claude/MEMORY.md": "- b\n"}, {}),
]


@pytest.mark.parametrize(("files", "expected"), CASES)
def test_each_agent_pays_for_the_files_that_it_loads(
    repository: GitRepository, files: dict[str, str], expected: dict[str, str]
) -> None:
    for path, text in files.items():
        repository.write(path, text)
    repository.commit()
    cost = session_cost(Workspace.open(repository.path), MemoryLoading(Tree(repository.path)))
    loaded = [(agent, " ".join(sorted(paths))) for agent, paths in cost.agents.items()]
    assert loaded == [*expected.items()]


def test_a_file_with_two_names_has_the_same_one_in_every_run(
    repository: GitRepository, learnings: Command
) -> None:
    repository.write(MEMORY, ENTRY)
    repository.write("CLAUDE.md", NAMED)
    for name in ("a.md", "b.md", "c.md"):
        repository.write(f".claude/rules/{name}", "Text.\n")
        os.link(
            repository.path / f".claude/rules/{name}", repository.path / f".claude/rules/1{name}"
        )
    seeds = map(str, range(4))
    words = ("report", "--format=json")
    said = {learnings(*words, cwd=repository.path, env={"PYTHONHASHSEED": n}).out for n in seeds}
    assert len(said) == 1
