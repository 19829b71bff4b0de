"""A sub-agent or skill has no front matter that an agent can read.

Its name and description are all that an agent knows of it before it is called. Without them, or in
YAML that cannot be parsed, it is skipped in silence. The name of a skill has to be that of its
folder. A sub-agent whose name is not that of its file works, and is a notice, since whoever reads
the name does not find the file; so is a key that no agent knows.

Fix: write `name` and `description` between two lines of `---` at the very top of the file.

Bad:

  ```markdown
  ---
  name: memory-curator
  ---
  Keep the memory in order.
  ```

Good:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order. Use at the end of a session.
  ---
  Keep the memory in order.
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
    from learnings.core.agents.front_matter import FrontMatter
    from learnings.core.agents.model import AgentFacts, Kind

ID = "agent-front-matter"
SEVERITY = Severity.ERROR
ROLES = AGENTS
NEEDS = Needs.AGENT

# The keys that coding agents read: for both kinds,
_EVERYWHERE = ("name", "description", "model", "effort", "hooks")
# for skills and commands,
_OF_SKILLS = frozenset(_EVERYWHERE) | {
    *("agent", "allowed-tools", "argument-hint", "arguments", "compatibility", "context"),
    *("disable-model-invocation", "disallowed-tools", "license", "metadata", "paths", "shell"),
    *("user-invocable", "version", "when_to_use"),
}
# for sub-agents.
_OF_AGENTS = frozenset(_EVERYWHERE) | {
    *("background", "color", "disallowedTools", "initialPrompt", "isolation", "maxTurns"),
    *("mcpServers", "memory", "permissionMode", "skills", "tools"),
}


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    """Give what is wrong with the front matter, in the order of its lines."""
    from learnings.core.agents.front_matter import read_front_matter  # noqa: PLC0415  (few runs look at files of agents)
    from learnings.core.agents.model import Kind  # noqa: PLC0415

    kind = facts.kind
    if kind is Kind.SUPPORT:
        return
    is_named = kind in (Kind.AGENT, Kind.SKILL)
    front = read_front_matter(file.document.lines)
    if front.problem:
        yield file.finding(ID, SEVERITY, front.line, front.problem)
    elif not front.last and is_named:
        message = f"this {kind.value} has no front matter, so nobody knows when to call it; add one"
        yield file.finding(ID, SEVERITY, 1, message, subject="")
    elif front.values is not None:
        yield from _repeated(file, front)
        keys = _OF_AGENTS if kind is Kind.AGENT else _OF_SKILLS
        yield from _unknown(file, front, kind, keys)
        if is_named:
            yield from _required(file, front, is_skill=kind is Kind.SKILL)


def _required(file: CheckedFile, front: FrontMatter, *, is_skill: bool) -> Iterator[Finding]:
    values, name = front.values or {}, _name(file.path, is_skill=is_skill)
    for key in ("name", "description"):
        value, line = values.get(key), front.keys.get(key, 1)
        if key not in values:
            message = f"the front matter has no {key}; write `{key}: …` into it"
            yield file.finding(ID, SEVERITY, line, message, subject=key)
        elif not isinstance(value, str) or not value.strip():
            message = f"{key} is not a text; write one, in quotes if it looks like something else"
            yield file.finding(ID, SEVERITY, line, message)
        elif key == "name" and value != name:
            owner, severity = ("folder", SEVERITY) if is_skill else ("file", Severity.NOTICE)
            message = f"the name {quoted(value)} is not that of the {owner}; write {quoted(name)}"
            yield file.finding(ID, severity, line, message)


def _repeated(file: CheckedFile, front: FrontMatter) -> Iterator[Finding]:
    for line, key in front.repeated.items():
        message = f"the key {key} is there twice, first in line {front.keys[key]}; remove one"
        yield file.finding(ID, SEVERITY, line, message)


def _unknown(
    file: CheckedFile, front: FrontMatter, kind: Kind, known: frozenset[str]
) -> Iterator[Finding]:
    for key in front.values or {}:
        if key not in known:
            near = nearest(key, sorted(known))
            advice = f"did you mean {near}?" if near else "remove it, unless you know who reads it"
            message = f"no {kind.value} has the key {quoted(key)}; {advice}"
            yield file.finding(ID, Severity.NOTICE, front.keys.get(key, 1), message)


def _name(path: str, *, is_skill: bool) -> str:
    """Return the name that a file at a path should have: that of the folder for a skill."""
    *folders, name = path.split("/")
    return folders[-1] if is_skill and folders else name.removesuffix(".md")
