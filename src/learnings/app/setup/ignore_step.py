"""The line in .gitignore for the plans and the report that a consolidation leaves."""

from __future__ import annotations

from learnings.app.setup.step import NewText, insert_lines
from learnings.core.file_names import LEFTOVERS
from learnings.core.text import chomp, split_lines

FILE = ".gitignore"


def with_leftovers(text: str | None) -> NewText:
    """Return the ignore file with these files in it; None stands for no file."""
    present = text or ""
    if any(_covers(chomp(line)) for line in split_lines(present)):
        return NewText(present)
    return NewText(insert_lines(present, len(present), [LEFTOVERS]))


def _covers(line: str) -> bool:
    """Return True if a pattern ignores all of them: as the one that is added, or by their folder.

    Only what is certain counts; a line too many does no harm.
    """
    folder, _, name = LEFTOVERS.partition("/")
    plain = line.rstrip(" ").removeprefix("**/").removeprefix("/")
    return plain in {LEFTOVERS, name, folder, f"{folder}/", f"{folder}/*", f"{folder}/**"}
