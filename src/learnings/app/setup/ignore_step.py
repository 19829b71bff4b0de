"""The line in .gitignore for the report that a consolidation leaves."""

from __future__ import annotations

from learnings.app.setup.edit import Edited, spliced, whole_lines
from learnings.core.text import chomp, newline_of, split_lines

FILE = ".gitignore"
REPORT = "tmp/consolidation-report.md"


def with_report(text: str | None) -> Edited:
    """Return the ignore file with the report in it; None stands for no file."""
    present = text or ""
    if any(_covers(chomp(line)) for line in split_lines(present)):
        return Edited(present)
    newline = newline_of(present)
    return Edited(spliced(present, [whole_lines(present, len(present), [REPORT], newline)]))


def _covers(line: str) -> bool:
    """Whether a pattern ignores the report: by itself, or with the folder that it is in.

    Only what is certain counts; a line too many does no harm.
    """
    folder, _, name = REPORT.partition("/")
    plain = line.rstrip(" ").removeprefix("**/").removeprefix("/")
    return plain in {REPORT, name, folder, f"{folder}/", f"{folder}/*", f"{folder}/**"}
