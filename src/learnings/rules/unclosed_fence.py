"""A code fence is opened and never closed.

Everything down to the end of the file then counts as code: the entries below have vanished from
the memory, for every reader of Markdown and for all that is counted here.

A fence is closed by a line of its own with at least as many of the same character and nothing
behind them. Fences inside a list item or a quotation end with it and are not looked at.

Fix: close the fence where the code ends.

Bad:

  ````markdown
  ## When a build hangs

  ```sh
  make --debug

  ## When a test is slow

  Profile it first.
  ````

Good:

  ````markdown
  ## When a build hangs

  ```sh
  make --debug
  ```

  ## When a test is slow

  Profile it first.
  ````
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import MEMORY, Needs

ID = "unclosed-fence"
SEVERITY = Severity.ERROR
ROLES = MEMORY
NEEDS = Needs.FILE


def check(file: CheckedFile) -> Iterator[Finding]:
    """Give a finding for the fence that is open at the end of the file."""
    for block in file.document.outline.fences:
        if not block.closed:
            message = f"this code fence is never closed{file.swallowed(block)}; close it"
            yield file.finding(ID, SEVERITY, block.first, message)
