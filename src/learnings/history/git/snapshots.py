"""The files of a repository at one moment, as values or as a temporary copy.

In a hook of `git commit -a` or `git commit PATH`, the environment names another index.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from functools import cached_property, lru_cache
from pathlib import Path
from posixpath import dirname, join, normpath, relpath

from learnings.core.entries.document import LARGEST_FILE
from learnings.core.errors import UsageProblem
from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.instruction_paths import is_instructions, is_started
from learnings.history.git import process
from learnings.history.git.attributes import NONE, attributes_of, decoded, on_disk
from learnings.history.git.commands import RAW, raw_changes
from learnings.history.git.objects import (
    REGULAR_FILE,
    REGULAR_FILES,
    GitObject,
    ObjectReader,
    TreeEntry,
    entries_below,
)
from learnings.history.git.repository import Repository, explaining
from learnings.history.regular_file import read_regular

INDEX_VARIABLE = "GIT_INDEX_FILE"
COMMIT, INDEX, WORKING_TREE = "commit", "index", "working-tree"
"""The kinds of snapshots, in the words of documents."""

_LINK = "120000"
_UNTRACKED, _SKIPPED = "?", ("S", "s")  # tags of `git ls-files -v`; lower case: assume-unchanged
_LONGEST_LINK = 4096  # bytes, on Linux
_MOST_LINKS = 40  # links on the way to a file, as on Linux
_MOST_NAMES = 64  # names of one file; chosen, links to folders in each other give endless ones
# A change of such files alone changes no memory, so nobody has to list the links to them.
_CODE = (
    *(".c", ".cc", ".cpp", ".cs", ".css", ".go", ".h", ".hpp", ".html", ".java", ".js", ".json"),
    *(".jsx", ".kt", ".lock", ".mjs", ".php", ".png", ".py", ".rb", ".rs", ".scss", ".sh", ".sql"),
    *(".svg", ".swift", ".ts", ".tsx", ".vue", ".xml", ".yaml", ".yml"),
)


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
        find_links: Callable[[], Mapping[str, str]] | None = None,
    ) -> None:
        self.repository = repository
        self.kind = kind
        self.commit = commit
        """The commit of the snapshot; empty for the index and the working tree."""
        self._objects = objects
        self._find_links = find_links or self._listed_links
        self._changes = lru_cache(maxsize=16)(self._changed_modes)
        self.before = lru_cache(maxsize=16)(self._before)
        """Return the files of a commit that this snapshot is compared with."""
        self.names_of = lru_cache(maxsize=None)(self._names_of)
        """Return the names under which a file is reached: its real path, and others by links."""

    def of_commit(self, commit: str, links: Mapping[str, str] | None = None) -> Snapshot:
        """Return the files of a commit of the same repository, perhaps with its known links."""
        known = None if links is None else lambda: links
        return Snapshot(self.repository, self._objects, COMMIT, commit, known)

    def changed_paths(self, commit: str) -> list[str]:
        """Return the files that differ from a commit and may matter to the memory; reads none.

        A file that another link reaches now is among them, even with the same content. Raises
        UntrustedHistory, and UsageProblem for an index with conflicts.
        """
        versions = self.before(commit), self
        paths = dict.fromkeys(self._changes(commit))
        for link in [path for path, modes in self._changes(commit).items() if _LINK in modes]:
            for version in versions:
                paths |= dict.fromkeys(version._reached_by(link))  # noqa: SLF001  (of this class)
        return [
            path
            for path in paths
            if any(is_relevant(name) for version in versions for name in version.names_of(path))
        ]

    def differs(self, commit: str) -> bool:
        """Return True if any file of any kind differs from a commit."""
        return bool(self._changes(commit))

    def paths(self, folder: str = "") -> list[str]:
        """Return the paths of all files below a folder, without links and submodules."""
        start = f"{folder}/" if folder else ""
        return [
            path
            for path, (_, mode) in self._files.items()
            if path.startswith(start) and mode in REGULAR_FILES and path not in self.links
        ]

    def read(self, path: str) -> bytes | None:
        """Return the content of a file that a path leads to, or None if there is none."""
        real = self.real(path)
        return None if real is None else self.contents([real]).get(real)

    def contents(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Return the contents of the files with these real paths, in UTF-8 if git has it so.

        Raises UntrustedHistory, and UsageProblem if the disk fails.
        """
        names = [path for path in paths if self.real(path) == path]
        found: dict[str, bytes] = {}
        if self.kind == WORKING_TREE:
            found = {path: data for path in names if (data := self._on_disk(path)) is not None}
            names = [path for path in names if path not in found and self._tag(path) in _SKIPPED]
        blobs = self._blobs(names)
        attributes = attributes_of(self.repository.top, [*found, *blobs])
        filtered = {path: blobs[path].id for path in blobs if attributes.get(path, NONE).filter}
        found |= on_disk(self.repository, filtered) if filtered else {}
        for path, (_, encoding) in attributes.items():
            if path in found:
                found[path] = decoded(found[path], encoding)
        return {path: blob.content for path, blob in blobs.items()} | found

    def _blobs(self, paths: Iterable[str]) -> dict[str, GitObject]:
        # Without a commit, in the index. A name with a newline cannot be requested.
        names = {path: f"{self.commit}:{path}" for path in paths if "\n" not in path}
        self._objects.prefetch(names.values())
        objects = {path: self._objects.get(name) for path, name in names.items()}
        return {path: found for path, found in objects.items() if found and found.kind == "blob"}

    def _on_disk(self, path: str) -> bytes | None:
        file = self.repository.top / path
        try:
            return None if file.is_symlink() else read_regular(file, most=LARGEST_FILE + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if file.is_dir():
                return None
            reason = error.strerror or "unknown reason"
            raise UsageProblem(
                f"{path} cannot be read ({reason}); fix this and run again"
            ) from None

    def is_tracked(self, path: str) -> bool:
        """Return False for a working tree file that is neither in a commit nor staged."""
        return self._tag(path) != _UNTRACKED

    def unseen(self) -> Iterator[tuple[str, str]]:
        """Yield the files on disk that git was told not to look at, each with its flag."""
        for path, (tag, _) in self._files.items() if self.kind == WORKING_TREE else ():
            if tag.islower():
                yield path, "assume-unchanged"
            if tag in _SKIPPED and os.path.lexists(self.repository.top / path):
                yield path, "skip-worktree"

    @cached_property
    def _files(self) -> Mapping[str, tuple[str, str]]:
        """The tag of `git ls-files -v` (empty in a commit) and the mode of each file."""
        if self.kind == COMMIT:
            entries = entries_below(self.repository, self.commit)
            return {entry.path: ("", entry.mode) for entry in entries}
        others = ["--others", "--exclude-standard"] if self.kind == WORKING_TREE else []
        printed = self._run("ls-files", "-v", "--stage", "--cached", *others, "-z")
        files = {}
        for row in os.fsdecode(printed).split("\0")[:-1]:
            if row[0] == _UNTRACKED:
                files[row[2:]] = _UNTRACKED, REGULAR_FILE
            else:
                fields, _, path = row.partition("\t")
                files[path] = fields[0], fields.split(" ")[1]
        return files

    def _tag(self, path: str) -> str:
        return self._files.get(path, (_UNTRACKED, ""))[0]

    def _changed_modes(self, commit: str) -> dict[str, tuple[str, str]]:
        """Return the modes before and after of all files that differ from a commit."""
        compared = {
            COMMIT: ["diff-tree", *RAW, "-r", commit, self.commit, "--"],
            INDEX: ["diff-index", *RAW, "--cached", commit, "--"],
            WORKING_TREE: ["diff-index", *RAW, commit, "--"],
        }
        modes = {}
        for path, change in raw_changes(self._run(*compared[self.kind])):
            if change.status == b"U" and self.kind != WORKING_TREE:
                raise UsageProblem(
                    f"{path} has conflicts; resolve them and stage the file, then run again"
                )
            modes[path] = change.old_mode.decode("ascii"), change.mode.decode("ascii")
        files = self._files.items() if self.kind == WORKING_TREE else ()
        for path in [path for path, (tag, _) in files if tag == _UNTRACKED]:
            is_link = not path.endswith(_CODE) and (self.repository.top / path).is_symlink()
            old_mode, _ = modes.get(path, ("", ""))  # git rm --cached leaves it on disk
            modes[path] = old_mode, _LINK if is_link else REGULAR_FILE
        return modes

    def _before(self, commit: str) -> Snapshot:
        def find_links() -> dict[str, str]:
            changes = self._changes(commit)
            kept = {path: text for path, text in self.links.items() if path not in changes}
            return kept | older._link_texts(path for path in changes if changes[path][0] == _LINK)

        older = Snapshot(self.repository, self._objects, COMMIT, commit, find_links)
        return older

    @cached_property
    def links(self) -> Mapping[str, str]:
        """What each link contains, by its real path."""
        return self._find_links()

    def _listed_links(self) -> dict[str, str]:
        modes = {path: mode for path, (_, mode) in self._files.items()}
        if self.kind == WORKING_TREE:
            modes |= {path: new for path, (_, new) in self._changes(self.repository.head).items()}
        return self._link_texts(path for path, mode in modes.items() if mode == _LINK)

    def _link_texts(self, paths: Iterable[str]) -> dict[str, str]:
        names, texts = [*paths], {}
        for path in names if self.kind == WORKING_TREE else ():
            file = self.repository.top / path
            with suppress(OSError):  # not on disk in a sparse checkout
                # With core.symlinks=false, git writes links as text files.
                is_link = file.is_symlink()
                text = file.readlink() if is_link else read_regular(file, most=_LONGEST_LINK)
                texts[path] = os.fsdecode(text)
        left = self._blobs(path for path in names if path not in texts)
        return texts | {path: os.fsdecode(blob.content) for path, blob in left.items()}

    def real(self, path: str) -> str | None:
        """Return the real path to which a path leads in the repository, or None."""
        if not self.links:
            return path
        left, found, followed = path.split("/"), list[str](), 0
        while left and followed <= _MOST_LINKS:
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
        names = [path]
        for name in names if not path.endswith(_CODE) and self.links else ():
            parts = name.split("/")
            for count in range(1, len(parts) + 1):
                for link in self._links_to.get("/".join(parts[:count]), ()):
                    other = "/".join((link, *parts[count:]))
                    if other not in names and len(names) < _MOST_NAMES:
                        names.append(other)
        return tuple(names)

    @cached_property
    def _links_to(self) -> Mapping[str, list[str]]:
        """The links by the real paths of their ends."""
        links: dict[str, list[str]] = {}
        for link in self.links:
            end = self.real(link)
            if end and not link.startswith(f"{end}/"):  # the folder around it
                links.setdefault(end, []).append(link)
        return links

    def _reached_by(self, link: str) -> list[str]:
        end = self.real(link) if link in self.links else None
        return [path for path in self.paths() if f"{path}/".startswith(f"{end}/")] if end else []

    def _run(self, *arguments: str) -> bytes:
        top = self.repository.top
        with explaining(top):
            return process.run(arguments, top, index_file=self._objects.index_file)


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
    repository: Repository, *, commit: str = "", staged: bool = False
) -> Iterator[Snapshot]:
    """Return the snapshot of a commit, of the index, or else of the working tree."""
    kind = COMMIT if commit else INDEX if staged else WORKING_TREE
    index = index_file(repository.top) if kind == INDEX else None
    with closing(ObjectReader(repository.top, index_file=index)) as objects:
        yield Snapshot(repository, objects, kind, commit)


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


