"""Another memory file contains the same entry word for word.

Agents that load both files pay for it twice, and a later correction reaches only one of them. The
rule compares the memory files of one check, so it finds most in a check of the whole repository. It
reports the file that comes later, once for each other file. Placeholders, headings without text and
entries of fewer than five words do not count. In the example, the comment names the other place.

Fix: keep each entry in the file to which it belongs, and archive the other.

Bad:

  ```markdown
  <!-- also in agents/lessons.md:3 -->

  ## When a build hangs

  Look at the lock before you kill the daemon.
  ```

Good:

  ```markdown
  ## When the API does not start

  Run the migrations first.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import counted, printable
from learnings.rules.rule import LEARNINGS, CheckedFile, Copies, Rule

RULE = Rule("duplicate-across-files", Severity.NOTICE, LEARNINGS, needs="copies")


def check(file: CheckedFile, copies: Copies) -> Iterator[Finding]:
    for path, pairs in copies.items():
        line, place = pairs[0]
        message = f"this entry is also at {printable(path)}:{place}; keep one of the two"
        if len(pairs) > 1:
            total = counted(len(file.document.entries), "entry", "entries")
            message = (
                f"{len(pairs)} of {total} are also in {printable(path)}, the first at line "
                f"{place}; keep one copy of each"
            )
        yield file.finding(RULE, line, message, subject=path)
