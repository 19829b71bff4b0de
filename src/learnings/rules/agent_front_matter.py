"""A sub-agent or skill has no front matter that an agent can read.

Its name and description are all that an agent knows of it before it is called. Without them, or in
YAML that cannot be parsed, it is skipped in silence. The name of a skill has to be that of its
folder. A sub-agent whose name is not that of its file works, and is a notice, since whoever reads
the name does not find the file; so is a key that no agent knows.

Mend: write `name` and `description` between two lines of `---` at the very top of the file.

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

from learnings.core.agents.front_matter import Front, front_of
from learnings.core.agents.model import Kind
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.suggestions import nearest
from learnings.rules.context import AGENTS, Context

ID = "agent-front-matter"
SEVERITY = Severity.ERROR
ROLES = AGENTS

_EVERYWHERE = ("name", "description", "model", "effort", "hooks")
_OF_SKILLS = frozenset(_EVERYWHERE) | {
    *("agent", "allowed-tools", "argument-hint", "arguments", "compatibility", "context"),
    *("disable-model-invocation", "disallowed-tools", "license", "metadata", "paths", "shell"),
    *("user-invocable", "version", "when_to_use"),
}
_OF_AGENTS = frozenset(_EVERYWHERE) | {
    *("background", "color", "disallowedTools", "initialPrompt", "isolation", "maxTurns"),
    *("mcpServers", "memory", "permissionMode", "skills", "tools"),
}
_KEYS = {Kind.AGENT: _OF_AGENTS, Kind.SKILL: _OF_SKILLS, Kind.COMMAND: _OF_SKILLS}
_NAMED = (Kind.AGENT, Kind.SKILL)


def check(context: Context) -> Iterator[Finding]:
    """Give what is wrong with the front matter, in the order of its lines."""
    kind = context.agent.kind if context.agent else Kind.SUPPORT
    if kind is Kind.SUPPORT:
        return
    front = front_of(context.document.lines)
    if front.problem:
        yield context.finding(ID, SEVERITY, front.line, front.problem)
    elif not front.last and kind in _NAMED:
        message = f"this {kind.value} has no front matter, so nobody knows when to call it; add one"
        yield context.finding(ID, SEVERITY, 1, message, subject="")
    elif front.values is not None:
        yield from _twice(context, front)
        yield from _unknown(context, front, kind)
        yield from _required(context, front, kind) if kind in _NAMED else ()


def _required(context: Context, front: Front, kind: Kind) -> Iterator[Finding]:
    values, name = front.values or {}, _name(context, kind)
    for key in ("name", "description"):
        value, line = values.get(key), front.keys.get(key, 1)
        if key not in values:
            message = f"the front matter has no {key}; write `{key}: …` into it"
            yield context.finding(ID, SEVERITY, line, message, subject=key)
        elif not isinstance(value, str) or not value.strip():
            message = f"{key} is no text; write one, in quotes if it looks like something else"
            yield context.finding(ID, SEVERITY, line, message)
        elif key == "name" and value != name:
            is_skill = kind is Kind.SKILL
            place, severity = ("folder", SEVERITY) if is_skill else ("file", Severity.NOTICE)
            message = f"the name {quoted(value)} is not that of the {place}; write {quoted(name)}"
            yield context.finding(ID, severity, line, message)


def _twice(context: Context, front: Front) -> Iterator[Finding]:
    for line, key in front.twice.items():
        message = f"the key {key} is there twice, first in line {front.keys[key]}; remove one"
        yield context.finding(ID, SEVERITY, line, message)


def _unknown(context: Context, front: Front, kind: Kind) -> Iterator[Finding]:
    for key in front.values or {}:
        if key not in _KEYS[kind]:
            near = nearest(key, sorted(_KEYS[kind]))
            advice = f"did you mean {near}?" if near else "remove it, unless you know who reads it"
            message = f"no {kind.value} has the key {quoted(key)}; {advice}"
            yield context.finding(ID, Severity.NOTICE, front.keys.get(key, 1), message)


def _name(context: Context, kind: Kind) -> str:
    *folders, file = context.path.split("/")
    return folders[-1] if kind is Kind.SKILL and folders else file.removesuffix(".md")
