"""The dead references in the files of a repository, by its history and working tree."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from posixpath import splitext
from zlib import crc32

from learnings.core.entries.dialects import SECTIONS
from learnings.core.entries.document import Document
from learnings.core.errors import LearningsError
from learnings.core.file_names import MARKDOWN_ENDINGS
from learnings.core.markdown.anchors import loose_anchor
from learnings.core.markdown.parser import code_lines
from learnings.core.past import PastThing
from learnings.core.roles import is_log_or_record
from learnings.history.change_dates import written_at
from learnings.history.git.cached import Cache
from learnings.history.git.repository import Repository, open_repository, refuse_shallow
from learnings.history.past import PastPaths, by_last_name, ending_in, past_things
from learnings.references.dead import Judged, judge
from learnings.references.definitions import FILES, anchors_in, may_define_more, names_defined
from learnings.references.written import Reference, references_in
from learnings.workspace.tree import Tree

NOTHING = Judged((), ())


class References:
    """The references of files in a repository, judged by one reading of its tree and its history.

    It is the `Facts` of references.dead: the history is opened if something is not in the tree.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.has = tree.has
        self.packages_around = tree.packages_around
        self._data = cache(self._read)
        self._anchors = cache(self._anchors_in)
        self._defined = cache(self._defined_in)
        self._things = cache(self._things_in)

    def in_file(self, path: str, document: Document, *, is_learnings: bool) -> Judged:
        """Return the references of a file; path is POSIX, from the root.

        Raises UntrustedHistory if the history cannot tell: none, a shallow one, a broken one. A
        file without references needs no history.
        """
        if is_log_or_record(path, document.lines, document.outline, is_memory=is_learnings):
            return NOTHING

        def dates_of(lines: Sequence[int]) -> Mapping[int, float]:
            version = f"{crc32(document.text.encode('utf-8', 'surrogateescape')):08x}"
            return written_at(self._repository, self._cache, path, lines, version=version)

        references = list(_references(path, document))
        return judge(references, path.rpartition("/")[0], self, written_at=dates_of)

    @property
    def lacks_content(self) -> bool:
        """True if renames are unknown because older blobs are missing."""
        return "_paths" in vars(self) and self._paths.lacks_content

    @cached_property
    def _repository(self) -> Repository:
        repository = open_repository(self._tree.root)
        refuse_shallow(repository)
        return repository

    @cached_property
    def _cache(self) -> Cache:
        return Cache(self._repository.cache_folder)

    @cached_property
    def _paths(self) -> PastPaths:
        return PastPaths(self._repository, self._cache)

    # The tree.

    def ending_in(self, path: str) -> Sequence[str]:
        return [one for one in ending_in(path, self._by_name) if self.has(one)]

    @cached_property
    def _by_name(self) -> Mapping[str, list[str]]:
        return by_last_name(self._tree.index.files)

    def elsewhere(self, paths: Iterable[str]) -> frozenset[str]:
        asked, tree = frozenset(paths), self._tree
        tree.expect(asked)
        return frozenset(p for p in asked if tree.submodule_of(p) or tree.is_ignored(p))

    def has_part(self, path: str, line: int | None, anchor: str | None) -> bool:
        if line is None and not (anchor and path.lower().endswith(MARKDOWN_ENDINGS)):
            return True
        data = self._data(path)
        if data is None or b"\0" in data:
            return True
        if line is not None:
            return line <= _line_count(data)
        return loose_anchor(anchor or "") in self._anchors(path)

    def _anchors_in(self, path: str) -> frozenset[str]:
        return frozenset(map(loose_anchor, anchors_in(self._data(path) or b"")))

    def defines(self, tool: str, name: str, folder: str) -> bool:
        defined = (self._defined(tool, path) for path in _definers(tool, folder))
        is_defined = any(names is None or name in names for names in defined)
        return is_defined or (bool(tool) and self.has(name))

    def _read(self, path: str) -> bytes | None:
        try:
            return self._tree.read(path)
        except LearningsError:
            return None

    def _defined_in(self, tool: str, path: str) -> frozenset[str] | None:
        """Return the names that a file defines, or None if it may define any."""
        data = self._data(path) or b""
        return None if may_define_more(tool, data) else names_defined(tool, data)

    # The history.

    def beginning(self) -> int:
        return self._paths.beginning

    def past_path(self, path: str) -> PastThing | None:
        return self._paths.find(path)

    def past_ending_in(self, path: str) -> Sequence[str]:
        return self._paths.ending_in(path)

    def successors(self, paths: Collection[str]) -> Mapping[str, frozenset[str]]:
        return self._paths.successors(paths)

    def past_part(self, path: str, line: int | None, anchor: str | None) -> PastThing | None:
        if line is None:
            things, loose = self._things(path, "anchors"), loose_anchor(anchor or "")
            return next((things[one] for one in things if loose_anchor(one) == loose), None)
        lengths = self._things(path, "lines").items()
        longer = (thing for name, thing in lengths if int(name) >= line and thing.removal)
        return max(longer, key=lambda one: one.removal.date if one.removal else "", default=None)

    def past_definition(self, tool: str, name: str, folder: str) -> PastThing | None:
        # One list of all paths costs less than asking git about each.
        paths = (p for p in _definers(tool, folder) if p in self._paths.rows)
        things = (self._things(path, f"names {tool}").get(name) for path in paths)
        thing = next(filter(None, things), None)
        return None if thing is None or self._is_named_elsewhere(tool, name) else thing

    def _is_named_elsewhere(self, tool: str, name: str) -> bool:
        """Return True if another file defines a name, or a file is called as a program."""
        if not tool and name in self._stems:
            return True
        paths = (path for file in FILES[tool] for path in self._by_name.get(file, ()))
        return any((names := self._defined(tool, path)) is None or name in names for path in paths)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(splitext(name)[0] for name in self._by_name)

    def _things_in(self, path: str, kind: str) -> Mapping[str, PastThing]:
        return past_things(self._repository, self._cache, path, kind, _PARTS[kind])


def _line_count(data: bytes) -> int:
    return data.count(b"\n") + (not data.endswith(b"\n"))


def _definers(tool: str, folder: str) -> Iterator[str]:
    """Yield the files that may define the names of a tool, in the root and in a folder."""
    for place in dict.fromkeys(("", folder)):
        yield from (f"{place}/{file}".lstrip("/") for file in FILES[tool])


def _names_defined(tool: str, data: bytes) -> dict[str, None]:
    return dict.fromkeys(names_defined(tool, data))


# The parts of a file by their kind, which also names them in the cache.
_PARTS: Mapping[str, Callable[[bytes], Mapping[str, frozenset[str] | None]]] = {
    "lines": lambda data: {str(_line_count(data)): None},
    "anchors": anchors_in,
    **{f"names {tool}": partial(_names_defined, tool) for tool in FILES},
}


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
