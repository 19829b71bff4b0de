r"""The learnings file has grown past what is comfortable.

Agents read the whole file at the start of every session. Past `soft-limit` lines (80 unless
configured) it costs attention; from `size-trigger` lines (150) on its size makes consolidation
due, and the text of the notice says so.

Fix: consolidate: move what has settled into the files it belongs to. `learnings due` says when
that is worth it and which entries are old enough.

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
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

ID = "soft-limit"
SEVERITY = Severity.NOTICE
ROLES = LEARNINGS
NEEDS = Needs.FILE


def check(file: CheckedFile) -> Iterator[Finding]:
    """Give a notice at the first line over the limit."""
    count, limits = len(file.document.lines), file.file_settings
    if count <= limits.soft_limit:
        return
    message = f"{count} lines are over the soft limit of {limits.soft_limit}; consolidate soon"
    if limits.due and count >= limits.size_trigger:
        message = (
            f"{count} lines reach the size trigger of {limits.size_trigger}; "
            "consolidate, `learnings due` says with which entries"
        )
    yield file.finding(ID, SEVERITY, limits.soft_limit + 1, message, subject="")
