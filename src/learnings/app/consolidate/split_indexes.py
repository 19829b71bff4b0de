"""What a split changes in the indexes: rows follow their headings to the new files."""

from __future__ import annotations

from learnings.app.check.indexing import load_index, other_form_of
from learnings.app.consolidate.index_changes import IndexChange
from learnings.app.workspace.disk import read_file
from learnings.app.workspace.workspace import Workspace
from learnings.consolidation.split.source import read_source
from learnings.consolidation.split.splitting import Move, Split
from learnings.core.entries.dialects import HEADING
from learnings.core.entries.document import ReadOptions, read
from learnings.core.errors import FixRefused
from learnings.core.index.check import problems
from learnings.core.index.files import IndexedFile, entries_of, headings_of
from learnings.core.index.fix import fixed
from learnings.core.index.form_block import Block
from learnings.core.index.forms import has_block, read_index
from learnings.core.index.model import IndexFile
from learnings.core.index.relocation import relocated


def split_index(workspace: Workspace, path: str, split: Split) -> IndexChange:
    """Return the index at a path as it is after a split; what was wrong before stays as it is.

    Raises MissingFile for a file that cannot be read, UsageProblem for one that is too large.
    """
    data = read_file(workspace.root / path, shown=path)
    index, files = load_index(workspace, path, data)
    new = [headings_of(file.path, file.data) for file in split.files]
    new_paths = {file.path for file in new}
    before = [file for file in files if file.path not in new_paths]  # of a run that was killed
    linked = split.linked(data, path)
    if split.path not in {file.path for file in before}:
        return IndexChange(path, data, linked)
    if other_form_of(workspace, index, before) is not None:
        note = f"{path} is not in the form that is configured, so that its rows stay as they are"
        return IndexChange(path, data, linked, note)
    rest = headings_of(split.path, split.after)
    after = [*(rest if file.path == split.path else file for file in before), *new]
    known = {(problem.kind, problem.subject) for problem in problems(index, before)}
    moves = {(split.path, line): (move.path, move.line) for line, move in split.moves.items()}
    index = read_index(linked, form=index.form.name, path=path)
    try:
        index = relocated(index, before, after, moves)
        return IndexChange(path, data, fixed(index, after, add_missing=True, ignored=known))
    except FixRefused as error:
        return IndexChange(path, data, linked, str(error))


def with_own_block(split: Split) -> Split:
    """Return a split whose rest has an index block, if any, without the sections that left."""
    if not has_block(split.before):
        return split
    known = {(p.kind, p.subject) for p in problems(*_block(split.path, split.before))}
    try:
        after = fixed(*_block(split.path, split.after), ignored=known)
    except FixRefused:
        return split
    lines = [heading.first for heading in read_source(split.path, split.after).headings]
    now = [heading.first for heading in read_source(split.path, after).headings]
    moved = dict(zip(lines, now, strict=True))
    moves = {
        line: Move(move.path, moved[move.line]) if move.path == split.path else move
        for line, move in split.moves.items()
    }
    return split._replace(after=after, moves=moves)


def _block(path: str, data: bytes) -> tuple[IndexFile, list[IndexedFile]]:
    document = read(data, ReadOptions(HEADING, 2))  # as target files are read
    return read_index(data, form=Block.name, path=path), [entries_of(path, document)]
