"""The files of one folder of learning tiers, as they are compacted and checked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from learnings.tiers.index_file import IndexFile
from learnings.tiers.raw_files import RawFile, SkippedFile
from learnings.tiers.theme_file import ThemeFile
from learnings.tiers.trigger import Trigger

THEMES = "themes"


class TierFiles(NamedTuple):
    """What a folder holds: raw files, themes and INDEX; folder is POSIX from the root.

    skipped are files that are no valid raw file. unusable are names in the folder of themes that
    are no theme files, with the reason; a new theme takes none of them.
    """

    folder: str
    raw: tuple[RawFile, ...]
    skipped: tuple[SkippedFile, ...]
    themes: tuple[ThemeFile, ...]
    index_file: IndexFile
    unusable: tuple[SkippedFile, ...] = ()

    def trigger(self, *, strict: bool) -> Trigger:
        """Return the numbers by which a compaction is due."""
        return Trigger(len(self.raw), self.index_file.processed, strict)

    def theme_path(self, name: str) -> str:
        """Return the path of a theme, POSIX from the root."""
        return f"{self.folder}/{THEMES}/{name}.md"

    def taken_names(self) -> Iterator[str]:
        """Give the names that no new theme may have: those of files, and of rows without one."""
        yield from (theme.name for theme in self.themes)
        yield from (file.name.removesuffix(".md") for file in self.unusable)
        yield from (row.name for row in self.index_file.rows)
