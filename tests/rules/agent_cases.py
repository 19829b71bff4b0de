"""What lies around the files of agents in the cases of their rules: the plugin `agent-core`."""

from __future__ import annotations

from learnings.agents.file_facts import AgentFacts, concerns_us
from learnings.agents.front_matter import read_front_matter
from learnings.agents.instructions import read_instructions
from learnings.core.entries.document import Document
from learnings.core.roles import AgentFileKind, home_of, kind_of
from learnings.core.text import split_lines
from learnings.surfaces.cli.arguments import options_of
from learnings.surfaces.cli.commands import COMMANDS

AGENT_RULES = (
    "agent-default-number",
    "agent-embedded-copy",
    "agent-front-matter",
    "agent-missing-file",
    "agent-unknown-command",
)
REMEMBER = """\
---
name: remember
---
# Remember

## Step 1

Read the entries of the batch.

### Step 1a

```sh
learnings due
```

## Step 2

Write.
They stay.
"""
SOURCES = {"agent-core/skills/remember/SKILL.md": tuple(split_lines(REMEMBER)), "gone.md": None}
ABSENT = {"${CLAUDE_PLUGIN_ROOT}/bin/learning-age.py", "agent-core/bin/gone.py"}


def facts_around(path: str, document: Document) -> AgentFacts:
    """What there is around a file at this path; it has one neighbour of each kind."""
    home = home_of(path)
    is_plugin = home == "agent-core"
    instructions = read_instructions(document.lines)
    named = {call.command for call in instructions.calls}
    is_ours = concerns_us(instructions, tuple(COMMANDS))
    return AgentFacts(
        kind_of(path.removeprefix(f"{home}/")) or AgentFileKind.SUPPORT,
        instructions,
        read_front_matter(document.lines),
        is_ours=is_ours,
        is_own=is_plugin and is_ours,
        root=home if is_plugin else None,
        plugin="learnings" if is_plugin else "",
        agents=frozenset({"memory-curator", "remember-task"}),
        skills=frozenset({"remember"}),
        programs=tuple(COMMANDS),
        options={name: options_of(name) for name in COMMANDS if name in named},
        sources=SOURCES,
        absent=frozenset(ABSENT),
    )
