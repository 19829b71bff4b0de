"""An HTML comment is opened and never closed.

Everything down to the end of the file is then part of the comment: the entries below disappear, for
every Markdown reader and for this tool.

The rule checks comments that begin a line; in the middle of a paragraph, `<!--` is plain text.

Fix: write `-->` at the end of the comment.

Bad:

  ```markdown
  # Learnings

  <!-- newest first

  ## When a build hangs

  Look at the lock.
  ```

Good:

  ```markdown
  # Learnings

  <!-- newest first -->

  ## When a build hangs

  Look at the lock.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.rule import MEMORY, CheckedFile, Rule

RULE = Rule("unclosed-comment", Severity.ERROR, MEMORY)


def check(file: CheckedFile) -> Iterator[Finding]:
    for block in file.document.outline.comments:
        if not block.closed:
            message = f"this comment is never closed{file.swallowed(block)}; write --> after it"
            yield file.finding(RULE, block.first, message)
