"""The archived entries of learnings files: text, JSON (document `learnings.archive/1`)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.entries.archives import archive_date
from learnings.core.entries.document import digest_of
from learnings.core.text import counted
from learnings.surfaces.render.lines import joined_printable_lines

if TYPE_CHECKING:
    from learnings.app.consolidate.archiving import ArchiveListing, ListedEntry
    from learnings.surfaces.schemas import consolidation as schemas

Rows = Sequence[tuple["ArchiveListing", tuple[str, ...]]]
"""The listing of each file, with the options that select that file."""

_NO_DATE = "----------"


@joined_printable_lines
def archive_as_text(rows: Rows) -> Iterator[str]:
    for listing, file_option in rows:
        yield f"{listing.file}: {counted(len(listing.rows), 'archived entry', 'archived entries')}"
        for row in listing.rows:
            archived = row.archived
            part = f", {archived.part}" if archived.part else ""
            date = archive_date(archived.path) or _NO_DATE
            title = " ".join(archived.entry.heading.split()) or "(no title)"
            yield f"  {date}  {title} ({digest_of(archived.entry)})"
            yield f"    {archived.path}:{archived.line}{part}"
            yield f"    {'back in the file' if row.is_back else restore(row, file_option)}"


def restore(row: ListedEntry, file_option: Sequence[str]) -> str:
    """Return the command that restores an entry."""
    return shlex.join(["learnings", "archive", "--restore", row.name, *file_option])


def archive_document(rows: Rows) -> schemas.ArchiveDocument:
    return {
        "schema": "learnings.archive/1",
        "files": [
            {
                "file": listing.file,
                "entries": [
                    {
                        "title": row.archived.entry.name,
                        "timestamp": row.archived.entry.stamp,
                        "identity": row.archived.entry.identity,
                        "digest": digest_of(row.archived.entry),
                        "archived": archive_date(row.archived.path) or None,
                        "part": row.archived.part or None,
                        "path": row.archived.path,
                        "line": row.archived.line,
                        "in_file": row.is_back,
                        "restore": restore(row, file_option),
                    }
                    for row in listing.rows
                ],
            }
            for listing, file_option in rows
        ],
    }
