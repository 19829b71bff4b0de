"""Plan the split of a full target file: new files, links, index rows. Nothing is written here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import content_if_there
from learnings.check.memory_index import load_index, other_form_of
from learnings.consolidation.split.names import GroupRequest
from learnings.consolidation.split.pieces import read_source, sizes_for
from learnings.consolidation.split.splitting import MovedHeading, Split, Uncut, split_of, too_large
from learnings.core.entries.dialects import HEADING
from learnings.core.entries.document import ReadOptions, read
from learnings.core.errors import (
    FixRefused,
    MissingFile,
    UnusableFile,
    UsageProblem,
)
from learnings.core.file_names import MARKDOWN_ENDINGS
from learnings.core.instruction_paths import is_instructions
from learnings.core.roles import Role, exclusion
from learnings.core.text import count_lines, counted, encode, printable
from learnings.history.git.tracked import tracked_files
from learnings.index.forms import has_block, read_index
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.index_file import MemoryIndex
from learnings.index.index_fixes import IndexFixer
from learnings.index.index_problems import problems_of
from learnings.index.row_changes import relocated
from learnings.index.table_forms import BlockForm
from learnings.rules import conflict_marker, line_limit
from learnings.rules.rule import checked_file
from learnings.store.files import Change
from learnings.workspace.disk import content_of, named_file, read_file, real_path, reason_of
from learnings.workspace.tree import CANNOT_BE_READ, FileTree
from learnings.workspace.workspace import Workspace


def split_index(workspace: Workspace, path: str, split: Split) -> tuple[Change, str]:
    """Return the change of an index, in which earlier errors stay, and a note if it is not updated.

    Raises as read_file() does.
    """
    data = read_file(workspace.root / path, shown=path)
    index, files = load_index(workspace, path, data)
    new = [headings_of(file.path, file.data) for file in split.files]
    new_paths = {file.path for file in new}
    before = [file for file in files if file.path not in new_paths]  # of a killed run
    linked = split.linked(data, path)
    if split.path not in {file.path for file in before}:
        return Change(path, data, linked), ""
    if other_form_of(workspace, index, before) is not None:
        note = f"{path} is not in the configured format, so its rows stay as they are"
        return Change(path, data, linked), note
    rest = headings_of(split.path, split.after)
    after = [*(rest if file.path == split.path else file for file in before), *new]
    known = {(problem.kind, problem.subject) for problem in problems_of(index, before)}
    moves = {(split.path, line): (move.path, move.line) for line, move in split.moves.items()}
    index = read_index(linked, form=index.form.name, path=path)
    try:
        index = relocated(index, before, after, moves)
        fixed = IndexFixer(after, add_missing=True, ignored=known).fixed(index)
        return Change(path, data, fixed.to_bytes()), ""
    except FixRefused as error:
        return Change(path, data, linked), str(error)


def with_own_block(split: Split) -> Split:
    """Return the split, with the moved sections removed from the index block of the rest."""
    if not has_block(split.before):
        return split
    known = {(p.kind, p.subject) for p in problems_of(*_own_block(split.path, split.before))}
    try:
        index, files = _own_block(split.path, split.after)
        after = IndexFixer(files, ignored=known).fixed(index).to_bytes()
    except FixRefused:
        return split
    lines = [heading.first for heading in read_source(split.path, split.after).headings]
    now = [heading.first for heading in read_source(split.path, after).headings]
    moved = dict(zip(lines, now, strict=True))
    moves = {
        line: MovedHeading(move.path, moved[move.line]) if move.path == split.path else move
        for line, move in split.moves.items()
    }
    return split._replace(after=after, moves=moves)


def _own_block(path: str, data: bytes) -> tuple[MemoryIndex, list[IndexedFile]]:
    document = read(data, ReadOptions(HEADING, 2))  # as target files are read
    return read_index(data, form=BlockForm.name, path=path), [entries_of(path, document)]


_MARKDOWN = tuple(f"*{ending}" for ending in MARKDOWN_ENDINGS)


class Division(NamedTuple):
    """The effect of a split on a file; if split is None, obstacle may say why."""

    root: Path
    path: str
    lines: int
    limit: int
    split: Split | None = None
    obstacle: str = ""
    links: tuple[Change, ...] = ()
    indexes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def additions(self) -> tuple[Change, ...]:
        """The new files, including those already written by an earlier run."""
        files = self.split.files if self.split else ()
        return tuple(
            Change(file.path, content_if_there(self.root, file.path), file.data) for file in files
        )

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes of existing files, the split file last."""
        if self.split is None:
            return ()
        source = Change(self.path, self.split.before, self.split.after)
        return (*self.links, *self.indexes, source)


