"""A row points at a line in which its heading is not.

Line numbers shift with every edit above them, and the reader does not notice. A span has to begin
at the heading and to end within its section. Pointers into other files than that of the row are
not looked at.

Fix: correct the number or, better, leave it out.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs | decisions/cli.md:7

  <!-- agents/decisions/cli.md -->
  # Command line

  ## When a build hangs

  Look.
  ```

Good:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs | agents/decisions/cli.md:3

  <!-- agents/decisions/cli.md -->
  # Command line

  ## When a build hangs

  Look.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-stale-line-number"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
