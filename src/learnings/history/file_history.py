"""The history of one memory file: the query, and the value that answers all questions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from learnings.core.entries.document import (
    AUTO,
    LARGEST_FILE,
    Document,
    ReadOptions,
    excess,
    excess_of,
    read,
)
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory, UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.sha256 import sha256_of
from learnings.core.text import BOM, decode, printable, split_lines
from learnings.history.blobs import BlobReader
from learnings.history.git import commands, process
from learnings.history.git.cached import Cache, Key, Value
from learnings.history.git.repository import (
    Repository,
    all_reachable,
    open_repository,
    refuse_submodule,
    shallow_clone,
)
from learnings.history.git.tracked import listed_files
from learnings.history.git.work_tree import Attributes, attributes_of, decoded, read_regular

if TYPE_CHECKING:
    from learnings.history.file_graph import FileGraph


# A hash as git abbreviates it, with at least four characters, or a full one (SHA-1 or SHA-256).
_HASH = lazy_pattern(r"[0-9a-f]{4,64}", re.IGNORECASE)
NO_SETTINGS: Key = {}
_MOST_LINES = 3  # lines that a note names after the first one; chosen


class IgnoredRevisions(NamedTuple):
    """Commits to ignore when dating, a digest of them, and the problems of the list.

    The list stands in the file for `git blame`. Git itself stops at a line that is not a full hash.
    Since people write such files by hand, abbreviated hashes are resolved, and lines that are not a
    commit skipped with a note (a sentence for a report). digest is None if there is no list.
    """

    commits: frozenset[str] = frozenset()
    digest: str | None = None
    notes: tuple[str, ...] = ()


def _unreadable(configured: str | None, error: OSError) -> LearningsError:
    reason = (error.strerror or "unknown reason").lower()
    if configured is None:
        return UntrustedHistory(
            f"{commands.IGNORED_REVISIONS} cannot be read ({reason}); put the list of commits to "
            "ignore into a file in the repository"
        )
    return UsageProblem(
        f"{printable(configured)} cannot be read ({reason}); set ignore-revs-file to a file in "
        "the repository that lists commits"
    )


def _skipped(name: str, first: int, *others: int) -> str:
    """Return the note about the lines of a list that are not a commit."""
    more, noun = "", "line" if len(others) == 1 else "lines"
    if others:
        lines = ", ".join(map(str, others[:_MOST_LINES]))
        more = f" ({noun} {lines}{' and others' if len(others) > _MOST_LINES else ''} likewise)"
    return f"{printable(name)}:{first}: skipped, not a commit in this repository{more}"


class HistoryQuery(NamedTuple):
    """A query for the history of a file; dates are ISO text.

    tomorrow is in UTC: no correct clock is ahead of it. today is local, None if only commits count
    as consolidations. The answer holds for the end of the day as_of, None for now. at is a commit
    to read instead of the working tree and HEAD. min_removed makes a commit a consolidation without
    an archive. may_allow_shallow: the user has an option to accept a shallow clone.
    """

    file: Path
    user_folder: Path
    tomorrow: str
    as_of: str | None = None
    at: str | None = None
    read_options: ReadOptions = AUTO
    min_removed: int = 3
    ignore_revs_file: str | None = None
    ignore_authors: tuple[str, ...] = ()
    allow_shallow: bool = False
    may_allow_shallow: bool = True
    today: str | None = None


class FileHistory:
    """A reader of a memory file's history, and of the files that its entries came from.

    path is POSIX from the top, data the text. head_blob is None if the file is not committed, rev
    if the working tree differs from HEAD.

    Raises MissingFile, or UntrustedHistory if git does not track the file.
    """

    def __init__(self, query: HistoryQuery, path: str, blobs: BlobReader) -> None:
        self.query = query
        self.repository = repository = blobs.repository
        self.blobs = blobs
        self.path = path
        self.head_blob = blobs.find(repository.head, path)
        attributes = attributes_of(repository.top, [path]).get(path, Attributes())
        self.data = self._read(attributes.encoding)
        if attributes.filter:
            raise UntrustedHistory(
                f"git stores {printable(path)} through the filter {printable(attributes.filter)} "
                "(attribute filter in .gitattributes), so its versions cannot be compared and its "
                "ages are unknown; keep the file out of that filter"
            )
        is_clean = self.head_blob is not None and self.data == blobs.data(self.head_blob)
        self.rev = repository.head if is_clean else None
        self.cache = Cache(repository.cache_folder)
        self._graphs: dict[tuple[str, str | None], FileGraph] = {}

    def _read(self, encoding: str) -> bytes:
        """Return the text as git stores it, from the working tree or the commit of the query."""
        at, path = self.query.at, self.path
        if at is None:
            data = _read_file(self.query.file, shown=path)
        elif self.head_blob is None:
            raise MissingFile(f"{path} does not exist at {at}; see git log -- {path}")
        else:
            data = self.blobs.data(self.head_blob)
        if too_much := excess_of(data):
            raise _too_large(too_much, path)
        if self.head_blob is None and not self.repository.run("ls-files", "-z", "--", path):
            raise UntrustedHistory(self._untracked())
        return decoded(data, encoding) if encoding and at is None else data

    def _untracked(self) -> str:
        """Return the sentence for a file that is untracked, or tracked in different letter case."""
        import shlex  # noqa: PLC0415  (for errors only)

        top, new = self.repository.top, shlex.quote(self.path)
        for other in listed_files(top, [f":(icase,literal){self.path}"], with_untracked=False):
            if (top / other).exists() and (top / other).samefile(self.query.file):
                # On a case-insensitive disk `git add` keeps staging the file by its old name.
                return (
                    f"git tracks {self.path} as {other}; run: "
                    f"git mv {shlex.quote(other)} {new} and commit it"
                )
        return (
            f"git does not track {self.path}, so its age is unknown; run: git add {new} and "
            "commit it"
        )

    def document_at(self, blob: str) -> Document:
        """Return an older version, read with the settings of the file."""
        document, options = self.blobs.document(blob), self.query.read_options
        is_auto = options == AUTO._replace(preamble_lines=options.preamble_lines)
        if is_auto or document.dialect.is_configured:
            return document
        return read(self.blobs.data(blob), options)

    def graph(self, path: str | None = None, *, since: str | None = None) -> FileGraph:
        """Return the graph of a file, by default this one; raises UntrustedHistory."""
        key = path or self.path, since
        if key not in self._graphs:
            from learnings.history.file_graph import FileGraph  # noqa: PLC0415  (what is cached needs no graph)

            self._graphs[key] = FileGraph(key[0], self.blobs, since=since)
        return self._graphs[key]

    def answer(
        self,
        kind: str,
        decode: Callable[[Any], Value | None],
        read: Callable[[FileGraph, Value | None], Value | None],
        *,
        of_text: bool = False,
        settings: Key = NO_SETTINGS,
    ) -> Value:
        """Return what read() tells, stored with HEAD, all settings of the file, and others.

        decode() makes it of JSON; None is not enough. read() gets the graph of the commits since
        HEAD was another, with what was known there; it returns None if these do not suffice, and
        gets the whole graph with None instead. of_text: the answer is about the text of the query,
        so it is stored only if HEAD has that text.
        """
        query = self.query
        key = {
            "path": self.path,
            "reading": list(query.read_options),
            "min_removed": query.min_removed,
            "ignored": [self.ignored.digest, *query.ignore_authors],
            **settings,
        }
        holds, head = self.rev is not None or not of_text, self.repository.head
        stored = self.cache.load(kind, key, lambda value: (value[0], decode(value[1])))
        old_head, known = stored or ("", None)
        if known is not None and holds and old_head == head:
            return known
        value = None
        if known is not None and all_reachable(self.repository, (old_head,), (head,)):
            graph = self.graph(since=old_head)
            value = read(graph, known) if graph.continues else None
        if value is None:
            value = read(self.graph(), None)
        assert value is not None
        if holds:
            self.cache.save(kind, key, (head, value))
        return value

    @cached_property
    def ignored(self) -> IgnoredRevisions:
        """The commits whose rewriting keeps ages: in the configured list, else the usual file.

        That one counts if it is tracked: an untracked list, or git's configuration, would give each
        clone different ages. Lines are never quoted, since the list may be a link to a secret.
        Raises UsageProblem if the configured file cannot be read, UntrustedHistory for the other.
        """
        configured, blobs, top = self.query.ignore_revs_file, self.blobs, self.repository.top
        path = configured or commands.IGNORED_REVISIONS
        if configured is None and blobs.find(self.repository.head, path) is None:
            return IgnoredRevisions()
        try:
            text = decode(read_regular(top / path, most=LARGEST_FILE, inside=top))
        except OSError as error:
            is_absent = isinstance(error, FileNotFoundError) and not (top / path).is_symlink()
            if configured is None and is_absent:
                return IgnoredRevisions()
            raise _unreadable(configured, error) from None
        lines = (line.partition("#")[0].strip() for line in split_lines(text.removeprefix(BOM)))
        names = {number: name for number, name in enumerate(lines, start=1) if name}
        hashes = {name for name in names.values() if _HASH.fullmatch(name)}
        blobs.prefetch(f"{name}^{{commit}}" for name in hashes)
        found = {name: blobs.commit_of(name) for name in hashes}
        commits = sorted({commit for commit in found.values() if commit})
        unknown = [number for number, name in names.items() if not found.get(name)]
        digest = sha256_of("\n".join(commits).encode("ascii"))
        notes = (_skipped(path, *unknown),) if unknown else ()
        return IgnoredRevisions(frozenset(commits), digest, notes)

    @cached_property
    def document(self) -> Document:
        """The text of the query, from the working tree or a commit."""
        document = read(self.data, self.query.read_options)
        if self.rev is None:
            self.blobs.take_in(document)
        return document


@contextmanager
def open_history(
    query: HistoryQuery, repository: Repository | None = None
) -> Iterator[FileHistory]:
    """Open the history of a memory file, perhaps in a repository that is open.

    This and all reading raises MissingFile, UntrustedHistory if the history cannot answer, and
    UsageProblem for a commit that does not exist.
    """
    repository = repository or repository_of(query)
    top = os.path.realpath(repository.top)
    path = Path(os.path.realpath(query.file)).relative_to(top).as_posix()
    try:
        with BlobReader(repository, query.read_options, path) as blobs:
            yield FileHistory(query, path, blobs)
    finally:
        process.stop_prefetched()


def repository_of(query: HistoryQuery) -> Repository:
    """Open the repository of the query's file; raises the errors of open_history()."""
    if query.at is None and not os.path.exists(query.file):  # noqa: PTH110  (never raises)
        raise MissingFile(f"{query.file} does not exist; give the path of a learnings file")
    file = Path(os.path.realpath(query.file))
    # At an older commit the file may be in a folder that no longer exists.
    folder = next(folder for folder in file.parents if os.path.isdir(folder))  # noqa: PTH112
    repository = open_repository(folder, rev="HEAD" if query.at is None else query.at)
    user_folder = Path(os.path.realpath(query.user_folder))
    if not user_folder.is_relative_to(repository.top):
        refuse_submodule(repository.top, user_folder, query.file)
    if repository.shallow and not query.allow_shallow:
        accepts = ", or accept lower bounds with --allow-shallow"
        raise shallow_clone(more=accepts if query.may_allow_shallow else "")
    return repository


def _read_file(file: Path, *, shown: str) -> bytes:
    """Return the bytes of a file; raises MissingFile unless it is readable and within limits."""
    try:
        if file.is_dir():
            raise MissingFile(f"{shown} is a folder; give the path of a learnings file")
        if too_much := excess(file.stat().st_size):
            raise _too_large(too_much, shown)
        return read_regular(file, most=LARGEST_FILE)
    except OSError as error:
        reason = (error.strerror or "unknown error").lower()
        raise MissingFile(
            f"{shown} cannot be read ({reason}); check the path and its permissions"
        ) from error


def _too_large(too_much: str, shown: str) -> MissingFile:
    return MissingFile(f"{shown} {too_much}; split or exclude it")
