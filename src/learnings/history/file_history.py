"""The history of a file under all of its names: one graph for each path, read as far as needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from learnings.core.entries.document import Document, read
from learnings.history.blobs import WORK_TREE, BlobReader
from learnings.history.git import commands
from learnings.history.git.cache import Cache, Key
from learnings.history.git.commands import IGNORED_REVISIONS
from learnings.history.git.printed import Change, changes_in, printed_commits
from learnings.history.git.repository import Repository, shallow_commits
from learnings.history.ignored_revisions import IgnoredRevisions, ignored_revisions
from learnings.history.query import FileLocation, HistoryQuery

if TYPE_CHECKING:
    from learnings.history.file_graph import FileGraph

_Found = TypeVar("_Found")
# The files that entries move between: Markdown and text, and files without any ending.
_TEXT_ENDINGS = (
    ".md",
    ".markdown",
    ".mdown",
    ".mdx",
    ".mdc",
    ".txt",
    ".text",
    ".rst",
    ".adoc",
    ".org",
)


class ChangedFile(NamedTuple):
    """A file that a commit changed, with its blobs before and after it, None where it is not."""

    path: str
    before: str | None
    after: str | None


class ParentDiff(NamedTuple):
    """What a commit changed against one of its parents, text files only."""

    parent: str
    files: tuple[ChangedFile, ...]

    def file(self, path: str) -> ChangedFile | None:
        """Return the change of a file, None where it is the same in both."""
        return next((file for file in self.files if file.path == path), None)


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
        self._diffs: dict[str, list[ParentDiff]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for graph in self._graphs.values():
            graph.close()

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
                for older in self._names_before(commit, graph.path_in(commit) or graph.path):
                    if older not in self._names[graph.path]:
                        raise OlderName(graph.path, older)
                graph.read_for_names()

    def _deletes_where_absent(self, graph: FileGraph, commit: str) -> bool:
        """Return True if a commit deleted text files of a parent that has not the file."""
        return any(
            any(file.after is None for file in diff.files) and graph.blob(diff.parent) is None
            for diff in self.changes_of([commit])[commit]
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
            self._graphs[key] = FileGraph(
                self.repository, names, self.blobs, names_before=self._names_before, since=since
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

    def changes_of(self, commits: Sequence[str]) -> dict[str, list[ParentDiff]]:
        """Return what commits changed against each parent, with one process of git for all.

        WORK_TREE is the commit that the working tree would be. What lies before the end of a
        shallow clone is not known.
        """
        self._diffs |= {commit: [] for commit in self.boundary.intersection(commits)}
        unknown = {commit: None for commit in commits if commit not in self._diffs}
        if WORK_TREE in unknown:
            self._diffs[WORK_TREE] = [self._uncommitted_diff()]
            del unknown[WORK_TREE]
        if unknown:
            diffs = self._parent_diffs([*unknown])
            self._fetch(diffs)
            self._diffs |= diffs
        return {commit: self._diffs[commit] for commit in commits}

    def _names_before(self, commit: str, path: str) -> Iterator[str]:
        """Yield the names in its parents of a file that a commit renamed.

        A rename is what git detects as one at its default similarity among the text files, so that
        no other file has to be read.
        """
        for diff in self.changes_of([commit])[commit]:
            if any(file.after is None for file in diff.files):
                paths = [f.path for f in diff.files if f.before is None or f.after is None]
                older = _renamed(self.repository, diff.parent, commit, path, paths)
                if older is not None:
                    yield older

    def _uncommitted_diff(self) -> ParentDiff:
        """Return the text files that are others than at HEAD; what they are now is left out."""
        head = self.repository.head
        options = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff")
        printed = self.repository.run("diff", *options, head, "--")
        files = self._text_changes(dict(changes_in(printed)))
        from learnings.history.git.promised import fetch_versions  # noqa: PLC0415  (as above)

        fetch_versions(self.repository, [head], [file.path for file in files])
        return ParentDiff(head, tuple(file._replace(after=None) for file in files))

    def text_files(self, commit: str) -> dict[str, str]:
        """Return the blobs of all text files in a commit by path."""
        listed = self.repository.run("ls-tree", "-r", "-z", "--full-tree", commit)
        rows = (row.partition(b"\t") for row in listed.split(b"\0") if row)
        files = ((os.fsdecode(path), fields.split()) for fields, _, path in rows)
        blobs = {
            path: fields[2].decode("ascii")
            for path, fields in files
            if fields[0].startswith(b"100") and self._is_text(path)
        }
        from learnings.history.git.promised import fetch_versions  # noqa: PLC0415  (as above)

        fetch_versions(self.repository, [commit], blobs)
        return blobs

    def _parent_diffs(self, commits: Sequence[str]) -> dict[str, list[ParentDiff]]:
        """Return what commits changed in text files against each of their parents."""
        diffs: dict[str, list[ParentDiff]] = {commit: [] for commit in commits}
        # For a parent with equal files git prints nothing, nor which parent that is.
        unclear: list[tuple[str, str]] = []
        for commit, parents, changes in self._changed(commits):
            if len(changes) == len(parents):
                diffs[commit] = [ParentDiff(*diff) for diff in zip(parents, changes, strict=True)]
            else:
                unclear += ((commit, parent) for parent in parents)
        again = self._changed([" ".join(pair) for pair in unclear])
        files = {(commit, parent): changes for commit, [parent], [changes] in again}
        for commit, parent in unclear:
            diffs[commit].append(ParentDiff(parent, files.get((commit, parent), ())))
        return diffs

    def _changed(
        self, lines: Sequence[str]
    ) -> Iterator[tuple[str, list[str], list[tuple[ChangedFile, ...]]]]:
        """Yield commits with their parents and the text files that differ from these.

        A line is a commit, or a commit and the parent to compare it with, which comes back alone.
        """
        data = "".join(f"{line}\n" for line in lines).encode("ascii")
        printed = self.repository.run_with(data, *commands.changed_files()) if lines else b""
        for printed_commit in chain.from_iterable(printed_commits([printed])):
            commit, listed = printed_commit.fields
            yield commit, listed.split(), [self._text_changes(d) for d in printed_commit.diffs]

    def _text_changes(self, changes: Mapping[str, Change]) -> tuple[ChangedFile, ...]:
        paths = filter(self._is_text, changes)
        return tuple(ChangedFile(path, *changes[path].regular) for path in paths)

    def _fetch(self, diffs: Mapping[str, Sequence[ParentDiff]]) -> None:
        """Fetch the text files before and after commits, all at once, where some are missing."""
        pairs = [(commit, diff) for commit in diffs for diff in diffs[commit]]
        commits = {name for commit, diff in pairs for name in (commit, diff.parent) if name}
        paths = {file.path for _, diff in pairs for file in diff.files}
        from learnings.history.git.promised import fetch_versions  # noqa: PLC0415  (as above)

        fetch_versions(self.repository, sorted(commits), sorted(paths))

    def _is_text(self, path: str) -> bool:
        name = path.rpartition("/")[2].casefold()
        return name.endswith(self._text_endings) or "." not in name.removeprefix(".")

    @cached_property
    def _text_endings(self) -> tuple[str, ...]:
        return *_TEXT_ENDINGS, PurePosixPath(self.path).suffix.casefold() or "md"


def _renamed(
    repository: Repository, parent: str, commit: str, path: str, paths: Sequence[str]
) -> str | None:
    options = ("-r", "-M", "--raw", "-z", "--diff-filter=R")
    fields = repository.run("diff-tree", *options, parent, commit, "--", *paths).split(b"\0")
    for old, new in zip(fields[1::3], fields[2::3], strict=False):
        if os.fsdecode(new) == path:
            return os.fsdecode(old)
    return None
