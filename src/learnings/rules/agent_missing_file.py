"""An agent file names a file, sub-agent or skill that does not exist.

The rule checks only files that run a `learnings` command or `learning-ages.py` in code, or that
name one of our hooks or sub-agents in code. In these files it looks up

- paths that start with `${CLAUDE_PLUGIN_ROOT}`;
- paths that start with `agent-core/`, if that folder exists;
- sub-agents and skills in `skills` of the front matter, after `subagent_type`, and next to the
  words agent and skill.

In a plugin, a name in `skills` or after `subagent_type` must exist. Elsewhere, and in sentences, a
missing name may come from another plugin. The rule then reports it only if it is one letter away
from an existing name or, in a plugin, if it is the name of one of our sub-agents. In our own plugin
the rule checks all files and all names.

A name with a colon belongs to the plugin before the colon; the rule skips names of other plugins,
and paths with a placeholder.

Fix: correct the name, or restore the file.

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

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.text import is_one_edit, suggestion
from learnings.rules.rule import AGENTS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.agents.file_facts import AgentFacts
    from learnings.agents.mentions import AgentReference


RULE = Rule("agent-missing-file", Severity.ERROR, AGENTS, "agent")


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    from learnings.agents.mentions import SUB_AGENT, agent_references, path_references  # noqa: PLC0415  (few runs look at files of agents)

    if not facts.is_ours:
        return
    for path in path_references(facts.instructions.lines):
        if path.written in facts.absent:
            message = f"{quoted(path.written)} does not exist; correct the path, or create it"
            yield file.finding(RULE, path.line, message, column=path.column)
    for reference in agent_references(facts.instructions.passages, facts.front):
        names = facts.agents if reference.kind == SUB_AGENT else facts.skills
        if _is_missing(reference, facts, names):
            otherwise = "correct the name, or create its file"
            advice = suggestion(reference.name, names, otherwise=otherwise)
            start = "there is" if facts.root is None else "the plugin has"
            message = f"{start} no {reference.kind} {quoted(reference.name)}; {advice}"
            yield file.finding(RULE, reference.line, message, column=reference.column)


def _is_missing(reference: AgentReference, facts: AgentFacts, names: Collection[str]) -> bool:
    from learnings.agents.file_facts import OUR_AGENTS  # noqa: PLC0415  (for files of agents)
    from learnings.agents.mentions import BUILT_IN, SUB_AGENT  # noqa: PLC0415  (as above)

    plugin, _, name = reference.name.rpartition(":")
    if plugin and plugin != facts.plugin:
        return False  # belongs to another plugin
    is_agent = reference.kind == SUB_AGENT
    if name in names or (is_agent and name.lower() in BUILT_IN):
        return False
    is_ours = facts.is_own or (is_agent and name in OUR_AGENTS)
    if facts.root is not None and (is_ours or reference.is_plain):
        return True
    return any(is_one_edit(name, known) for known in names)
