"""A link index: rows that lead to files, as `- [Title](file.md) — description`.

Coding agents keep one in `MEMORY.md`, beside one file per memory, and load it at startup.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote, unquote

from learnings.core.entries.memory_folder import read_folder_file
from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_edits import LineWriter
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode
from learnings.index.index_problems import (
    DUPLICATE_ROW,
    HOOK_DIFFERS,
    MISSING_FILE,
    MISSING_ROW,
    IndexProblem,
)

# A link to a Markdown file that is not a URL; group 1 is the title, 2 the path without `#…`.
_LINK = lazy_pattern(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(<?(?![a-z][a-z0-9+.-]*:)([^()<>\s#]+\.mdx?)(?:#[^()\s]*)?>?\)"
)
# Other ways to name a file: `[[name]]`, `` `name.md` ``.
_NAME = lazy_pattern(r"\[\[([^\[\]|#]+)|`([^`\s]+\.mdx?)`")
# The separator between a link and its description.
_BEFORE_HOOK = " \t:–—-·|"
# The start of a list item or a table row.
_ROW_MARKS = ("-", "*", "+", "|")
# This many links make a file an index although it has other items. A memory that only refers to
# some details has fewer. Chosen: two known indexes have 1 of 1 and 21 of 65.
_SURELY = 5
# Words that a hook and a description must each have before the rule compares them.
_SHORTEST_HOOK = 3
_WORD = lazy_pattern(r"[^\W_]+")


class LinkRow(NamedTuple):
    """A link in an index; hook is the text after it if it is the only link on its line."""

    line: int
    title: str
    path: str
    hook: str


def link_rows(lines: Sequence[str], outline: Outline) -> Iterator[LinkRow]:
    """Yield a file's links to others in items and tables, without code and comments."""
    hidden = outline.hidden_lines()
    for number, line in enumerate(lines, start=1):
        if number in hidden or "](" not in line or line.startswith("#"):
            continue
        links = list(_LINK.finditer(line))
        for link in links:
            hook = line[link.end() :].strip(_BEFORE_HOOK + "\r\n") if len(links) == 1 else ""
            yield LinkRow(number, link[1].strip(), link[2], hook)


def names_in(lines: Sequence[str]) -> frozenset[str]:
    """Return the names of files in a text outside of links, without suffix."""
    found = (match for line in lines for match in _NAME.finditer(line))
    return frozenset((match[1] or match[2]).strip().removesuffix(".md") for match in found)


def is_link_index(lines: Sequence[str], outline: Outline) -> bool:
    """Return True if a file is a link index: most of its items are links, or many are."""
    rows = {row.line for row in link_rows(lines, outline)}
    if not rows:
        return False
    tables = {n for n, line in enumerate(lines, start=1) if line.startswith("|")}
    in_rows = len(rows & tables.union(outline.items))
    return in_rows >= _SURELY or (in_rows > 0 and 2 * in_rows >= len(outline.items))


class IndexedLinks(NamedTuple):
    """A link index and its files; paths are POSIX, relative to the root.

    files maps each entry of its memory folder, if it is in one, to title and description. exist are
    the linked paths that exist; moved maps a dead path to the intended one.
    """

    path: str
    rows: tuple[LinkRow, ...]
    names: frozenset[str]
    files: Mapping[str, tuple[str, str]]
    exist: frozenset[str]
    moved: Mapping[str, str]


def indexed_links(
    path: str, data: bytes, files: Mapping[str, bytes], exist: Callable[[str], bool]
) -> IndexedLinks | None:
    """Return a file as a link index, None if it is not one.

    files are the entries of its memory folder; exist tells whether a path from the root exists.
    """
    blocks = blocks_of(data)
    if not is_link_index(blocks.lines, blocks.outline):
        return None
    rows = tuple(link_rows(blocks.lines, blocks.outline))
    read = {name: read_folder_file(name, source) for name, source in files.items()}
    targets = {target: row for row in rows if (target := target_of(path, row)) is not None}
    there = frozenset(filter(exist, targets))
    meant = {
        target: _meant(unquote(row.path), files.keys() - there, exist)
        for target, row in targets.items()
        if target not in there
    }
    return IndexedLinks(
        path,
        rows,
        names_in(blocks.lines),
        {name: (file.title, file.description) for name, file in read.items()},
        there,
        {target: file for target, file in meant.items() if file},
    )


def _meant(written: str, unlisted: Collection[str], exist: Callable[[str], bool]) -> str:
    """Return the file that a dead link means, empty if there is none.

    Either the link is relative to the root, or exactly one file of that name has no row.
    """
    from_root = posixpath.normpath(written.lstrip("/"))
    if not from_root.startswith("..") and exist(from_root):
        return from_root
    name = posixpath.basename(written)
    named = [path for path in unlisted if posixpath.basename(path) == name]
    return named[0] if len(named) == 1 else ""


def target_of(index_path: str, row: LinkRow) -> str | None:
    """Return the target path of a row, from the root; None if it leaves the root."""
    folder = index_path.rpartition("/")[0]
    path = posixpath.normpath(posixpath.join(folder, unquote(row.path)))
    return None if path.startswith(("../", "/")) or path == ".." else path


