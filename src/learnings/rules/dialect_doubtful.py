"""The file can be read in two ways, and nothing in it decides between them.

A file has one dialect: its entries are either headings or list items. If headings hold many list
items, or if list items stand under headings that look like entries themselves, both readings are
plausible. Ages, batches and reports depend on the choice. The finding says what supports the other
reading, and which setting selects it.

Fix: run `learnings config` and look at the entries. If they are right, add the `dialect` that it
shows to the configuration. If not, add the setting that the finding names. If there are several
learnings files, put the setting into the `[[tool.learnings.file]]` table of this file. The rule
never doubts a configured dialect.

Bad:

  ```markdown
  # Learnings

  ## 2026-03-04

  - never retry on 409
  - delete the cache before the build

  ## 2026-03-09

  - ask for the plan before the query
  - pin the version of the linter
  ```

Good:

  ```markdown
  # Learnings

  - 2026-03-04: never retry on 409
  - 2026-03-04: delete the cache before the build
  - 2026-03-09: ask for the plan before the query
  - 2026-03-09: pin the version of the linter
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.entries.ambiguities import second_reading
from learnings.core.findings.finding import Finding, Severity
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("dialect-doubtful", Severity.NOTICE, LEARNINGS)


def check(file: CheckedFile) -> Iterator[Finding]:
    outline = file.document.outline
    is_plain = not outline.items and all(heading.level <= 2 for heading in outline.headings)
    if is_plain and b"\n**" not in file.data:
        return

    ambiguity = second_reading(file.document) if file.document.entries else None
    if ambiguity is not None:
        yield file.finding(RULE, 1, str(ambiguity), subject="")
