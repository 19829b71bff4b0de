"""A file for an agent names a file, sub-agent or skill that does not exist.

Looked at are paths from `${CLAUDE_PLUGIN_ROOT}` and from `agent-core/`, and in the files of a
plugin the sub-agents and skills that it names: in `skills` of the front matter, behind
`subagent_type`, and, in files that name `learnings`, next to the words agent and skill. A name with
a colon belongs to the plugin before the colon; that of another plugin is not looked at, and
neither is a path with a placeholder.

Mend: correct the name, or bring back the file.

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

from learnings.core.agents.commands import names_learnings
from learnings.core.agents.front_matter import front_of
from learnings.core.agents.model import AgentFacts
from learnings.core.agents.paths import AGENT, BUILT_IN, Named, named, places
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.suggestions import nearest
from learnings.rules.context import AGENTS, Context

ID = "agent-missing-file"
SEVERITY = Severity.ERROR
ROLES = AGENTS


def check(context: Context) -> Iterator[Finding]:
    """Give a finding for each path and name behind which there is nothing."""
    facts, lines = context.agent, context.document.lines
    if facts is None:
        return
    for place in places(lines):
        if place.written in facts.absent:
            message = f"there is no {quoted(place.written)}; correct the path, or write the file"
            yield context.finding(ID, SEVERITY, place.line, message, column=place.column)
    if facts.root is None:
        return
    is_ours = names_learnings(lines, context.document.front_matter)
    for each in named(lines, front_of(lines)):
        if (each.is_plain or is_ours) and not _is_there(each, facts):
            near = nearest(each.name, facts.agents if each.kind == AGENT else facts.skills)
            advice = f"did you mean {near}?" if near else "correct the name, or write its file"
            message = f"the plugin has no {each.kind} {quoted(each.name)}; {advice}"
            yield context.finding(ID, SEVERITY, each.line, message, column=each.column)


def _is_there(each: Named, facts: AgentFacts) -> bool:
    plugin, _, name = each.name.rpartition(":")
    if plugin and plugin != facts.plugin:
        return True
    known = facts.agents if each.kind == AGENT else facts.skills
    return name in known or (each.kind == AGENT and name.lower() in BUILT_IN)
