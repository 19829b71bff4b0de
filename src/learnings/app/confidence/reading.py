"""The files of a confidence memory, read one by one: what each holds, or why it cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from learnings.app.workspace.disk import is_folder
from learnings.confidence.documents.fields import Problem
from learnings.confidence.documents.roots import Unreadable
from learnings.core.entries.document import LARGEST_FILE
from learnings.core.text import decode
from learnings.history.regular_file import read_regular

T = TypeVar("T")

LARGEST_MEMORY = 16 * LARGEST_FILE
"""Bytes of the largest file that only grows: one with entries, of which none is ever removed, or
with the applied rows, of which ten thousand are a megabyte."""


class FileProblem(NamedTuple):
    """A problem with the file that it is in: POSIX path from the root, line 1-based."""

    path: str
    line: int
    message: str
    subject: str = ""
    is_unreadable: bool = False

    def __str__(self) -> str:
        """Return the sentence with its place in front."""
        return f"{self.path}:{self.line}: {self.message}"


class Reader:
    """Reads files below a root; what is wrong in them is collected in `problems`.

    unreadable has the paths of files that nothing is known of.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.problems: list[FileProblem] = []
        self.unreadable: set[str] = set()

    def text(self, path: str, *, most: int = LARGEST_FILE) -> str | None:
        """Return the text of a file of at most so many bytes.

        None for one that is not there, or that is not readable.
        """
        try:
            data = read_regular(self._root / path, most=most, inside=self._root)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self._refuse(path, Problem(1, self._reason(path, error, most)))
            return None
        return decode(data)

    def _reason(self, path: str, error: OSError, most: int) -> str:
        if is_folder(self._root / path):
            return "is a folder where a file is expected; move it away"
        reason = error.strerror or "unknown reason"
        if reason.startswith("more than"):
            return f"has more than {most // 1_000_000} MB, which no memory file has; split it"
        return f"cannot be read ({reason}); correct that"

    def read(self, path: str, text: str | None, parse: Callable[[str], T], empty: T) -> T:
        """Return what a parser makes of a text; `empty` where there is none, or nothing usable."""
        if text is None:
            return empty
        try:
            return parse(text)
        except Unreadable as error:
            self._refuse(path, error.problem)
            return empty

    def add(self, path: str, problem: Problem) -> None:
        """Note what is wrong in a file that can be used otherwise."""
        self.problems.append(FileProblem(path, *problem))

    def _refuse(self, path: str, problem: Problem) -> None:
        self.problems.append(FileProblem(path, *problem, is_unreadable=True))
        self.unreadable.add(path)
