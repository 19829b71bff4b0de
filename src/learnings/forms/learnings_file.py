"""The dialect in which a learnings file is read, and others that are as likely."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from learnings.core.entries.ambiguities import second_reading
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.file_names import OWN_FILE
from learnings.workspace.workspace import Workspace

if TYPE_CHECKING:
    from learnings.core.entries.document import Document
    from learnings.workspace.memory_file import MemoryFile

MOST_TITLES = 3
"""Number of titles to show: enough to see whether the entries were recognised."""


class FileReading(NamedTuple):
    """The reading of a file; level is 0 without headings, titles are the first three.

    lines is its size as a memory; that of a folder are the lines of its files.
    """

    dialect: str
    level: int
    reason: str
    entries: int
    titles: tuple[str, ...]
    lines: int
    ambiguity: str | None


def doubt_of(workspace: Workspace, name: str, document: Document) -> str | None:
    """Return another likely reading of a file, and the line of the configuration that selects it.

    name is the path from the root, document what the file holds. None if there is none.
    """
    ambiguity = second_reading(document) if document.entries else None
    if ambiguity is None:
        return None
    config = workspace.config.path.name if workspace.config else OWN_FILE
    tables = [f for f in workspace.settings.files if f.origins["path"].keys[0] == "file"]
    others = [memory.path for memory in workspace.found.memories if memory.path != name]
    if tables:
        return f"{ambiguity} in the table of this file in {config}"
    if workspace.settings.files or not others:
        return f"{ambiguity} in {config}"
    own = f"{{ path = {_toml(name)}, {ambiguity.setting.replace(' and ', ', ')} }}"
    rest = (f"{{ path = {_toml(path)} }}" for path in others)
    return f"{ambiguity} by this line in {config}: file = [{', '.join([own, *rest])}]"


def _toml(text: str) -> str:
    import json  # noqa: PLC0415  (few files can be read in two ways)

    return json.dumps(text, ensure_ascii=False)


def reading_of(file: MemoryFile) -> FileReading | None:
    """Return the reading of a file, or None if it is missing, unreadable, or too large."""
    try:
        return reading(file)
    except (MissingFile, UsageProblem):
        return None


def reading(file: MemoryFile) -> FileReading:
    """Return the reading of a file. Raises MissingFile and UnusableFile."""
    document = file.document
    dialect, entries = document.dialect, document.entries
    return FileReading(
        dialect=dialect.name,
        level=dialect.level,
        reason=dialect.reason,
        entries=len(entries),
        titles=tuple(entry.heading for entry in entries[:MOST_TITLES]),
        lines=document.size.number if document.size.unit == "line" else len(document.lines),
        ambiguity=doubt_of(file.workspace, file.name, document),
    )
