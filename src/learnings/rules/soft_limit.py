r"""The learnings file has grown past what is comfortable.

Agents read the whole file at the start of every session. Past `soft-limit` lines (80 unless
configured) it costs attention; from `size-trigger` lines (150) on its size makes consolidation
due, and the text of the notice says so.

Mend: consolidate: move what has settled into the files it belongs to. `learnings due` says when
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
from learnings.rules.context import LEARNINGS, Context

ID = "soft-limit"
SEVERITY = Severity.NOTICE
ROLES = LEARNINGS


def check(context: Context) -> Iterator[Finding]:
    """Give a notice at the first line over the limit."""
    count, file = len(context.document.lines), context.file
    if count <= file.soft_limit:
        return
    message = f"{count} lines are over the soft limit of {file.soft_limit}; consolidate soon"
    if file.due and count >= file.size_trigger:
        message = (
            f"{count} lines reach the size trigger of {file.size_trigger}; "
            "consolidate, `learnings due` says with which entries"
        )
    yield context.finding(ID, SEVERITY, file.soft_limit + 1, message, subject="")
