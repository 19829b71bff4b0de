"""A comment ignores a rule that finds nothing there.

What it hid has been fixed or moved away, or the name of the rule is written wrong. Left alone, it
would hide the next finding of that kind, which nobody has looked at.

Whether a rule finds something is known only where it ran: an ignore of a rule that is off, or that
`--rule`, a hook or a run without `--history` leaves out, is not judged. The rules about ignores
cannot be ignored.

Fix: remove the comment, or the name of the rule from it; or write the name right.

Bad:

  ```markdown
  # Learnings

  ## When a build hangs <!-- learnings: ignore[duplicate-enty] the second daemon, see ADR 7 -->

  Look at the lock first.
  ```

Good:

  ```markdown
  # Learnings

  ## When a build hangs

  Look at the lock first.

  ## When a build hangs <!-- learnings: ignore[duplicate-entry] the second daemon, see ADR 7 -->

  Restart it.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import EVERY_FILE, IgnoreFacts, Needs

if TYPE_CHECKING:
    from learnings.core.findings.ignores import Ignore, UnusedIgnore

ID = "unused-ignore"
SEVERITY = Severity.NOTICE
ROLES = EVERY_FILE
NEEDS = Needs.IGNORES


def check(_: CheckedFile, ignores: IgnoreFacts) -> Iterator[Finding]:
    for unused in ignores.unused:
        place = (unused.path, unused.ignore.line, unused.ignore.column)
        yield Finding(ID, SEVERITY, *place, _message(unused), subject=unused.rule or "")


def _message(unused: UnusedIgnore) -> str:
    rule = unused.rule
    if rule is None:
        return "this comment names no rule; write <!-- learnings: ignore[RULE] reason -->"
    if not unused.can_be_ignored:
        return f"{rule} cannot be ignored; fix what it says"
    near = unused.suggestion
    if near is not None:
        advice = f"did you mean {near}?" if near else "`learnings rules` lists all"
        return f"there is no rule {quoted(rule)}; {advice}"
    nothing = f"{rule} finds nothing in {_lines(unused.ignore)}"
    if unused.ignore.whole_file:
        return f"{nothing}; remove this"
    return f"{nothing}; remove this, or move it (above the title it is about the whole file)"


def _lines(ignore: Ignore) -> str:
    if ignore.whole_file:
        return "this file"
    if ignore.first == ignore.last:
        return f"line {ignore.first}"
    return f"lines {ignore.first} to {ignore.last}"
