"""A line has the form of a row, but cannot be read as one.

An operator that is neither `/when` nor `/how`, one with nothing behind it, an empty cell where a
table has the heading, a name or a path that is missing before or behind the arrow. Of an index
block: a second marker, one without the other, and entries or headings between the two, which a
rebuild would delete. An index that is not written in the configured form at all is one finding,
which names the form to configure or shows a row; `memory-index-fix` adds nothing to it.

Fix: write the row as one of the forms, configure `index-form`, or move what stands in the block out
of it.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /what is this

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs | lock, cache

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-row-form"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
