"""A merge conflict is not resolved.

Git marks the two sides with lines of seven `<`, `=` and `>`. Left in a memory file they put both
versions of an entry in front of every reader, and one of the two is usually outdated.

A conflict is a line `<<<<<<<` at the left margin with its `=======` and `>>>>>>>` below, or a line
`<<<<<<< NAME` that has lost the other two. An example that lies in one fenced block or comment as
a whole is none, nor is a heading underlined with `=======`.

Fix: keep the side that is right, or join both, and delete the marker lines.

Bad:

  ```markdown
  ## When a lock is held

  <<<<<<< HEAD
  Wait for ten seconds.
  =======
  Fail at once.
  >>>>>>> feature
  ```

Good:

  ```markdown
  ## When a lock is held

  Fail at once.

  Underlined, no conflict
  =======
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.patterns import lazy_pattern
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import MEMORY, Needs

ID = "conflict-marker"
SEVERITY = Severity.ERROR
ROLES = MEMORY
NEEDS = Needs.FILE

# Seven of one sign at the left margin, and a name behind a blank; `=======` takes no name.
_MARKER = lazy_pattern(r"(<{7}|={7}|>{7})(?:$|(?<!=) (.*))")
_START, _MIDDLE, _END = "<" * 7, "=" * 7, ">" * 7


def check(file: CheckedFile) -> Iterator[Finding]:
    """Give one finding for each conflict, at its first line."""
    if _START.encode() not in file.data:
        return
    block_of = _closed_blocks(file)
    for first, last in _conflicts(file):
        if first in block_of and block_of[first] == block_of.get(last):
            continue
        where = f"from here to line {last}" if last > first else "here, its other markers lost"
        yield file.finding(
            ID,
            SEVERITY,
            first,
            f"an unresolved merge conflict {where}; keep what is right and delete the marker lines",
        )


def _conflicts(file: CheckedFile) -> Iterator[tuple[int, int]]:
    """Give first and last line of each conflict; they are the same where only the first is left."""
    first, middle, named = 0, 0, False
    for number in range(1, len(file.document.lines) + 1):
        marker = _MARKER.match(file.line(number))
        if marker is None:
            continue
        if marker[1] == _START:
            if first and named:
                yield first, first
            first, middle, named = number, 0, bool(marker[2])
        elif marker[1] == _MIDDLE:
            middle = number
        elif first and middle > first:
            yield first, number
            first = 0
    if first and named:
        yield first, first


def _closed_blocks(file: CheckedFile) -> dict[int, int]:
    """Return for each line inside a fence or comment the first line of that."""
    return {
        number: block.first
        for block in file.document.outline.hiding_blocks
        if block.closed
        for number in range(block.first, block.last + 1)
    }