def problems_of_links(index: IndexedLinks) -> Iterator[IndexProblem]:
    """Yield dead rows, files without a row or with two rows, and misleading hooks."""
    seen: dict[str, LinkRow] = {}
    dead = set()
    for link in index.rows:
        path = target_of(index.path, link)
        if path is None:
            continue
        if path not in index.exist:
            if path not in dead:
                dead.add(path)
                is_moved = path in index.moved
                advice = "correct the path"
                if is_moved:
                    advice = f"write {quoted(_link(index.moved[path], index.path))}"
                message = f"the file {quoted(path)} does not exist; {advice}, or remove this"
                yield IndexProblem(
                    MISSING_FILE, index.path, link.line, message, path, is_fixable=is_moved
                )
        elif path in seen and path in index.files and link.line != seen[path].line:
            first = f"the row on line {seen[path].line}"
            message = f"{first} also leads to {quoted(path)}; keep one"
            yield IndexProblem(DUPLICATE_ROW, index.path, link.line, message, path)
        else:
            seen.setdefault(path, link)
            title, description = index.files.get(path, ("", ""))
            words, said = _stems(link.hook), _stems(description)
            is_long = min(len(words), len(said)) >= _SHORTEST_HOOK
            if is_long and words.isdisjoint(said | _stems(title) | _stems(path)):
                message = (
                    f"the row says {quoted(link.hook)}, but {quoted(path)} describes itself as "
                    f"{quoted(description)}; correct one of the two"
                )
                yield IndexProblem(
                    HOOK_DIFFERS, index.path, link.line, message, path, is_notice=True
                )
    for path, (title, description) in unlisted(index).items():
        row = written_row(index.path, path, title, description)
        message = (
            f"no row of {quoted(index.path)} leads to this file, so agents do not find it; "
            f"add {quoted(row)}"
        )
        yield IndexProblem(MISSING_ROW, path, 1, message, path, is_fixable=True, is_notice=True)


def unlisted(index: IndexedLinks) -> Mapping[str, tuple[str, str]]:
    """Return titles and descriptions, by path, of the files that an index does not name."""
    linked = {target_of(index.path, row) for row in index.rows} | {*index.moved.values()}
    return {
        path: words
        for path, words in index.files.items()
        if path not in linked and path.rpartition("/")[2].removesuffix(".md") not in index.names
    }


def fixed_links(
    index: IndexedLinks,
    data: bytes,
    *,
    add_missing: bool,
    ignored: Container[tuple[str, str]],
) -> bytes:
    """Return a link index with corrected links, on request with rows for unlisted files."""
    moved = {p: file for p, file in index.moved.items() if (MISSING_FILE, p) not in ignored}
    new = unlisted(index) if add_missing else {}
    new = {p: words for p, words in new.items() if (MISSING_ROW, p) not in ignored}
    return with_links(index.path, data, new=new, moved=moved)


def written_row(index_path: str, path: str, title: str, description: str) -> str:
    hook = f" — {description}" if description else ""
    return f"- [{title}]({_link(path, index_path)}){hook}"


def with_links(
    index_path: str,
    data: bytes,
    *,
    gone: Collection[str] = (),
    new: Mapping[str, tuple[str, str]] = MappingProxyType({}),
    moved: Mapping[str, str] = MappingProxyType({}),
) -> bytes:
    """Return a link index with rows removed, added and corrected; other files unchanged.

    gone are paths relative to the root: a row whose links all lead to them is removed, with the
    lines indented below it. new maps paths to titles and descriptions: a file without a link gets a
    row below the last one. Links to the keys of moved then lead to its values.
    """
    blocks = blocks_of(data)
    if not is_link_index(blocks.lines, blocks.outline):
        return data
    rows: dict[int, list[str | None]] = {}
    for row in link_rows(blocks.lines, blocks.outline):
        if blocks.lines[row.line - 1].lstrip().startswith(_ROW_MARKS):
            rows.setdefault(row.line, []).append(target_of(index_path, row))
    linking = {row.line for row in link_rows(blocks.lines, blocks.outline)} if moved else ()
    linked = {path for paths in rows.values() for path in paths}
    added = {path: words for path, words in new.items() if path not in linked}
    last = max(rows, default=len(blocks.lines))
    writer = LineWriter(decode(data))
    is_going = False
    for number, line in enumerate(blocks.lines, start=1):
        is_below = is_going and number not in rows and line[:1] in (" ", "\t") and line.strip()
        is_going = bool(is_below) or (number in rows and {*rows[number]} <= {*gone})
        if not is_going:
            writer.keep([_relinked(line, index_path, moved) if number in linking else line])
        if number == last:
            writer.add(written_row(index_path, path, *words) for path, words in added.items())
    return writer.to_bytes()


def _relinked(line: str, index_path: str, moved: Mapping[str, str]) -> str:
    def relinked(link: re.Match[str]) -> str:
        path = moved.get(target_of(index_path, LinkRow(0, link[1], link[2], "")) or "")
        if path is None:
            return link[0]
        start, end = link.start(2) - link.start(), link.end(2) - link.start()
        return link[0][:start] + _link(path, index_path) + link[0][end:]

    return _LINK.sub(relinked, line)


def _link(path: str, index_path: str) -> str:
    return quote(posixpath.relpath(path, posixpath.dirname(index_path) or "."))


def _stems(text: str) -> frozenset[str]:
    """Return the beginnings of the longer words of a text, for comparison."""
    words = _WORD.findall(text.casefold())
    return frozenset(word[:4] for word in words if len(word) > 3)
