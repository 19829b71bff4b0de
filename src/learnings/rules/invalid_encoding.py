r"""The file is not UTF-8 text.

Editors and agents read memory files as UTF-8. They turn other bytes into replacement characters,
and the next program that rewrites the file makes that loss permanent. A NUL byte is valid UTF-8 but
never occurs in text: the file is binary, or UTF-16.

The rule gives one finding per file, on the first such byte. A file with NUL bytes gets no other
findings.

Fix: save the file as UTF-8, or repair the line that the finding names.

Bad:

  ```python
  b"## When a caf\xe9 closes\n\nGo home.\n"
  ```

Good:

  ```python
  b"## When a caf\xc3\xa9 closes\n\nGo home.\n"
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.text import counted, not_text
from learnings.rules.rule import MEMORY, CheckedFile, Rule

RULE = Rule("invalid-encoding", Severity.ERROR, MEMORY)

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def check(file: CheckedFile) -> Iterator[Finding]:
    if file.data.isascii() and b"\0" not in file.data:
        return
    for number, line in enumerate(file.document.lines, start=1):
        match = not_text(line)
        if match is not None:
            message = f"{_reason(file.data, match[0])}; save the file as UTF-8"
            column = match.start() + 1
            yield file.finding(RULE, number, message, column=column, subject="")
            return


def _reason(data: bytes, sign: str) -> str:
    nuls = data.count(b"\0")
    if data.startswith(_UTF16) or 3 * nuls > len(data):
        return "the file is UTF-16 or binary, not UTF-8 text"
    if sign == "\0":
        return f"a NUL byte cannot occur in text ({counted(nuls, 'such byte')} in the file)"
    return f"the byte 0x{ord(sign) - 0xDC00:02X} is not valid UTF-8 here"
