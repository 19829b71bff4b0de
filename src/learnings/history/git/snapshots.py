"""The files of a repository at one moment, as values or as a temporary copy.

In a hook of `git commit -a` or `git commit PATH`, the environment names another index.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import NamedTuple

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UsageProblem
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.instruction_paths import is_instructions, is_started
from learnings.history.git import process
from learnings.history.git.commands import RAW, raw_changes
from learnings.history.git.objects import ObjectReader, TreeEntry, entries_below
from learnings.history.git.process import paths_in
from learnings.history.git.repository import Repository, explaining
from learnings.history.regular_file import read_regular

INDEX_VARIABLE = "GIT_INDEX_FILE"
_REGULAR = (b"100644", b"100755", b"100664")
_UNMERGED = b"U"


class FileDelta(NamedTuple):
    """A file that differs from a commit, before and after; path is POSIX, from the top folder.

    Content is None without a file; links and submodules do not count as files.
    """

    path: str
    before: bytes | None
    after: bytes | None


class Snapshot(ABC):
    """The files at one moment; paths are POSIX, from the top folder of the repository."""

    word: str
    """The kind of snapshot, for messages and documents: `commit`, `index` or `working-tree`."""

    def __init__(self, repository: Repository, objects: ObjectReader) -> None:
        self.repository = repository
        self._objects = objects
        self._rows = lru_cache(maxsize=16)(lambda commit: [*self._raw(commit)])
        self.paths = lru_cache(maxsize=16)(self._paths)
        """Return the paths of all files below a folder, without links."""

    def deltas(self, commit: str) -> Iterator[FileDelta]:
        """Yield the Markdown and configuration files that differ from a commit.

        Raises UntrustedHistory, and UsageProblem for an index with conflicts.
        """
        for path, before, after in self._rows(commit):
            if is_relevant(path):
                older = self._blob(before) if before else None
                newer = self.read(path) if after == "" else self._blob(after) if after else None
                yield FileDelta(path, older, newer)

    def of_commit(self, commit: str) -> CommitSnapshot:
        """Return the files of a commit of the same repository."""
        return CommitSnapshot(self.repository, self._objects, commit)

    def changed_paths(self, commit: str) -> list[str]:
        """Return the paths of deltas(), without reading a file."""
        return [path for path, _, _ in self._rows(commit) if is_relevant(path)]

    def differs(self, commit: str) -> bool:
        """Return True if any file of any kind differs from a commit."""
        return bool(self._rows(commit))

    def is_tracked(self, path: str) -> bool:  # noqa: ARG002  (what is not on disk alone)
        """Return False for a working tree file that is neither in a commit nor staged."""
        return True

    @abstractmethod
    def _raw(self, commit: str) -> Iterator[tuple[str, str | None, str | None]]:
        """Yield path, and the file's ids before and after; an empty id means still only on disk."""

    @abstractmethod
    def _paths(self, folder: str = "") -> list[str]:
        """Return the result of paths()."""

    @abstractmethod
    def read(self, path: str) -> bytes | None:
        """Return the content of a file, or None if it does not exist."""

    def _blob(self, name: str) -> bytes | None:
        git_object = self._objects.get(name)
        return git_object.content if git_object and git_object.kind == "blob" else None

    def _run(self, *arguments: str) -> bytes:
        return self.repository.run(*arguments)


def is_relevant(path: str) -> bool:
    """Return True for files that may contain entries, or say which files do."""
    return path.lower().endswith((*MEMORY_ENDINGS, ".toml", "package.json", "go.mod"))


def may_load_memory(path: str) -> bool:
    """Return True for relevant files, and for others that can lead an agent to a memory."""
    return is_relevant(path) or is_instructions(path) or is_started(path)


class CommitSnapshot(Snapshot):
    """The files of a commit."""

    word = "commit"

    def __init__(self, repository: Repository, objects: ObjectReader, commit: str) -> None:
        super().__init__(repository, objects)
        self.commit = commit

    def _raw(self, commit: str) -> Iterator[tuple[str, str | None, str | None]]:
        return _rows(self._run("diff-tree", *RAW, "-r", commit, self.commit, "--"))

    def _paths(self, folder: str = "") -> list[str]:
        names = [f"{folder}/"] if folder else []
        entries = entries_below(self.repository, self.commit, *names)
        return [entry.path for entry in entries if entry.is_regular_file]

    def read(self, path: str) -> bytes | None:
        return None if "\n" in path else self._blob(f"{self.commit}:{path}")


class IndexSnapshot(Snapshot):
    """The staged files."""

    word = "index"

    def _raw(self, commit: str) -> Iterator[tuple[str, str | None, str | None]]:
        return _rows(self._run("diff-index", *RAW, "--cached", commit, "--"))

    def _paths(self, folder: str = "") -> list[str]:
        return [*self._staged(*([f"{folder}/"] if folder else []))]

    def read(self, path: str) -> bytes | None:
        name = self._staged(path).get(path)
        return self._blob(name) if name else None

    def _staged(self, *names: str) -> dict[str, str]:
        printed = self._run("ls-files", "--stage", "-z", "--", *names)
        rows = (row.partition(b"\t") for row in printed.split(b"\0") if row)
        return {
            os.fsdecode(path): fields.split(b" ")[1].decode("ascii")
            for fields, _, path in rows
            if fields.startswith(_REGULAR)
        }

    def _run(self, *arguments: str) -> bytes:
        top = self.repository.top
        with explaining(top):
            return process.run(arguments, top, index_file=index_file(top))


