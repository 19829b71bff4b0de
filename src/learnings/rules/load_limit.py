r"""The memory index is longer than the part that coding agents load at startup.

Of a `MEMORY.md` in or below a folder `.claude`, agents load the first 200 lines or 25 KB (25,000
bytes), whichever is less. They never see the rest. For a link index, the finding names the files
whose rows are not loaded.

Fix: keep one line per topic, and move the details to files that these lines name.

Bad:

  ```python
  b"# Memory\n" + b"- builds: look at the lock, see builds.md\n" * 200
  ```

Good:

  ```python
  b"# Memory\n" + b"- builds: look at the lock, see builds.md\n" * 199
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from learnings.core.findings.finding import Finding, Severity
from learnings.core.markdown.blocks import blocks_of
from learnings.core.roles import is_loaded_index
from learnings.core.text import counted, printable
from learnings.rules.rule import INDEX, CheckedFile, Rule

RULE = Rule("load-limit", Severity.NOTICE, INDEX)

# The limits in the documentation of Claude Code; 25 KB are taken as 25,000 bytes.
LINES, BYTES = 200, 25_000
# Most rows named in a message. Chosen to fit a line or two of a terminal.
MOST_NAMED = 5


def check(file: CheckedFile) -> Iterator[Finding]:
    if not is_loaded_index(file.path):
        return
    count, size = len(file.document.lines), len(file.data)
    if count <= LINES and size <= BYTES:
        return
    ends = accumulate(len(line.encode("utf-8", "surrogateescape")) for line in file.document.lines)
    cut = next((number for number, end in enumerate(ends, start=1) if end > BYTES), count + 1)
    first = min(LINES + 1, cut)
    lost = f"line {first} is" if first == count else f"lines {first} to {count} are"
    message = f"agents load the first {LINES} lines or {BYTES // 1000} KB, so {lost} not loaded"
    from learnings.index.link_rows import link_rows  # noqa: PLC0415  (for findings only)

    rows = link_rows(file.path, blocks_of(file.data))
    names = [*dict.fromkeys(row.link.path for row in rows if row.line >= first)]
    if names:
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        message += f", including the rows of {printable(', '.join(names[:MOST_NAMED]))}{more}"
    advice = "move details to files that the index names"
    sizes = f"{counted(count, 'line')}, {size} bytes"
    yield file.finding(RULE, first, f"{sizes}: {message}; {advice}", subject="")
