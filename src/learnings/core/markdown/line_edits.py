"""Byte-exact edits of a file by its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, encode, newline_of, split_lines

# A thematic break such as `---`, `***` or `_ _ _`, with the indent allowed in an entry.
_BREAK = lazy_pattern(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")


class LineWriter:
    """Writes a changed file with its byte order mark and line ends; source has the old lines."""

    def __init__(self, text: str, newline: str | None = None) -> None:
        self._bom = BOM if text.startswith(BOM) else ""
        self.newline = newline or newline_of(text)
        self.source = split_lines(text.removeprefix(BOM))
        self.lines: list[str] = []

    def keep(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.end_line()
            self.lines.append(line)

    def add(self, texts: Iterable[str]) -> None:
        self.keep(f"{text}{self.newline}" for text in texts)

    def end_line(self) -> None:
        if self.lines:
            self.lines[-1:] = terminated(self.lines[-1:], self.newline)

    def set_apart(self) -> None:
        if self.lines and self.lines[-1].strip():
            self.add([""])

    def to_bytes(self) -> bytes:
        return encode(self._bom + "".join(self.lines))


def terminated(lines: Iterable[str], newline: str) -> Iterator[str]:
    for line in lines:
        yield line if chomp(line) != line else line + newline


def is_filler(line: str) -> bool:
    """Return True for a blank line or a thematic break, which only separate entries."""
    return not line.strip() or _BREAK.fullmatch(chomp(line)) is not None


def without_filler(lines: Sequence[str]) -> Sequence[str]:
    """Return an entry's lines without filler at the end; the first line stays."""
    count = len(lines)
    while count > 1 and is_filler(lines[count - 1]):
        count -= 1
    return lines[:count]


def filler_of(lines: Sequence[str]) -> Sequence[str]:
    """Return the filler at the end of an entry's lines."""
    return lines[len(without_filler(lines)) :]
