r"""A target file is too long, or nearly.

An agent reads a whole decision or rule file even if it needs only one part. The file stays readable
up to `line-limit` lines (400 by default). Split a longer file before you move more entries into it.
A file at the limit, or above nine tenths of it, gets a notice.

Agents load `CLAUDE.md`, `AGENTS.md`, `.claude/rules` and the like in any case, so these get a
notice instead of an error, unless `targets` names the file itself.

Fix: run `learnings split FILE`, or move outdated text to an archive. `split` refuses a file such as
`CLAUDE.md`, because agents would not load the new files. Move its sections to
`.claude/rules/NAME.md` with `paths:`, to a nested file in the folder that a section is about, or to
a file that an `@import` names.

Bad:

  ```python
  b"# Decisions\n" + b"- One more decision.\n" * 400
  ```

Good:

  ```python
  b"# Decisions\n" + b"- One more decision.\n" * 359
  ```
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.instruction_paths import is_instructions
from learnings.rules.rule import TARGETS, CheckedFile, Rule

RULE = Rule("line-limit", Severity.ERROR, TARGETS)

INSTEAD_OF_SPLIT = (
    "move sections to `.claude/rules/NAME.md` with `paths:`, to a nested file in the folder that a "
    "section is about, or to a file that an `@import` names"
)
"""Advice for a file that agents load as a whole; they would not load the output of `split`."""


def check(file: CheckedFile) -> Iterator[Finding]:
    count, limit = len(file.document.lines), file.settings.line_limit
    if count > limit:
        names = [pattern.rpartition("/")[2] for pattern in file.settings.targets or ()]
        is_named = file.path.rpartition("/")[2] in names
        severity = Severity.NOTICE if is_instructions(file.path) and not is_named else None
        size = f"{count} lines, {count - limit} more than the limit of {limit}"
        message = f"{size}; {_advice(file)}"
        yield file.finding(RULE, limit + 1, message, severity=severity, subject="")
    elif count == limit:
        message = f"full: {count} lines are the limit; before you add text, {_advice(file)}"
        yield file.finding(RULE, count, message, severity=Severity.NOTICE, subject="")
    # Nine tenths: chosen, because 40 of 400 lines leave room for an entry or two.
    elif 10 * count > 9 * limit:
        advice = _advice(file, room=limit - count + 1)
        message = f"nearly full: {count} of at most {limit} lines; to make room, {advice}"
        yield file.finding(RULE, count, message, severity=Severity.NOTICE, subject="")


def _advice(file: CheckedFile, *, room: int = 0) -> str:
    """Return advice on how to shorten the file; room is the number of lines that do not fit."""
    if is_instructions(file.path):
        return INSTEAD_OF_SPLIT
    option = f" --room {room}" if room else ""
    return f"run `learnings split {shlex.quote(file.path)}{option}`"
