"""Small memories and target files for the tests of consolidation."""

from __future__ import annotations

from learnings.consolidation.text.sections import TargetFile, target_of
from learnings.core.entries.document import Document, read

TARGET = "agents/decisions/all.md"


def memory(*entries: tuple[str, str]) -> Document:
    """Return a learnings file with entries given as title and text."""
    text = "".join(f"## {title}\n\n{body}\n\n" for title, body in entries)
    return read(f"# Learnings\n\n{text}".encode())


def target(*sections: tuple[str, str], path: str = TARGET) -> TargetFile:
    """Return a target file with sections given as heading and text."""
    text = "".join(f"## {title}\n\n{body}\n\n" for title, body in sections)
    return target_of(path, f"# Decisions\n\n{text}".encode())
