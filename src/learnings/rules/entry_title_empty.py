"""A heading at the entry level has no title.

Nobody can find an entry without a title: reports, groups and the memory index name entries by it. A
timestamp, an id or punctuation alone (`...`, `**`) is not a title. An empty heading is often left
over from an entry that was merged or moved.

Fix: say in the heading when the entry applies. If the text belongs to the entry above, delete the
heading.

Bad:

  ```markdown
  ## When a build hangs

  Look at the lock.

  ##

  Profile slow tests first.
  ```

Good:

  ```markdown
  ## When a build hangs

  Look at the lock.

  ## When a test is slow

  Profile slow tests first.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("entry-title-empty", Severity.ERROR, LEARNINGS)


def check(file: CheckedFile) -> Iterator[Finding]:
    for entry in file.document.entries:
        # Emoji and signs of other scripts can be meant as a title.
        if entry.level and not any(sign.isalnum() or not sign.isascii() for sign in entry.title):
            stamp = f"after [{entry.stamp}] " if entry.stamp else ""
            message = f"this heading has no title {stamp}".rstrip()
            advice = "say when the entry applies, or delete the heading"
            yield file.finding(RULE, entry.first, f"{message}; {advice}")
