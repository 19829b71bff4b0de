"""The rows of a file are not in the order of its headings.

In the same order, index and file can be read side by side, and a change to both makes one small
difference. There is one finding for each group of rows, at the first that is too low.

Fix: `memory-index-fix` puts the rows into order.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /how read a trace
  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to read a trace
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /how read a trace

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to read a trace
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-order"
SEVERITY = Severity.NOTICE
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
