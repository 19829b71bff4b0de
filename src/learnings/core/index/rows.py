"""How a new row of a memory index is written, and whether it will be read as that."""

from __future__ import annotations

from pathlib import PurePosixPath

from learnings.core.index.files import Kind
from learnings.core.index.forms import ARROW, ROWS, read_arrow, read_row
from learnings.core.index.keys import operated
from learnings.core.index.match import Target
from learnings.core.index.model import IndexFile
from learnings.core.index.tables import DATE, FILE, KEY, LINE, TOPIC, Table, read_cells, row_of
from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.outline import Outline


def new_row(index: IndexFile, target: Target, table: Table | None) -> str | None:
    """Return the row of a heading that has none, without terminator; None if no row can name it.

    `/when …` and `/how …` for the titles that these write, else the title with a summary. A title
    that Markdown would take for code, a comment or a heading at the beginning of a row, or that is
    read differently there, has none.
    """
    text = _text(index, target, table)
    reading = read_row(text) if index.form == ROWS else None
    if index.form == ARROW:
        reading = read_arrow(text)
    elif table is not None:
        reading = read_cells(text, table)
    if reading is None or reading.fault is not None or not _is_inert(text):
        return None
    if target.heading is None:
        return text if target.file.names.intersection(reading.keys) else None
    found = target.file.named(reading.keys, Kind.SEMANTIC)
    return text if found and found[0].key == target.heading.key else None


def _text(index: IndexFile, target: Target, table: Table | None) -> str:
    heading, path = target.heading, target.file.path
    title = " ".join((heading.title if heading else PurePosixPath(path).stem).split())
    split = operated(title)
    short = f"/{split[0]} {split[1]}" if split else title
    if table is not None:
        values = {TOPIC: title, KEY: short, FILE: path, LINE: str(target.line)}
        values[DATE] = (heading.stated or "")[:10] if heading else ""
        return row_of(table, values)
    if index.form == ARROW:
        return f"**{title}** — {target.file.summary(heading)} → {path}"
    return short if split else f"{title} — {target.file.summary(heading)}"


def _is_inert(text: str) -> bool:
    """Whether Markdown begins nothing with this line that other lines could be drawn into."""
    outline = outline_of([text + "\n"])
    begins = Outline(items=outline.items) != outline
    return not begins and not text.startswith("<")
