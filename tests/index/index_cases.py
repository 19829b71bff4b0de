"""How the tests of the memory index write an index and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from learnings.core.entries.document import read
from learnings.index.comparison import problems_of
from learnings.index.fixing import fixed
from learnings.index.headings import IndexedFile, entries_of, headings_of
from learnings.index.rows import Index, read_index

ROWS, TABLE, BLOCK = "rows", "table", "block"
PATH = "agents/memory-index.md"
Files = dict[str, str]
ONE: Files = {
    "a.md": "# A\n\n## When one\n\nFirst. More.\n\n## How to two\n\n## Three\n\nThird: x.\n"
}
TWO: Files = {**ONE, "b.md": "# B\n\n## When four\n\nx\n"}
# An index of a.md in each form, with a row for `When x` and one for `Key`.
FORMS_AS_TEXT: Mapping[str, str] = {
    ROWS: "## a.md\n\n/when x | y\nKey — s\n",
    TABLE: "| Topic | File | Key |\n|---|---|---|\n| t | a.md | /when x |\n| t | a.md | Key |\n",
    BLOCK: "<!-- INDEX:START -->\n| Date | Entry |\n|---|---|\n| d | When x |\n| d | Key |\n"
    "<!-- INDEX:END -->\n\n## When x\n",
}


def index_and_files(text: str, files: Files, form: str = ROWS) -> tuple[Index, list[IndexedFile]]:
    """Return an index and the files it is compared with: for a block its own entries."""
    data = text.encode()
    index = read_index(data, form=form, path=PATH)
    if index.form.is_block:
        return index, [entries_of(PATH, read(data))]
    return index, [headings_of(path, source.encode()) for path, source in files.items()]


def problems_in(text: str, files: Files, form: str = ROWS) -> list[tuple[str, str, int]]:
    """Return what is wrong: kind, path (empty for the index), line."""
    index, indexed = index_and_files(text, files, form)
    found = problems_of(index, indexed)
    return sorted((one.kind, one.path if one.path != PATH else "", one.line) for one in found)


def fixed_index(
    index: Index,
    files: Sequence[IndexedFile],
    **options: Any,  # noqa: ANN401  (those of fixed())
) -> bytes:
    """Return the file of an index after a fix."""
    return fixed(index, files, **options).after.to_bytes()


def fixed_text(text: str, files: Files, form: str = ROWS, *, add_missing: bool = False) -> str:
    """Return the text after a fix."""
    return fixed_index(*index_and_files(text, files, form), add_missing=add_missing).decode()
