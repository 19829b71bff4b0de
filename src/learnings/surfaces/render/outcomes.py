"""The outcomes of `apply`, `archive` and `split`, and the lines to commit or undo them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.consolidation.plan.outcome import PlanOutcome, sentence
from learnings.consolidation.split.names import plain
from learnings.core.entries.archives import archive_date
from learnings.core.entries.document import digest_of
from learnings.core.text import count_lines, counted
from learnings.surfaces.render.lines import joined_printable_lines

if TYPE_CHECKING:
    from learnings.app.consolidate.archiving import (
        ArchiveListing,
        Archiving,
        ListedEntry,
        Rescue,
        Restoring,
    )
    from learnings.app.consolidate.commit_files import Undo
    from learnings.app.consolidate.division import Division
    from learnings.consolidation.split.source import Section
    from learnings.consolidation.split.splitting import Split
    from learnings.core.entries.document import Entry
    from learnings.surfaces.schemas import consolidation as schemas


DRY_RUN = "Dry run: nothing is written. Without --dry-run:"
"""The line above the output of a dry run."""


def commit_lines(
    files: Sequence[str],
    undo: Sequence[str] = (),
    stays: Sequence[str] = (),
    *,
    staged: bool = False,
) -> Iterator[str]:
    """Yield the changed files (POSIX, from the root) and the commands that undo the change.

    stays names the files that the commands leave in place.
    """
    if files:
        yield "Staged for the commit:" if staged else "These files belong to the commit:"
        yield from (f"  {path}" for path in files)
    yield from (f"{'      ' if n else 'Undo: '}{command}" for n, command in enumerate(undo))
    if undo and stays:
        yield f"      ({', '.join(stays)} {'stay' if len(stays) > 1 else 'stays'})"


@joined_printable_lines
def applied_lines(
    outcome: PlanOutcome, undo: Undo, *, staged: bool = False, dry_run: bool = False
) -> Iterator[str]:
    if dry_run:
        yield DRY_RUN
    if outcome.leaving:
        yield f"{sentence(outcome)}. Originals archived."
    elif not outcome.skips and not outcome.decided:
        yield "Nothing left to do."
    yield from (f"Skipped: {skip}" for skip in outcome.skips)
    yield from commit_lines(outcome.files, undo.commands, undo.stays, staged=staged)
    yield from (f"{sentence}." for sentence in outcome.decided)


def archived(plan: Archiving) -> str:
    number = counted(len(plan.entries), "entry", "entries")
    return _list(f"Moved {number} from {plan.file} to {plan.archive}:", plan.entries)


def nothing_left(plan: Archiving) -> str:
    return _list(f"Nothing left to do: archived and no longer in {plan.file}:", plan.done)


@joined_printable_lines
def restored(plan: Restoring) -> Iterator[str]:
    if plan.done:
        yield f"Nothing left to do: already in {plan.file}:"
        yield from (f"  {row.entry.heading}" for row in plan.done)
    if not plan.entries:
        return
    number = counted(len(plan.entries), "entry", "entries")
    # A file of a memory folder moves; other archives keep the originals as proof.
    is_kept = all(not row.entry.path for row in plan.entries)
    yield f"Put {number} back into {plan.file}{'; the archive keeps them' if is_kept else ''}:"
    yield from (f"  {row.entry.heading} (from {row.path}:{row.line})" for row in plan.entries)


def rescued(plan: Rescue) -> str:
    since = f"{plan.file} since {plan.commit}"
    if plan.change is None:
        return _list(f"Nothing to archive: every entry that left {since} is in an archive", ())
    number = counted(len(plan.entries), "entry", "entries")
    return _list(f"Archived {number} that left {since} in {plan.change.path}:", plan.entries)


@joined_printable_lines
def _list(head: str, entries: Iterable[Entry]) -> Iterator[str]:
    yield head
    yield from (f"  {entry.heading}" for entry in entries)


@joined_printable_lines
def split_lines(
    division: Division, *, is_applied: bool, options: Sequence[str] = ()
) -> Iterator[str]:
    """Return the new files with their sections, or the reason why there are none."""
    size = f"{division.path} has {counted(division.lines, 'line')}"
    split = division.split
    if split is None and division.obstacle:
        yield f"{size} and cannot be cut: {division.obstacle}"
    elif split is None:
        yield f"{size}, and the limit is {division.limit}; nothing to split"
    else:
        files = counted(len(split.files), "new file")
        done = f"Split {division.path}, {counted(division.lines, 'line')}, into {files}:"
        yield done if is_applied else f"{size}, and the limit is {division.limit}: {files}"
        for file in split.files:
            yield ""
            yield f"{file.path}: {counted(count_lines(file.data), 'line')}"
            yield from _section_lines(split, file.sections)
        yield ""
        rest = counted(count_lines(split.after), "line")
        yield f"{division.path} keeps {rest}, with a cross-reference to each"
        yield from _section_lines(split, split.staying)
        if split.changed:
            yield f"  {counted(split.changed, 'line')} with links between these files changed"
        for path in (change.path for change in division.changes[:-1]):
            what = "rows" if path in division.indexes else "links to moved sections"
            yield f"{path}: {what} change"
        if not is_applied:
            command = shlex.join(["learnings", "split", division.path, *options, "--apply"])
            yield f"Nothing is written; `{command}` does this"


def _section_lines(split: Split, sections: Iterable[Section]) -> Iterator[str]:
    for section in sections:
        related = sorted(split.references.get(section, ()))
        others = ", ".join(plain(other.title) for other in related)
        shown = f", refers to or from {others}" if others else ""
        yield f"  lines {section.first}-{section.last}: {plain(section.title)}{shown}"


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
