"""Text was lost and replaced by U+FFFD.

A program that reads bytes it does not understand replaces them with the character �. Once the file
is saved, the original text is gone. Usually umlauts, quotation marks and dashes are lost, in the
whole file at once.

The rule gives one finding per file, on the first such character. It skips a character that the text
only mentions: alone in quotes, brackets or a code span, beside its name, `U+FFFD`, or in a code
block.

Fix: restore the text from an older version of the file.

Bad:

  ```markdown
  ## When a caf� closes

  Go home.
  ```

Good:

  ```markdown
  ## When a café closes

  Look for `�` in the file.
  ```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from learnings.core.findings.finding import Finding, Severity
from learnings.core.markdown.outline import lines_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted
from learnings.rules.rule import MEMORY, CheckedFile, Rule

RULE = Rule("replacement-characters", Severity.NOTICE, MEMORY)

_IN_UTF_8 = "\ufffd".encode()
# A run of the character.
_LOST = lazy_pattern("\ufffd+")
# The name of the character, in text about it.
_NAME = lazy_pattern(r"\bU\+?FFFD\b|\breplacement characters?\b", re.IGNORECASE)
# The signs on both sides of a character that the text mentions.
_AROUND = frozenset(["``", "''", '""', "()", "[]", "“”", "„“", "‘’", "«»", "»«"])


def check(file: CheckedFile) -> Iterator[Finding]:
    if _IN_UTF_8 not in file.data:
        return
    in_code = lines_of(file.document.outline.fences)
    runs = [
        (number, match.start() + 1, len(match[0]))
        for number, line in enumerate(file.document.lines, start=1)
        if number not in in_code and not _NAME.search(line)
        for match in _LOST.finditer(line)
        if line[: match.start()][-1:] + line[match.end() :][:1] not in _AROUND
    ]
    if not runs:
        return
    line, column, _ = runs[0]
    signs = sum(length for _, _, length in runs)
    lines = counted(len({number for number, _, _ in runs}), "line")
    where = f"and replaced by U+FFFD ({signs} on {lines})"
    message = f"text was lost here {where}; restore it from an older version"
    yield file.finding(RULE, line, message, column=column, subject="")
