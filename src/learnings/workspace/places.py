"""What a file of a tree may be to the memory, judged by its path, its neighbours and its entries.

A tree is the working tree, the index or a commit.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from posixpath import dirname
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.dialects import TIMESTAMPED
from learnings.core.entries.document import (
    Document,
    ReadOptions,
    read,
    read_older,
    within_limits,
)
from learnings.core.errors import LearningsError
from learnings.core.file_names import (
    ARCHIVE_FOLDER,
    COMPANION_NAME,
    EXPLAINING_NAMES,
    FOLDER_INDEXES,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    LOADED_NAME,
    MANIFESTS,
)
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import (
    Role,
    exclusion,
    is_learnings_path,
    is_lesson_index,
    is_memory_place,
    is_package_path,
    memory_folder_of,
    packages_around,
    role_of,
)
from learnings.core.settings.setting_values import Settings
from learnings.core.text import not_text
from learnings.workspace.disk import read_file

if TYPE_CHECKING:
    from learnings.core.markdown.blocks import Blocks
    from learnings.workspace.tree import Tree

IS_LINK_INDEX = "an index of the files beside it"

# Rows of an index in place of a learnings file: one link alone may also be the whole entry.
_SEVERAL = 2
# An inline link, a link definition, a wiki link, or an HTML link.
_LINK = lazy_pattern(rb"(?i)\]\(|\]:|\[\[|href")

# Titles of documents about the memory of a machine: `Heap layout`, `Memory leaks`, `malloc`.
_OF_MACHINES = lazy_pattern(
    r"\b(?:m?alloc(?:at(?:or|ion)s?)?|heaps?|ram|vram|leaks?|garbage|footprint|buffers?|addressing"
    r"|memory (?:usage|management|layout|model|maps?|safety|profil\w+|limits?|pools?))\b",
    flags=re.IGNORECASE,
)
# Words of rules and lessons, some of which every memory has.
_OF_WORK = lazy_pattern(
    r"\b(?:agents?|claude|sessions?|users?|repo(?:sitory)?|projects?|deci(?:ded|sions?)|lessons?"
    r"|learn\w*|prefer\w*|workflow|always|never|don't|avoid|remember)\b|\b20\d\d-\d\d-\d\d\b",
    flags=re.IGNORECASE,
)


class Place(NamedTuple):
    """What a file may be to the memory, under the name that makes it so.

    is_place: a file of a tool, is_companion: a DECISIONS.md; both are memories by their content.
    folder is the memory folder of which the file is an entry, archived_from the one whose archive
    contains it.
    """

    name: str
    is_learnings: bool = False
    is_place: bool = False
    is_companion: bool = False
    folder: str | None = None
    archived_from: str | None = None

    @property
    def may_be_memory(self) -> bool:
        return self.is_learnings or self.is_place or self.is_companion or self.folder is not None

    @property
    def rank(self) -> tuple[bool, ...]:
        """The order of the names of a file: the one with most meaning counts."""
        is_archived = self.archived_from is not None
        return self.is_learnings, self.folder is not None, self.may_be_memory, is_archived


class Places:
    """The places of a tree by some settings; content returns a file from the root, or None."""

    def __init__(self, content: Callable[[str], bytes | None], settings: Settings) -> None:
        self._content = content
        self.settings = settings
        self._discovers = not settings.files
        self.listed = cache(self._listed)
        """Return the files to which an index in place of a learnings file only leads."""
        self.is_package = cache(self._is_package)
        """Return True for a folder with the manifest of a package."""

    def of(self, path: str) -> Place:
        """Return the place of a file; an excluded one is none."""
        above, _, inner = path.rpartition(f"/{ARCHIVE_FOLDER}/")
        archived_from = self._folder_of(f"{above}/{inner}") if above else None
        if exclusion(path, self.settings) or (self._is_named(path) and self.listed(path)):
            return Place(path, archived_from=archived_from)
        is_learnings = is_learnings_path(path, self.settings) or self._is_named(path)
        is_learnings = is_learnings or self.index_listing(path) is not None
        is_place = self._discovers and is_memory_place(path)
        places = is_place, self._is_companion(path), self._folder_of(path), archived_from
        return Place(path, is_learnings, *places)

    def _is_named(self, path: str) -> bool:
        """Return True for a learnings file by its name, in a usual folder of root or package."""
        return self._discovers and (
            is_learnings_path(path, self.settings) or self.is_in_package(path)
        )

    def is_in_package(self, path: str, name: str = "") -> bool:
        """Return True if a path is a learnings file of a package, or a file with the name there."""
        return any(
            map(self.is_package, packages_around(path, (name,) if name else LEARNINGS_NAMES))
        )

    def _is_package(self, folder: str) -> bool:
        return any(self._content(f"{folder}/{name}") is not None for name in MANIFESTS)

    def _is_companion(self, path: str) -> bool:
        folder, _, name = path.rpartition("/")
        return (
            self._discovers
            and name == COMPANION_NAME
            and (folder in LEARNINGS_FOLDERS or self.is_in_package(path, COMPANION_NAME))
        )

    def _folder_of(self, path: str) -> str | None:
        files = [str(file.path) for file in self.settings.files]
        if exclusion(path, self.settings) or is_learnings_path(path, self.settings):
            return None
        folder = memory_folder_of(path, files)
        return folder if folder in files or self._discovers else None

    def _listed(self, path: str) -> tuple[str, ...]:
        """Most of what such an index says is rows with links to files that hold entries.

        These are below it, or beside it in a folder of lessons.
        """
        is_index = path.rpartition("/")[2] in LEARNINGS_NAMES or is_lesson_index(path)
        data = (self._content(path) if is_index else None) or b""
        names = data.count(b".md") + data.count(b"[[")  # `[[name]]` has no suffix
        if names < _SEVERAL or _LINK.search(data) is None:
            return ()
        from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (few such files have links)
        from learnings.index.link_rows import link_rows  # noqa: PLC0415  (as above)

        blocks = blocks_of(within_limits(data))
        starts = _starts(blocks)
        rows = {row.line: row.target for row in link_rows(path, blocks) if row.line in starts}
        contents = {file: self._content(file) for file in rows.values() if _may_list(path, file)}
        files = {file: within_limits(source) for file, source in contents.items() if source}
        options = ReadOptions.of(self.settings.file)
        with_entries = {file for file, source in files.items() if read(source, options).entries}
        leading = sum(target in with_entries for target in rows.values())
        chapters = (heading.line for heading in blocks.outline.headings if heading.level > 1)
        below = min([*rows, *chapters], default=0)  # what stands above is the introduction
        is_only_index = leading >= _SEVERAL and 2 * leading > sum(s >= below for s in starts)
        return tuple(files) if is_only_index else ()

    def index_listing(self, path: str) -> str | None:
        """Return the index in place of a learnings file that lists a Markdown file, or None."""
        folder = path if self._discovers and path.endswith(".md") else ""
        while folder:
            folder = folder.rpartition("/")[0]
            for name in (*LEARNINGS_NAMES, *EXPLAINING_NAMES):
                index = f"{folder}/{name}".lstrip("/")
                if index == path or path not in self.listed(index):
                    continue
                if self._is_named(index) or is_lesson_index(index):
                    return index
        return None

    def is_memory(self, place: Place, data: bytes) -> bool:
        """Return True if a file with this content is a memory in its place."""
        if place.is_learnings or place.folder is not None:
            return True
        is_stamped = place.is_companion and self.stamped_beside(place.name) is not None
        if not is_stamped and not place.is_place:
            return False
        document = self._read(data)
        may_be = is_stamped or why_no_memory(place.name, document) is None
        return may_be and is_memory(document)

    def _read(self, data: bytes) -> Document:
        """Read a file by the settings or, if these find no entry, in its own dialect."""
        return read_older(within_limits(data), ReadOptions.of(self.settings.file))

    def stamped_beside(self, path: str) -> str | None:
        """Return the learnings file with time stamps in the folder of a file, or None."""
        for name in LEARNINGS_NAMES:
            beside = f"{path.rpartition('/')[0]}/{name}".lstrip("/")
            data = self._content(beside)
            if data and not self.listed(beside):
                document = self._read(data)
                if document.entries and document.dialect.name == TIMESTAMPED:
                    return beside
        return None


def is_memory(document: Document) -> bool:
    """Return True if a file has entries, or may hide some: malformed, or not UTF-8."""
    return bool(document.entries or not_text(document.text)) or hides_entries(document)


def hides_entries(document: Document) -> bool:
    """Return True if an open block, or malformed lines, may hide entries of a file."""
    from learnings.core.entries.meant_lines import meant_lines  # noqa: PLC0415  (most files hold entries)

    blocks = document.outline.hiding_blocks
    return any(not block.closed for block in blocks) or bool(meant_lines(document))


def why_no_memory(path: str, document: Document) -> str | None:
    """Return why a file with entries in a tool's place is not a memory, or None if it is one."""
    if not path.endswith(LOADED_NAME):
        return None
    from learnings.index.link_rows import is_link_index  # noqa: PLC0415  (for a MEMORY.md only)

    if is_link_index(path, document.lines, document.outline):
        return IS_LINK_INDEX
    if "/" in path:  # in the folder of an agent, in whatever language
        return None
    headings = [document.lines[heading.line - 1] for heading in document.outline.headings]
    if any(map(_OF_MACHINES.search, headings)) or not _OF_WORK.search(document.text):
        return "not about work with agents"
    return None


