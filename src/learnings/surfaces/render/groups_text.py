"""Groups as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.consolidation.groups.evidence import Shared
from learnings.consolidation.groups.groups import Group, Grouping
from learnings.consolidation.groups.profiles import is_consolidated
from learnings.core.entries.document import Entry
from learnings.core.text import printable


def render(file: str, found: Grouping) -> str:
    """Return a heading, a block for each group with its reasons, and what is left."""
    blocks = [[f"{printable(file)}: {_summary(found)}"]]
    blocks += [list(_block(group)) for group in found.groups]
    if found.ungrouped:
        blocks.append(["Ungrouped", *(f"  {_place(entry)}" for entry in found.ungrouped)])
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _summary(found: Grouping) -> str:
    grouped = sum(len(group.members) for group in found.groups)
    groups = _count(len(found.groups), "group", "groups")
    return f"{groups} of {_entries(grouped)}, {len(found.ungrouped)} ungrouped"


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _entries(number: int) -> str:
    return _count(number, "entry", "entries")


def _block(group: Group) -> Iterator[str]:
    size = _entries(len(group.members))
    yield f"{printable(group.topic)} ({size}, score {group.score:.2f})"
    yield from (f"  {_place(member.entry)}" for member in group.members)
    yield "  because of"
    yield from (f"    {_places(each)}" for each in group.shared)


def _places(shared: Shared) -> str:
    return f"“{printable(shared.word)}” in lines {', '.join(map(str, shared.lines))}"


def _place(entry: Entry) -> str:
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
