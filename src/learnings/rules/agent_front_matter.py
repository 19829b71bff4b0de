"""The front matter of a file for an agent is one that no reader of YAML takes.

It holds what agents know of a sub-agent or skill before they call it; where it cannot be parsed,
some of them skip the file in silence. Looked at are files that run `learnings` with a command or
`learning-ages.py`, or name one of our hooks or sub-agents, in code, and the others of their plugin.
Which keys there are does not matter, except that none is there twice. What the host takes although
YAML does not is fine: `argument-hint: [file] [line]`, `tools: *`.

Fix: correct the line, or put the value in quotes.

Bad:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order: run it at the end of a session.
  ---
  Run `learnings check`.
  ```

Good:

  ```markdown
  ---
  name: memory-curator
  description: "Keeps the memory in order: run it at the end of a session."
  ---
  Run `learnings check`.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import AGENTS, Needs

if TYPE_CHECKING:
    from learnings.agents.file_facts import AgentFacts

ID = "agent-front-matter"
SEVERITY = Severity.ERROR
ROLES = AGENTS
NEEDS = Needs.AGENT


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    front = facts.front
    if facts.kind.has_front_matter and front.problem:
        yield file.finding(ID, SEVERITY, front.line, front.problem)
    elif facts.kind.has_front_matter:
        for line, key in front.repeated.items():
            message = f"the key {key} is there twice, first in line {front.keys[key]}; remove one"
            yield file.finding(ID, SEVERITY, line, message)
