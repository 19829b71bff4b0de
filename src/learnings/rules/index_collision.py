"""Two rows are similar to the same heading.

With `fuzzy-threshold` a row whose words are similar to those of a heading is not an orphan. When
that heading has a row already, one of the two is left over from a heading that was reworded.

Without `fuzzy-threshold`, which is off unless configured, such a row is an `index-orphan-row`.

Fix: keep the row with the words of the heading, and remove the other.

Bad:

  ```markdown
  <!-- fuzzy-threshold = 0.8 -->
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs
  /when the build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```

Good:

  ```markdown
  <!-- fuzzy-threshold = 0.8 -->
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

  /when a build hangs

  <!-- agents/decisions/cli.md -->
  ## When a build hangs
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import INDEX, IndexFacts, Needs

ID = "index-collision"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
