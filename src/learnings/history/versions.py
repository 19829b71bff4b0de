"""The versions of a file: every commit that changed it, newest first, under each of its names."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from learnings.history.file_graph import FileGraph, GraphCommit
from learnings.history.file_history import FileHistory, ParentDiff


class FileCommit(NamedTuple):
    """A commit that changed a file: its author date, its parents and the file's blobs.

    blob is the file after the commit, None where the commit deleted it; before holds the blob in
    each parent, None where the parent has no such file. A merge changed the file only where it
    differs from that of every parent. parents are the nearest ancestors that touched the file,
    where they have it. path is the file's name after the commit. date is ISO text, LATEST where it
    cannot be used.
    """

    commit: str
    date: str
    parents: tuple[str, ...]
    path: str
    blob: str | None
    before: tuple[str | None, ...]


class _Walk:
    """The commits of one name of the file, one after the other."""

    def __init__(self, graph: FileGraph) -> None:
        self.path = graph.path
        self._commits = iter(graph)
        self.next = next(self._commits, None)

    def take(self) -> GraphCommit:
        """Return the next commit and read on."""
        commit = self.next
        assert commit is not None
        self.next = next(self._commits, None)
        return commit


def file_commits(
    history: FileHistory, path: str, *, rev: str | None = None
) -> Iterator[FileCommit]:
    """Yield the commits that changed a file in git's default order, full history, through renames.

    path is relative to the top, at rev (default: the repository's head), which may be a range.
    """
    walks = [_Walk(history.graph(path, rev))]
    seen: set[str] = set()
    while any(walk.next for walk in walks):
        # Git's own order: of the commits that come next, the newest.
        walk = max(walks, key=lambda walk: walk.next.committed if walk.next else -1)
        commit = walk.take()
        newer = [other.path for other in walks[: walks.index(walk)]]
        if commit.commit in seen or not _is_changed(commit):
            continue
        if any(history.blobs.find(commit.commit, name) for name in newer):
            continue  # it changed another file that has the older name
        seen.add(commit.commit)
        file_commit, older = _file_commit(history, commit, [walk.path, *newer])
        names = [walk.path for walk in walks]
        walks += [_Walk(history.graph(name, rev)) for name in older if name not in names]
        yield file_commit


def first_parent_commits(
    history: FileHistory, path: str, *, rev: str | None = None
) -> Generator[FileCommit, None, None]:
    """Yield the commits that changed a file along the first parents: the versions of the branch."""
    names, position = [path], rev
    while names:
        name = names.pop()
        with closing(
            FileGraph(history.repository, name, history.blobs, rev=position, first_parent=True)
        ) as graph:
            for commit in graph:
                if not commit.changes:
                    continue
                file_commit, older = _file_commit(history, commit, [name])
                yield file_commit
                if older and file_commit.parents:
                    names, position = older[:1], file_commit.parents[0]
                    break


def real_commit(history: FileHistory, file_commit: FileCommit) -> FileCommit:
    """Return a commit with all of its real parents, also those that never had the file."""
    diffs = history.changes_of([file_commit.commit])[file_commit.commit]
    before, _ = _before(history, diffs, file_commit.commit, [file_commit.path])
    parents = tuple(diff.parent for diff in diffs)
    return file_commit._replace(parents=parents, before=before)


def _is_changed(commit: GraphCommit) -> bool:
    """Return True if a commit has another file than each of its parents."""
    return bool(commit.changes) and len(commit.changes) >= len(commit.parents)


def _file_commit(
    history: FileHistory, commit: GraphCommit, names: Sequence[str]
) -> tuple[FileCommit, list[str]]:
    """Return the change of a file, whose name comes first, and the older names found there."""
    path, blob = names[0], commit.blob
    parents = commit.parents
    before = tuple(blob_before for blob_before, _ in commit.changes[: len(parents)])
    older: list[str] = []
    is_created = blob is not None and (not parents or None in before)
    if is_created and commit.commit not in history.boundary:
        diffs = history.changes_of([commit.commit])[commit.commit]
        parents = tuple(diff.parent for diff in diffs)
        before, older = _before(history, diffs, commit.commit, names)
    return FileCommit(commit.commit, commit.date, parents, path, blob, before), older


def _before(
    history: FileHistory, diffs: Sequence[ParentDiff], commit: str, names: Sequence[str]
) -> tuple[tuple[str | None, ...], list[str]]:
    """Return the file's blob in each parent, under whatever name, and the older names."""
    before: list[str | None] = []
    older: list[str] = []
    for diff in diffs:
        file = diff.file(names[0])
        if file is None or file.before is not None:
            before.append(file.before if file else history.blobs.find(commit, names[0]))
            continue
        name = history.name_before(diff, commit, names[0])
        renamed = diff.file(name) if name is not None else None
        before.append(renamed.before if renamed else None)
        older += [name] if name is not None else []
    return tuple(before), older
