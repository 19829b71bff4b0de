"""A merge has mixed the entries of two branches.

Two sessions that add entries at the same place meet in a merge, and what is resolved in haste, or
by a driver that takes the lines of both, leaves traces:

- two entries have different headings and the same text of two lines or more;
- a heading without text stands directly before another heading, and the text of a neighbour has
  the fields of two entries (`**Context**`, `**Lesson**` and again `**Context**`, `**Lesson**`).

Fields without a value are no text; those below headings of their own, in code, in comments or
within a list do not repeat.

Fix: give each heading its own text back. `git log -p --merges` shows what the branches had.

Bad:

  ```markdown
  ## When a build hangs

  ## When a test is slow

  **Context**: a build waited for an hour.

  **Lesson**: look at the lock.

  **Context**: the suite took ten minutes.

  **Lesson**: profile it.
  ```

Good:

  ```markdown
  ## When a build hangs

  **Context**: a build waited for an hour.

  **Lesson**: look at the lock.

  ## When a test is slow

  **Context**: the suite took ten minutes.

  **Lesson**: profile it.
  ```
"""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import groupby

from learnings.core.entries.document import Entry
from learnings.core.entries.layout import CATEGORY, ENTRY
from learnings.core.entries.titles import identity_key
from learnings.core.findings.finding import Finding, Severity, quoted
from learnings.core.markdown.line_kinds import BULLET_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.rules.checked_file import CheckedFile
from learnings.rules.rule import LEARNINGS, Needs

ID = "merge-damage"
SEVERITY = Severity.NOTICE
ROLES = LEARNINGS
NEEDS = Needs.FILE

# A field of a form: `**Context:** text`, perhaps behind a bullet, not behind a number, which makes
# it a step. Group 1 is its label, group 2 its value.
_FIELD = lazy_pattern(
    rf"[ \t]*(?:{BULLET_MARKER}[ \t]+)?(?:\*\*|__)?(\w[\w /-]{{0,30}})(?:\*\*:|__:|:\*\*|:__|:)(.*)"
)
# A heading at any level.
_HEADING = lazy_pattern(r"#{1,6}[ \t]")


def check(file: CheckedFile) -> Iterator[Finding]:
    entries = file.document.entries
    beginnings = [_beginning(entry) for entry in entries]
    if len(set(beginnings)) < len(beginnings):
        counts = Counter(beginnings)
        pairs = zip(entries, beginnings, strict=True)
        yield from _same_text(file, [entry for entry, text in pairs if text and counts[text] > 1])
    if "" in beginnings:
        yield from _mixed(file, beginnings)


def _beginning(entry: Entry) -> str:
    return next((text for line in entry.lines[1:] if (text := line.strip(" \t\r\n-"))), "")


def _same_text(file: CheckedFile, alike: Sequence[Entry]) -> Iterator[Finding]:
    first: dict[str, Entry] = {}
    for entry in alike:
        earlier = first.setdefault(" ".join(entry.body.split()).rstrip("- "), entry)
        is_same = identity_key(None, earlier.heading) == identity_key(None, entry.heading)
        if not is_same and _is_long(entry):
            message = f"the text of {quoted(entry.heading)} is that of {quoted(earlier.heading)}"
            advice = f"in line {earlier.first}; give each its own text back, or join the two"
            yield file.finding(ID, SEVERITY, entry.first, f"{message} {advice}")


def _is_long(entry: Entry) -> bool:
    """Return True if two different lines of the text say something of their own."""
    fields = ((_FIELD.match(line), line) for line in entry.lines[1:])
    texts = {(field[2] if field else line).strip() for field, line in fields}
    return sum(any(sign.isalnum() for sign in text) for text in texts) > 1


def _mixed(file: CheckedFile, texts: Sequence[str]) -> Iterator[Finding]:
    """Give the headings without text that stand before another, with a neighbour of two texts."""
    entries, spans = file.document.entries, file.document.spans
    full = [index for index, text in enumerate(texts) if text]
    hidden = file.document.hidden_lines
    doubled = {n for n in full if entries[n].level and _has_two_groups(entries[n], hidden)}
    follows = {span.first for span in spans if span.kind in (ENTRY, CATEGORY)} if doubled else set()
    for index, entry in enumerate(entries):
        if texts[index] or entry.last + 1 not in follows:
            continue
        below = bisect(full, index)
        neighbours = [*full[below : below + 1], *full[max(below - 1, 0) : below]]
        number = next((near for near in neighbours if near in doubled), None)
        if number is not None:
            neighbour = entries[number]
            message = f"{quoted(entry.heading)} has no text, while {quoted(neighbour.heading)}"
            where = f"in line {neighbour.first} has the fields of two entries"
            advice = "give each its own text back"
            yield file.finding(ID, SEVERITY, entry.first, f"{message} {where}; {advice}")


def _has_two_groups(entry: Entry, hidden: Container[int]) -> bool:
    """Return True if labels of fields return after others, or two are there twice."""
    shown = [line for n, line in enumerate(entry.lines, entry.first) if n not in hidden]
    if any(_HEADING.match(line) for line in shown[1:]):
        return False
    # Fields of a list within the text, such as two options, are no fields of the entry.
    fields = (_FIELD.match(line) for line in shown if not line[0].isspace())
    labels = [field[1].casefold() for field in fields if field]
    returning = Counter(label for label, _ in groupby(labels))
    twice = [label for label, count in Counter(labels).items() if count > 1]
    return max(returning.values(), default=0) > 1 or len(twice) > 1
