"""The batch of a verdict as Markdown: what it is, then the source of each entry.

The entries are handed on as they are, to an agent that takes them apart again: they are the one
text of others whose Markdown takes effect. Only what a reader would not see is written out; JSON
has every character.
"""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.due.ages import EntryAge
from learnings.core.due.triggers import Verdict
from learnings.core.text import counted, printable_lines
from learnings.surfaces.render import due_words
from learnings.surfaces.render.escape import line, span


def render(verdict: Verdict) -> str:
    """Return the entries, oldest first, each below a comment with its line and age."""
    return "\n".join((*_head(verdict), *map(_entry, verdict.batch)))


def _head(verdict: Verdict) -> Iterator[str]:
    yield f"# Batch of {counted(len(verdict.batch), 'entry', 'entries')}\n"
    yield f"**File:** {span(verdict.report.file)}"
    yield f"**Verdict:** {verdict.verdict} ({due_words.reason(verdict)})"
    yield from (f"**Note:** {line(note)}" for note in verdict.report.history.notes)
    yield ""


def _entry(entry_age: EntryAge) -> str:
    entry = entry_age.entry
    mark = ", superseded" if entry.superseded else ""
    age = f"{due_words.age(entry_age)}, added {entry_age.origin.date}{mark}"
    return f"<!-- line {entry.first}: {age} -->\n{printable_lines(entry.text).rstrip()}\n"
