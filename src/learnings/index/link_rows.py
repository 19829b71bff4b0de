"""The rows of an index of links, and new rows that are written as their neighbours are.

A row is a link of any form; `[[name]]` is one where it begins an item or a cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import basename, dirname, join, normpath, relpath
from types import MappingProxyType
from typing import NamedTuple

from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.inline_text import cells_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.links import DEFINITION, HREF, WIKI, Link, as_target, links_in
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, encode

_IS_FILE = lazy_pattern(r"(?i)(?![a-z][a-z0-9+.-]*:).*\.mdx?")
# What a `[[name]]` means besides documents: an address, an image.
_IS_OTHER = lazy_pattern(r"(?i).*://.*|.*\.(?!mdx?$)[a-z][a-z0-9]{1,9}")
# Mentions of files that are no rows: `[[name]]`, `` `name.md` ``.
_MENTION = lazy_pattern(r"\[\[([^\[\]|#]+)|`([^`\s]+\.mdx?)`")
# What may be before a `[[name]]` that is a row.
_BEFORE_ROW = lazy_pattern(
    rf"(?:[ \t>]*(?:{LIST_MARKER}[ \t]+)?(?:\[[ xX]\][ \t]+)?|.*\|[ \t]*)[*_~]*"
)
_BEFORE_HOOK = " \t\r\n:–—-·|*_"  # between a link and its description
_TITLE = lazy_pattern(r"(?is)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>(.*?)</a>")
# The beginnings of rows outside of items.
_ROW_MARKS = ("|", "<li", "<tr", "<td")
# This many links make a file an index although it has other items. A memory that only refers to
# some details has fewer. Chosen: two known indexes have 1 of 1 and 21 of 65.
_SURELY = 5
_JOINTS = lazy_pattern(r"[-_\s]+")


class LinkRow(NamedTuple):
    """A link in an index; target is the path that it leads to, from the root.

    hook is the text behind it, if it is the only link on its line.
    """

    link: Link
    title: str
    target: str
    hook: str

    @property
    def line(self) -> int:
        return self.link.place.line

    @property
    def is_wiki(self) -> bool:
        return self.link.form == WIKI


def link_rows(
    path: str, blocks: Blocks, names: Mapping[str, str] = MappingProxyType({})
) -> list[LinkRow]:
    """Return the rows of the file at a path, whether or not it is an index; none leaves the root.

    names are the paths of files by name_of(); any other `[[name]]` leads to a file in the folder.
    """
    has_names = names and any(link.form == WIKI for link in links_in(*blocks[:2]))
    return list(_rows(path, *blocks[:2], names) if has_names else _nameless_rows(path, *blocks[:2]))


def _rows(
    path: str, lines: tuple[str, ...], front_matter: int, names: Mapping[str, str]
) -> tuple[LinkRow, ...]:
    found: dict[int, list[LinkRow]] = {}
    for link in links_in(lines, front_matter):
        line = lines[link.place.line - 1]
        if link.is_image or link.form == DEFINITION or line.startswith("#"):
            continue
        is_row = link.place.line not in found and _BEFORE_ROW.fullmatch(line[: link.place.start])
        if link.form == WIKI and not is_row:
            continue
        target = _target(path, link, names)
        if target:
            title, hook = link.text.strip(), line[link.place.end :]
            if link.form == HREF and (shown := _TITLE.match(hook)):
                title, hook = shown[1].strip(), hook[shown.end() :].partition("<")[0]
            row = LinkRow(link, title, target, hook.strip(_BEFORE_HOOK))
            found.setdefault(link.place.line, []).append(row)
    return tuple(
        row if len(rows) == 1 else row._replace(hook="") for rows in found.values() for row in rows
    )


# Discovery, the rules and the comparison ask for the same rows.
@lru_cache(maxsize=8)
def _nameless_rows(path: str, lines: tuple[str, ...], front_matter: int) -> tuple[LinkRow, ...]:
    return _rows(path, lines, front_matter, {})


def target_in(path: str, written: str) -> str | None:
    """Return where a relative path of the file at `path` leads, None if that is out of the root."""
    target = normpath(join(dirname(path), written))
    return None if target.startswith(("../", "/")) or target == ".." else target


def target_text(path: str, index_path: str, *, is_angled: bool = False) -> str:
    """Return the destination of a link from an index to a file."""
    return as_target(relpath(path, dirname(index_path) or "."), is_angled=is_angled)


def _target(path: str, link: Link, names: Mapping[str, str]) -> str | None:
    if link.form == WIKI:
        name = link.path.strip()
        known = names.get(name_of(name)) if "://" not in name else None
        is_other = not name or _IS_OTHER.fullmatch(name)
        return known or (None if is_other else target_in(path, f"{name.removesuffix('.md')}.md"))
    return target_in(path, link.path) if _IS_FILE.fullmatch(link.path) else None


def name_of(written: str) -> str:
    """Return the name of a file for comparison, as `[[name]]` writes it in various ways."""
    return _JOINTS.sub("-", basename(written).removesuffix(".md")).casefold().strip("-")


def names_in(lines: Sequence[str]) -> frozenset[str]:
    """Return the names of files that a text mentions outside of links, without suffix."""
    found = (match for line in lines for match in _MENTION.finditer(line))
    return frozenset(name_of((match[1] or match[2]).strip()) for match in found)


def folders_in(path: str, blocks: Blocks) -> frozenset[str]:
    """Return the folders that links of the file at a path lead to, without those that it is in."""
    written = (link.path for link in links_in(blocks.lines, blocks.front_matter))
    found = (
        target_in(path, inner) for inner in written if inner.endswith("/") and ":" not in inner
    )
    return frozenset(
        one for one in found if one not in (None, ".") and not path.startswith(f"{one}/")
    )


def is_link_index(path: str, lines: Sequence[str], outline: Outline) -> bool:
    """Return True if a file is an index of links: most of its items are links, or many are."""
    blocks = Blocks(tuple(lines), 0, outline)
    return is_index(blocks, link_rows(path, blocks))


def is_index(blocks: Blocks, rows: Sequence[LinkRow]) -> bool:
    """Return True if the rows of a file make it an index of links."""
    items = {*blocks.outline.items}
    lines = {
        row.line
        for row in rows
        if row.link.is_cell
        or row.line in items
        or blocks.lines[row.line - 1].lstrip().lower().startswith(_ROW_MARKS)
    }
    if len(lines) >= _SURELY or (lines and 2 * len(lines) >= len(items)):
        return True
    # Items below items: a group of links has more of them than it has labels.
    inner = {row.line for row in rows if row.line not in lines and _begins_item(row, blocks.lines)}
    if not inner:
        return False
    hidden = blocks.outline.hidden_lines(blocks.front_matter)
    numbered = enumerate(blocks.lines, start=1)
    count = sum(_ITEM.match(line) is not None for n, line in numbered if n not in hidden)
    return 2 * (len(lines) + len(inner)) > count


def _begins_item(row: LinkRow, lines: Sequence[str]) -> bool:
    before = lines[row.line - 1][: row.link.place.start]
    return _ITEM.match(before) is not None and _BEFORE_ROW.fullmatch(before) is not None


def is_bare(path: str, blocks: Blocks) -> bool:
    """Return True if an index has no row yet: it has the name of one, and no text but headings."""
    titles = {heading.line for heading in blocks.outline.headings}
    numbered = enumerate(blocks.lines[blocks.front_matter :], start=blocks.front_matter + 1)
    is_named = basename(path).casefold() in ("memory.md", "index.md", "_index.md")
    return is_named and not any(
        line.strip(f"{BOM} \t\r\n") and n not in titles for n, line in numbered
    )


# The beginning of an item: indent, marker, check box and emphasis.
_ITEM = lazy_pattern(
    rf"(?P<indent>[ \t>]*)(?P<marker>{LIST_MARKER})(?P<gap>[ \t]+)(?P<box>\[[ xX]\][ \t]+)?"
    r"(?P<emphasis>[*_]*)"
)
_SEPARATOR = lazy_pattern(r"[*_]*([ \t]*[:–—·-]+>?[ \t]+)")
_END_TAGS = lazy_pattern(r"(?:</\w+>\s*)*$")
_BLOCK_START = lazy_pattern(
    rf"(?:{LIST_MARKER})[ \t]|[#><]|`{{3}}|~{{3}}|([-*_])[ \t]*(?:\1[ \t]*){{2,}}$"
)
# Columns that hold neither a title nor a description.
_OTHER_COLUMN = lazy_pattern(
    r"(?i)\W*(?:#|no|date|day|updated|created|added|modified|type|kind|status|state|tags?|size|lines"
    r"|tokens|priority|owner|author|link|file|path|id)\b"
)


class RowStyle:
    """The form of the last row of an index, in which new rows are written.

    last is the line below which they belong: the last one of that row, or of the file.
    """

    def __init__(
        self, path: str, blocks: Blocks, rows: Sequence[LinkRow], names: Mapping[str, str]
    ) -> None:
        self._path, self._lines, self._names = path, blocks.lines, names
        links = links_in(blocks.lines, blocks.front_matter)
        defined = (link.target.line for link in links if link.form == DEFINITION)
        self._definitions = "".join(self._lines[line - 1] for line in dict.fromkeys(defined))
        own = [row for row in rows if self.is_own(row)]
        self._row = next((row for row in own if row.line == own[-1].line), None)
        self.last = len(blocks.lines)
        if self._row:
            self.last = self._last_of(self._row, blocks.outline.hidden_lines())
        hooks = (_SEPARATOR.match(self._lines[r.line - 1], r.link.place.end) for r in own if r.hook)
        self._separator = next((match[1] for match in hooks if match), " — ")

    @property
    def has_row(self) -> bool:
        return self._row is not None

    def is_own(self, row: LinkRow) -> bool:
        """Return True if a row is an item, a cell or a tag, and not a link in a paragraph."""
        line = self._lines[row.line - 1]
        is_tag = line.lstrip().lower().startswith(_ROW_MARKS)
        return is_tag or row.link.is_cell or _ITEM.match(line) is not None

    def _last_of(self, row: LinkRow, hidden: set[int]) -> int:
        line = self._lines[row.line - 1]
        indent, number = len(line) - len(line.lstrip()), row.line
        is_item = _ITEM.match(line) is not None and not row.link.is_cell
        for text in self._lines[number:] if is_item else ():
            inner = text.lstrip()
            is_deep = 0 < len(inner) < len(text) - indent or {number, number + 1} <= hidden
            if not is_deep and (not inner or _BLOCK_START.match(inner)):
                break
            number += 1
        return number

    def rows_for(self, files: Mapping[str, tuple[str, str]]) -> list[str]:
        """Return a row for each file, of its title and description; each is read back."""
        forms = [
            (path, (*self._written(path, *words, number), self._plain(path, *words)))
            for number, (path, words) in enumerate(files.items(), start=1)
        ]
        return [*self._readable(forms)]

    def plain_rows_for(self, files: Mapping[str, tuple[str, str]]) -> list[str]:
        return [self._plain(path, title, hook) for path, (title, hook) in files.items()]

    def _readable(self, forms: Sequence[tuple[str, Sequence[str]]]) -> Iterator[str]:
        """Yield the first form of each row, by its path, that is read back; else its last form."""
        if len(forms) > 1 and not self._reads([(texts[0], path) for path, texts in forms]):
            yield from self._readable(forms[: len(forms) // 2])
            yield from self._readable(forms[len(forms) // 2 :])
        elif len(forms) == 1:
            ((path, texts),) = forms
            yield next((text for text in texts if self._reads([(text, path)])), texts[-1])
        else:
            yield from (texts[0] for _, texts in forms)

    def _reads(self, texts: Sequence[tuple[str, str]]) -> bool:
        above = ""
        if self._row and self._row.link.is_cell:
            count = len(cells_of(texts[0][0]))
            above = f"|{' x |' * count}\n|{' - |' * count}\n"
        lines = "\n".join(text for text, _ in texts)
        source = f"{above}{lines}\n\n{self._definitions}"  # a label in a title would be a link
        rows = link_rows(self._path, blocks_of(encode(source)), self._names)
        return [row.target for row in rows] == [path for _, path in texts]

    def _written(self, path: str, title: str, hook: str, number: int) -> Iterator[str]:
        """Yield possible rows, the best first."""
        row = self._row
        if row:
            names = [basename(path), relpath(path, dirname(self._path) or ".")]
            for name in names if row.is_wiki else ():
                yield self._like(row, f"[[{name.removesuffix('.md')}]]", title, hook, number)
            target = target_text(path, self._path, is_angled=row.link.is_angled)
            if row.link.form == HREF:
                from html import escape  # noqa: PLC0415  (few indexes are written in HTML)

                link = f'<a href="{target_text(path, self._path)}">{escape(title)}</a>'
                yield self._like(row, link, title, escape(hook), number)
            none = r"(?!)"
            for signs, inner in ((none, none), (r"[\\\[\]`<]", none), (_SIGNS, _SIGNS)):
                shown, said = _escaped(title, signs), _escaped(hook, inner)
                shown = _escaped(shown, _BAR) if row.link.is_cell else shown
                if row.link.is_cell and row.title.endswith(".md"):
                    link = f"[{_escaped(basename(path), signs)}]"
                else:
                    link = f"[{shown}]"
                end = f"(<{target}>)" if row.link.is_angled else f"({target})"
                yield self._like(row, link + end, shown, said, number)

    def _plain(self, path: str, title: str, hook: str) -> str:
        link = f"- [{_escaped(title, _SIGNS)}]({target_text(path, self._path)})"
        return f"{link} — {_escaped(hook, _SIGNS)}" if hook else link

    def _like(self, row: LinkRow, link: str, title: str, hook: str, number: int) -> str:
        line, (_, start, end) = chomp(self._lines[row.line - 1]), row.link.place
        if row.link.is_cell or line.lstrip().startswith("|"):
            return self._cells(line, start, link, title if row.title.endswith(".md") else "", hook)
        before, after = line[:start], line[end:]
        said = f"{self._separator}{hook}" if hook else ""
        item = _ITEM.match(before)
        if item is None:
            tags = _END_TAGS.search(after)
            return f"{before}{link}{said}{tags[0].strip() if tags else ''}"
        marker, emphasis = item["marker"], item["emphasis"] if item.end() == start else ""
        emphasis = emphasis if after.startswith(emphasis) else ""
        if marker[:-1].isdigit() and not self._repeats(row, marker):
            marker = f"{int(marker[:-1]) + number}{marker[-1]}"
        box = "[ ] " if item["box"] else ""
        return f"{item['indent']}{marker}{item['gap']}{box}{emphasis}{link}{emphasis}{said}"

    def _repeats(self, row: LinkRow, marker: str) -> bool:
        above = self._lines[row.line - 2].lstrip() if row.line > 1 else ""
        return above.startswith(f"{marker} ")

    def _cells(self, line: str, start: int, link: str, title: str, hook: str) -> str:
        """Return a table row: the title, if it is not that of the link, and the hook by column."""
        cells = cells_of(line)
        own = max((n for n, (_, offset) in enumerate(cells) if offset <= start), default=0)
        values = dict.fromkeys(range(len(cells)), "") | {own: link}
        names = self._header(len(cells))
        free = [n for n in (*range(own + 1, len(cells)), *range(own)) if n not in names]
        if title and any(n < own for n in free):
            values[min(free)] = _escaped(title, _BAR)
            free.remove(min(free))
        if free:
            values[free[0]] = _escaped(hook, _BAR)
        text = " | ".join(values.values())
        return f"| {text} |" if line.lstrip().startswith("|") else text

    def _header(self, count: int) -> set[int]:
        """Return the columns of the table that hold neither a title nor a description."""
        row = self._row.line if self._row else 0
        for number in range(row - 1, 0, -1):
            line = self._lines[number - 1]
            if not line.strip() or not set(line.strip()) <= {*"|:- \t"}:
                continue
            header = cells_of(chomp(self._lines[number - 2])) if number > 1 else []
            return {n for n, (cell, _) in enumerate(header[:count]) if _OTHER_COLUMN.match(cell)}
        return set()


_SIGNS = r"[!-/:-@\[-`{-~]"
_BAR = r"(?<!\\)\|"


def _escaped(text: str, signs: str) -> str:
    return re.sub(signs, r"\\\g<0>", text)
