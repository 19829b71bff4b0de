"""What a file of a tree may be to the memory, judged by its path, its neighbours and its entries.

A tree is the working tree, the index or a commit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from learnings.core.file_names import (
    ARCHIVE_FOLDER,
    COMPANION_NAME,
    EXPLAINING_NAMES,
    LEARNINGS_FOLDERS,
    LEARNINGS_NAMES,
    MANIFESTS,
)
from learnings.core.roles import (
    exclusion,
    is_learnings_path,
    is_lesson_index,
    is_memory_place,
    memory_folder_of,
    packages_around,
)
from learnings.core.settings.setting_values import Settings

if TYPE_CHECKING:
    from learnings.core.entries.document import Document


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
        self._settings = settings
        self._discovers = not settings.files
        self.listed = cache(self._listed)
        """Return the files to which an index in place of a learnings file only leads."""
        self.is_package = cache(self._is_package)
        """Return True for a folder with the manifest of a package."""

    def of(self, path: str) -> Place:
        """Return the place of a file; an excluded one is none."""
        above, _, inner = path.rpartition(f"/{ARCHIVE_FOLDER}/")
        archived_from = self._folder_of(f"{above}/{inner}") if above else None
        if exclusion(path, self._settings) or (self._is_named(path) and self.listed(path)):
            return Place(path, archived_from=archived_from)
        is_learnings = is_learnings_path(path, self._settings) or self._is_named(path)
        is_learnings = is_learnings or self.index_listing(path) is not None
        is_place = self._discovers and is_memory_place(path)
        places = is_place, self._is_companion(path), self._folder_of(path), archived_from
        return Place(path, is_learnings, *places)

    def _is_named(self, path: str) -> bool:
        """Return True for a learnings file by its name, in a usual folder of root or package."""
        return self._discovers and (
            is_learnings_path(path, self._settings) or self.is_in_package(path)
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
        files = [str(file.path) for file in self._settings.files]
        if exclusion(path, self._settings) or is_learnings_path(path, self._settings):
            return None
        folder = memory_folder_of(path, files)
        return folder if folder in files or self._discovers else None

    def _listed(self, path: str) -> tuple[str, ...]:
        is_index = path.rpartition("/")[2] in LEARNINGS_NAMES or is_lesson_index(path)
        if not is_index or not (data := self._content(path)):
            return ()
        from learnings.workspace.memories import files_listed  # noqa: PLC0415  (hooks mostly meet none)

        return files_listed(path, data, self._settings, self._content)

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
        from learnings.workspace.memories import holds_memory, is_memory  # noqa: PLC0415  (as above)

        document = self._read(data)
        return is_memory(document) if is_stamped else holds_memory(place.name, document)

    def _read(self, data: bytes) -> Document:
        """Read a file by the settings or, if these find no entry, in its own dialect."""
        from learnings.core.entries.document import ReadOptions, read_older, within_limits  # noqa: PLC0415  (as above)

        return read_older(within_limits(data), ReadOptions.of(self._settings.file), version=False)

    def stamped_beside(self, path: str) -> str | None:
        """Return the learnings file with time stamps in the folder of a file, or None."""
        from learnings.core.entries.dialects import TIMESTAMPED  # noqa: PLC0415  (as above)

        for name in LEARNINGS_NAMES:
            beside = f"{path.rpartition('/')[0]}/{name}".lstrip("/")
            data = self._content(beside)
            if data and not self.listed(beside):
                document = self._read(data)
                if document.entries and document.dialect.name == TIMESTAMPED:
                    return beside
        return None