def division_of(
    name: str, workspace: Workspace, *, room: int = 0, requests: Sequence[GroupRequest] = ()
) -> Division:
    """Return the split of a file, named from the workspace, that makes room for `room` more lines.

    requests are groups of sections chosen by the user. Raises MissingFile, UsageProblem,
    BadSettings, and FixRefused if something would be lost.
    """
    named = named_file(name, workspace.start)
    path = real_path(named)
    workspace = workspace.at(path.parent)
    data = read_file(path, shown=name)
    relative = workspace.relative(path) or path.name
    _refuse_unsplittable(workspace, relative, named)
    # The two sides of a merge conflict could end up in different files.
    file = checked_file(
        data,
        path=relative,
        role=Role.TARGET,
        settings=workspace.settings,
        file_settings=workspace.file_settings(relative),
    )
    for finding in conflict_marker.check(file):
        place = f"{printable(relative)}:{finding.line}"
        raise UsageProblem(f"{place}: {finding.message}, then split it")
    count, limit = count_lines(data), workspace.settings.line_limit
    division = Division(workspace.root, relative, count, limit)
    if count < limit and count + room <= limit:
        return division
    # Similar names in the folder; some file systems ignore case.
    stem = path.stem.casefold()
    try:
        alike = [p for p in path.parent.iterdir() if p.name.casefold().startswith(stem)]
    except OSError as error:
        folder = printable(relative.rpartition("/")[0] or ".")
        raise UnusableFile(
            f"cannot list the folder {folder} ({reason_of(error)}); correct that and run again"
        ) from None
    neighbours = {p.name: content_of(p) for p in alike if p.name != path.name}
    sizes = sizes_for(workspace.settings)
    split = split_of(relative, data, sizes=sizes, neighbours=neighbours, requests=requests)
    if isinstance(split, Uncut):
        return division._replace(obstacle=split.reason)
    return _with_others(division, workspace, with_own_block(split))


def _refuse_unsplittable(workspace: Workspace, path: str, named: Path) -> None:
    """Raise UsageProblem for memory of another role, or memory that agents load by name or link."""
    role = workspace.role_of(path)
    if role is Role.LEARNINGS:
        raise UsageProblem(
            f"{printable(path)} is a learnings file, and a consolidation shortens it; run "
            "`learnings plan`"
        )
    if role is Role.INDEX:
        raise UsageProblem(
            f"{printable(path)} is a memory index and must stay whole; split the files "
            "that it lists"
        )
    loaded = next(filter(is_instructions, (path, named.as_posix())), None)
    if loaded is not None:
        raise UsageProblem(
            f"agents load {loaded.rpartition('/')[2]} as a whole and would miss the "
            f"sections moved out of it; {line_limit.INSTEAD_OF_SPLIT}"
        )


def _with_others(division: Division, workspace: Workspace, split: Split) -> Division:
    # Do not take an unreadable index for an empty one: reading it reports the error.
    indexes = [
        file.path
        for file in workspace.index_files()
        if file.path != split.path and (file.included or file.reason.startswith(CANNOT_BE_READ))
    ]
    changes = [split_index(workspace, path, split) for path in indexes]
    notes = [*too_large(split, division.limit)]
    notes += [note for _, note in changes if note]
    links: list[Change] = []
    new = [file.path for file in split.files]
    # An agent loads a file for `@path` at the start of a line or after a space.
    loads = re.compile(rb"(?:^|\s)@(?:\./)?" + re.escape(encode(split.path)) + rb"(?=\s|$)")
    advice = f"add a line for each of the {counted(len(new), 'new file')}"
    for path, data in _markdown_files(workspace, {split.path, *new, *indexes}):
        after = split.linked(data, path)
        if after != data and exclusion(path, workspace.settings):
            notes.append(f"{path} is excluded, so links in it to moved sections stay as they are")
        elif after != data:
            links.append(Change(path, data, after))
        notes += [
            f"{path}:{number} loads {split.path}; {advice}"
            for number, line in enumerate(data.splitlines(), start=1)
            if loads.search(line)
        ]
    if workspace.role_of(split.path) is Role.TARGET:
        names = [path for path in new if workspace.role_of(path) is not Role.TARGET]
        if names:
            notes.append(f"no pattern of `targets` matches {', '.join(names)}; add one that does")
    return division._replace(
        split=split,
        links=tuple(links),
        indexes=tuple(change for change, _ in changes if change.after != change.before),
        notes=tuple(map(printable, notes)),
    )


def _markdown_files(workspace: Workspace, known: set[str]) -> Iterator[tuple[str, bytes]]:
    tree = FileTree(workspace.root)
    paths: Sequence[str] = tracked_files(workspace.root, _MARKDOWN)
    paths = paths or [path for glob in _MARKDOWN for path in tree.files(f"**/{glob}")]
    targets = [target.path for target in workspace.target_files() if target.included]
    seen = {real_path(workspace.root / path) for path in known}
    for path in tree.links_last(sorted({*paths, *targets})):
        real = real_path(workspace.root / path)
        if real in seen:
            continue
        seen.add(real)
        obstacle = tree.obstacle(path)
        if obstacle is None:
            with suppress(UnusableFile):  # it is too large
                yield path, read_file(real, shown=path)
        elif obstacle.startswith(CANNOT_BE_READ):  # a link in it would break
            raise MissingFile(f"{printable(path)} {obstacle}; correct that and run again")