_SHA256_LENGTH = 64
_BATCH = 200  # bytes in memory at once; chosen, memory files have a few kilobytes


@contextmanager
def copy_of_commit(repository: Repository, is_wanted: Callable[[str], bool]) -> Iterator[Path]:
    """Yield a temporary repository with the wanted files of a commit, which is its HEAD.

    is_wanted takes POSIX paths from the top folder. Files are copied as git stores them, without
    filters; of links, those that stay in the folder, with the files at their ends. Raises
    UntrustedHistory if git cannot read the commit, OSError if there is no space.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  (few commands copy a commit)

    with TemporaryDirectory(prefix="learnings-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        _make_repository(folder, repository)
        entries = [*entries_below(repository, repository.head)]
        with closing(ObjectReader(repository.top)) as objects:
            links = _links_inside(repository.top, entries, objects)
            ends = {normpath(join(dirname(path), text)) for path, text in links.items()}
            files = [
                entry
                for entry in entries
                if entry.mode in REGULAR_FILES and (is_wanted(entry.path) or entry.path in ends)
            ]
            for start in range(0, len(files), _BATCH):
                _write(folder, files[start : start + _BATCH], objects)
        # Last, since in an unchecked tree a link can be in the place of a folder.
        for path, text in links.items():
            if not os.path.lexists(folder / path):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).symlink_to(text)
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


def _links_inside(top: Path, entries: Iterable[TreeEntry], objects: ObjectReader) -> dict[str, str]:
    """Return the relative text of each link that stays in the repository, by its path."""
    listed = [entry for entry in entries if entry.mode == _LINK]
    objects.prefetch(entry.id for entry in listed)
    links = {}
    for path, blob in [(entry.path, objects.get(entry.id)) for entry in listed]:
        text = "" if blob is None else os.fsdecode(blob.content)
        inner = _from_top(top, text)
        if inner is None or not text or "\0" in text:
            continue
        if text != inner:
            inner = relpath(inner, dirname(path) or ".")
        if not f"{normpath(join(dirname(path), inner))}/".startswith("../"):
            links[path] = inner
    return links


def _write(folder: Path, files: list[TreeEntry], objects: ObjectReader) -> None:
    objects.prefetch(file.id for file in files)
    for file in files:
        blob = objects.get(file.id)
        target = folder / file.path
        if blob is not None and not os.path.lexists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(blob.content)
