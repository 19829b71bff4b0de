"""The memory files of a tree by role, configured or discovered, and the files that were skipped."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from posixpath import dirname
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.dialects import HAS_MOVED
from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.errors import LearningsError, MissingConfigured, MissingFile, UnusableFile
from learnings.core.file_names import (
    COMPANION_NAME,
    EXPLAINING_NAMES,
    FOLDER_PLACES,
    HIDDEN_PLACES,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    LESSON_FOLDERS,
    LOADED_INDEXES,
    LOADED_NAME,
    MANIFESTS,
    MEMORY_PLACES,
    SIMILAR_NAME,
    STATE_PLACES,
)
from learnings.core.roles import (
    Role,
    is_copy,
    is_learnings_path,
    is_lesson_index,
    is_memory_place,
    is_nested_instructions,
    is_package_path,
    memory_folder_of,
    role_of,
    target_patterns,
)
from learnings.core.text import not_text, printable
from learnings.workspace.disk import (
    SUBMODULE_MODE,
    configured_file,
    find_root,
    is_folder,
    may_track,
    read_file,
)
from learnings.workspace.places import (
    IS_LINK_INDEX,
    Places,
    index_of,
    is_memory,
    link_rows_of,
    why_no_memory,
)
from learnings.workspace.tree import (
    BROKEN_LINK,
    CANNOT_BE_READ,
    IS_TOO_LARGE,
    LEADS_OUT,
    NOT_REGULAR,
    SAME_FILE,
    Met,
    Tree,
)

if TYPE_CHECKING:
    from learnings.core.entries.memory_folder import FolderDocument

IS_STATE = "by its name, the current state of work, which has no age"
"""The reason for a file in which an agent keeps its current state."""
_HOLDS_NO_ENTRY = "holds no entry"


class Candidate(NamedTuple):
    """A file (or a glob without files), POSIX from the root: included or skipped, and why.

    is_open: skipped only because nobody has said that the file is a memory.
    """

    path: str
    reason: str
    included: bool = False
    is_open: bool = False

    @property
    def is_empty(self) -> bool:
        """True for a skipped file that becomes a memory with its first entry."""
        return self.reason.startswith(_HOLDS_NO_ENTRY) and HAS_MOVED not in self.reason

    @property
    def taking(self) -> str:
        """The command that makes a skipped file a memory, or an empty string."""
        return f"learnings init --memory {shlex.quote(self.path)}" if self.is_open else ""

    @property
    def words(self) -> str:
        """The reason, with the command that takes a skipped file."""
        return f"{self.reason} (`{self.taking}` takes it)" if self.taking else self.reason

    @property
    def is_faulty(self) -> bool:
        """True for a skipped file that somebody must correct."""
        faults = (CANNOT_BE_READ, BROKEN_LINK, NOT_REGULAR, IS_TOO_LARGE)
        return not self.included and self.reason.startswith(faults)


class TrackedNames(NamedTuple):
    """Tracked paths below a root, sorted: packages, memory names, folders of them, instructions."""

    packages: tuple[str, ...]
    memories: tuple[str, ...]
    folders: tuple[str, ...]
    instructions: tuple[str, ...]


class Discovery:
    """The files of a tree by role; each role is searched once.

    base returns the commit to compare files without entries with. packages, by default the tracked
    ones, are searched like the root.
    """

    def __init__(
        self,
        tree: Tree,
        places: Places,
        *,
        base: Callable[[], str] = lambda: "HEAD",
        packages: Sequence[str] | None = None,
    ) -> None:
        self.tree, self.places, self.settings = tree, places, places.settings
        self._base = base
        self._packages = packages

    @cached_property
    def names(self) -> TrackedNames:
        """The tracked names that matter here, whatever the files contain."""
        folders: set[str] = set()
        memories, instructions = [], []
        for path in self.tree.tracked:
            name = path.rpartition("/")[2]
            if is_nested_instructions(path):
                instructions.append(path)
            elif name in (LOADED_NAME, *LEARNINGS_NAMES) or SIMILAR_NAME.fullmatch(name):
                memories.append(path)
            elif name.endswith(".md") and dirname(path).rpartition("/")[2] in LESSON_FOLDERS:
                folders.add(dirname(path))
        packages = packages_of(self.tree.tracked)
        near = sorted(folder for folder in folders if dirname(folder) in LEARNINGS_FOLDERS)
        return TrackedNames(
            packages, tuple(sorted(memories)), tuple(near), tuple(sorted(instructions))
        )

    # Learnings files.

    @cached_property
    def learnings(self) -> tuple[Candidate, ...]:
        """The learnings files, configured or else discovered, and the skipped ones."""
        met = Met()
        if self.settings.files:
            return tuple(self._configured(met))
        self.tree.expect(path for folder in self._usual for path in self._named_in(folder))
        named = [file for folder in self._usual for file in self._in_folder(folder, met)]
        indexes = [*filter(self.listed, self._lesson_indexes())]
        named += [Candidate(path, IS_LINK_INDEX) for path in indexes]
        named += [*self._in_indexes([file.path for file in named], met)]
        known = {file.path for file in named if file.included}
        placed = [file for file in self._in_places(met) if file.path not in known]
        judged = {file.path for file in placed}
        found = self._with_emptied([*(f for f in named if f.path not in judged), *placed])
        return (*found, *self._unread({file.path for file in found}))

    @cached_property
    def _usual(self) -> list[str]:
        """The folders of the root and of packages that are searched for learnings files."""
        packages = self.names.packages if self._packages is None else self._packages
        prefixes = ("", *(f"{package}/" for package in packages))
        places = (prefix + folder for prefix in prefixes for folder in LEARNINGS_FOLDERS)
        return [*dict.fromkeys(place.rstrip("/") for place in places)]

    @property
    def memories(self) -> tuple[Candidate, ...]:
        """The learnings files and memory folders, without the skipped ones."""
        return tuple(file for file in (*self.learnings, *self.folders) if file.included)

    @cached_property
    def learnings_paths(self) -> tuple[str, ...]:
        """The paths of the learnings files."""
        return tuple(file.path for file in self.learnings if file.included)

    def _configured(self, met: Met) -> Iterator[Candidate]:
        for file in self.settings.files:
            path = str(file.path)
            if not is_folder(self.tree.full(path)):
                obstacle = self.tree.obstacle(path, named=True) or self.tree.duplicate(path, met)
                reason = obstacle or f"configured ({file.origins['path']})"
                yield Candidate(path, reason, included=obstacle is None)

    def _named_in(self, folder: str) -> list[str]:
        names = self.tree.names(folder)
        present = [name for name in (*LEARNINGS_NAMES, COMPANION_NAME) if name in names]
        return [f"{folder}/{name}" if folder else name for name in present]

    def _lesson_indexes(self) -> Iterator[str]:
        """Yield the files that may be the index of a folder of lessons."""
        for above in LEARNINGS_FOLDERS:
            for last in self.tree.names(above).intersection(LESSON_FOLDERS):
                folder = f"{above}/{last}".lstrip("/")
                names = self.tree.names(folder).intersection(EXPLAINING_NAMES)
                yield from filter(is_lesson_index, (f"{folder}/{name}" for name in sorted(names)))

    def _in_folder(self, folder: str, met: Met) -> Iterator[Candidate]:
        paths = self._named_in(folder)
        own = [path for path in paths if not path.endswith(COMPANION_NAME)]
        yield from (self._judged(path, met)[0] for path in self.tree.links_last(own))
        for path in paths[len(own) :]:
            if beside := self.places.stamped_beside(path):
                yield self._judged(path, met, f", beside {beside}")[0]
            else:
                yield Candidate(path, "no timestamped learnings file beside it", is_open=True)

    def _in_places(self, met: Met) -> Iterator[Candidate]:
        places = (*MEMORY_PLACES, *HIDDEN_PLACES)
        found = dict.fromkeys(path for place in places for path in self.tree.files(place))
        settings = self.settings  # a usual name in a usual folder is judged already
        paths = [p for p in found if is_memory_place(p) and not is_learnings_path(p, settings)]
        self.tree.expect(paths)
        for path in self.tree.links_last(paths):
            candidate, document = self._judged(path, met)
            reason = why_no_memory(path, document) if document is not None else None
            yield Candidate(path, reason, is_open=reason != IS_LINK_INDEX) if reason else candidate

    def _in_indexes(self, paths: Sequence[str], met: Met) -> Iterator[Candidate]:
        """Yield the files that the indexes among the paths list."""
        found = {file: path for path in paths for file in self.listed(path) if file not in paths}
        self.tree.expect(found)
        for path in self.tree.links_last(found):
            yield self._judged(path, met, f", listed in {found[path]}")[0]

    def listed(self, path: str) -> tuple[str, ...]:
        """Return the files to which a usable index in place of a learnings file only leads."""
        return () if self.tree.unusable(path) else self.places.listed(path)

    def _judged(self, path: str, met: Met, remark: str = "") -> tuple[Candidate, Document | None]:
        """Judge a file by its content; the document is None unless it is included.

        remark continues the reason to include it.
        """
        obstacle = self.tree.unusable(path) or self.tree.duplicate(path, met)
        if obstacle is not None:
            return Candidate(path, obstacle), None
        try:
            data = read_file(self.tree.full(path), shown=path)
        except (MissingFile, UnusableFile, OSError) as error:
            reason = str(error).removeprefix(f"{printable(path)} ").partition("; ")[0]
            return Candidate(path, reason), None
        if self.listed(path):
            return Candidate(path, IS_LINK_INDEX), None
        document = read(data, ReadOptions.of(self.settings.file))
        if not is_memory(document):
            return Candidate(path, f"{_HOLDS_NO_ENTRY} ({document.dialect.reason})"), None
        reason = "discovered"
        if not document.entries:
            reason += (
                ", it is not UTF-8"
                if not_text(document.text)
                else ", an open block or a malformed heading hides entries"
            )
        return Candidate(path, reason + remark, included=True), document

    def _with_emptied(self, files: list[Candidate]) -> list[Candidate]:
        """Include files that have entries in the commit `base`."""
        empty = [file.path for file in files if file.reason.startswith(_HOLDS_NO_ENTRY)]
        if not empty:
            return files
        options = ReadOptions.of(self.settings.file)
        committed = self.at_base(empty)
        before = {path: read(data, options) for path, (_, data) in committed.items()}
        emptied = {
            path
            for path, document in before.items()
            if document.entries and why_no_memory(path, document) != IS_LINK_INDEX
        }
        reason = "discovered; its entries were removed since the last commit"
        return [
            Candidate(file.path, reason, included=True) if file.path in emptied else file
            for file in files
        ]

    def at_base(self, paths: Sequence[str]) -> dict[str, tuple[str, bytes]]:
        """Return the real names and contents of files in the commit `base`, through renames."""
        from learnings.history.git.tracked import RenamedFiles  # noqa: PLC0415  (seldom needed)

        tree, rev = self.tree, self._base()
        real = {path: tree.real(path) or path for path in paths}
        found = {p: (real[p], data) for p, data in tree.committed(paths, rev=rev).items()}
        for path in [path for path in paths if path not in found and tree.has_git]:
            names = RenamedFiles(tree.root).former_names(real[path])
            gone = [name for name in names if not tree.is_listed(name)]
            for former, data in tree.committed(gone, rev=rev).items():
                found[path] = (former, data)
        return found

    def _unread(self, known: Container[str]) -> Iterator[Candidate]:
        """Yield the files in closed folders, those with a state by name, and links to nothing."""
        closed = tuple(f"{folder}/".lstrip("/") for folder in self.tree.closed)
        for path in self.names.memories if closed else ():
            folder, _, name = path.rpartition("/")
            if path.startswith(closed) and folder in self._usual and name in LEARNINGS_NAMES:
                yield Candidate(path, f"{CANNOT_BE_READ} (its folder cannot be read)")
        states = dict.fromkeys(path for place in STATE_PLACES for path in self.tree.files(place))
        yield from (Candidate(path, IS_STATE) for path in states if path not in known)
        for path in (place for place in FOLDER_PLACES if "*" not in place):
            if self.tree.is_listed(path) and self.tree.link_text(path) is not None:
                obstacle = self.tree.obstacle(path) or ""
                if obstacle == LEADS_OUT or obstacle.startswith(BROKEN_LINK):
                    yield Candidate(path, obstacle)

    def problem_of(self, candidate: Candidate) -> MissingConfigured | UnusableFile | None:
        """Return why a skipped learnings file stops a command, or None if it does not."""
        if candidate.included:
            return None
        reason, path = candidate.reason, candidate.path
        file = next((file for file in self.settings.files if file.path == path), None)
        if file is not None and not reason.startswith(SAME_FILE):
            origin = file.origins["path"]
            try:
                configured_file(self.tree.full(path), shown=path, origin=origin)
            except MissingConfigured as error:
                return error
            return MissingConfigured(
                f"{origin}: {printable(path)} cannot be used ({reason}); correct it"
            )
        if reason.startswith(CANNOT_BE_READ):
            return UnusableFile(
                f"{printable(path)} has the name of a learnings file and {reason}; make it "
                "readable, or name the files to read"
            )
        if candidate.is_faulty and not reason.startswith("broken"):
            is_large = reason.startswith(IS_TOO_LARGE)
            advice = f"{reason}; split or exclude it" if is_large else f"is {reason}; remove it"
            return UnusableFile(f"{printable(path)} {advice}")
        return None

    # Memory folders.

    @cached_property
    def folders(self) -> tuple[Candidate, ...]:
        """The memory folders: configured, else those in the usual places with an entry."""
        if self.settings.files:
            return tuple(
                Candidate(str(file.path), f"configured ({file.origins['path']})", included=True)
                for file in self.settings.files
                if is_folder(self.tree.full(str(file.path)))
            )
        found = (self.tree.files(place, with_folders=True) for place in FOLDER_PLACES)
        return tuple(
            Candidate(path, "discovered", included=True)
            for path in dict.fromkeys(chain.from_iterable(found))
            if not is_copy(path) and is_folder(self.tree.full(path)) and self.entries_in(path)
        )

    def entries_in(self, folder: str) -> list[str]:
        """Return the files of a memory folder that are entries, sorted."""
        files = [
            path
            for path in self.tree.files(f"{folder}/**/*.md")
            if path not in self.learnings_paths and memory_folder_of(path, [folder]) == folder
        ]
        self.tree.expect(files)
        return [path for path in files if self.tree.unusable(path) is None]

    def read_folder(self, folder: str) -> FolderDocument:
        """Read the entries of a memory folder within limits. Raises MissingFile if it has none."""
        from learnings.core.entries.memory_folder import FolderDocument  # noqa: PLC0415  (few repositories have one)
        from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (as above)

        files = []
        for path in self.entries_in(folder):
            try:
                files.append((path, read_file(self.tree.full(path), shown=path)))
            except (MissingFile, UnusableFile):
                continue
        if not files:
            raise MissingFile(
                f"{printable(folder)} contains no Markdown file that can be an entry; name another "
                "folder or a file"
            )
        index = index_of(self.tree, folder)
        lines = blocks_of(read_file(self.tree.full(index), shown=index)).lines if index else ()
        return FolderDocument(folder, files, index_lines=len(lines))

    @cached_property
    def topics(self) -> tuple[Candidate, ...]:
        """The files in memory folders, each of which is an entry."""
        return tuple(
            Candidate(path, f"in the memory folder {folder.path}", included=True)
            for folder in self.folders
            for path in self.entries_in(folder.path)
        )

    # Links.

    @cached_property
    def links(self) -> Mapping[str, str]:
        """The links on disk that lead to memories, or may, with their texts; no file is read."""
        folders = [str(file.path) for file in self.settings.files]
        if folders:
            return self.tree.links([*folders, *(f"{folder}/**/*.md" for folder in folders)])
        named = (path for folder in self._usual for path in self._named_in(folder))
        inner = (f"{folder}/**/*.md" for folder in FOLDER_PLACES)
        return self.tree.links([*self._usual, *named, *MEMORY_PLACES, *HIDDEN_PLACES, *inner])

    @cached_property
    def nested(self) -> Mapping[str, str]:
        """The memories that belong to a repository inside this one, with its folder."""
        if not may_track(find_root(self.tree.root), SUBMODULE_MODE):
            return {}
        configured = (str(file.path) for file in self.settings.files)
        if not any(self._repository_of(path) for path in (*self.links, *configured)):
            return {}
        files = (*self.learnings, *self.folders)
        # One that has lost all entries there is a memory, too.
        paths = [f.path for f in files if f.included or f.reason.startswith(_HOLDS_NO_ENTRY)]
        return {path: folder for path in paths if (folder := self._repository_of(path))}

    def _repository_of(self, path: str) -> str | None:
        return self.tree.repository_of(self.tree.real(path) or "")

    # Targets.

    @cached_property
    def targets(self) -> tuple[Candidate, ...]:
        """The target files, including instructions unless configured, and skipped ones."""
        met, patterns = Met(), dict[str, str]()
        for path in self.learnings_paths:
            self.tree.first_path(path, met)
        for pattern in target_patterns(self.settings):
            paths = self.tree.files(pattern)
            unmatched = [] if paths or self.settings.targets is None else [pattern]
            for path in paths or unmatched:
                patterns.setdefault(path, pattern)
        for path in self.names.instructions if self.settings.targets is None else ():
            if self.tree.is_listed(path):
                patterns.setdefault(path, f"**/{path.rpartition('/')[2]}")
        self.tree.expect(patterns)
        order = self.tree.links_last(patterns)
        found = {path: self._target(path, patterns[path], met) for path in order}
        return tuple(found[path] for path in patterns)

    def _target(self, path: str, pattern: str, met: Met) -> Candidate:
        # role_of() would compare each of many names with all patterns.
        if path in self.learnings_paths or is_learnings_path(path, self.settings):
            return Candidate(path, "a learnings file")
        if path in self.settings.index:
            return Candidate(path, "the memory index")
        origin = self.settings.origins.get("targets")
        is_named = path == pattern
        obstacle = self.tree.obstacle(path, named=is_named)
        if origin is None or not is_named:
            obstacle = obstacle or self.tree.unusable(path)
        obstacle = obstacle or self.tree.duplicate(path, met)
        set_at = f"configured ({origin})" if origin else "default"
        return Candidate(path, obstacle or f"{set_at}: {pattern}", included=obstacle is None)

    # Indexes.

    @cached_property
    def indexes(self) -> tuple[Candidate, ...]:
        """The existing memory indexes. Raises MissingFile if a configured one is missing."""
        return tuple(self.indexes_at(self.settings.index))

    def indexes_at(self, paths: Iterable[str]) -> Iterator[Candidate]:
        """Yield the existing ones of some memory indexes; raises as `indexes`."""
        origin = self.settings.origins.get("index")
        for path in paths:
            if origin:
                configured_file(self.tree.full(path), shown=path, origin=origin)
            if self.tree.is_listed(path):
                obstacle = self.tree.obstacle(path, named=True) if origin else None
                obstacle = obstacle if origin else self.tree.unusable(path)
                reason = f"configured ({origin})" if origin else "default"
                yield Candidate(path, obstacle or reason, included=obstacle is None)

    @cached_property
    def blocks(self) -> tuple[Candidate, ...]:
        """The unconfigured learnings files with an index block; raises as read_file() does."""
        from learnings.index.rows import has_block  # noqa: PLC0415  (for an index only)

        return tuple(
            Candidate(path, "a learnings file with an index block", included=True)
            for path in self.learnings_paths
            if path not in self.settings.index
            if has_block(read_file(self.tree.full(path), shown=path))
        )

    @cached_property
    def loaded_indexes(self) -> tuple[Candidate, ...]:
        """The indexes that agents keep in the root and in packages, without another role."""
        met = Met()
        packages = ("", *(f"{package}/" for package in self.names.packages))
        patterns = (f"{prefix}{LOADED_INDEXES}" for prefix in packages)
        found = dict.fromkeys(path for pattern in patterns for path in self.tree.files(pattern))
        candidates = []
        for path in self.tree.links_last(found):
            is_index = role_of(path, self.settings) is Role.INDEX
            if is_index and path not in (*self.settings.index, *self.learnings_paths):
                unusable = self.tree.unusable(path) or self.tree.duplicate(path, met)
                reason = unusable or "loaded by agents"
                candidates.append(Candidate(path, reason, included=unusable is None))
        return tuple(candidates)

    @cached_property
    def link_indexes(self) -> tuple[Candidate, ...]:
        """The link indexes that no agent loads: among memory names, and in memory folders."""
        paths = [file.path for file in self.learnings if file.reason == IS_LINK_INDEX]
        if self.settings.files:
            own = {str(file.path) for file in self.settings.files}
            named = [path for folder in self._usual for path in self._named_in(folder)]
            named += self._lesson_indexes()
            paths += [p for p in named if p not in own and own.intersection(self.listed(p))]
            if index_of(self.tree, "") == LOADED_NAME and LOADED_NAME not in own:
                rows = link_rows_of(LOADED_NAME, self.tree.content(LOADED_NAME) or b"")
                paths += [LOADED_NAME] if own.intersection(map(dirname, rows)) else []
        paths += filter(None, (index_of(self.tree, folder.path) for folder in self.folders))
        if not paths:
            return ()
        loaded = {*self.settings.index, *(index.path for index in self.loaded_indexes)}
        return tuple(
            Candidate(path, IS_LINK_INDEX, included=True)
            for path in dict.fromkeys(paths)
            if path not in loaded
        )

    @property
    def all_indexes(self) -> tuple[Candidate, ...]:
        """All indexes except missing configured ones, which findings report."""
        others = (*self.loaded_indexes, *self.link_indexes)
        try:
            return (*self.indexes, *others)
        except LearningsError:
            return others


def packages_of(files: Iterable[str]) -> tuple[str, ...]:
    """Return the folders below the root that files with these paths make packages, sorted."""
    manifests = (path.rpartition("/") for path in files if path.endswith(MANIFESTS))
    found = {folder for folder, _, name in manifests if folder and name in MANIFESTS}
    return tuple(sorted(filter(is_package_path, found)))


def untracked_links(tree: Tree, places: Places, files: Iterable[str]) -> Mapping[str, str]:
    """Return the links that may lead to memories and that git does not track, with their texts.

    No version of the repository has or lacks them. files are those of one, for its packages.
    """
    links = Discovery(tree, places, packages=packages_of(files)).links
    return {path: text for path, text in links.items() if path not in tree.index.files}
