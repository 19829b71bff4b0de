"""A comment ignores a rule and does not say why.

Whoever reads it later cannot tell whether the finding was wrong, was accepted for now, or was in
the way of a commit; so nobody dares to remove the comment. What it names is ignored all the same.

The reason is what stands behind the bracket: a few words. This rule cannot be ignored itself.

Mend: write the reason behind the bracket, or remove the comment and mend what it hides.

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
from learnings.core.findings.ignores import ignores_of
from learnings.rules.context import EVERY_FILE, Context

ID = "ignore-without-reason"
SEVERITY = Severity.ERROR
ROLES = EVERY_FILE


def check(context: Context) -> Iterator[Finding]:
    """Give a finding for each comment that names a rule and no reason."""
    for each in ignores_of(context.document, context.role):
        if each.rules and not each.reason:
            named = ", ".join(each.rules)
            message = f"no reason for ignoring {named}; write it behind the bracket"
            yield context.finding(
                ID, SEVERITY, each.line, message, column=each.column, subject=named
            )
