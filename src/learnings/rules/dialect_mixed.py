"""Some entries are written in another way than the rest, so that they are not read as entries.

A file has one dialect; `learnings config` says which, and why. What is written in another one has
no age and no date, or is taken for a part of the entry above it. One finding a file, for

- headings without a time stamp or id, among or below entries that have one;
- headings with a time stamp to the second at another level than entries without any;
- list items that begin with a date, above the first heading or below the other text of the last
  entry, while the entries are headings;
- headings with a date or an id, or that begin with `When` or `How to`, with text and no entries
  under them, while entries are headings at level 3 or list items;
- headings at level 3 with text of their own under headings that only group them, while entries
  are at level 2 and have text.

Two headings among the others are enough, and three at an end of the file, where notes often
stand; list items have to be three. Titles that begin with a dot, and those that return (`###
Context`), are no entries.

Fix: write the others like the rest, or set `dialect` or `entry-level` if the wrong ones were
taken.

Bad:

  ```markdown
  # Learnings

  - 2026-03-04: never retry on 409
  - 2026-03-09: delete the cache first

  ## When a build hangs

  Look at the lock.

  ## When a test is slow

  Profile it.
  ```

Good:

  ```markdown
  # Learnings

  ## When a service answers 409

  Never retry.

  ## When a build hangs

  Look at the lock. It happened twice:

  - 2026-03-04: the nightly build
  - 2026-03-09: the same one
  - a build of the week before
  - the first one of the year
  - and one that nobody saw
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.rules.checked_file import CheckedFile
from learnings.rules.foreign_entries import foreign_entries
from learnings.rules.rule import LEARNINGS, Needs

ID = "dialect-mixed"
SEVERITY = Severity.NOTICE
ROLES = LEARNINGS
NEEDS = Needs.FILE


def check(file: CheckedFile) -> Iterator[Finding]:
    """Give a notice at the first line that looks like an entry of another dialect."""
    if not file.document.entries:
        return
    kinds = [kind for kind in foreign_entries(file.document) if kind.lines]
    if kinds:
        lines, description = min(kinds)
        first = quoted(file.line(lines[0]))
        message = f"{len(lines)} {description}, the first is {first}"
        advice = "write them like the other entries, or set dialect or entry-level"
        yield file.finding(ID, SEVERITY, lines[0], f"{message}; {advice}")
