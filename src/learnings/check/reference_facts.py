"""The dead references in the files of a repository, by its history and working tree."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from pathlib import Path
from zlib import crc32

from learnings.core.entries.dialects import SECTIONS
from learnings.core.entries.document import Document
from learnings.core.errors import LearningsError
from learnings.core.markdown.links import loose_anchor
from learnings.core.markdown.parser import code_lines
from learnings.core.past import PastThing
from learnings.core.roles import is_log_or_record
from learnings.history.change_dates import written_at
from learnings.history.git.cached import Cache
from learnings.history.git.ignored import GitignoreRules
from learnings.history.git.repository import Repository, open_repository, refuse_shallow
from learnings.history.git.tracked import IndexedFiles, committed_blobs, indexed_files
from learnings.history.past import PastPaths, by_last_name, folders_around, past_things
from learnings.references.dead import Judged, judge
from learnings.references.definitions import FILES, anchors_in, may_define_more, names_defined
from learnings.references.written import Reference, references_in
from learnings.workspace.disk import read_file


class PresentTree:
    """The files and folders of a repository in the index and on disk: `Present` of references.dead.

    Paths are POSIX, from the root of the repository. is_partial: only some files of the index are
    on disk.
    """

    def __init__(self, root: Path, *, is_partial: bool = False) -> None:
        self._root = root
        self._is_partial = is_partial
        self._gitignore = GitignoreRules(root)
        self.has = cache(self._has)
        self._is_on_disk = cache(self._is_listed)
        self.may_be_elsewhere = cache(self._may_be_elsewhere)
        self._names = cache(self._names_in)
        self._data = cache(self._read)
        self._anchors = cache(self._anchors_in)
        self._defined = cache(self._defined_in)

    def _has(self, path: str) -> bool:
        """Return True if a file or folder exists in exactly this spelling.

        A sparse checkout keeps files off the disk that are in the index. An empty folder does not
        count, as for git.
        """
        # The disk first: reading the index costs a git run, which grows with the number of files.
        if self._is_on_disk(path):
            is_folder = os.path.isdir(self._root / path)  # noqa: PTH112  (never raises)
            if not is_folder or self._names(path):
                return True
        return path in self._sparse

    def _is_listed(self, path: str) -> bool:
        # By its folders, since a case-insensitive file system also has other spellings.
        folder, _, name = path.rpartition("/")
        return (not folder or self._is_on_disk(folder)) and name in self._names(folder)

    def _names_in(self, folder: str) -> frozenset[str]:
        try:
            return frozenset(entry.name for entry in os.scandir(self._root / folder))
        except OSError:
            return frozenset()

    def ending_in(self, path: str) -> bool:
        name = path.rpartition("/")[2]
        return any(other.endswith(f"/{path}") for other in self._by_name.get(name, ()))

    def _may_be_elsewhere(self, path: str) -> bool:
        """Return True if git ignores a path, or it is in a submodule."""
        parts = path.split("/")
        above = {"/".join(parts[:end]) for end in range(1, len(parts) + 1)}
        return not above.isdisjoint(self._indexed.submodules) or bool(
            self._gitignore.ignored([path])
        )

    def line_count(self, path: str) -> int | None:
        data = self._data(path)
        if data is None or b"\0" in data:
            return None
        return data.count(b"\n") + (not data.endswith(b"\n"))

    def has_anchor(self, path: str, anchor: str) -> bool:
        anchors = self._anchors(path)
        return anchors is None or loose_anchor(anchor) in anchors

    def _anchors_in(self, path: str) -> frozenset[str] | None:
        data = self._data(path)
        return None if data is None else anchors_in(data)

    def defines(self, tool: str, name: str, folder: str) -> bool:
        for place in dict.fromkeys(("", folder)):
            for file in FILES[tool]:
                defined = self._defined(tool, f"{place}/{file}".lstrip("/"))
                if defined is None or name in defined:
                    return True
        return bool(tool) and self.has(name)

    def _defined_in(self, tool: str, path: str) -> frozenset[str] | None:
        """Return the names that a file defines, or None if it may define any."""
        data = self._data(path) or b""
        return None if may_define_more(tool, data) else names_defined(tool, data)

    def _read(self, path: str) -> bytes | None:
        """Return the content of a file, or None; a file kept off the disk has its HEAD content."""
        try:
            return read_file(self._root / path, shown=path)
        except LearningsError:
            pass
        if path not in self._sparse:
            return None
        return committed_blobs(self._root, [path], rev="HEAD").get(path)

    @cached_property
    def _indexed(self) -> IndexedFiles:
        try:
            return indexed_files(self._root)
        except LearningsError:
            # Outside git. The later reading of the history reports it in its own words.
            return IndexedFiles(frozenset(), frozenset(), frozenset())

    @cached_property
    def _sparse(self) -> frozenset[str]:
        """The files kept off the disk on purpose, with their parent folders."""
        files = self._indexed.files if self._is_partial else self._indexed.sparse
        return files | folders_around(files)

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        files = self._indexed.files
        return by_last_name([path for path in files if path in self._sparse or self._has(path)])


NOTHING = Judged((), ())


class References:
    """The references of files in the repository at a root, judged by one reading of its history.

    is_partial: only some files of the index are on disk. in_file() raises UntrustedHistory if the
    history cannot tell: none, a shallow one, a broken one. A file without references needs no
    history.
    """

    def __init__(self, root: Path, *, is_partial: bool = False) -> None:
        self._root = root
        self._present = PresentTree(root, is_partial=is_partial)
        self._past = _Past(root)

    @property
    def lacks_content(self) -> bool:
        """True if renames are unknown because older blobs are missing."""
        return "paths" in vars(self._past) and self._past.paths.lacks_content

    def in_file(self, path: str, document: Document, *, is_learnings: bool) -> Judged:
        """Return the references of a file; path is POSIX, from the root."""
        if is_log_or_record(path, document.lines, document.outline, is_memory=is_learnings):
            return NOTHING
        references = list(_references(path, document))
        if not references:
            return NOTHING
        past = self._past

        def dates_of(lines: Sequence[int]) -> Mapping[int, float]:
            version = f"{crc32(document.text.encode('utf-8', 'surrogateescape')):08x}"
            return written_at(past.repository, past.cache, path, lines, version=version)

        folder = path.rpartition("/")[0]
        return judge(references, folder, past, self._present, written_at=dates_of)


def _references(path: str, document: Document) -> Iterator[Reference]:
    """Yield the references of a document that somebody may still follow, in document order."""
    text = "".join(document.lines)
    if "`" not in text and "](" not in text and "]:" not in text:
        return
    front_matter = document.front_matter
    hidden = document.hidden_lines
    if any(line[:4] == "    " or "\t" in line[:4] for line in document.lines):  # indented code
        code = code_lines(document.lines[front_matter:])
        hidden |= {front_matter + number for number in code}
    entries = document.entries
    in_log = document.dialect.name == SECTIONS
    superseded = [(entry.first, entry.last) for entry in entries if entry.superseded]
    kept = [(entry.first, entry.last) for entry in entries]
    for reference in references_in(path, document.lines, front_matter=front_matter, hidden=hidden):
        line = reference.line
        if any(first <= line <= last for first, last in superseded):
            continue
        if not in_log or any(first <= line <= last for first, last in kept):
            yield reference


class _Past:
    """The past contents of a repository, opened if something is not in the working tree."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @cached_property
    def repository(self) -> Repository:
        repository = open_repository(self._root)
        refuse_shallow(repository)
        return repository

    @cached_property
    def cache(self) -> Cache:
        return Cache(self.repository.cache_folder)

    @cached_property
    def paths(self) -> PastPaths:
        return PastPaths(self.repository, self.cache)

    @cached_property
    def _things_in(self) -> Callable[..., Mapping[str, PastThing]]:
        return cache(partial(past_things, self.repository, self.cache))

    def find(self, path: str) -> PastThing | None:
        return self.paths.find(path)

    def ending_in(self, path: str) -> Sequence[str]:
        return self.paths.ending_in(path)

    def beginning(self) -> int:
        return self.paths.beginning

    def line(self, path: str, number: int) -> PastThing | None:
        lengths = self._things_in(path, "lines", _length)
        return max(
            (thing for name, thing in lengths.items() if int(name) >= number and thing.removal),
            key=lambda thing: thing.removal.date if thing.removal else "",
            default=None,
        )

    def anchor(self, path: str, anchor: str) -> PastThing | None:
        return self._things_in(path, "anchors", anchors_in).get(loose_anchor(anchor))

    def definition(self, tool: str, name: str, folder: str) -> PastThing | None:
        for place in dict.fromkeys(("", folder)):
            for file in FILES[tool]:
                path = f"{place}/{file}".lstrip("/")
                if not self.paths.has_file(path):
                    continue  # one list of all paths costs less than asking git about each
                thing = self._things_in(path, f"names {tool}", _names_of(tool)).get(name)
                if thing is not None:
                    return thing
        return None


@cache
def _names_of(tool: str) -> Callable[[bytes], frozenset[str]]:
    return partial(names_defined, tool)


def _length(data: bytes) -> frozenset[str]:
    return frozenset([str(data.count(b"\n") + (not data.endswith(b"\n")))])
