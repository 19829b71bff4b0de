"""A structural heading has a row.

A heading whose title starts with a dot only groups what stands below it. It holds nothing to look
up, so it has no row.

Fix: remove the row, or the dot; `memory-index-fix` removes the row.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  Building — all about it
  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## .Building

  ### When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## .Building

  ### When a build hangs
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-structural-row"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
