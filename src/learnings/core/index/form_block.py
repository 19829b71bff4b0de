"""The form `block`: a table between two markers about the entries of the file it stands in.

The markers are comments, `<!-- INDEX:START -->` and `<!-- INDEX:END -->`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from learnings.core.entries.layout import INDEX_END, INDEX_START
from learnings.core.index.files import HeadingKind, IndexedFile, Location, Target
from learnings.core.index.form_table import TableRows, rows_of_table
from learnings.core.index.lines import Insertion, hidden_lines
from learnings.core.index.model import IndexFile
from learnings.core.index.tables import tables_in
from learnings.core.markdown.blocks import Blocks
from learnings.core.text import chomp


class Block(TableRows):
    """The table in the one index block of a file, one row per entry."""

    name = "block"
    looks = "an index block"
    example = (
        "a line such as `| 2026-03-01 | When a build hangs |`, in a table between the comments "
        "`INDEX:START` and `INDEX:END`"
    )
    lists_itself = True
    is_generated = True
    has_sections = False
    has_unique_headings = False
    head = ("| Date | Entry |", "|---|---|")

    def read(self, index: IndexFile, blocks: Blocks) -> IndexFile:
        """Find the block, what forbids to rewrite it, and the rows of its tables."""
        block, faults = _block(blocks)
        contents = [chomp(line) for line in index.lines]
        first, last = block or (len(contents), len(contents))
        hidden = hidden_lines(blocks).union(range(1, first + 1), range(last, len(contents) + 1))
        tables = tuple(tables_in(contents, hidden, guess=True))
        rows = tuple(
            row._replace(path=index.path, reading=row.reading._replace(path=None))
            for group, table in enumerate(tables)
            for row in rows_of_table(index, table, group)
        )
        return index._replace(rows=rows, tables=tables, block=block, faults=faults)

    def insertion_of_table(self, index: IndexFile, texts: Sequence[str]) -> Insertion:
        """Return the end of the block; nothing is added if there is none."""
        return Insertion(index.block[1] - 1, [*texts]) if index.block else Insertion(0, [])

    def targets_of_file(
        self, index: IndexFile, file: IndexedFile, *, matched: Container[Location]
    ) -> Iterator[Target]:
        """Give the entries, none if there is no block; entries of one title have a row each.

        The order of the rows distinguishes them.
        """
        del matched
        if index.block is not None:
            for headings in file.by_key[HeadingKind.SEMANTIC].values():
                yield from (Target(file, heading) for heading in headings)


def _block(blocks: Blocks) -> tuple[tuple[int, int] | None, tuple[tuple[int, str], ...]]:
    """Return the span of the index block, and what forbids to rewrite it."""
    comments = [
        (block.first, "".join(blocks.lines[block.first - 1 : block.last]))
        for block in blocks.outline.comments
    ]
    starts = [line for line, text in comments if INDEX_START.search(text)]
    ends = [line for line, text in comments if INDEX_END.search(text)]
    if not starts and not ends:
        return None, ()
    repeated = [*starts[1:], *ends[1:]]
    if repeated:
        return None, ((min(repeated), "a second marker of the index block; remove one of them"),)
    if not starts or not ends or starts[0] >= ends[0]:
        only = min(starts + ends)
        return None, ((only, "the index block needs one INDEX:START and INDEX:END below it"),)
    inside = [h.line for h in blocks.outline.headings if starts[0] < h.line < ends[0]]
    reason = "a heading inside the index block, which a rebuild would delete; move it out"
    return (starts[0], ends[0]), tuple((line, reason) for line in inside)
