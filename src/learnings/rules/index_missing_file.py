"""The index lists a file that is not there.

The file was deleted or renamed, and the index has not followed. The finding is at the section, or
at the row in forms whose rows name files; it counts the rows that lead nowhere with it. Sections
whose heading is not a path are notes, which this rule does not look at.

Fix: name the file by its new path, or remove the section.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## agents/decisions/gone.md

  /when it is gone

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  ## Notes

  Some text.

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-missing-file"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
