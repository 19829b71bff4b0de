"""Groups as JSON, document `learnings.groups/1`."""

from __future__ import annotations

from learnings.consolidation.groups.groups import Group, Grouping, Member
from learnings.consolidation.groups.profiles import is_consolidated
from learnings.core.entries.document import Entry
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.groups/1"
_DECIMALS = 4  # as in the scores of routes and pre-checks; chosen to be read easily


def render(file: str, grouping: Grouping) -> str:
    """Return the document as text."""
    return json_document(document(file, grouping))


def document(file: str, grouping: Grouping) -> dict[str, object]:
    """Return the document; members, ungrouped and neighbours are in the order of the file."""
    return {
        "schema": SCHEMA,
        "file": file,
        "groups": [_group(group) for group in grouping.groups],
        "ungrouped": [
            _entry(entry) | {"consolidated": is_consolidated(entry)} for entry in grouping.ungrouped
        ],
        "neighbours": [
            _entry(neighbour.entry)
            | {"nearest": [_entry(entry) | _score(score) for entry, score in neighbour.nearest]}
            for neighbour in grouping.neighbours
        ],
    }


def _group(group: Group) -> dict[str, object]:
    return {
        "topic": group.topic,
        "keywords": list(group.keywords),
        **_score(group.score),
        "members": [_member(member) for member in group.members],
        "why": [{"word": shared.word, "lines": list(shared.lines)} for shared in group.shared],
    }


def _member(member: Member) -> dict[str, object]:
    return _entry(member.entry) | {"shared": list(member.shared)}


def _entry(entry: Entry) -> dict[str, object]:
    return {
        "title": entry.title,
        "timestamp": entry.stamp,
        "line": entry.first,
        "identity": entry.identity,
        "superseded": entry.superseded,
    }


def _score(score: float) -> dict[str, object]:
    return {"score": round(score, _DECIMALS)}
