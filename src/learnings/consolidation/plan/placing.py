"""A memory file with entries taken out and others put in; all else stays byte for byte."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from learnings.consolidation.plan.plan import ends_entry
from learnings.core.entries.document import Document, Entry
from learnings.core.entries.layout import ENTRY
from learnings.core.entries.rewriting import is_newest_first
from learnings.core.text import BOM, encode, newline_of

TOP, BOTTOM, AUTO = "top", "bottom", "auto"


class NewEntry(NamedTuple):
    """The lines of an entry to put in, without terminators, and an entry beside which it belongs.

    It goes to the top or bottom of the entries around that one, up to the next category.
    """

    lines: tuple[str, ...]
    beside: Entry


def goes_on_top(document: Document, insert: str) -> bool:
    """Return True if new entries go above the others, by the setting `insert`."""
    if insert == AUTO:
        return is_newest_first(entry.stated for entry in document.entries)
    return insert == TOP


def rewritten(
    document: Document, removed: Collection[Entry], added: Sequence[NewEntry], *, on_top: bool
) -> bytes:
    """Return the file without some entries and with others.

    Of several for the same place those that come later are the newer ones.
    """
    style = _Style(document)
    blocks = defaultdict[int, list[NewEntry]](list)
    for entry in added:
        blocks[_position(document, entry.beside, on_top=on_top)].append(entry)
    gone = {entry.first for entry in removed}
    output = _RewrittenLines(style)
    bom = BOM if document.text.startswith(BOM) else ""  # of the file, not of its first entry
    lines = [line.removeprefix(bom) for line in document.lines[:1]] + [*document.lines[1:]]
    for span in document.spans:
        output.add(blocks.pop(span.first, []), on_top=on_top)
        if span.kind != ENTRY or span.first not in gone:
            output.keep(lines[span.first - 1 : span.last], is_entry=span.kind == ENTRY)
    for entries in blocks.values():
        output.add(entries, on_top=on_top)
    if document.spans[-1].kind == ENTRY:
        output.end()
    return encode(bom + "".join(output.lines))


class _RewrittenLines:
    """The lines of a file as it is written; is_behind_entry says that an entry came last."""

    def __init__(self, style: _Style) -> None:
        self.lines: list[str] = []
        self._style = style
        self._is_behind_entry = False

    def keep(self, lines: Sequence[str], *, is_entry: bool) -> None:
        """Add lines that stay as they are; none change nothing."""
        self.lines += lines
        if lines:
            self._is_behind_entry = is_entry

    def add(self, entries: Sequence[NewEntry], *, on_top: bool) -> None:
        """Add entries, kept apart from what is above and below."""
        for entry in reversed(entries) if on_top else entries:
            self._keep_apart()
            self.lines += [f"{line}{self._style.newline}" for line in entry.lines]
            self.lines += self._style.gap
            self._is_behind_entry = True

    def _keep_apart(self) -> None:
        """End the last line, and put below it what keeps an entry apart."""
        if not self.lines:
            return
        newline, gap = self._style.newline, self._style.gap
        if not self.lines[-1].endswith(("\n", "\r")):
            self.lines[-1] += newline
        if self.lines[-1].strip() and not self._style.is_list:
            is_open = self._is_behind_entry and not ends_entry(self.lines[-1])
            self.lines += gap if is_open and gap else [newline]

    def end(self) -> None:
        """Let the file end as it did behind its last entry: with the lines that followed it."""
        if not self._is_behind_entry:
            return
        while len(self.lines) > 1 and ends_entry(self.lines[-1]):
            self.lines.pop()
        if self._style.last_gap and not self.lines[-1].endswith(("\n", "\r")):
            self.lines[-1] += self._style.newline
        self.lines += self._style.last_gap


class _Style:
    """How the entries of a file are kept apart: the lines between two, and those at its end."""

    def __init__(self, document: Document) -> None:
        self.newline = newline_of(document.text)
        gaps = [_gap(entry) for entry in document.entries]
        default = (self.newline,) if document.dialect.level else ()
        gap = Counter(gaps[:-1]).most_common(1)[0][0] if gaps[1:] else default
        self.gap = tuple(line if line.strip() else self.newline for line in gap)
        self.last_gap = gaps[-1] if gaps else ()
        self.is_list = document.dialect.level == 0


def _gap(entry: Entry) -> tuple[str, ...]:
    """Return the lines at the end of an entry that only keep it apart from the next one."""
    count = len(entry.lines)
    while count > 1 and ends_entry(entry.lines[count - 1]):
        count -= 1
    return entry.lines[count:]


def _position(document: Document, entry: Entry, *, on_top: bool) -> int:
    """Return the line above which a new entry goes that belongs beside another one."""
    spans = document.spans
    index = next(number for number, span in enumerate(spans) if span.first == entry.first)
    step = -1 if on_top else 1
    while 0 <= index + step < len(spans) and spans[index + step].kind == ENTRY:
        index += step
    return spans[index].first if on_top else spans[index].last + 1


def misread(
    before: Document, after: Document, removed: Collection[Entry], added: Sequence[NewEntry]
) -> bool:
    """Return True if a rewritten file does not hold just the entries that it should hold.

    after is read in the dialect of before.
    """
    gone = {entry.first for entry in removed}
    expected = Counter(_content(e.lines) for e in before.entries if e.first not in gone)
    expected += Counter(_content(entry.lines) for entry in added)
    if expected != Counter(_content(entry.lines) for entry in after.entries):
        return True
    return _frame(before) != _frame(after)


def _content(lines: Sequence[str]) -> tuple[str, ...]:
    texts = [line.rstrip("\r\n").removeprefix(BOM) for line in lines]
    while len(texts) > 1 and ends_entry(texts[-1]):
        texts.pop()
    return tuple(texts)


def _frame(document: Document) -> list[str]:
    """Return the lines around the entries, blank ones and line ends left out."""
    spans = [span for span in document.spans if span.kind != ENTRY]
    lines = (line for span in spans for line in document.lines[span.first - 1 : span.last])
    return [text for line in lines if (text := line.removeprefix(BOM).strip())]
