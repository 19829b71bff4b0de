"""Groups as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from learnings.consolidation.groups.groups import Group, Grouping
from learnings.consolidation.groups.profiles import is_consolidated
from learnings.consolidation.groups.reasons import Shared
from learnings.core.entries.document import Entry
from learnings.core.text import counted, printable

MAX_UNGROUPED = 10
"""Entries without a group that are listed: the groups above them are the answer."""


def render(file: str, grouping: Grouping) -> str:
    """Return a heading, a block for each group with its reasons, and what is left."""
    blocks = [[f"{printable(file)}: {_summary(grouping)}"]]
    blocks += [list(_block(group)) for group in grouping.groups]
    if grouping.ungrouped:
        blocks.append(["Ungrouped", *_ungrouped(grouping.ungrouped)])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _ungrouped(entries: Sequence[Entry]) -> Iterator[str]:
    yield from (f"  {_entry(entry)}" for entry in entries[:MAX_UNGROUPED])
    rest = len(entries) - MAX_UNGROUPED
    if rest > 0:
        yield f"  and {rest} more: `learnings ages` lists all entries"


def _summary(grouping: Grouping) -> str:
    grouped = sum(len(group.members) for group in grouping.groups)
    groups = counted(len(grouping.groups), "group")
    return f"{groups} of {_entries(grouped)}, {len(grouping.ungrouped)} ungrouped"


def _entries(number: int) -> str:
    return counted(number, "entry", "entries")


def _block(group: Group) -> Iterator[str]:
    size = _entries(len(group.members))
    yield f"{printable(group.topic)} ({size}, score {group.score:.2f})"
    yield from (f"  {_entry(member.entry)}" for member in group.members)
    yield "  because of"
    yield from (f"    {_shared(shared)}" for shared in group.shared)


def _shared(shared: Shared) -> str:
    return f"“{printable(shared.word)}” in lines {', '.join(map(str, shared.lines))}"


def _entry(entry: Entry) -> str:
    marks = [
        mark
        for mark, applies in (
            ("superseded", entry.superseded),
            ("consolidated", is_consolidated(entry) and "consolidated" not in entry.title),
        )
        if applies
    ]
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"line {entry.first}: {printable(entry.heading)}{marked}"