def index_of(tree: Tree, folder: str) -> str | None:
    """Return the file that lists the others of a memory folder, or None."""
    from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (few repositories have a folder)
    from learnings.index.link_rows import is_bare, is_link_index  # noqa: PLC0415  (as above)

    for path in (f"{folder}/{name}".lstrip("/") for name in FOLDER_INDEXES):
        if tree.is_file(path):
            try:
                blocks = blocks_of(read_file(tree.full(path), shown=path))
            except LearningsError:  # it lists nothing for anybody
                continue
            if is_link_index(path, blocks.lines, blocks.outline) or is_bare(path, blocks):
                return path
    return None


def link_rows_of(path: str, data: bytes) -> list[str]:
    """Return the targets of the rows of an index of links."""
    from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (few repositories have one)
    from learnings.index.link_rows import link_rows  # noqa: PLC0415  (as above)

    return [row.target for row in link_rows(path, blocks_of(within_limits(data)))]


def _may_list(path: str, target: str) -> bool:
    """Return True for a file below an index, or beside that of a folder, without another role.

    A date or number at the start of a name beside it means that the whole file is one lesson.
    """
    folder = dirname(path)
    inner = target.removeprefix(f"{folder}/" if folder else "")
    is_below = target.startswith(f"{folder}/") if folder else "/" in target
    is_topic = is_lesson_index(path) and not inner[:1].isdigit()
    return (
        is_below
        and target != path
        and inner.endswith(".md")
        and (is_package_path(dirname(inner)) if "/" in inner else is_topic)
        and role_of(target, Settings()) in (None, Role.LEARNINGS)
        and memory_folder_of(target) is None
    )


def _starts(blocks: Blocks) -> set[int]:
    """Return the first lines (1-based) of items, rows and paragraphs, without those of headings."""
    lines, outline = blocks.lines, blocks.outline
    hidden = outline.hidden_lines(blocks.front_matter)
    headings, items = {heading.line for heading in outline.headings}, {*outline.items}
    found = set()
    for number, line in enumerate(lines, start=1):
        above = lines[number - 2] if number > 1 else ""
        is_first = not above.strip() or number - 1 in headings
        is_start = number in items or line[0] == "|" or (is_first and line[0] not in " \t")
        if is_start and line.strip(" \t\r\n-*_|:") and number not in hidden | headings:
            found.add(number)
    return found
