"""A comment ignores a rule that reports nothing there.

Somebody fixed or moved the finding, or misspelled the name of the rule. If the comment stays, it
hides the next finding of that rule, which nobody has reviewed.

The rule judges only ignores of rules that ran. It skips an ignore of a rule that is off, or that
`--rule`, a hook or a run without `--history` leaves out. You cannot ignore the rules about ignores.

Fix: remove the comment, remove the rule from it, or correct the name of the rule.

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
from learnings.rules.rule import EVERY_FILE, CheckedFile, IgnoreFacts, Rule

if TYPE_CHECKING:
    from learnings.core.findings.ignores import UnusedIgnore

RULE = Rule("unused-ignore", Severity.NOTICE, EVERY_FILE, "ignores")


def check(_: CheckedFile, ignores: IgnoreFacts) -> Iterator[Finding]:
    for unused in ignores.unused:
        place = (unused.path, unused.ignore.line, unused.ignore.column)
        message, subject = _message(unused), unused.rule or ""
        yield Finding(RULE.id, RULE.severity, *place, message, subject=subject)


def _message(unused: UnusedIgnore) -> str:
    rule = unused.rule
    if rule is None:
        return "this comment names no rule; write <!-- learnings: ignore[RULE] reason -->"
    if not unused.can_be_ignored:
        return f"{rule} cannot be ignored; fix its finding"
    near = unused.suggestion
    if near is not None:
        advice = f"did you mean {near}?" if near else "`learnings rules` lists all"
        return f"there is no rule {quoted(rule)}; {advice}"
    ignore = unused.ignore
    if ignore.whole_file:
        return f"{rule} reports nothing in this file; remove this comment"
    is_one = ignore.first == ignore.last
    lines = f"line {ignore.first}" if is_one else f"lines {ignore.first} to {ignore.last}"
    advice = "remove this comment, or move it (above the title for the whole file)"
    return f"{rule} reports nothing on {lines}; {advice}"
