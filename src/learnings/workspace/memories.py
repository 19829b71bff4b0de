"""What makes a file a memory, judged by its content."""

from __future__ import annotations

import re
from collections.abc import Callable
from posixpath import dirname

from learnings.core.entries.document import Document, ReadOptions, read, within_limits
from learnings.core.errors import LearningsError
from learnings.core.file_names import FOLDER_INDEXES, LOADED_NAME
from learnings.core.markdown.blocks import Blocks
from learnings.core.patterns import lazy_pattern
from learnings.core.roles import Role, is_lesson_index, is_package_path, memory_folder_of, role_of
from learnings.core.settings.setting_values import Settings
from learnings.core.text import not_text
from learnings.workspace.disk import read_file
from learnings.workspace.tree import Tree

IS_LINK_INDEX = "an index of the files beside it"

# Rows of an index in place of a learnings file: one link alone may also be the whole entry.
_SEVERAL = 2
# A link of any form: inline, by a definition, by a name, in HTML.
_LINK = lazy_pattern(rb"(?i)\]\(|\]:|\[\[|href")

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

    if is_link_index(path, document.lines, document.outline):
        return IS_LINK_INDEX
    if "/" in path:  # in the folder of an agent, in whatever language
        return None
    headings = [document.lines[heading.line - 1] for heading in document.outline.headings]
    if any(map(_OF_MACHINES.search, headings)) or not _OF_WORK.search(document.text):
        return "not about work with agents"
    return None


def index_of(tree: Tree, folder: str) -> str | None:
    """Return the file that lists the others of a memory folder, or None."""
    from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (few repositories have a folder)
    from learnings.index.link_rows import is_bare, is_link_index  # noqa: PLC0415  (as above)

    for path in (f"{folder}/{name}".lstrip("/") for name in FOLDER_INDEXES):
        if tree.is_file(path):
            try:
                blocks = blocks_of(read_file(tree.full(path), shown=path))
            except LearningsError:  # it lists nothing for anybody
                continue
            if is_link_index(path, blocks.lines, blocks.outline) or is_bare(path, blocks):
                return path
    return None


def may_list(data: bytes) -> bool:
    """Return True if a file may be an index in place of a learnings file; it is not parsed."""
    names = data.count(b".md") + data.count(b"[[")  # `[[name]]` has no suffix
    return names >= _SEVERAL and _LINK.search(data) is not None


def files_listed(
    path: str, data: bytes, settings: Settings, content: Callable[[str], bytes | None]
) -> tuple[str, ...]:
    """Return the memory files to which a file in place of a learnings file only leads.

    Most of what it says is rows with links to files below it that hold entries, or beside it in a
    folder of lessons. Empty for any other file; content returns the bytes of a file from the root,
    or None.
    """
    if not may_list(data):
        return ()
    from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (few such files have links)
    from learnings.index.link_rows import link_rows  # noqa: PLC0415  (as above)

    blocks = blocks_of(within_limits(data))
    starts = _starts(blocks)
    rows = {row.line: row.target for row in link_rows(path, blocks) if row.line in starts}
    contents = {file: content(file) for file in rows.values() if _may_list(path, file)}
    files = {file: within_limits(source) for file, source in contents.items() if source}
    options = ReadOptions.of(settings.file)
    with_entries = {file for file, source in files.items() if read(source, options).entries}
    leading = sum(target in with_entries for target in rows.values())
    chapters = (heading.line for heading in blocks.outline.headings if heading.level > 1)
    below = min([*rows, *chapters], default=0)  # what stands above is the introduction
    is_index = leading >= _SEVERAL and 2 * leading > sum(start >= below for start in starts)
    return tuple(files) if is_index else ()


def link_rows_of(path: str, data: bytes) -> list[str]:
    """Return the targets of the rows of an index of links."""
    from learnings.core.markdown.blocks import blocks_of  # noqa: PLC0415  (few repositories have one)
    from learnings.index.link_rows import link_rows  # noqa: PLC0415  (as above)

    return [row.target for row in link_rows(path, blocks_of(within_limits(data)))]


def _may_list(path: str, target: str) -> bool:
    """Return True for a file below an index, or beside that of a folder, without another role.

    A date or number at the start of a name beside it means that the whole file is one lesson.
    """
    folder = dirname(path)
    inner = target.removeprefix(f"{folder}/" if folder else "")
    is_below = target.startswith(f"{folder}/") if folder else "/" in target
    is_topic = is_lesson_index(path) and not inner[:1].isdigit()
    return (
        is_below
        and target != path
        and inner.endswith(".md")
        and (is_package_path(dirname(inner)) if "/" in inner else is_topic)
        and role_of(target, Settings()) in (None, Role.LEARNINGS)
        and memory_folder_of(target) is None
    )


def _starts(blocks: Blocks) -> set[int]:
    """Return the first lines (1-based) of items, rows and paragraphs, without those of headings."""
    lines, outline = blocks.lines, blocks.outline
    hidden = outline.hidden_lines(blocks.front_matter)
    headings, items = {heading.line for heading in outline.headings}, {*outline.items}
    found = set()
    for number, line in enumerate(lines, start=1):
        above = lines[number - 2] if number > 1 else ""
        is_first = not above.strip() or number - 1 in headings
        is_start = number in items or line[0] == "|" or (is_first and line[0] not in " \t")
        if is_start and line.strip(" \t\r\n-*_|:") and number not in hidden | headings:
            found.add(number)
    return found
