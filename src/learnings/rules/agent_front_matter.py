"""The front matter of an agent file is not valid YAML.

Agents read the front matter to learn about a sub-agent or skill before they call it. Some agents
silently skip a file if they cannot parse it.

The rule accepts all keys, but reports a key that occurs twice. It also accepts values that the host
accepts although YAML does not: `argument-hint: [file] [line]`, `tools: *`.

The rule checks files that run a `learnings` command or `learning-ages.py` in code, or that name one
of our hooks or sub-agents in code, and the other files of their plugin.

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
from learnings.rules.rule import AGENTS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.agents.file_facts import AgentFacts

RULE = Rule("agent-front-matter", Severity.ERROR, AGENTS, "agent")


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    front = facts.front
    if facts.kind.has_front_matter and front.problem:
        yield file.finding(RULE, front.line, front.problem)
    elif facts.kind.has_front_matter:
        for line, key in front.repeated.items():
            message = f"the key {key} occurs twice, first on line {front.keys[key]}; remove one"
            yield file.finding(RULE, line, message)
