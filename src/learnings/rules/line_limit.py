r"""A target file is too long, or nearly.

An agent reads a whole decision or rule file even if it needs only one part. The file stays readable
up to `line-limit` lines (400 by default). Split a longer file before you move more entries into it.
A file at the limit, or above nine tenths of it, gets a notice.

Agents load `CLAUDE.md`, `AGENTS.md`, `.claude/rules` and the like as a whole in any case, so these
get a notice instead of an error, unless `targets` names the file itself.

Fix: run `learnings split FILE`, or move outdated text to an archive. `split` refuses a file such as
`CLAUDE.md`, because agents would not load the new files. Move sections that few tasks need to
places that its agent reads on demand; the finding names these places. For example, Claude Code
reads `.claude/rules/NAME.md` with `paths:`, Copilot `.github/instructions/NAME.instructions.md`
with `applyTo:`, and readers of `AGENTS.md` the `AGENTS.md` of the folder they work in. A file
imported by `@path` is loaded all the same.

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

from learnings.core.file_names import SHARED_READERS
from learnings.core.findings.finding import Finding, Severity
from learnings.core.instruction_paths import agent_of, is_instructions
from learnings.rules.rule import TARGETS, CheckedFile, Rule

RULE = Rule("line-limit", Severity.ERROR, TARGETS)

_NOT_SAVED = "(what `@` imports is loaded all the same)"
# Where an agent finds instructions that it does not load in every session.
_ON_DEMAND = {
    "Claude Code": (
        "`.claude/rules/NAME.md` with `paths:`, or to the `CLAUDE.md` of the folder they are about "
        f"{_NOT_SAVED}"
    ),
    SHARED_READERS: "the `AGENTS.md` of the folder they are about",
    "Gemini": f"the `GEMINI.md` of the folder they are about {_NOT_SAVED}",
    "Qwen": f"the `QWEN.md` of the folder they are about {_NOT_SAVED}",
    "Copilot": "`.github/instructions/NAME.instructions.md` with `applyTo:`",
    "Cursor": "`.cursor/rules/NAME.mdc` with `globs:`",
    "Windsurf": "`.windsurf/rules/NAME.md` with `trigger: glob`",
    "Kiro": "`.kiro/steering/NAME.md` with `inclusion: fileMatch`",
}


def instead_of_split(path: str) -> str:
    """Return advice for instructions, since agents would not load the new files of `split`."""
    place = _ON_DEMAND.get(agent_of(path) or "")
    named = "a document that this file names with the task it is for"
    return f"move sections that few tasks need to {f'{place}, or to ' if place else ''}{named}"


def check(file: CheckedFile) -> Iterator[Finding]:
    count, limit = len(file.document.lines), file.settings.line_limit
    if count > limit:
        names = [pattern.rpartition("/")[2] for pattern in file.settings.targets or ()]
        is_named = file.path.rpartition("/")[2] in names
        is_loaded = is_instructions(file.path)
        severity = Severity.NOTICE if is_loaded and not is_named else None
        size = f"{count} lines, {count - limit} more than the limit of {limit}"
        size += ", all of which agents load" if is_loaded else ""
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
        return instead_of_split(file.path)
    option = f" --room {room}" if room else ""
    return f"run `learnings split {shlex.quote(file.path)}{option}`"
