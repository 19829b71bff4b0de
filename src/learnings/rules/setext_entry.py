"""Markdown reads a line above a `---` as a heading, but it is not an entry.

Markdown renders underlined text as a heading at level 2. Usually nobody meant that: the `---` was
meant to separate two entries, and the blank line above it is missing. Sometimes the line is an
entry in this older style. Entries are headings with `##`, so such an entry is never dated or
consolidated.

A list item, a table row, a quotation or a comment above the `---` does not become a heading, and
neither does text in a code block. If entries are at level 1, the underline is `===`; entries at
level 3 cannot be underlined. In a file of list items, the rule reports only a heading with text
directly below it, and only if no item has a date. The rule skips the `---` that separates the
preamble from the entries.

Fix: put a blank line above the `---`, or, if the text is a title, write it as `## Title`.

Bad:

  ```markdown
  ## When a build hangs

  Look at the lock.
  ---

  ## When a test is slow

  Profile it.
  ```

Good:

  ```markdown
  ## When a build hangs

  Look at the lock.

  ---

  ## When a test is slow

  Profile it.
  ```
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from learnings.core.entries.dialects import BULLET, NONE, SHAPES
from learnings.core.entries.document import Document
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.rules.rule import LEARNINGS, CheckedFile, Rule

RULE = Rule("setext-entry", Severity.NOTICE, LEARNINGS)

# A heading or a ruler, which ends a paragraph.
_ENDS = lazy_pattern(r"#{1,6}(?:\s|$)|([-*_=])[ \t]*(?:\1[ \t]*)*$")
# Lists, quotations, tables, HTML and link definitions, which an underline does not affect.
_NO_PARAGRAPH = lazy_pattern(rf"\s*(?:{LIST_MARKER}\s|[>|<]|\[[^\]]*\]:)")


def check(file: CheckedFile) -> Iterator[Finding]:
    name, level = file.document.dialect[:2]
    if name in SHAPES:
        return  # in these dialects, a line above a `---` ends another text
    if name == NONE or (name == BULLET and not any(e.stated for e in file.document.entries)):
        level = 2  # unknown, because underlined entries are not parsed
    sign = {1: "=", 2: "-"}.get(level)
    if sign is None or sign.encode() * 3 not in file.data:
        return
    start, lines = sign * 3, file.document.lines
    candidates = [
        number
        for number, line in enumerate(lines[1:], start=2)
        if line.startswith(start) and not line.strip().strip(sign) and lines[number - 2].strip()
    ]
    titled = _title_line(file.document)
    parsed = cache(lambda: _underlines_of(file.document))
    for number in candidates:
        if not _is_heading(file, number) or number not in parsed():
            continue
        if _is_for_an_entry(file, number, titled=titled < number):
            above = file.line(number - 1)
            entry_heading = quoted(f"{'#' * level} {above.strip()}")
            message = f"the {start} below {quoted(above)} makes it a heading, but not an entry"
            advice = f"put a blank line between them, or write {entry_heading}"
            yield file.finding(RULE, number - 1, f"{message}; {advice}")
        titled = min(titled, number)


def _underlines_of(document: Document) -> set[int]:
    # Single lines do not tell: a line of `=` can continue a list item, and an HTML block ends only
    # at a blank line.
    from learnings.core.markdown.parser import setext_headings, takes_too_long  # noqa: PLC0415  (slow)

    lines = document.lines[document.front_matter :]
    if takes_too_long(lines):
        return set()
    return {block.last + document.front_matter for block, _ in setext_headings(lines)}


def _title_line(document: Document) -> int:
    """Return the line of the first heading, also one underlined with `=`; or one past the last."""
    count = len(document.lines) + 1
    first = next((heading.line for heading in document.outline.headings), count)
    numbers = range(2, min(first, count))
    return next((n for n in numbers if document.lines[n - 1].startswith("==")), first)


def _is_heading(file: CheckedFile, number: int) -> bool:
    """Return True if the text above an underline is certainly a top-level paragraph."""
    first = number
    while first > 1 and first - 1 not in file.document.hidden_lines:
        above = file.line(first - 1)
        if not above.strip() or _ENDS.match(above):
            break
        first -= 1
    text = [file.line(line) for line in range(first, number)]
    return bool(text) and not text[0][0].isspace() and not any(map(_NO_PARAGRAPH.match, text))


def _is_for_an_entry(file: CheckedFile, number: int, *, titled: bool) -> bool:
    """Return True if an underlined heading is among the entries, or above them with own text.

    titled: another heading stands above, so this one is not the title of the file.
    """
    document = file.document
    last = document.spans[0].last
    end = len(document.lines) if document.dialect.name == BULLET else last
    below = next((n for n in range(number + 1, end + 1) if file.line(n).strip()), 0)
    if document.dialect.name == BULLET:
        return titled and below > 0 and not _NO_PARAGRAPH.match(file.line(below))
    return number > last or (titled and below > 0)
