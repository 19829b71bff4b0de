"""A file for an agent names a file, sub-agent or skill that does not exist.

Looked at are paths from `${CLAUDE_PLUGIN_ROOT}` and from `agent-core/`, and in the files of a
plugin the sub-agents and skills that it names: in `skills` of the front matter, behind
`subagent_type`, and, in files that name `learnings`, next to the words agent and skill. A name with
a colon belongs to the plugin before the colon; that of another plugin is not looked at, and
neither is a path with a placeholder.

Fix: correct the name, or bring back the file.

Bad:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  Run `${CLAUDE_PLUGIN_ROOT}/bin/learning-age.py`.
  ```

Good:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  Run `${CLAUDE_PLUGIN_ROOT}/bin/learning-ages.py`.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.text import nearest
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import AGENTS, Needs

if TYPE_CHECKING:
    from learnings.core.agents.model import AgentFacts
    from learnings.core.agents.paths import Reference

ID = "agent-missing-file"
SEVERITY = Severity.ERROR
ROLES = AGENTS
NEEDS = Needs.AGENT


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    """Give a finding for each path and name behind which there is nothing."""
    from learnings.core.agents.commands import names_learnings  # noqa: PLC0415  (few runs look at files of agents)
    from learnings.core.agents.front_matter import read_front_matter  # noqa: PLC0415
    from learnings.core.agents.paths import AGENT, path_references, references  # noqa: PLC0415

    lines = file.document.lines
    for path in path_references(lines):
        if path.written in facts.absent:
            message = f"there is no {quoted(path.written)}; correct the path, or write the file"
            yield file.finding(ID, SEVERITY, path.line, message, column=path.column)
    if facts.root is None:
        return
    uses_learnings = names_learnings(lines, file.document.front_matter)
    for reference in references(lines, read_front_matter(lines)):
        if (reference.is_plain or uses_learnings) and not _exists(reference, facts):
            near = nearest(
                reference.name, facts.agents if reference.kind == AGENT else facts.skills
            )
            advice = f"did you mean {near}?" if near else "correct the name, or write its file"
            message = f"the plugin has no {reference.kind} {quoted(reference.name)}; {advice}"
            yield file.finding(ID, SEVERITY, reference.line, message, column=reference.column)


def _exists(reference: Reference, facts: AgentFacts) -> bool:
    """Return True if there is what is named, or if it would be part of another plugin."""
    from learnings.core.agents.paths import AGENT, BUILT_IN  # noqa: PLC0415  (as above)

    plugin, _, name = reference.name.rpartition(":")
    if plugin and plugin != facts.plugin:
        return True
    known = facts.agents if reference.kind == AGENT else facts.skills
    return name in known or (reference.kind == AGENT and name.lower() in BUILT_IN)
