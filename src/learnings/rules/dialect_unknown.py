"""The file has no text that looks like an entry.

A learnings file may have no entries, but then there is nothing to date, check or consolidate.
Entries are headings at level 2, headings at level 3 under categories, or list items.

Bold paragraphs and table rows are not entries. Placeholders of a template (`_(no entries yet)_`,
`## [DATE] - [TYPE]`) are not entries as long as most sections of the template are empty. A file
whose introduction says that the memory has moved, and where to, has no entries either.

Fix: give each learning its own heading, or ignore the notice while the file is new.

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

from learnings.core.entries.ambiguities import second_reading
from learnings.core.entries.dialects import HAS_MOVED, NONE
from learnings.core.findings.finding import Finding, Severity
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("dialect-unknown", Severity.NOTICE, LEARNINGS)


def check(file: CheckedFile) -> Iterator[Finding]:
    document, reason = file.document, file.document.dialect.reason
    if document.dialect.name != NONE:
        return
    if reason == HAS_MOVED:
        problem = f"{reason}; delete it if nothing reads it, or configure the new path"
    else:
        ambiguity = second_reading(document)
        problem = str(ambiguity or f"{reason}; write each as `## Title`")
    yield file.finding(RULE, 1, f"no entry found: {problem}", subject="")
