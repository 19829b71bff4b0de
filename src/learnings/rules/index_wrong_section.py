"""A row stands in the section of another file than its heading, or of none.

The heading was moved, or the row was written in the wrong section. A reader who follows the row
opens the wrong file. Rows in a section whose heading is not the path of a file, such as
`## Behaviour`, are one finding at that heading; a line there that repeats a row, or that names no
heading, is a note.

Fix: move the row to the section of its file; `memory-index-fix` does it.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when a page hangs

  ## agents/decisions/web.md

  Some text.

  <!-- agents/decisions/cli.md -->
  ## When a build hangs

  <!-- agents/decisions/web.md -->
  ## When a page hangs
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

ID = "index-wrong-section"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
