"""The lines that are missing in the instructions for agents, by which they read the memory."""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from learnings.check.loading import MemoryLoading
from learnings.core.instruction_paths import import_line
from learnings.workspace.disk import content_of, is_file, is_link
from learnings.workspace.workspace import Workspace

# At the root: files in which an agent follows imports, and others.
_IMPORTING = ("CLAUDE.md", ".claude/CLAUDE.md")
_TELLING = ("AGENTS.md", "GEMINI.md", ".github/copilot-instructions.md")
_TOLD = (
    "Read {files} before you start. When something was harder than expected, append an entry like "
    "the others: what to do next time, and why."
)


class MissingLines(NamedTuple):
    """Lines for a file of instructions, by its POSIX path from the root, with its content."""

    path: str
    lines: tuple[str, ...]
    before: bytes

    def command(self, shown: str) -> str:
        """Return the command that appends the lines to `shown`, below a blank line."""
        blank = [] if not self.before else [""] if self.before.endswith(b"\n") else ["", ""]
        # In quotes always: `@` has a meaning in PowerShell.
        quoted = [shlex.quote(line) for line in (*blank, *self.lines)]
        words = [word if word.startswith("'") else f"'{word}'" for word in quoted]
        program = "echo" if len(words) == 1 else "printf '%s\\n'"
        return f"{program} {' '.join(words)} >> {shown}"


def missing_lines(workspace: Workspace) -> Iterator[MissingLines]:
    """Give the lines that name learnings files which no instructions name yet.

    They are imports for CLAUDE.md, sentences for files such as AGENTS.md.
    """
    root, loading = workspace.root, MemoryLoading(workspace.root)
    files = [file.path for file in workspace.learnings_files() if file.included]
    unnamed = [path for path in files if not loading.is_named(path)]
    if not unnamed:
        return
    importing, telling = _first_present(root, _IMPORTING), _first_present(root, _TELLING)
    if importing and telling and telling.encode() in content_of(root / importing):
        importing = None  # its reader comes to the other one as well
    if importing or not telling:
        path = importing or _IMPORTING[0]
        folder = posixpath.dirname(path) or "."
        imports = tuple(import_line(posixpath.relpath(file, folder)) for file in unnamed)
        yield MissingLines(path, imports, content_of(root / path))
    if telling:
        told = _TOLD.format(files=" and ".join(f"`{file}`" for file in unnamed))
        yield MissingLines(telling, (told,), content_of(root / telling))


def _first_present(root: Path, names: Iterable[str]) -> str | None:
    present = (name for name in names if is_file(root / name) and not is_link(root / name))
    return next(present, None)