class WorkTreeSnapshot(Snapshot):
    """The tracked files on disk, and the untracked ones that git does not ignore.

    Files that a sparse checkout keeps off the disk are read from the index.
    """

    word = "working-tree"

    def _raw(self, commit: str) -> Iterator[tuple[str, str | None, str | None]]:
        for path, change in raw_changes(self._run("diff-index", *RAW, commit, "--")):
            yield path, change.regular[0], ""
        for path in paths_in(self._run("ls-files", "--others", "--exclude-standard", "-z")):
            yield path, None, ""

    @cached_property
    def _tracked(self) -> frozenset[str]:
        return frozenset(paths_in(self._run("ls-files", "--cached", "-z")))

    def is_tracked(self, path: str) -> bool:
        return path in self._tracked

    def _paths(self, folder: str = "") -> list[str]:
        names = [f"{folder}/"] if folder else []
        options = ("--cached", "--others", "--exclude-standard", "-z")
        printed = self._run("ls-files", *options, "--", *names)
        return [*dict.fromkeys(paths_in(printed))]

    def read(self, path: str) -> bytes | None:
        top = self.repository.top
        if (top / path).is_symlink():
            return None
        try:
            return read_regular(top / path, most=LARGEST_FILE + 1)
        except FileNotFoundError:
            name = self._left_out.get(path)
            return self._blob(name) if name else None
        except OSError as error:
            if (top / path).is_dir():
                return None
            reason = error.strerror or "unknown reason"
            raise UsageProblem(
                f"{path} cannot be read ({reason}); fix this and run again"
            ) from None

    @cached_property
    def _left_out(self) -> dict[str, str]:
        """The ids, by path, of the index files that are meant to be missing on disk."""
        printed = self._run("ls-files", "-t", "--stage", "-z")
        rows = (row.partition(b"\t") for row in printed.split(b"\0"))
        return {
            os.fsdecode(path): fields.split(b" ")[2].decode("ascii")
            for fields, _, path in rows
            if fields.startswith(b"S ") and fields[2:].startswith(_REGULAR)
        }


@contextmanager
def snapshot_of(
    repository: Repository, *, commit: str = "", staged: bool = False
) -> Iterator[Snapshot]:
    """Return the snapshot of a commit, of the index, or else of the working tree."""
    with closing(ObjectReader(repository.top)) as objects:
        if commit:
            yield CommitSnapshot(repository, objects, commit)
        elif staged:
            yield IndexSnapshot(repository, objects)
        else:
            yield WorkTreeSnapshot(repository, objects)


def index_file(top: Path) -> str | None:
    """Return the index that the environment names, or None for the repository's own.

    An index in another repository's git folder is ignored: a hook there started this process.
    """
    name = os.environ.get(INDEX_VARIABLE)
    if not name:
        return None
    path = top / name
    folder = path.parent
    is_git_folder = (folder / "HEAD").exists()
    if is_git_folder:
        own = Path(os.fsdecode(process.run(["rev-parse", "--absolute-git-dir"], top)).rstrip("\n"))
        if not folder.exists() or not own.exists() or not folder.samefile(own):
            return None
    return str(path)


def _rows(printed: bytes) -> Iterator[tuple[str, str | None, str | None]]:
    for path, change in raw_changes(printed):
        if change.status.startswith(_UNMERGED):
            raise UsageProblem(
                f"{path} has conflicts; resolve them and stage the file, then run again"
            )
        yield path, *change.regular


_LINK = "120000"
_SHA256_LENGTH = 64
_BATCH = 200  # bytes in memory at once; chosen, memory files have a few kilobytes


@contextmanager
def copy_of_commit(repository: Repository, is_wanted: Callable[[str], bool]) -> Iterator[Path]:
    """Yield a temporary repository with the wanted files of a commit, which is its HEAD.

    is_wanted takes POSIX paths from the top folder. Files are copied as git stores them, without
    filters; links that lead out of the folder are left out. Raises UntrustedHistory if git cannot
    read the commit, OSError if there is no space.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  (few commands copy a commit)

    with TemporaryDirectory(prefix="learnings-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        _make_repository(folder, repository)
        entries = entries_below(repository, repository.head)
        files = [entry for entry in entries if entry.kind == "blob" and is_wanted(entry.path)]
        # In an unchecked tree a link can be in the place of a folder.
        files.sort(key=lambda file: file.mode == _LINK)
        with closing(ObjectReader(repository.top)) as objects:
            for start in range(0, len(files), _BATCH):
                _write(folder, files[start : start + _BATCH], objects)
        yield folder


def _make_repository(folder: Path, repository: Repository) -> None:
    # Old versions of git lack this option.
    form = ["--object-format=sha256"] if len(repository.head) == _SHA256_LENGTH else []
    with explaining(repository.top):
        process.run(["init", "--quiet", "--template=", *form], folder)
        info = folder / ".git/objects/info"
        info.mkdir(exist_ok=True)
        objects = os.fsencode(repository.common_dir / "objects")
        (info / "alternates").write_bytes(objects + b"\n")
        if repository.shallow:
            shallow = (repository.common_dir / "shallow").read_bytes()
            (folder / ".git/shallow").write_bytes(shallow)
        process.run(["update-ref", "--no-deref", "HEAD", repository.head], folder)
        # It refuses trees with paths that lead out of the folder or into git's own folder.
        process.run(["read-tree", repository.head], folder)


def _write(folder: Path, files: list[TreeEntry], objects: ObjectReader) -> None:
    objects.prefetch(file.id for file in files)
    for file in files:
        blob = objects.get(file.id)
        target = folder / file.path
        if blob is None or os.path.lexists(target):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.mode != _LINK:
            target.write_bytes(blob.content)
            continue
        text = os.fsdecode(blob.content)
        leads_to = normpath(join(dirname(file.path), text))
        if not leads_to.startswith(("/", "..")) and "\0" not in text:  # it stays in the folder
            target.symlink_to(text)
