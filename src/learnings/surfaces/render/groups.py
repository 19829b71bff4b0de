"""Groups of overlapping entries in each format: text, JSON (document `learnings.groups/1`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from learnings.consolidation.groups.groups import Group, Grouping
from learnings.consolidation.groups.partition import is_consolidated
from learnings.core.entries.document import Entry
from learnings.core.text import counted, printable
from learnings.surfaces.render.json_document import entry_reference
from learnings.surfaces.render.lines import text_of_blocks

if TYPE_CHECKING:
    from learnings.surfaces.schemas.consolidation import GroupsDocument, GroupsEntry

MAX_UNGROUPED = 10  # listed; the groups above them are the answer


def groups_as_text(file: str, grouping: Grouping) -> str:
    grouped = counted(sum(len(group.members) for group in grouping.groups), "entry", "entries")
    groups, ungrouped = counted(len(grouping.groups), "group"), grouping.ungrouped
    blocks = [[f"{printable(file)}: {groups} of {grouped}, {len(ungrouped)} ungrouped"]]
    blocks += [list(_group_lines(group)) for group in grouping.groups]
    if ungrouped:
        listed = (f"  {_entry_line(entry)}" for entry in ungrouped[:MAX_UNGROUPED])
        blocks.append(["Ungrouped", *listed])
    if len(ungrouped) > MAX_UNGROUPED:
        rest = len(ungrouped) - MAX_UNGROUPED
        blocks[-1].append(f"  and {rest} more: `learnings ages` lists all entries")
    return text_of_blocks(blocks)


def _group_lines(group: Group) -> Iterator[str]:
    size = counted(len(group.members), "entry", "entries")
    yield f"{printable(group.topic)} ({size}, score {group.score:.2f})"
    yield from (f"  {_entry_line(member.entry)}" for member in group.members)
    yield "  because of"
    for shared in group.shared:
        yield f"    “{printable(shared.word)}” in lines {', '.join(map(str, shared.lines))}"


def _entry_line(entry: Entry) -> str:
    marks = ["superseded"] if entry.superseded else []
    if is_consolidated(entry) and "consolidated" not in entry.title:
        marks.append("consolidated")
    marked = f" ({', '.join(marks)})" if marks else ""
    return f"{printable(entry.place)}: {printable(entry.heading)}{marked}"


_DECIMALS = 4  # as in the scores of routes and pre-checks; chosen


def groups_document(file: str, grouping: Grouping) -> GroupsDocument:
    return {
        "schema": "learnings.groups/1",
        "file": file,
        "groups": [
            {
                "topic": group.topic,
                "keywords": list(group.keywords),
                "score": round(group.score, _DECIMALS),
                "members": [
                    {**_entry_document(member.entry), "shared": list(member.shared)}
                    for member in group.members
                ],
                "why": [{"word": word, "lines": list(lines)} for word, lines in group.shared],
            }
            for group in grouping.groups
        ],
        "ungrouped": [
            {**_entry_document(entry), "consolidated": is_consolidated(entry)}
            for entry in grouping.ungrouped
        ],
        "neighbours": [
            {
                **_entry_document(neighbour.entry),
                "nearest": [
                    {**_entry_document(entry), "score": round(score, _DECIMALS)}
                    for entry, score in neighbour.nearest
                ],
            }
            for neighbour in grouping.neighbours
        ],
    }


def _entry_document(entry: Entry) -> GroupsEntry:
    return {**entry_reference(entry), "superseded": entry.superseded}
