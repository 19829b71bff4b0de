r"""The last line does not end with a newline.

The next text that is appended joins that line. If it starts with a heading, the heading is lost,
and its entry becomes part of the entry above. Git also shows the old last line as changed.

Empty files and several newlines at the end are fine. The rule skips a file that is not a memory
file and is checked only because it is named on the command line.

Fix: end the last line with a newline; `learnings fix` adds one in the style of the file.

Bad:

  ```python
  b"## When a build hangs\n\nLook at the lock."
  ```

Good:

  ```python
  b"## When a build hangs\n\nLook at the lock.\n"
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Edit, Finding, Fix, Severity
from learnings.core.text import BOM, chomp, newline_of
from learnings.rules.rule import INDEX, LEARNINGS, TARGETS, CheckedFile, Rule

RULE = Rule("final-newline", Severity.ERROR, LEARNINGS | TARGETS | INDEX)


def check(file: CheckedFile) -> Iterator[Finding]:
    lines = file.document.lines
    if not file.is_memory or not lines or lines[-1] == BOM or lines[-1].endswith("\n"):
        return
    if chomp(lines[-1]) != lines[-1] and not lines[0].endswith("\n"):
        return  # all lines end with "\r", which may be text elsewhere
    message = "the file does not end with a newline"
    message += ", so appended text joins the last line; add one"
    column = len(lines[-1]) + 1
    added = "\n" if lines[-1].endswith("\r") else newline_of(file.document.text)
    fix = Fix("add the newline", (Edit(len(lines), lines[-1], lines[-1] + added),))
    yield file.finding(RULE, len(lines), message, column=column, subject="", fix=fix)
