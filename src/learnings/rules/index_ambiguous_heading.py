"""Two headings of the indexed files read the same.

A row names its heading by words alone. Where two headings have the same words, in one file or in
two, no row can say which of them it means. The finding is at the second one.

Titles of level 1, what stands above the first heading of level 2, and structural headings (their
title starts with a dot) do not count.

Fix: reword one of the two headings, and its row.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## agents/decisions/web.md

  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  <!-- agents/decisions/web.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## agents/decisions/web.md

  /when a page hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  <!-- agents/decisions/web.md -->
  ## When a page hangs
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-ambiguous-heading"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
