"""A memory folder: one Markdown file per entry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from learnings.core.entries.dialects import FOLDER, Dialect
from learnings.core.entries.document import Document, Entry, Size
from learnings.core.entries.layout import Layout
from learnings.core.entries.titles import date_at_start, heading_text, identity_key
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.outline import Outline
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, encode, split_lines

# A front matter key with its value on the same line, perhaps quoted.
_KEY = lazy_pattern(r"(title|name|description|date|created)[ \t]*:[ \t]+(.*)")
_QUOTES = "\"'"


class FolderFile(NamedTuple):
    """The title, description, date (ISO) and text of a file, from front matter, H1 and name."""

    title: str
    description: str
    stated: str | None
    body: tuple[str, ...]


def read_folder_file(path: str, data: bytes) -> FolderFile:
    lines, end, outline = blocks_of(data)
    keys: dict[str, str] = {}
    for line in lines[:end]:
        match = _KEY.match(chomp(line))
        if match is not None:
            keys.setdefault(match[1], match[2].rstrip(" \t").strip(_QUOTES))
    top = next((heading.line for heading in outline.headings if heading.level == 1), 0)
    stem = path.rpartition("/")[2].removesuffix(".md")
    title = keys.get("title") or keys.get("name") or ""
    title = title or (heading_text(lines[top - 1]) if top else "") or stem
    dates = map(date_at_start, (keys.get("date", ""), keys.get("created", ""), stem[:10]))
    stated = next(filter(None, dates), None)
    body = (line for number, line in enumerate(lines[end:], start=end + 1) if number != top)
    return FolderFile(title, keys.get("description", ""), stated, tuple(body))


def front_matter_lines(text: str) -> Sequence[str]:
    lines, end, _ = blocks_of(encode(text))
    return lines[:end]


def title_key(lines: Iterable[str]) -> str:
    keys = {match[1] for line in lines if (match := _KEY.match(chomp(line)))}
    return next((key for key in ("title", "name") if key in keys), "")


class FolderDocument(Document):
    """The files of a memory folder as one document; index_lines is 0 without an index."""

    def __init__(
        self, folder: str, files: Iterable[tuple[str, bytes]], *, index_lines: int = 0
    ) -> None:
        entries = tuple(_entry(folder, path, data) for path, data in files)
        lines = tuple(line for entry in entries for line in entry.lines)
        dialect = Dialect(FOLDER, 1, "one file for each entry")
        super().__init__(Blocks(lines, 0, Outline()), dialect=dialect)
        self.entries = entries
        self._layout = Layout((), 0)
        self.size = Size(index_lines, "index line") if index_lines else Size(len(entries), "file")


def _entry(folder: str, path: str, data: bytes) -> Entry:
    file = read_folder_file(path, data)
    inner = path.removeprefix(f"{folder}/")
    text = "".join(file.body).lstrip("\r\n")
    lines = (f"# {file.title}\n", *(["\n", *split_lines(text)] if text.strip() else []))
    last = data.removeprefix(BOM.encode()).count(b"\n") + (not data.endswith(b"\n"))
    identity = identity_key(None, inner)
    return Entry(file.title, None, file.stated, 1, 1, last, identity, lines, path)
