r"""The learnings file is longer than its soft limit.

Agents read the whole file at the start of every session. Above `soft-limit` lines (80 by default),
the file costs attention. From `size-trigger` lines (150) on, its size triggers a consolidation, and
the notice says so. This rule does not check in git whether entries are old enough; `learnings due`
does.

Fix: wait until `learnings due` says that the file is due, then move settled entries to the files
where they belong.

Bad:

  ```python
  b"## When a build hangs\n" + b"- Look at the lock.\n" * 80
  ```

Good:

  ```python
  b"## When a build hangs\n" + b"- Look at the lock.\n" * 79
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("soft-limit", Severity.NOTICE, LEARNINGS)


def check(file: CheckedFile) -> Iterator[Finding]:
    count, limits = file.document.size.number, file.file_settings
    if count <= limits.soft_limit:
        return
    limit = f"exceed the soft limit of {limits.soft_limit}"
    advice = "agents read all of them, so keep the file short"
    if limits.due:
        advice = "`learnings due` says when to consolidate"
        if count >= limits.size_trigger:
            limit = f"reach the size trigger of {limits.size_trigger}"
            advice = "`learnings due` says which entries are old enough to leave"
    message = f"{count} lines {limit}; {advice}"
    yield file.finding(RULE, limits.soft_limit + 1, message, subject="")
