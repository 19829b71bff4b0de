"""Rows of a memory index that exist after a change, but whose target does not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from learnings.app.verify.versions import MemoryVersions
from learnings.consolidation.proof.results import FilePlace, Kind, Result
from learnings.core.entries.document import excess_of, read
from learnings.core.markdown.blocks import blocks_of
from learnings.core.roles import exclusion, matches
from learnings.history.git.snapshots import Snapshot
from learnings.index.comparison import Comparison
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.link_rows import link_rows
from learnings.index.problems import MISSING_FILE, ORPHAN_ROW
from learnings.index.rows import Index, has_block, read_index

_UNRESOLVED = (ORPHAN_ROW, MISSING_FILE)


def of_headings(
    versions: MemoryVersions, path: str, before: bytes, after: bytes
) -> Iterator[Result]:
    """Yield the lost rows of an index of headings, or of the block of a learnings file.

    New rows, and rows that never resolved, are no loss.
    """
    settings, snapshots = versions.settings, (versions.past, versions.now)
    is_block = path in versions.before.learnings and has_block(before)
    if not is_block and path not in settings.index:
        return
    form = "block" if is_block else settings.index_form
    past, now = (read_index(data, form=form, path=path) for data in (before, after))
    old, new = (_listed(versions, *pair) for pair in zip(snapshots, (past, now), strict=True))
    names = {path, *past.named_paths(), *now.named_paths(), *(file.path for file in (*old, *new))}
    real = {snapshot.real(name) for snapshot in snapshots for name in names}
    if real.isdisjoint(versions.changed):
        return
    rows = Comparison(past, old).matches
    lines = {match.row.text.strip(): match.row.line for match in rows}
    resolved = {match.row.text.strip() for match in rows if match.problem not in _UNRESOLVED}
    for match in Comparison(now, new).matches:
        text = match.row.text.strip()
        if match.problem in _UNRESOLVED and text in resolved:
            where = f"{match.path} has no such heading" if match.path else ""
            is_missing = match.problem == MISSING_FILE
            detail = f"{match.path} does not exist" if is_missing else where
            places = FilePlace(path, lines[text]), FilePlace(path, match.row.line)
            yield Result(Kind.ROW, text, text, *places, detail=detail)


def _listed(versions: MemoryVersions, snapshot: Snapshot, index: Index) -> Sequence[IndexedFile]:
    """Return the files that an index lists in one version."""
    if index.form.is_block:
        options = versions.options_before(index.path)
        return [entries_of(index.path, read(index.to_bytes(), options))]
    settings, named = versions.settings, frozenset(index.named_paths())
    real: dict[str, str] = {}
    for name in dict.fromkeys((*snapshot.paths(), *named)):
        is_listed = any(matches(name, pattern) for pattern in settings.indexed)
        is_listed = is_listed and exclusion(name, settings) is None
        end = snapshot.real(name) if is_listed or name in named else None
        if end is not None and name not in settings.index:
            real[name] = end
    contents = snapshot.contents(dict.fromkeys(real.values()))
    found = ((name, contents[end]) for name, end in real.items() if end in contents)
    return [headings_of(name, data) for name, data in found if excess_of(data) is None]


def of_links(path: str, before: bytes, after: bytes, missing: Collection[str]) -> Iterator[Result]:
    """Yield the remaining rows of a folder's index whose file is no longer in its place."""
    past = {row.target: row.line for row in link_rows(path, blocks_of(before))}
    for row in link_rows(path, blocks_of(after)):
        if row.target in missing and row.target in past:
            places = FilePlace(path, past[row.target]), FilePlace(path, row.line)
            detail = f"{row.target} does not exist"
            yield Result(Kind.ROW, row.title, row.title, *places, detail=detail)
