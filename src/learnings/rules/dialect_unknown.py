"""Nothing in the file looks like an entry.

A learnings file without entries is not wrong, but nothing in it can be dated, checked or
consolidated. Entries are headings at level 2, headings at level 3 under categories, or list items;
bold paragraphs and tables are none.

Fix: give each learning a heading of its own, or leave the notice alone while the file is new.

Bad:

  ```markdown
  # Learnings

  **Builds that hang**: look at the lock first.
  ```

Good:

  ```markdown
  # Learnings

  ## When a build hangs

  Look at the lock first.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.entries.dialects import NONE
from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

ID = "dialect-unknown"
SEVERITY = Severity.NOTICE
ROLES = LEARNINGS
NEEDS = Needs.FILE


def check(file: CheckedFile) -> Iterator[Finding]:
    """Give a notice for a file whose dialect is not known."""
    if file.document.dialect.name == NONE:
        message = f"no entry found: {file.document.dialect.reason}; write each as `## Title`"
        yield file.finding(ID, SEVERITY, 1, message, subject="")
