"""An index of links, compared with the files that it leads to, and corrected.

Coding agents keep one in `MEMORY.md`, beside one file per memory, and load it at startup. An index
that an index links, a hub, belongs to it: what it lists is found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterator, Mapping, Sequence
from posixpath import basename, normpath
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.entries.memory_folder import read_folder_file
from learnings.core.findings.finding import quoted
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.line_edits import LineWriter
from learnings.core.markdown.links import DEFINITION, edited, links_in
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, decode
from learnings.index.link_rows import (
    LinkRow,
    RowStyle,
    folders_in,
    is_bare,
    is_index,
    link_rows,
    name_of,
    names_in,
    target_in,
    target_text,
)
from learnings.index.problems import (
    DUPLICATE_ROW,
    HOOK_DIFFERS,
    MISSING_FILE,
    MISSING_ROW,
    IndexProblem,
)

# Words that a hook and a description must each have before the rule compares them.
_SHORTEST_HOOK = 3
# A path in the home folder, a pattern, or a path with a placeholder.
_IS_TEMPLATE = lazy_pattern(r"~|.*[*<>{}$]")
_WORD = lazy_pattern(r"[^\W_]+")
Words = tuple[str, str]
"""The title and the description of a file."""


class IndexedLinks(NamedTuple):
    """An index of links and its files; paths are POSIX, from the root.

    files maps each entry of its memory folder, if it is in one, to title and description. listed
    are the files that it or a hub names. there are the targets that exist; moved maps a dead one to
    the intended one. names are the entries by name_of().
    """

    path: str
    blocks: Blocks
    rows: tuple[LinkRow, ...]
    names: Mapping[str, str]
    files: Mapping[str, Words]
    listed: frozenset[str]
    there: frozenset[str]
    moved: Mapping[str, str]

    @property
    def unlisted(self) -> Mapping[str, Words]:
        """The titles and descriptions of the files that agents do not find, by path."""
        return {path: words for path, words in self.files.items() if path not in self.listed}


def indexed_links(
    path: str,
    data: bytes,
    files: Mapping[str, bytes],
    exist: Callable[[str], bool],
    *,
    read: Callable[[str], bytes | None] = lambda _: None,
    find: Callable[[str], Sequence[str]] = lambda _: (),
) -> IndexedLinks | None:
    """Return a file as an index of links, None if it is not one.

    files are the entries of its memory folder; exist tells whether a path from the root exists, and
    read returns the content of one that is no entry, and find the files of a pattern.
    """
    known = {name: read_folder_file(name, source) for name, source in files.items()}
    by_title = {name_of(file.title): name for name, file in reversed(known.items())}
    names = by_title | {name_of(name): name for name in reversed(known)}
    blocks = blocks_of(data)
    found = link_rows(path, blocks, names)
    if not is_index(blocks, found) and not is_bare(path, blocks):
        return None
    rows, there = _with_targets(found, exist, find)
    dead = {row.target: row.link.path for row in rows if not row.is_wiki}
    dead = {target: written for target, written in dead.items() if target not in there}
    moved = _moved(dead, files.keys() - there, exist)
    links = [row.target for row in rows if row.target in there]
    listed = _listed(path, blocks, links, files, names, read=read) | {*moved.values()}
    words = {name: (file.title, file.description) for name, file in known.items()}
    return IndexedLinks(path, blocks, tuple(rows), names, words, listed, there, moved)


def _with_targets(
    found: Sequence[LinkRow],
    exist: Callable[[str], bool],
    find: Callable[[str], Sequence[str]],
) -> tuple[Sequence[LinkRow], frozenset[str]]:
    """Return the rows that mean files, and the targets that exist.

    A `[[name]]` may mean a file in any folder. If most of them mean none, none of them is a row.
    """
    rows, there = [*found], set(filter(exist, {row.target for row in found}))
    for number, row in enumerate(rows):
        is_dead_name = row.is_wiki and row.target not in there
        for other in find(f"**/{basename(row.target)}")[:1] if is_dead_name else ():
            rows[number] = row._replace(target=other)
            there.add(other)
    rows = [row for row in rows if row.target in there or not _IS_TEMPLATE.match(row.link.path)]
    wiki = [row.target in there for row in rows if row.is_wiki]
    if 2 * sum(wiki) < len(wiki):
        rows = [row for row in rows if not row.is_wiki]
    return rows, frozenset(there)


def _listed(
    path: str,
    blocks: Blocks,
    links: Sequence[str],
    files: Mapping[str, bytes],
    names: Mapping[str, str],
    *,
    read: Callable[[str], bytes | None],
) -> frozenset[str]:
    """Return the files that an index or a hub links or mentions, or whose folder it links.

    links are the existing files that the index links. No hub is read if these are all files.
    """
    indexes, hubs, seen = {path: blocks}, [*links], {path}
    listed = {path, *links}
    while hubs and not files.keys() <= listed:
        hub = hubs.pop()
        source = None if hub in seen else files.get(hub) or read(hub)
        seen.add(hub)
        if source and is_index(inner := blocks_of(source), rows := link_rows(hub, inner, names)):
            indexes[hub] = inner
            hubs += (row.target for row in rows)
            listed |= {row.target for row in rows}
    mentioned = frozenset[str]().union(*(names_in(inner.lines) for inner in indexes.values()))
    listed |= {file for file in files if name_of(file) in mentioned}
    if not files.keys() <= listed:
        folders = {one for file, inner in indexes.items() for one in folders_in(file, inner)}
        listed |= {file for file in files for one in folders if file.startswith(f"{one}/")}
    return frozenset(listed)


def _moved(
    dead: Mapping[str, str], unlisted: Collection[str], exist: Callable[[str], bool]
) -> Mapping[str, str]:
    """Return the files that dead links mean, by target; given are the links as written.

    Either a link is relative to the root, or it is the only one to a file of that name, and exactly
    one file of that name has no row.
    """
    found: dict[str, str] = {}
    named: defaultdict[str, list[str]] = defaultdict(list)
    for target, written in dead.items():
        from_root = normpath(written.lstrip("/"))
        if not from_root.startswith("..") and exist(from_root):
            found[target] = from_root
        else:
            named[name_of(written)].append(target)
    left: defaultdict[str, list[str]] = defaultdict(list)
    for path in {*unlisted} - {*found.values()}:
        left[name_of(path)].append(path)
    for name, targets in named.items():
        if len(targets) == len(left[name]) == 1:
            found[targets[0]] = left[name][0]
    return found


def problems_of_links(index: IndexedLinks) -> Iterator[IndexProblem]:
    """Yield dead rows, files without a row or with two rows, and misleading hooks."""
    seen: dict[str, LinkRow] = {}
    for row in index.rows:
        path, first = row.target, seen.setdefault(row.target, row)
        if path not in index.there:
            if first is row:
                yield _dead(index, row)
        elif first.line != row.line and path in index.files:
            message = f"the row on line {first.line} also leads to {quoted(path)}; keep one"
            yield IndexProblem(DUPLICATE_ROW, index.path, row.line, message, path)
        else:
            title, description = index.files.get(path, ("", ""))
            words, said = _stems(row.hook), _stems(description)
            is_long = min(len(words), len(said)) >= _SHORTEST_HOOK
            if is_long and words.isdisjoint(said | _stems(title) | _stems(path)):
                message = (
                    f"the row says {quoted(row.hook)}, but {quoted(path)} describes itself as "
                    f"{quoted(description)}; correct one of the two"
                )
                yield IndexProblem(
                    HOOK_DIFFERS, index.path, row.line, message, path, is_notice=True
                )
    unlisted = index.unlisted
    style = RowStyle(index.path, index.blocks, index.rows, index.names) if unlisted else None
    for path, row_text in zip(unlisted, style.rows_for(unlisted) if style else (), strict=True):
        message = f"no row of {quoted(index.path)} leads to this file, so agents do not find it; "
        message += f"add {quoted(row_text)}"
        yield IndexProblem(MISSING_ROW, path, 1, message, path, is_fixable=True, is_notice=True)


def _dead(index: IndexedLinks, row: LinkRow) -> IndexProblem:
    moved = index.moved.get(row.target)
    advice = f"write {quoted(target_text(moved, index.path))}" if moved else "correct the path"
    message = f"the file {quoted(row.target)} does not exist; {advice}, or remove this"
    return IndexProblem(
        MISSING_FILE, index.path, row.line, message, row.target, is_fixable=moved is not None
    )


def _stems(text: str) -> frozenset[str]:
    """Return the first four letters of each word that has as many, for a loose comparison."""
    words = _WORD.findall(text.casefold())
    return frozenset(word[:4] for word in words if len(word) > 3)


def fixed_links(
    index: IndexedLinks,
    data: bytes,
    *,
    add_missing: bool,
    ignored: Container[tuple[str, str]],
) -> bytes:
    """Return an index of links with corrected links, on request with rows for unlisted files."""
    moved = {p: file for p, file in index.moved.items() if (MISSING_FILE, p) not in ignored}
    new = index.unlisted if add_missing else {}
    new = {p: words for p, words in new.items() if (MISSING_ROW, p) not in ignored}
    rows, names = index.rows, index.names
    return with_links(index.path, data, new=new, moved=moved, names=names, rows=rows)


def with_links(
    index_path: str,
    data: bytes,
    *,
    gone: Collection[str] = (),
    new: Mapping[str, Words] = MappingProxyType({}),
    moved: Mapping[str, str] = MappingProxyType({}),
    names: Mapping[str, str] = MappingProxyType({}),
    rows: Sequence[LinkRow] | None = None,
) -> bytes:
    """Return an index of links with rows removed, added and corrected; other files unchanged.

    gone are paths from the root: a row whose links all lead to them is removed, with the lines
    indented below it. new maps paths to titles and descriptions: a file without a link gets a row
    below the last one. Links to the keys of moved then lead to its values. names as for link_rows;
    rows are those of the file, if they are known.
    """
    blocks = blocks_of(data)
    if rows is None:
        rows = link_rows(index_path, blocks, {name_of(path): path for path in gone} | {**names})
        if not is_index(blocks, rows) and not is_bare(index_path, blocks):
            return data
    style = RowStyle(index_path, blocks, rows, names)
    links = [row.link for row in rows if row.target in moved and not row.is_wiki]
    targets = [moved[row.target] for row in rows if row.target in moved and not row.is_wiki]
    edits = {
        link.target: target_text(target, index_path, is_angled=link.is_angled)
        + "".join(link.written.partition("#")[1:])
        for link, target in zip(links, targets, strict=True)
    }
    lines: list[str | None] = [*edited(blocks.lines, edits)]
    for number in _lines_gone(index_path, blocks, [r for r in rows if style.is_own(r)], gone):
        lines[number - 1] = None
    linked = {row.target for row in rows}
    added = {path: words for path, words in new.items() if path not in linked}
    result = _joined(data, lines)
    if added:
        expected = _targets(index_path, result, names) | added.keys()
        plain = ["", *style.plain_rows_for(added)]
        is_below_text = not style.has_row and bool(lines) and bool((lines[-1] or "").strip())
        texts = [*([""] if is_below_text else []), *style.rows_for(added)]
        places = (texts, style.last), (plain, style.last), (plain, len(lines))
        for texts, last in places:
            after = _joined(data, [*lines[:last], *texts, *lines[last:]], last, len(texts))
            if _targets(index_path, after, names) == expected:
                return after
    return result


def _lines_gone(
    path: str, blocks: Blocks, rows: Sequence[LinkRow], gone: Collection[str]
) -> Iterator[int]:
    """Yield the lines of rows to gone files, with what is indented below, and of definitions."""
    if not gone:
        return
    leads: dict[int, set[str]] = {}
    for row in rows:
        leads.setdefault(row.line, set()).add(row.target)
    for link in links_in(blocks.lines, blocks.front_matter):
        if link.form == DEFINITION and target_in(path, link.path) in gone:
            yield link.place.line
    is_going = False
    for number, line in enumerate(blocks.lines, start=1):
        is_below = is_going and number not in leads and line[:1] in (" ", "\t") and line.strip()
        is_going = bool(is_below) or (number in leads and leads[number] <= {*gone})
        if is_going:
            yield number


def _joined(data: bytes, lines: Sequence[str | None], first: int = 0, count: int = 0) -> bytes:
    """Return the lines that are left, of which some from first on are new."""
    writer = LineWriter(decode(data))
    for number, line in enumerate(lines):
        text = line.removeprefix(BOM) if line and not number else line
        if text is not None and first <= number < first + count:
            writer.add([text])
        elif text is not None:
            writer.keep([text])
    return writer.to_bytes()


def _targets(path: str, data: bytes, names: Mapping[str, str]) -> set[str]:
    return {row.target for row in link_rows(path, blocks_of(data), names)}
