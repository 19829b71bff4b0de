"""The history of a file under all of its names: one graph for each path, read as far as needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Self, TypeVar

from learnings.core.entries.document import Document, read
from learnings.history.blobs import BlobReader
from learnings.history.git.cache import Cache, Key
from learnings.history.git.commands import IGNORED_REVISIONS
from learnings.history.git.repository import shallow_commits
from learnings.history.ignored_revisions import IgnoredRevisions, ignored_revisions
from learnings.history.query import FileLocation, HistoryQuery

if TYPE_CHECKING:
    from learnings.history.file_graph import FileGraph
    from learnings.history.text_changes import TextChanges

_Found = TypeVar("_Found")


class FileHistory:
    """Reads what commits did to a memory file, and to those that its entries came from.

    path is the file's path, relative to the top. What was read stays. cache holds what earlier
    runs found out, under keys that begin with key.
    """

    def __init__(self, query: HistoryQuery, location: FileLocation, blobs: BlobReader) -> None:
        self.query = query
        self.location = location
        self.repository = location.repository
        self.path = location.path
        self.blobs = blobs
        # A replaced or shallow history is never cached.
        has_cache = not self.repository.has_replacements
        self.cache = Cache(self.repository.common_dir / "learnings" if has_cache else None)
        self.key: Key = {"path": self.path, "reading": list(query.read_options)}
        self._names: dict[str, tuple[str, ...]] = {}
        self._graphs: dict[tuple[str, str | None], FileGraph] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for graph in self._graphs.values():
            graph.close()
        if "changes" in vars(self):
            self.changes.close()

    @cached_property
    def changes(self) -> TextChanges:
        """What commits changed in the text files of the repository."""
        from learnings.history.text_changes import TextChanges  # noqa: PLC0415  (where it is searched)

        return TextChanges(self.repository, self.path, unknown=self.boundary)

    def through_renames(self, search: Callable[[], _Found]) -> _Found:
        """Return what a search of graphs finds; it starts again where one lacks an older name."""
        from learnings.history.file_graph import OlderName  # noqa: PLC0415  (what is cached needs no graph)

        while True:
            try:
                return search()
            except OlderName as renamed:
                path = renamed.path
                self._names[path] = (*self._names[path], renamed.older)
                for key in [key for key in self._graphs if key[0] == path]:
                    self._graphs.pop(key).close()

    def in_part(self, search: Callable[[], _Found]) -> _Found | None:
        """Return what a search of newer commits finds, None where these alone cannot say it.

        Not even the graph of all commits has an older name that only such a merge knows. Where one
        was read for another question, what is cached may have been found without it.
        """
        from learnings.history.file_graph import NotInPart  # noqa: PLC0415  (as above)

        if len(self._names.get(self.path, ())) > 1:
            return None
        try:
            return search()
        except NotInPart:
            return None

    def look_before(self, graph: FileGraph, commits: Iterable[str]) -> None:
        """Raise OlderName where one of the commits had a graph's file under a name not read yet."""
        from learnings.history.file_graph import OlderName  # noqa: PLC0415  (as above)

        for commit in commits:
            if self._deletes_where_absent(graph, commit):
                for older in self.changes.names_before(commit, graph.path_in(commit) or graph.path):
                    if older not in self._names[graph.path]:
                        raise OlderName(graph.path, older)
                graph.read_for_names()

    def _deletes_where_absent(self, graph: FileGraph, commit: str) -> bool:
        """Return True if a commit deleted text files of a parent that has not the file."""
        return any(
            any(file.after is None for file in diff.files) and graph.blob(diff.parent) is None
            for diff in self.changes.of([commit])[commit]
        )

    def graph(self, path: str | None = None, since: str | None = None) -> FileGraph:
        """Return the graph of a file, by default the own one, as far as its names are known.

        since is an older commit, whose history is left out. Use it inside through_renames() or, for
        newer commits only, in_part().
        """
        key = path or self.path, since
        if key not in self._graphs:
            from learnings.history.file_graph import FileGraph  # noqa: PLC0415  (as above)

            names = self._names.setdefault(key[0], key[:1])
            names_before = self.changes.names_before
            self._graphs[key] = FileGraph(
                self.repository, names, self.blobs, names_before=names_before, since=since
            )
        return self._graphs[key]

    @cached_property
    def ignored(self) -> IgnoredRevisions:
        """The commits whose rewriting makes nothing younger.

        Raises UsageProblem for a configured list that cannot be read.
        """
        configured = self.query.ignore_revs_file
        tracked = configured is None and self.blobs.find(self.repository.head, IGNORED_REVISIONS)
        top = self.repository.top
        return ignored_revisions(top, configured, self.blobs, usual_is_tracked=bool(tracked))

    @cached_property
    def document(self) -> Document:
        """The text that the query is about, that of the working tree or of a commit."""
        document = read(self.location.data, self.query.read_options)
        if self.location.rev is None:
            self.blobs.take_in(document)
        return document

    def has_all_of(self, head: str) -> bool:
        """Return True if HEAD has all commits of an older one."""
        from learnings.history.activity import all_reachable  # noqa: PLC0415  (where something is cached)

        return all_reachable(self.repository, (head,), (self.repository.head,))

    @cached_property
    def boundary(self) -> frozenset[str]:
        """Return the commits at which a shallow history ends."""
        shallow = self.repository.shallow
        return shallow_commits(self.repository) if shallow else frozenset()
