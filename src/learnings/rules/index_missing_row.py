"""A heading of an indexed file has no row.

A reader of the index alone does not learn that the heading exists. The finding is at the heading,
in its own file. Words are compared without regard to case; a row in similar words does not count,
but where it has no heading itself, the finding asks whether it was meant.

Indexed are the files of `indexed` and all that the index names. A heading needs a row from level 2
on, unless its title starts with a dot or it stands above the first heading of level 2.

Fix: add a row; `memory-index-fix --add-missing` does it, for the index block of a learnings file
without that option.

Bad:

  ```markdown
  <!-- agents/memory-index.md -->
  ## agents/decisions/cli.md

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

ID = "index-missing-row"
SEVERITY = Severity.ERROR
ROLES = INDEX
NEEDS = Needs.INDEX


def check(_: CheckedFile, index: IndexFacts) -> Iterator[Finding]:
    """Give the findings of this kind."""
    return index.findings(ID, SEVERITY)
