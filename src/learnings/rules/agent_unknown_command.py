"""Agent instructions use a `learnings` command or option that does not exist.

An agent follows its instructions. A command of an older version, or one that never existed, stops
the agent in the middle of its task.

The rule checks calls in code spans, in code blocks for a shell and in the permissions of the front
matter. The command must exist, and so must its options and their values. An option in a code span
of its own belongs to the command before it in the same sentence. The rule skips a different program
of the same name, which it recognises because most of its commands are unknown.

The rule checks only files that run a `learnings` command or `learning-ages.py` in code, or that
name one of our hooks or sub-agents in code.

Fix: use a command or option that `learnings --help` or `learnings COMMAND --help` lists.

Bad:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  Run `learnings due --form json`.
  ```

Good:

  ```markdown
  ---
  name: memory-curator
  description: Keeps the memory in order.
  ---
  Run `learnings due --format json`.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.patterns import lazy_pattern
from learnings.core.text import suggestion
from learnings.rules.rule import AGENTS, CheckedFile, Rule

if TYPE_CHECKING:
    from learnings.agents.file_facts import AgentFacts, CommandOptions
    from learnings.agents.instructions import CallOption

RULE = Rule("agent-unknown-command", Severity.ERROR, AGENTS, "agent")

_PROGRAM = "learnings"
_WITHOUT_COMMAND: CommandOptions = {"--help": (), "-h": (), "--version": (), "-V": ()}
# A value that may be one of the choices: not a placeholder, path or number.
_PLAIN = lazy_pattern(r"[a-z][a-z-]*")


def check(file: CheckedFile, facts: AgentFacts) -> Iterator[Finding]:
    if not facts.is_ours:
        return
    for call in facts.instructions.calls:
        if call.command is not None and call.command not in facts.programs:
            otherwise = "see `learnings --help` for all"
            advice = suggestion(call.command, facts.programs, otherwise=otherwise)
            message = f"{_PROGRAM} has no command {quoted(call.command)}; {advice}"
            yield file.finding(RULE, call.line, message, column=call.column)
            continue
        known = facts.options.get(call.command or "", _WITHOUT_COMMAND)
        name = f"{_PROGRAM} {call.command}" if call.command else _PROGRAM
        for option in call.options:
            if message := _wrong(option, known, name):
                yield file.finding(RULE, option.line, message, column=option.column)


def _wrong(option: CallOption, known: CommandOptions, name: str) -> str:
    if option.name not in known:
        advice = suggestion(option.name, known, otherwise=f"see `{name} --help` for all")
        return f"{name} has no option {quoted(option.name)}; {advice}"
    values, value = known[option.name], option.value or ""
    if values and _PLAIN.fullmatch(value) and value not in values:
        listed = ", ".join(values)
        return f"{name} {option.name} does not accept {quoted(value)}; use one of {listed}"
    return ""
