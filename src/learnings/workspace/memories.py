"""What makes a file a memory, judged by its content."""

from __future__ import annotations

import re

from learnings.core.entries.document import Document
from learnings.core.errors import LearningsError
from learnings.core.file_names import FOLDER_INDEXES, LOADED_NAME
from learnings.core.patterns import lazy_pattern
from learnings.core.text import not_text
from learnings.workspace.disk import read_file
from learnings.workspace.tree import Tree

IS_LINK_INDEX = "an index of the files beside it"

# Titles of documents about the memory of a machine: `Heap layout`, `Memory leaks`, `malloc`.
_OF_MACHINES = lazy_pattern(
    r"\b(?:m?alloc(?:at(?:or|ion)s?)?|heaps?|ram|vram|leaks?|garbage|footprint|buffers?|addressing"
    r"|memory (?:usage|management|layout|model|maps?|safety|profil\w+|limits?|pools?))\b",
    flags=re.IGNORECASE,
)
# Words of rules and lessons, some of which every memory has.
_OF_WORK = lazy_pattern(
    r"\b(?:agents?|claude|sessions?|users?|repo(?:sitory)?|projects?|deci(?:ded|sions?)|lessons?"
    r"|learn\w*|prefer\w*|workflow|always|never|don't|avoid|remember)\b|\b20\d\d-\d\d-\d\d\b",
    flags=re.IGNORECASE,
)


def is_memory(document: Document) -> bool:
    """Return True if a file has entries, or may hide some: malformed, or not UTF-8."""
    return bool(document.entries or not_text(document.text)) or hides_entries(document)


def hides_entries(document: Document) -> bool:
    """Return True if an open block, or malformed lines, may hide entries of a file."""
    from learnings.core.entries.meant_lines import meant_lines  # noqa: PLC0415  (most files hold entries)

    blocks = document.outline.hiding_blocks
    return any(not block.closed for block in blocks) or bool(meant_lines(document))


def holds_memory(path: str, document: Document) -> bool:
    """Return True if a file in a tool's place is a memory: it may hide its entries."""
    return is_memory(document) and why_no_memory(path, document) is None


def why_no_memory(path: str, document: Document) -> str | None:
    """Return why a file with entries in a tool's place is not a memory, or None if it is one."""
    if not path.endswith(LOADED_NAME):
        return None
    from learnings.index.link_rows import is_link_index  # noqa: PLC0415  (for a MEMORY.md only)

    if is_link_index(document.lines, document.outline):
        return IS_LINK_INDEX
    headings = [document.lines[heading.line - 1] for heading in document.outline.headings]
    if any(map(_OF_MACHINES.search, headings)) or not _OF_WORK.search(document.text):
        return "not about work with agents"
    return None


def index_of(tree: Tree, folder: str) -> str | None:
    """Return the file that lists the others of a memory folder, or None."""
    from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (few repositories have a folder)
    from learnings.index.link_rows import is_bare, is_link_index  # noqa: PLC0415  (as above)

    for path in (f"{folder}/{name}" for name in FOLDER_INDEXES):
        if tree.is_file(path):
            try:
                blocks = blocks_of(read_file(tree.full(path), shown=path))
            except LearningsError:  # it lists nothing for anybody
                continue
            if is_link_index(blocks.lines, blocks.outline) or is_bare(path, blocks):
                return path
    return None
