"""Which files a session of each agent pays for."""

from __future__ import annotations

import pytest

from learnings.check.loading import MemoryLoading
from learnings.check.session_cost import session_cost
from learnings.workspace.workspace import Workspace
from tests.support.repository import GitRepository

MEMORY, INDEX = "agents/learnings.md", "agents/memory-index.md"
LOADED = ".claude/memory/MEMORY.md"
ENTRY = "# Learnings\n\n## When a build hangs\n\nLook at the lock.\n"
CLAUDE, CODEX = "Claude Code", "AGENTS.md readers"
NAMED = f"Append to `{MEMORY}`."
RULE, ALWAYS, NEVER = "---\n{}\n---\nText.\n", "alwaysApply: true\nglobs: '*.py'", "description: a"

CASES: list[tuple[dict[str, str], dict[str, list[str]]]] = [
    # Nothing leads to the memory, or only a skill does.
    ({MEMORY: ENTRY, INDEX: "# Index\n"}, {}),
    ({MEMORY: ENTRY, "CLAUDE.md": "Run `make`."}, {CLAUDE: ["CLAUDE.md"]}),
    ({MEMORY: ENTRY, ".claude/skills/a/SKILL.md": NAMED}, {"any agent": [MEMORY]}),
    ({".jules/bolt.md": ENTRY}, {"any agent": [".jules/bolt.md"]}),
    ({MEMORY: "", "CLAUDE.md": f"@{MEMORY}"}, {CLAUDE: ["CLAUDE.md"]}),
    # Two agents have the memory, or one.
    (
        {MEMORY: ENTRY, "CLAUDE.md": f"Rules.\n@{MEMORY}\n", "AGENTS.md": "Rules."},
        {CLAUDE: ["CLAUDE.md", MEMORY], CODEX: ["AGENTS.md"]},
    ),
    (
        {MEMORY: ENTRY, "CLAUDE.md": "See docs/a.md", "docs/a.md": NAMED, "AGENTS.md": NAMED},
        {CODEX: ["AGENTS.md", MEMORY], CLAUDE: ["CLAUDE.md", MEMORY]},
    ),
    (
        {MEMORY: ENTRY, "CLAUDE.md": "Rules", "AGENTS.md": "R", ".claude/commands/a.md": NAMED},
        {CLAUDE: ["CLAUDE.md", MEMORY], CODEX: ["AGENTS.md", MEMORY]},
    ),
    # Imports: once, missing, in code, of a file that is no document, or of a rule with paths.
    (
        {"CLAUDE.md": "@a.md @b.json @no.md `@c.md` @a.md", "a.md": "@CLAUDE.md", "b.json": "{}"},
        {CLAUDE: ["CLAUDE.md", "a.md", "b.json"]},
    ),
    (
        {"docs/CLAUDE.md": "@a.md", "docs/a.md": "a", "GEMINI.md": "@./docs/a.md"},
        {"Gemini": ["GEMINI.md", "docs/a.md"]},
    ),
    # Rules with paths are loaded later, and so are the memory of a sub-agent and of a package.
    (
        {".claude/rules/a.md": RULE.format("paths: a"), ".claude/rules/b.md": RULE.format("b: c")},
        {CLAUDE: [".claude/rules/b.md"]},
    ),
    ({".claude/rules/learnings.md": RULE.format("paths: ['src/**']") + ENTRY}, {}),
    ({".claude/rules/learnings.md": ENTRY}, {CLAUDE: [".claude/rules/learnings.md"]}),
    (
        {f".cursor/rules/{n}.mdc": RULE.format(text) for n, text in enumerate((ALWAYS, NEVER))}
        | {"AGENTS.md": "a"},
        {"Cursor": [".cursor/rules/0.mdc", "AGENTS.md"], CODEX: ["AGENTS.md"]},
    ),
    ({LOADED: "- a\n", ".claude/agent-memory/a/MEMORY.md": "- b\n"}, {CLAUDE: [LOADED]}),
    ({"web/.claude/MEMORY.md": "- a\n", "web/package.json": "{}", "web/AGENTS.md": "a"}, {}),
]


@pytest.mark.parametrize(("files", "expected"), CASES)
def test_each_agent_pays_for_the_files_that_it_loads(
    repository: GitRepository, files: dict[str, str], expected: dict[str, list[str]]
) -> None:
    for path, text in files.items():
        repository.write(path, text)
    repository.commit()
    cost = session_cost(Workspace.open(repository.path), MemoryLoading(repository.path))
    assert {agent: sorted(paths) for agent, paths in cost.agents.items()} == {
        agent: sorted(paths) for agent, paths in expected.items()
    }
    assert [*cost.agents] == [*expected]
    assert bool(cost.totals) == (len(expected) > 1)
