"""Text between the preamble and the first entry belongs to no entry.

The preamble ends at the first `---` above the first entry. Text below it without a heading has no
date, is never consolidated, and is often the body of an entry that lost its heading.

The rule skips comments, an index block, a list of links to the headings, and a line with a colon at
its end that introduces these, or introduces entries that are list items. Without a `---`, all text
above the first entry is preamble. A `---` directly below a line of text underlines a heading, and
the text after it belongs to that heading.

Fix: give the text a heading, move it to its entry, or move it above the `---`.

Bad:

  ```markdown
  # Learnings

  ---

  Look at the lock first.

  ## When a test is slow

  Profile it.
  ```

Good:

  ```markdown
  # Learnings

  What we have learned.

  ---

  ## When a test is slow

  Profile it.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.entries.dialects import BULLET, INDEX_END, INDEX_START
from learnings.core.entries.document import Document
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.markdown.line_edits import is_filler
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import lines_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("orphan-content", Severity.ERROR, LEARNINGS)

# A row of a table of contents: a lone link to a heading of the same file.
_CONTENTS = lazy_pattern(rf"[ \t]*(?:{LIST_MARKER}[ \t]+)?\[.*\]\(#.*\)[ \t]*$")
# The start of a line that is not paragraph text, so a `---` below does not make it a heading. A
# bullet needs no blank here, because rulers begin with the same characters.
_NO_PARAGRAPH = lazy_pattern(rf"#{{1,6}}(?:\s|$)|[-*+>|<]|{LIST_MARKER}\s|```|~~~")


def check(file: CheckedFile) -> Iterator[Finding]:
    document = file.document
    hidden = {*lines_of(document.outline.comments), *_index_lines(document)}
    below = range(document.preamble_end + 1, document.spans[0].last + 1)
    between = [n for n in below if n not in hidden and not is_filler(file.line(n).strip())]
    numbers = [n for n in between if not _CONTENTS.match(file.line(n))]
    leads_in = document.dialect.name == BULLET or len(numbers) < len(between)
    if numbers and leads_in and file.line(numbers[-1]).rstrip().endswith(":"):
        numbers.pop()
    if not numbers or _is_underline(file, document.preamble_end):
        return
    unfinished = ", or close the front matter" if document.preamble_end == 1 else ""
    first = f"{quoted(file.line(numbers[0]))} ({counted(len(numbers), 'line')})"
    message = f"{first} is between the preamble and the first entry"
    advice = f"give it a heading or move it above the ---{unfinished}"
    yield file.finding(RULE, numbers[0], f"{message}; {advice}")


def _index_lines(document: Document) -> Iterator[int]:
    index_start = 0
    for block in document.outline.comments:
        text = "".join(document.lines[block.first - 1 : block.last])
        index_start = block.first if INDEX_START.search(text) else index_start
        if index_start and INDEX_END.search(text):
            yield from range(index_start, block.last + 1)
            index_start = 0


def _is_underline(file: CheckedFile, number: int) -> bool:
    """Return True if Markdown reads the ruler on a line as the underline of a heading."""
    above = file.line(number - 1).strip()
    in_comment = any(number - 1 == block.last for block in file.document.outline.comments)
    return bool(above) and not in_comment and not _NO_PARAGRAPH.match(above)
