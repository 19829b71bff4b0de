"""Plan the split of a full target file: new files, links, index rows. Nothing is written here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from posixpath import basename, dirname, join
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import content_if_there
from learnings.check.memory_index import load_index, other_form_of
from learnings.consolidation.split.splitting import Split, split_of
from learnings.consolidation.split.topics import sizes_for
from learnings.core.entries.dialects import HEADING
from learnings.core.entries.document import ReadOptions, read
from learnings.core.errors import FixRefused, MissingFile, UnusableFile, UsageProblem
from learnings.core.file_names import MARKDOWN_ENDINGS
from learnings.core.instruction_paths import is_instructions
from learnings.core.roles import Role, exclusion
from learnings.core.text import count_lines, counted, encode, printable
from learnings.history.git.tracked import tracked_files
from learnings.index.comparison import problems_of
from learnings.index.fixing import IgnoredProblem, fixed
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.rows import Index, has_block, read_index
from learnings.rules import conflict_marker, line_limit
from learnings.rules.rule import checked_file
from learnings.store.files import Change
from learnings.store.safe_moves import Move
from learnings.workspace.disk import content_of, named_file, read_file, real_path, reason_of
from learnings.workspace.tree import CANNOT_BE_READ, Tree
from learnings.workspace.workspace import Workspace


class Division(NamedTuple):
    """The effect of a split on a file; if split is None, obstacle may say why.

    The targets of the move are the new files, with those already written by an earlier run, its
    sources the changed files, the split one last. indexes are the paths with changed rows.
    """

    root: Path
    path: str
    lines: int
    limit: int
    obstacle: str = ""
    split: Split | None = None
    move: Move = Move()
    indexes: frozenset[str] = frozenset()


def division_of(
    name: str, workspace: Workspace, *, room: int = 0, requests: Sequence[tuple[str, str]] = ()
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
    _refuse_unsplittable(workspace, relative, named, data)
    count, limit = count_lines(data), workspace.settings.line_limit
    division = Division(workspace.root, relative, count, limit)
    if count < limit and count + room <= limit:
        return division
    sizes = sizes_for(workspace.settings)
    neighbours = _neighbours(path, relative)
    split = split_of(
        relative,
        data,
        sizes=sizes,
        neighbours=neighbours,
        requests=requests,
        real_folder=workspace.tree.real,
    )
    if isinstance(split, str):
        return division._replace(obstacle=split)
    return _with_changes(division, workspace, split)


def _refuse_unsplittable(workspace: Workspace, path: str, named: Path, data: bytes) -> None:
    """Raise UsageProblem for memory that must stay whole, and for a merge conflict."""
    found, real = workspace.found, workspace.tree.real
    memories = (file.path for file in (*found.learnings, *found.all_indexes) if file.included)
    name = next((name for name in memories if real(name) == path), path)
    shown, role = printable(name), workspace.role_of(name)
    if role is Role.LEARNINGS:
        raise UsageProblem(
            f"{shown} is a learnings file, and a consolidation shortens it; run `learnings plan`"
        )
    if role is Role.INDEX:
        raise UsageProblem(
            f"{shown} is a memory index and must stay whole; split the files that it lists"
        )
    loaded = next(filter(is_instructions, (path, named.as_posix())), None)
    if loaded is not None:
        raise UsageProblem(
            f"agents load {basename(loaded)} as a whole and would miss the sections moved out of "
            f"it; {line_limit.instead_of_split(loaded)}"
        )
    # The two sides of a conflict could end up in different files.
    settings, own = workspace.settings, workspace.file_settings(path)
    file = checked_file(data, path=path, role=Role.TARGET, settings=settings, file_settings=own)
    for finding in conflict_marker.check(file):
        raise UsageProblem(f"{shown}:{finding.line}: {finding.message}, then split it")


def _neighbours(path: Path, shown: str) -> dict[str, bytes]:
    """Return the files with similar names in the folder; some file systems ignore case."""
    stem = path.stem.casefold()
    try:
        alike = [p for p in path.parent.iterdir() if p.name.casefold().startswith(stem)]
    except OSError as error:
        folder = printable(dirname(shown) or ".")
        raise UnusableFile(
            f"cannot list the folder {folder} ({reason_of(error)}); correct that and run again"
        ) from None
    return {p.name: content_of(p) for p in alike if p.name != path.name}


def _with_changes(division: Division, workspace: Workspace, split: Split) -> Division:
    """Return the division with a split and its effect on other files."""
    path, new = division.path, [file.path for file in split.files]
    split = split._replace(after=_with_own_block(split))
    # Do not take an unreadable index for an empty one: reading it reports the error.
    indexes = [
        _index_change(workspace, file.path, split)
        for file in workspace.found.indexes
        if file.path != path and (file.included or file.reason.startswith(CANNOT_BE_READ))
    ]
    known = {path, *new, *(change.path for change, _ in indexes)}
    links, links_notes = _link_changes(workspace, known, split)
    notes = [*_full_files(split, division), *filter(None, (note for _, note in indexes))]
    notes += links_notes
    unmatched = [name for name in new if workspace.role_of(name) is not Role.TARGET]
    if unmatched and workspace.role_of(path) is Role.TARGET:
        notes.append(f"no pattern of `targets` matches {', '.join(unmatched)}; add one that does")
    rows = [change for change, _ in indexes if change.after != change.before]
    new_files = (
        Change(file.path, content_if_there(workspace.root, file.path), file.data)
        for file in split.files
    )
    source = Change(path, split.source.data, split.after)
    move = Move(
        targets=tuple(new_files),
        sources=(*links, *rows, source),
        notes=tuple(map(printable, notes)),
    )
    return division._replace(
        split=split, move=move, indexes=frozenset(change.path for change in rows)
    )


def _link_changes(
    workspace: Workspace, known: set[str], split: Split
) -> tuple[list[Change], list[str]]:
    """Return the changes of links in other files than known ones, and notes on such files."""
    source, changes, notes = split.source.path, list[Change](), list[str]()
    # An agent loads a file for `@path` at the start of a line or after a space.
    loads = re.compile(rb"(?:^|\s)@(?:\./)?" + re.escape(encode(source)) + rb"(?=\s|$)")
    advice = f"add a line for each of the {counted(len(split.files), 'new file')}"
    for path, data in _markdown_files(workspace, known):
        change = Change(path, data, split.linked(data, path))
        if change.after != data and exclusion(path, workspace.settings):
            notes.append(f"{path} is excluded, so links in it to moved sections stay as they are")
        elif change.after != data:
            changes.append(change)
        numbered = enumerate(data.splitlines(), start=1)
        loading = (number for number, line in numbered if loads.search(line))
        notes += (f"{path}:{number} loads {source}; {advice}" for number in loading)
    return changes, notes


def _full_files(split: Split, division: Division) -> Iterator[str]:
    for file in split.files:
        lines = count_lines(file.data)
        if lines > division.limit:
            why = "its section has no heading to split at"
            if file.is_chosen:
                why = "--group keeps its sections together"
            yield f"{file.path} still has {counted(lines, 'line')}: {why}"
    lines = count_lines(split.after)
    if lines >= division.limit:
        yield f"{division.path} keeps {counted(lines, 'line')}: it has no heading to split at"


def _with_own_block(split: Split) -> bytes:
    """Return the rest of the file, with the moved sections removed from its index block."""
    path, data = split.source.path, split.source.data

    def block(data: bytes) -> tuple[Index, list[IndexedFile]]:
        document = read(data, ReadOptions(HEADING, 2))  # as target files are read
        return read_index(data, form="block", path=path), [entries_of(path, document)]

    if has_block(data):
        known = _known(*block(data))
        with suppress(FixRefused):
            return fixed(*block(split.after), ignored=known).after.to_bytes()
    return split.after


def _known(index: Index, files: Sequence[IndexedFile]) -> set[IgnoredProblem]:
    """Return the errors of an index before the split, which stay."""
    return {(problem.kind, problem.subject) for problem in problems_of(index, files)}


def _index_change(workspace: Workspace, path: str, split: Split) -> tuple[Change, str]:
    """Return the change of an index, and a note if it is not updated; raises as read_file()."""
    data, source = read_file(workspace.tree.full(path), shown=path), split.source.path
    index, files = load_index(workspace, path, data)
    names = _names_in(files, split, workspace.tree)
    new = [headings_of(names[file.path], file.data) for file in split.files]
    written = {file.path for file in new}  # by a run that was killed
    before = [file for file in files if file.path not in written]
    linked = split.linked(data, path)
    change = Change(path, data, linked)
    if names[source] not in {file.path for file in before}:
        return change, ""
    if other_form_of(workspace, index, before) is not None:
        return change, f"{path} is not in the configured format, so its rows stay as they are"
    rest = headings_of(names[source], split.after)
    after = [rest if file.path == rest.path else file for file in before] + new
    known = _known(index, before)
    index = read_index(linked, form=index.form.name, path=path, unread=index.unread)
    try:
        after_fix = fixed(index, after, add_missing=True, ignored=known).after
        return Change(path, data, after_fix.to_bytes()), ""
    except FixRefused as error:
        return change, str(error)


def _names_in(files: Sequence[IndexedFile], split: Split, tree: Tree) -> dict[str, str]:
    """Return the names under which an index lists the split file and the new ones, by path."""
    source = split.source.path
    listed = (file.path for file in files if tree.real(file.path) == source)
    name = next(listed, source)
    folder = dirname(name)
    is_beside = tree.real(folder) == dirname(source)  # a link to the file alone leads elsewhere
    paths = [file.path for file in split.files]
    return {source: name} | {p: join(folder, basename(p)) if is_beside else p for p in paths}


_MARKDOWN = tuple(f"*{ending}" for ending in MARKDOWN_ENDINGS)


def _markdown_files(workspace: Workspace, known: set[str]) -> Iterator[tuple[str, bytes]]:
    tree = workspace.tree
    paths: Sequence[str] = tracked_files(workspace.root, _MARKDOWN)
    paths = paths or [path for glob in _MARKDOWN for path in tree.files(f"**/{glob}")]
    targets = [target.path for target in workspace.found.targets if target.included]
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
