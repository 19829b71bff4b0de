"""The batch of a verdict as Markdown: a heading line, then the entries as they stand."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.due.ages import EntryAge
from learnings.core.due.triggers import Verdict
from learnings.surfaces.render import due_words


def render(verdict: Verdict) -> str:
    """Return the entries, oldest first, each below a comment with its age and place."""
    return "\n".join((*_head(verdict), *map(_entry, verdict.batch)))


def _head(verdict: Verdict) -> Iterator[str]:
    count = len(verdict.batch)
    yield f"# Batch of {count} {'entry' if count == 1 else 'entries'}\n"
    yield f"**File:** {verdict.report.file}"
    yield f"**Verdict:** {verdict.verdict} ({due_words.reason(verdict)})\n"


def _entry(each: EntryAge) -> str:
    bound = "≥ " if each.lower_bound else ""
    age = f"{bound}{each.active_days} active days, added {each.origin.date}"
    return f"<!-- line {each.entry.first}: {age} -->\n{each.entry.text.rstrip()}\n"
