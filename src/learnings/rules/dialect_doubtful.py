"""The file can be read in another way, and nothing in it decides which one is meant.

A file has one dialect: its entries are headings, or list items. Where headings hold many list
items, or list items stand under headings that look like entries themselves, the other reading comes
close. Ages, batches and reports depend on it. The finding says what speaks for the other reading,
and what to configure if that is the right one.

Fix: look at the entries that `learnings config` shows. If they are the right ones, write the
`dialect` that it names into the configuration; if not, the setting that the finding names. Where
there are several learnings files, it goes into the `[[tool.learnings.file]]` of this one. A
configured dialect is never doubted.

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

from learnings.core.findings.finding import Finding, Severity
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

ID = "dialect-doubtful"
SEVERITY = Severity.NOTICE
ROLES = LEARNINGS
NEEDS = Needs.FILE


def check(file: CheckedFile) -> Iterator[Finding]:
    outline = file.document.outline
    is_plain = not outline.items and all(heading.level <= 2 for heading in outline.headings)
    if is_plain and b"\n**" not in file.data:
        return
    from learnings.core.entries.ambiguities import second_reading  # noqa: PLC0415  (few files are ambiguous)

    ambiguity = second_reading(file.document) if file.document.entries else None
    if ambiguity is not None:
        yield file.finding(ID, SEVERITY, 1, str(ambiguity), subject="")
