"""How the tests of the memory index write an index and its files."""

from __future__ import annotations

from collections.abc import Iterator

from learnings.core.entries.document import read
from learnings.core.index.check import problems
from learnings.core.index.files import IndexedFile, entries_of, headings_of
from learnings.core.index.fix import fixed
from learnings.core.index.model import BLOCK, ROWS, IndexFile, read_index

PATH = "agents/memory-index.md"
Files = dict[str, str]
ONE: Files = {
    "a.md": "# A\n\n## When one\n\nFirst. More.\n\n## How to two\n\n## Three\n\nThird: x.\n"
}
TWO: Files = {**ONE, "b.md": "# B\n\n## When four\n\nx\n"}


def held(text: str, files: Files, form: str = ROWS) -> tuple[IndexFile, list[IndexedFile]]:
    """Return an index and what it is held against; a block against its own file."""
    data = text.encode()
    index = read_index(data, form=form, path=PATH)
    if form == BLOCK:
        return index, [entries_of(PATH, read(data))]
    return index, [headings_of(path, source.encode()) for path, source in files.items()]


def told(
    text: str, files: Files, form: str = ROWS, *, fuzzy: float | None = None
) -> list[tuple[str, str, int]]:
    """Return what is found: kind without `index-`, path (empty for the index), line."""
    return sorted(_told(*held(text, files, form), fuzzy))


def _told(
    index: IndexFile, files: list[IndexedFile], fuzzy: float | None
) -> Iterator[tuple[str, str, int]]:
    for each in problems(index, files, fuzzy=fuzzy):
        path = "" if each.path == PATH else each.path
        yield each.kind.removeprefix("index-"), path, each.line


def mended(text: str, files: Files, form: str = ROWS, *, add_missing: bool = False) -> str:
    """Return the text after a fix."""
    return fixed(*held(text, files, form), add_missing=add_missing).decode()
