"""The command that a file that is due asks for, the same wherever a verdict is shown."""

from __future__ import annotations

import shlex

from learnings.core.due.triggers import DUE, Verdict
from learnings.core.file_names import PLAN
from learnings.core.text import encode, printable


def next_step(verdict: Verdict) -> str | None:
    """Return the command to run next for a file, None where it is not due."""
    return plan_command(verdict.report.file) if verdict.verdict == DUE else None


def plan_command(file: str) -> str:
    """Return the command that writes the plan of a learnings file, to edit."""
    return f"learnings plan {shell_word(file)} --output {PLAN}"


def shell_word(path: str) -> str:
    r"""Return a path as one word of a shell command; `$'\x1b'` where it has what is not seen."""
    if printable(path) == path:
        return shlex.quote(path)
    return f"$'{''.join(map(_in_shell_word, path))}'"


def _in_shell_word(character: str) -> str:
    if printable(character) == character and character not in "'\\":
        return character
    return "".join(f"\\x{byte:02x}" for byte in encode(character))
