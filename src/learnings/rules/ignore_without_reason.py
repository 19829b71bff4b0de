"""A comment ignores a rule without a reason.

A later reader cannot tell whether the finding was wrong, was accepted for now, or blocked a commit,
so nobody dares to remove the comment. The comment still ignores the rule.

Write the reason, a few words, after the bracket. You cannot ignore this rule.

Fix: add a reason after the bracket, or remove the comment and fix the finding that it hides.

Bad:

  ```markdown
  # Learnings

  ## When a build hangs

  <!-- learnings: ignore[conflict-marker] -->
  Git writes <<<<<<< above our side.
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

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.rule import EVERY_FILE, CheckedFile, IgnoreFacts, Rule

RULE = Rule("ignore-without-reason", Severity.ERROR, EVERY_FILE, "ignores")


def check(file: CheckedFile, ignores: IgnoreFacts) -> Iterator[Finding]:
    for ignore in ignores.in_file:
        if ignore.rules and not ignore.reason:
            named = ", ".join(ignore.rules)
            message = f"no reason for ignoring {named}; write one after the bracket"
            yield file.finding(RULE, ignore.line, message, column=ignore.column, subject=named)
