"""Removes entries from a memory file and inserts others; the rest stays byte for byte."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import ENTRY, LineSpan
from learnings.core.markdown.line_edits import LineWriter, is_filler, without_filler
from learnings.core.text import BOM


class NewEntry(NamedTuple):
    """The lines of a new entry, without terminators, and the entry beside which it belongs.

    It goes to the top or bottom of the entries around that one, up to the next category. If it
    replaces that entry, it takes its place.
    """

    lines: tuple[str, ...]
    neighbour: Entry
    replaces: bool = False


def rewritten(
    document: Document, removed: Collection[Entry], added: Sequence[NewEntry], *, on_top: bool
) -> bytes:
    """Return the file without some entries and with others.

    Of several for the same place, later ones are newer.
    """
    blocks = defaultdict[int, list[NewEntry]](list)
    replaced = {entry.neighbour.first: entry for entry in added if entry.replaces}
    for entry in added:
        if not entry.replaces:
            blocks[_position(document, entry.neighbour, on_top=on_top)].append(entry)
    removed_lines = {entry.first for entry in removed}
    writer = _EntryWriter(document)
    for span in document.spans:
        writer.put(blocks.pop(span.first, []), on_top=on_top)
        if span.kind == ENTRY and span.first in replaced:
            writer.replace_span(span, replaced[span.first].lines)
        elif span.kind != ENTRY or span.first not in removed_lines:
            writer.keep_span(span)
    for entries in blocks.values():
        writer.put(entries, on_top=on_top)
    if document.spans[-1].kind == ENTRY:
        writer.end()
    return writer.to_bytes()


class _EntryWriter(LineWriter):
    """Writes a memory file; new entries are separated like most of its entries."""

    def __init__(self, document: Document) -> None:
        super().__init__(document.text)
        self._is_list = document.dialect.level == 0
        self._is_behind_entry = False  # True if the last thing written was an entry
        gaps = [entry.lines[len(without_filler(entry.lines)) :] for entry in document.entries]
        default = () if self._is_list else (self.newline,)
        gap = Counter(gaps[:-1]).most_common(1)[0][0] if gaps[1:] else default
        self._gap = tuple(line if line.strip() else self.newline for line in gap)
        self._last_gap = gaps[-1] if gaps else ()

    def keep_span(self, span: LineSpan) -> None:
        """Add the lines of a span unchanged; a span without lines changes nothing."""
        lines = self.source[span.first - 1 : span.last]
        self.keep(lines)
        if lines:
            self._is_behind_entry = span.kind == ENTRY

    def replace_span(self, span: LineSpan, lines: Sequence[str]) -> None:
        """Add other lines for an entry, with the filler below it."""
        source = self.source[span.first - 1 : span.last]
        self.add(lines)
        self.keep(source[len(without_filler(source)) :])
        self._is_behind_entry = True

    def put(self, entries: Sequence[NewEntry], *, on_top: bool) -> None:
        """Add entries, separated from the text above and below."""
        for entry in reversed(entries) if on_top else entries:
            if self.lines and self.lines[-1].strip() and not self._is_list:
                is_open = self._is_behind_entry and not is_filler(self.lines[-1])
                self.keep(self._gap if is_open and self._gap else [self.newline])
            self.add(entry.lines)
            self.keep(self._gap)
            self._is_behind_entry = True

    def end(self) -> None:
        """End the file as it ended after its last entry: with the filler that followed."""
        if self._is_behind_entry:
            self.lines[1:] = without_filler(self.lines)[1:]
            self.keep(self._last_gap)


def _position(document: Document, entry: Entry, *, on_top: bool) -> int:
    """Return the line above which to insert a new entry that belongs beside another one."""
    spans = document.spans
    index = next(number for number, span in enumerate(spans) if span.first == entry.first)
    step = -1 if on_top else 1
    while 0 <= index + step < len(spans) and spans[index + step].kind == ENTRY:
        index += step
    return spans[index].first if on_top else spans[index].last + 1


def misread(
    before: Document, after: Document, removed: Collection[Entry], added: Sequence[NewEntry]
) -> bool:
    """Return True if a rewritten file does not have exactly the expected entries.

    after is parsed in the dialect of before.
    """
    removed_lines = {entry.first for entry in removed}
    removed_lines |= {entry.neighbour.first for entry in added if entry.replaces}
    expected = Counter(_content(e.lines) for e in before.entries if e.first not in removed_lines)
    expected += Counter(_content(entry.lines) for entry in added)
    if expected != Counter(_content(entry.lines) for entry in after.entries):
        return True
    return _frame(before) != _frame(after)


def _content(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(without_filler([line.rstrip("\r\n").removeprefix(BOM) for line in lines]))


def _frame(document: Document) -> list[str]:
    """Return the lines around the entries, without blank lines and line ends."""
    spans = [span for span in document.spans if span.kind != ENTRY]
    lines = (line for span in spans for line in document.lines[span.first - 1 : span.last])
    return [text for line in lines if (text := line.removeprefix(BOM).strip())]
