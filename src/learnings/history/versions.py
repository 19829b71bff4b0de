"""The commits that changed a file, with its versions before and after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.history.file_graph import FileGraph


class FileCommit(NamedTuple):
    """A commit that changed a file: its author's day, the file's name and its blobs.

    blob is the file after the commit, None where the commit deleted it; before holds that of each
    parent in the graph, None where there was no such file. A merge changed the file only where it
    differs from that of every parent. date is ISO text, LATEST where it cannot be used.
    """

    commit: str
    date: str
    path: str
    blob: str | None
    before: tuple[str | None, ...]


def file_commits(graph: FileGraph) -> Iterator[FileCommit]:
    """Yield the commits that changed a file in git's default order; raises OlderName."""
    for commit in graph:
        if commit.touches:
            blob, before = graph.blob(commit.commit), graph.blobs_before(commit)
            if blob not in before:
                path = graph.path_in(commit.commit) or graph.path
                yield FileCommit(commit.commit, commit.date, path, blob, before)
