"""The files of a repository at one moment, as values or as a temporary copy.

In a hook of `git commit -a` or `git commit PATH`, the environment names another index.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from posixpath import dirname, relpath
from typing import NamedTuple

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UsageProblem
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.instruction_paths import is_instructions, is_started
from learnings.core.symlinks import LONGEST_LINK, MOST_LINKS, LinksByEnd, by_end, names_by_links
from learnings.history.git import process
from learnings.history.git.commands import RAW, raw_changes
from learnings.history.git.objects import (
    REGULAR_FILE,
    REGULAR_FILES,
    ObjectReader,
    entries_below,
    fetch_versions,
)
from learnings.history.git.repository import (
    Repository,
    explaining,
    missing_object,
    run_in,
)
from learnings.history.git.tracked import LINK, SKIPPED, SUBMODULE, UNTRACKED, index_entries
from learnings.history.git.work_tree import (
    attributes_of,
    decoded,
    git_folder,
    on_disk,
    read_regular,
)

INDEX_VARIABLE = "GIT_INDEX_FILE"
COMMIT, INDEX, WORKING_TREE = "commit", "index", "working-tree"
"""The kinds of snapshots, in the words of documents."""

_SHA256_LENGTH = 64
_NO_FILTERS = "* -text -filter -ident -working-tree-encoding\n"
# A change of such files alone changes no memory, so nobody has to list the links to them.
_CODE = (
    *(".c", ".cc", ".cpp", ".cs", ".css", ".go", ".h", ".hpp", ".html", ".java", ".js", ".json"),
    *(".jsx", ".kt", ".lock", ".mjs", ".php", ".png", ".py", ".rb", ".rs", ".scss", ".sh", ".sql"),
    *(".svg", ".swift", ".ts", ".tsx", ".vue", ".xml", ".yaml", ".yml"),
)


class Watched(NamedTuple):
    """What counts in every version of a repository though git does not say so.

    untracked_links returns links on disk, with their texts, that are in each version without such a
    path. configured are files that matter whatever their names end with.
    """

    untracked_links: Callable[[], Mapping[str, str]] = dict[str, str]
    configured: frozenset[str] = frozenset()


NOTHING_ELSE = Watched()


class Snapshot:
    """The files at one moment: of a commit, of the index, or on disk unless git ignores them.

    Paths are POSIX, from the top folder of the repository; a real path leads through no link. Links
    that lead out of the repository or in a circle lead nowhere. In the working tree, files that a
    sparse checkout keeps off the disk are read from the index.
    """

    def __init__(
        self,
        repository: Repository,
        objects: ObjectReader,
        kind: str,
        commit: str = "",
        watched: Watched = NOTHING_ELSE,
        *,
        newer: Snapshot | None = None,
    ) -> None:
        self.repository = repository
        self.kind = kind
        self.commit = commit
        """The commit of the snapshot; empty for the index and the working tree."""
        self._watched = watched
        self._objects = objects
        self._newer = newer
        self.changes = lru_cache(maxsize=16)(self._changes)
        """Return the modes before and after of all files that differ from a commit."""
        self.before = lru_cache(maxsize=16)(self._before)
        """Return the files of a commit that this snapshot is compared with."""
        self.names_of = lru_cache(maxsize=None)(self._names_of)
        """Return the names under which a file is reached: its real path, and others by links."""

    def of_commit(self, commit: str, *, has_links: bool = True) -> Snapshot:
        """Return the files of a commit of the same repository, perhaps known to have no links."""
        version = Snapshot(self.repository, self._objects, COMMIT, commit, self._watched)
        if not has_links:
            version.links = {}
        return version

    def _before(self, commit: str) -> Snapshot:
        return Snapshot(self.repository, self._objects, COMMIT, commit, self._watched, newer=self)

    def changed_paths(self, commit: str) -> list[str]:
        """Return the files that differ from a commit and may matter to the memory; reads none.

        A file that another link reaches now is among them, even with the same content. Raises
        UntrustedHistory, and UsageProblem for an index with conflicts.
        """
        versions, changes = (self.before(commit), self), self.changes(commit)
        paths = dict.fromkeys(changes)
        for link in [path for path, modes in changes.items() if LINK in modes]:
            for version in [version for version in versions if link in version.links]:
                end = version.real(link)
                reached = (p for p in version.paths() if end and f"{p}/".startswith(f"{end}/"))
                paths |= dict.fromkeys(reached)
        found = []
        for path in paths:
            names = {*chain(*(version.names_of(path) for version in versions))}
            if any(map(is_relevant, names)) or not names.isdisjoint(self._watched.configured):
                found.append(path)
        return found

    def paths(self, folder: str = "") -> list[str]:
        """Return the paths of all files below a folder, without links and submodules."""
        start = f"{folder}/" if folder else ""
        return [
            path
            for path, (_, mode) in self.files.items()
            if path.startswith(start) and mode in REGULAR_FILES and path not in self.links
        ]

    def read(self, path: str) -> bytes | None:
        """Return the content of a file that a path leads to, or None if there is none."""
        real = self.real(path)
        # Where the files are listed already, nobody need be asked for one that is none of them.
        is_listed = "files" in vars(self._newer or self)
        if real is None or (is_listed and real not in self.files):
            return None
        return self.contents([real]).get(real)

    def contents(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Return the contents of the files with these real paths, in UTF-8 if git has it so.

        Raises UntrustedHistory, and UsageProblem if the disk fails.
        """
        names = [path for path in paths if self.real(path) == path]
        found: dict[str, bytes] = {}
        if self.kind == WORKING_TREE:
            found = {path: data for path in names if (data := self._on_disk(path)) is not None}
            names = [path for path in names if path not in found and self._tag(path) in SKIPPED]
        blobs = self._objects.blobs(self.commit, names)
        attributes = attributes_of(self.repository.top, [*found, *blobs])
        filters = [path for path in blobs if path in attributes and attributes[path].filter]
        if filters:
            found |= on_disk(self.repository, {path: blobs[path].id for path in filters})
        for path in found.keys() & attributes.keys():
            found[path] = decoded(found[path], attributes[path].encoding)
        return {path: blob.content for path, blob in blobs.items()} | found

    def _on_disk(self, path: str) -> bytes | None:
        file = self.repository.top / path
        try:
            return None if file.is_symlink() else read_regular(file, most=LARGEST_FILE + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if os.path.isdir(file):  # noqa: PTH112  (Path.is_dir() raises in a closed folder)
                return None
            reason = error.strerror or "unknown reason"
            raise UsageProblem(
                f"{path} cannot be read ({reason}); fix this and run again"
            ) from None

    def is_tracked(self, path: str) -> bool:
        """Return False for a working tree file that is neither in a commit nor staged."""
        return self._tag(path) != UNTRACKED

    def unseen(self) -> Iterator[tuple[str, str]]:
        """Yield the files on disk that git was told not to look at, each with its flag."""
        for path, (tag, _) in self.files.items() if self.kind == WORKING_TREE else ():
            if tag.islower():
                yield path, "assume-unchanged"
            if tag in SKIPPED and os.path.lexists(self.repository.top / path):
                yield path, "skip-worktree"

    @cached_property
    def files(self) -> Mapping[str, tuple[str, str]]:
        """The tag of `git ls-files -v` (empty in a commit) and the mode of each file."""
        top = self.repository.top
        if self._newer is not None:
            files = dict(self._newer.files)
            for path, (mode, _) in self._newer.changes(self.commit).items():
                files[path] = "", mode
            return {path: entry for path, entry in files.items() if entry[1].strip("0")}
        if self.kind == COMMIT:
            entries = entries_below(self.repository, self.commit)
            return {entry.path: ("", entry.mode) for entry in entries}
        if self.kind == INDEX:
            return index_entries(top, index_file=self._objects.index_file)
        files = index_entries(top, with_untracked=True)
        for path in [path for path, (tag, _) in files.items() if tag == UNTRACKED]:
            is_link = not path.endswith(_CODE) and (top / path).is_symlink()
            files[path] = UNTRACKED, LINK if is_link else REGULAR_FILE
        return files

    def _tag(self, path: str) -> str:
        return self.files.get(path, (UNTRACKED, ""))[0]

    def _changes(self, commit: str) -> dict[str, tuple[str, str]]:
        compared = {
            COMMIT: ["diff-tree", *RAW, "-r", commit, self.commit, "--"],
            INDEX: ["diff-index", *RAW, "--cached", commit, "--"],
            WORKING_TREE: ["diff-index", *RAW, commit, "--"],
        }
        top, modes = self.repository.top, dict[str, tuple[str, str]]()
        printed = run_in(top, *compared[self.kind], index_file=self._objects.index_file)
        for path, change in raw_changes(printed).items():
            if change.status == "U" and self.kind != WORKING_TREE:
                raise UsageProblem(
                    f"{path} has conflicts; resolve them and stage the file, then run again"
                )
            modes[path] = change.old_mode.decode("ascii"), change.mode.decode("ascii")
        for path, (tag, mode) in self.files.items() if self.kind == WORKING_TREE else ():
            if tag == UNTRACKED:  # git rm --cached leaves it on disk
                modes[path] = modes[path][0] if path in modes else "", mode
        return modes

    @cached_property
    def links(self) -> Mapping[str, str]:
        """What each link contains, by its real path."""
        if self._newer is not None:
            changes, links = self._newer.changes(self.commit), self._newer.links
            older = {path: modes[0] for path, modes in changes.items()}
            kept = {path: text for path, text in links.items() if path not in older}
            untracked = self._watched.untracked_links().items()
            kept |= {path: text for path, text in untracked if not older.get(path)}
            return kept | self._link_texts(p for p, mode in older.items() if mode == LINK)
        modes = {path: mode for path, (_, mode) in self.files.items()}
        if self.kind == WORKING_TREE:
            modes |= {path: new for path, (_, new) in self.changes(self.repository.head).items()}
        others = {p: text for p, text in self._watched.untracked_links().items() if p not in modes}
        return others | self._link_texts(path for path, mode in modes.items() if mode == LINK)

    def _link_texts(self, paths: Iterable[str]) -> dict[str, str]:
        names, texts = [*paths], {}
        for path in names if self.kind == WORKING_TREE else ():
            file = self.repository.top / path
            with suppress(OSError):  # not on disk in a sparse checkout
                # With core.symlinks=false, git writes links as text files.
                is_link = file.is_symlink()
                text = file.readlink() if is_link else read_regular(file, most=LONGEST_LINK)
                texts[path] = os.fsdecode(text)
        left = self._objects.blobs(self.commit, [path for path in names if path not in texts])
        return texts | {path: os.fsdecode(blob.content) for path, blob in left.items()}

    def real(self, path: str) -> str | None:
        """Return the real path to which a path leads in the repository, or None."""
        if not self.links:
            return path
        left, found, followed = path.split("/"), list[str](), 0
        while left and followed <= MOST_LINKS:
            name = left.pop(0)
            if name == "..":
                if not found:
                    return None
                found.pop()
            elif name not in ("", "."):
                found.append(name)
            text = self.links.get("/".join(found))
            if text is not None:
                found = [] if text.startswith("/") else found[:-1]
                inner = _from_top(self.repository.top, text)
                if inner is None:
                    return None
                left = [*inner.split("/"), *left]
                followed += 1
        return None if left else "/".join(found)

    def _names_of(self, path: str) -> tuple[str, ...]:
        links = {} if path.endswith(_CODE) else self._links_to
        return tuple(names_by_links(path, lambda _: links))

    @cached_property
    def _links_to(self) -> LinksByEnd:
        return by_end(self.links, self.real)


def _from_top(top: Path, text: str) -> str | None:
    """Return what a link contains from the top folder if it is absolute; None outside."""
    if not text.startswith("/"):
        return text
    path = Path(text)
    for folder in (path, *path.parents):
        with suppress(OSError, ValueError):
            if folder.samefile(top):  # perhaps by way of a link
                return path.relative_to(folder).as_posix()
    return None


def is_relevant(path: str) -> bool:
    """Return True for files that may contain entries, or say which files do."""
    return path.lower().endswith((*MEMORY_ENDINGS, ".toml", "package.json", "go.mod"))


def may_load_memory(path: str) -> bool:
    """Return True for relevant files, and for others that can lead an agent to a memory."""
    return is_relevant(path) or is_instructions(path) or is_started(path)


@contextmanager
def snapshot_of(
    repository: Repository,
    *,
    commit: str = "",
    staged: bool = False,
    watched: Watched = NOTHING_ELSE,
) -> Iterator[Snapshot]:
    """Return the snapshot of a commit, of the index, or else of the working tree."""
    kind = COMMIT if commit else INDEX if staged else WORKING_TREE
    index = index_file(repository.top) if kind == INDEX else None
    with ObjectReader(repository.top, index_file=index) as objects:
        yield Snapshot(repository, objects, kind, commit, watched)


def index_file(top: Path) -> str | None:
    """Return the index that the environment names, or None for the repository's own.

    An index in another repository's git folder is ignored: a hook there started this process.
    """
    name = os.environ.get(INDEX_VARIABLE)
    if not name:
        return None
    path = top / name
    is_git_folder = (path.parent / "HEAD").exists()
    return None if is_git_folder and not path.parent.samefile(git_folder(top)) else str(path)


@contextmanager
def copy_of_commit(repository: Repository, is_wanted: Callable[[str], bool]) -> Iterator[Path]:
    """Yield a temporary repository with the wanted files of a commit, which is its HEAD.

    is_wanted takes POSIX paths from the top folder. Files are copied as git stores them, unless
    a filter changes them on disk; of links, those that stay in the folder, with the files at their
    ends. The others are missing as in a sparse checkout. Raises UntrustedHistory if git cannot read
    the commit, OSError if it cannot write a file.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  (few commands copy a commit)

    with TemporaryDirectory(prefix="learnings-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        with explaining(repository.top):
            _make_repository(folder, repository)
        modes = {path: mode for path, (_, mode) in index_entries(folder).items()}
        files = [path for path, mode in modes.items() if mode != SUBMODULE]
        wanted = {path for path in files if modes[path] == LINK or is_wanted(path)}
        _check_out(repository, folder, wanted)
        # A link comes before the paths that lead through it in an unchecked tree.
        links = sorted(path for path in wanted if (folder / path).is_symlink())
        inside = {path for path in links if _stays_inside(folder, path, repository.top)}
        wanted -= {*links} - inside
        ends = (Path(os.path.realpath(folder / path)).relative_to(folder) for path in inside)
        more = {end.as_posix() for end in ends}.intersection(files) - wanted
        _check_out(repository, folder, more)
        _filter(repository, folder, wanted | more)
        skipped = _rows(path for path in files if path not in wanted | more)
        with explaining(repository.top):
            flag = ["update-index", "-z", "--skip-worktree", "--stdin"]
            process.run(flag, folder, data=skipped)
        yield folder


def _make_repository(folder: Path, repository: Repository) -> None:
    # Old versions of git lack this option.
    form = ["--object-format=sha256"] if len(repository.head) == _SHA256_LENGTH else []
    process.run(["init", "--quiet", "--template=", *form], folder)
    own, common = folder / ".git", repository.common_dir
    (own / "HEAD").write_text(f"{repository.head}\n", "ascii")
    (own / "objects/info/alternates").write_bytes(os.fsencode(common / "objects") + b"\n")
    (own / "info").mkdir(exist_ok=True)
    (own / "info/attributes").write_text(_NO_FILTERS, "ascii")
    if repository.shallow:
        (own / "shallow").write_bytes((common / "shallow").read_bytes())
    # It refuses trees with paths that lead out of the folder or into git's own folder.
    process.run(["read-tree", repository.head], folder)


def _check_out(repository: Repository, folder: Path, paths: Collection[str]) -> None:
    if not paths:
        return
    fetch_versions(repository, [repository.head], paths)
    try:
        process.run(["checkout-index", "-z", "--stdin"], folder, data=_rows(paths))
    except process.GitFailed as error:
        reason = str(error).partition("\n")[0]
        if " unable to read " in reason:
            lost = reason.rpartition("(")[2].rstrip(")")
            raise missing_object(repository.top, lost) from error
        raise OSError(errno.EIO, reason) from error


def _filter(repository: Repository, folder: Path, paths: Collection[str]) -> None:
    """Write the files that git passes through a filter with the bytes of a checkout."""
    attributes = attributes_of(repository.top, paths)
    filtered = [path for path in attributes if attributes[path].filter]
    if filtered:
        with snapshot_of(repository, commit=repository.head) as version:
            for path, data in version.contents(filtered).items():
                (folder / path).write_bytes(data)


def _stays_inside(folder: Path, path: str, top: Path) -> bool:
    """Return True if a link of the copy stays in it; one that does not is removed.

    An absolute link into the repository at `top` becomes a relative one.
    """
    link = folder / path
    text = os.fspath(link.readlink())
    inner = _from_top(top, text)
    if inner is not None and inner != text:
        link.unlink()
        link.symlink_to(relpath(inner, dirname(path) or "."))
    if inner is not None and Path(os.path.realpath(link)).is_relative_to(folder):
        return True
    link.unlink()
    return False


def _rows(paths: Iterable[str]) -> bytes:
    return os.fsencode("".join(f"{path}\0" for path in paths))
