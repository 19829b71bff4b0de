"""The outcomes of `apply`, `archive` and `split`, and the lines to commit or undo them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from learnings.consolidation.entry_names import name_of
from learnings.consolidation.plan.plan import ADD, DROP, JOIN, MERGE, MOVE
from learnings.consolidation.split.names import plain
from learnings.core.entries.document import digest_of
from learnings.core.file_names import archive_date
from learnings.core.text import count_lines, counted
from learnings.surfaces.render.writing import text_lines

if TYPE_CHECKING:
    from learnings.app.consolidate.applying import Application
    from learnings.app.consolidate.archives_on_disk import FoundEntry, SourceFile
    from learnings.app.consolidate.division import Division
    from learnings.consolidation.split.source import Section
    from learnings.consolidation.split.splitting import Split


DRY_RUN = "Dry run: nothing is written. Without --dry-run:"
"""The line above the output of a dry run."""


def commit_lines(
    files: Sequence[str], undo: Sequence[str] = (), *, staged: bool = False
) -> Iterator[str]:
    """Yield the changed files (POSIX, from the root) and the commands that undo the change."""
    if files:
        yield "Staged for the commit:" if staged else "These files belong to the commit:"
        yield from (f"  {path}" for path in files)
    yield from (f"{'      ' if n else 'Undo: '}{command}" for n, command in enumerate(undo))


@text_lines
def applied_lines(
    done: Application, undo: Sequence[str], *, staged: bool = False, dry_run: bool = False
) -> Iterator[str]:
    if dry_run:
        yield DRY_RUN
    if done.leaving:
        yield f"{_sentence(done)}. Originals archived."
    elif not done.skips and not done.decided:
        yield "Nothing left to do."
    for target in dict.fromkeys(skip.target for skip in done.skips):
        first, *others = (skip for skip in done.skips if skip.target == target)
        count = sum(len(skip.entries) for skip in (first, *others))
        stay = f"{count} entries stay, since {target} has {first.lines} lines"
        yield f"Skipped: {stay}, the limit is {first.limit}" if others else f"Skipped: {first}"
        yield f"  for room: `{shlex.join(['learnings', 'split', target])}`, then plan them again"
    yield from commit_lines(done.files, undo, staged=staged)
    yield from (f"{decided}." for decided in done.decided)


_DONE = {MERGE: "consolidated", JOIN: "joined", MOVE: "moved", ADD: "added", DROP: "dropped"}


def _sentence(done: Application) -> str:
    """Return what was done with how many entries, such as `Consolidated 5 entries into 1`."""
    clauses = []
    for action, word in _DONE.items():
        steps = [step for step in done.steps if step.action == action and step.entries]
        if steps:
            number = counted(sum(len(step.entries) for step in steps), "entry", "entries")
            into = f" into {len(steps)}" if action == MERGE else ""
            clauses.append(f"{word} {number}{into}")
    text = ", ".join(clauses)
    return text[:1].upper() + text[1:]


@text_lines
def entries_below(
    sentence: str, rows: Iterable[FoundEntry], *, with_places: bool = False
) -> Iterator[str]:
    yield sentence
    for row in rows:
        place = f" (from {row.path}:{row.line})" if with_places else ""
        yield f"  {row.entry.heading}{place}"


@text_lines
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
        for path in (change.path for change in division.move.sources[:-1]):
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


_NO_DATE = "----------"


class ArchivedEntry(NamedTuple):
    """An entry in an archive, whether it is in its file again, and the command that restores it."""

    found: FoundEntry
    is_back: bool
    restore: str


class ArchivedFile(NamedTuple):
    """The entries that left a file, the newest first."""

    file: str
    entries: Sequence[ArchivedEntry]


def listed(source: SourceFile, file_option: Sequence[str]) -> ArchivedFile:
    """Return the archived entries of a file, which the options select in a command."""
    entries = [found.entry for found in source.archived]
    command = ["learnings", "archive", "--restore"]
    rows = [
        ArchivedEntry(
            found,
            source.has(found),
            shlex.join([*command, name_of(found.entry, entries), *file_option]),
        )
        for found in source.archived
    ]
    return ArchivedFile(source.name, rows)


@text_lines
def archive_as_text(files: Sequence[ArchivedFile]) -> Iterator[str]:
    for file in files:
        yield f"{file.file}: {counted(len(file.entries), 'archived entry', 'archived entries')}"
        for found, is_back, restore in file.entries:
            part = f", {found.part}" if found.part else ""
            title = " ".join(found.entry.heading.split()) or "(no title)"
            yield f"  {archive_date(found.path) or _NO_DATE}  {title} ({digest_of(found.entry)})"
            yield f"    {found.path}:{found.line}{part}"
            yield f"    {'back in the file' if is_back else restore}"
