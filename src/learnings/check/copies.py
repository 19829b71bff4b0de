"""Entries that stand word for word in several memory files of one check."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from learnings.core.entries.document import Document, Entry, is_without_text
from learnings.core.errors import LearningsError

if TYPE_CHECKING:
    from learnings.rules.rule import Copies
    from learnings.workspace.workspace import Workspace

# Chosen: a shorter entry, such as `Use uv.`, may well belong to two packages.
_FEWEST_WORDS = 5


class CopySearch:
    """The entries of the memory files seen so far."""

    def __init__(self) -> None:
        self._files: list[tuple[str, Document]] = []
        self._places: dict[str, tuple[str, int]] = {}

    def among(self, path: str, document: Document) -> dict[str, list[tuple[int, int]]]:
        """Add a file; return its entries that earlier files have, as a rule gets them.

        These are pairs of 1-based lines, here and there, by the path of the earlier file.
        """
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for other, earlier in self._files:  # most repositories have one file: it is not compared
            for text, entry in _texts(earlier):
                self._places.setdefault(text, (other, entry.first))
        self._files = [(path, document)]
        for text, entry in _texts(document) if self._places else ():
            if text in self._places:
                other, line = self._places[text]
                found[other].append((entry.first, line))
        return found


def copied_files(workspace: Workspace, paths: Sequence[str]) -> set[str]:
    """Return the memory files of which most entries stand in an earlier one of these files too."""
    from learnings.workspace.memory_file import MemoryFile  # noqa: PLC0415  (for set-up alone)

    copied, search = set(), CopySearch()
    for path in paths if len(paths) > 1 else ():
        with suppress(LearningsError):  # other outputs name what cannot be read
            document = MemoryFile(workspace, workspace.root / path).document
            if is_copied(document, search.among(path, document)):
                copied.add(path)
    return copied


def is_copied(document: Document, copies: Copies) -> bool:
    """Return True if most entries are copies: then an agent needs only the other file."""
    return 2 * sum(map(len, copies.values())) > len(document.entries)


def _texts(document: Document) -> Iterator[tuple[str, Entry]]:
    """Yield the entries that say something, with their text without white space at line ends."""
    for entry in document.entries:
        text = "\n".join(line.rstrip() for line in entry.lines).rstrip()
        if len(text.split()) >= _FEWEST_WORDS and not is_without_text(entry):
            yield text, entry
