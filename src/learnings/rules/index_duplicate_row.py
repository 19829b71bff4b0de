"""A heading has two rows with the same words.

What stands behind the `|` or the dash is not part of the key. `/when x` and `/how x` differ: the
second one reads "how to x".

Fix: join what the two rows say, and keep one. From an index block, `memory-index-fix` removes the
second.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when a build hangs | lock

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /how a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  ## How to a build hangs
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-duplicate-row"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
