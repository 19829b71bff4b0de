"""A row names a heading that its file does not have.

The heading was reworded, removed or moved to a file that is not indexed, so the row leads readers
nowhere. A heading in similar words that has no row is named as the one that was probably meant.
Notes are not rows: list items, quotes, lines with bold words, lines of a paragraph, and what names
no heading in a section that names no file.

Fix: give the row the words of the heading as it is now, or remove it. An index block is rebuilt by
`memory-index-fix`, without rows of entries that are gone.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when nobody knows

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  - a note — about it

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-orphan-row"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
