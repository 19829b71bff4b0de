"""What two versions of a file tell about its entries before they are read as documents.

If no line that may begin an entry is gone, nothing was removed. An entry whose line stands once in
both is the same entry. Whatever is not sure, the documents tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import TypeVar

from learnings.core.entries import titles
from learnings.core.markdown.chunks import Chunk, chunks_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BLANKS, BOM, INVISIBLE, chomp, decode

HEADING, ITEM = "#", "-"
"""The marks of lines that may begin an entry."""

_ITEM = lazy_pattern(rf"\s*{LIST_MARKER}(?:\s|$)")
# The beginning of an entry that is neither: a row, a date, a numbered paragraph.
_TEXT = lazy_pattern(r"\s*(?:\||\[\d{4}-|\*\*[A-Z\d])")
# Enough for all different lines, or chunks, of a long history.
_remembered = lru_cache(maxsize=1 << 14)


def _mark(line: str) -> str:
    seen = line.lstrip(BLANKS)
    if seen.startswith("#"):
        return HEADING
    return ITEM if _ITEM.match(seen) else ""


@_remembered
def start_of(line: str) -> str:
    """Return what all first lines of an entry share, mark and letters; empty for other text."""
    mark = _mark(line)
    if not mark:
        return ""
    seen = line.lstrip(INVISIBLE)
    text = titles.heading_text(seen) if mark == HEADING else titles.read_item(seen).key_title
    return mark + _letters(titles.TWIN_NUMBER.sub("", text.rstrip()))


def title_of(line: str) -> str:
    """Return the title in the first line of an entry, whatever form its file has."""
    seen = line.lstrip(INVISIBLE)
    is_heading = _mark(line) == HEADING
    return titles.read_heading(seen, stamped=True).title if is_heading else start_of(seen)[1:]


def _letters(text: str) -> str:
    return titles.NOT_IN_WORDS.sub("", text.casefold())


@_remembered
def _starts_in(chunk: Chunk) -> tuple[tuple[str, str], ...]:
    lines = map(chomp, chunk.lines)
    return tuple((start, line) for line in lines if (start := start_of(line)))


class Version:
    """A version of a file, and the lines in it that may begin an entry."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def chunks(self) -> Sequence[Chunk]:
        return chunks_of(decode(self.data).removeprefix(BOM))

    @cached_property
    def starts(self) -> dict[str, str]:
        """The lines by start_of(); empty where several share it."""
        lines: dict[str, str] = {}
        for start, line in chain.from_iterable(map(_starts_in, self.chunks)):
            lines[start] = "" if start in lines else line
        return lines


class VersionChange:
    """What surely stayed, or surely was not there, in a version and the one before it."""

    def __init__(self, old: Version, new: Version) -> None:
        self._old, self._new = old, new

    def holds(self, line: str) -> bool:
        """Return True if the old version surely has the new entry that a line begins."""
        start = start_of(line) if "\r" not in line else ""  # a blank to the parser
        return start != "" and line == self._old.starts.get(start) == self._new.starts.get(start)

    def lacks(self, line: str) -> bool:
        """Return True if the old version surely has no entry that a line begins."""
        start = start_of(line)
        if not start or line.lstrip()[0].isdigit():
            return False  # it may equal any text
        # The date of an item counts where it is hidden.
        texts = start[1:], _letters(line)
        return not any(mark + text in self._old.starts for mark in HEADING + ITEM for text in texts)

    @cached_property
    def gone(self) -> frozenset[bytes]:
        """The lines that the new version has less often, in the form of first_line()."""
        return frozenset(_lines_gone(*map(_with_newlines, (self._old.data, self._new.data))))

    @cached_property
    def keeps_entries(self) -> bool:
        """True if every line that may begin an entry of the old version is still in the file."""
        return not any(_mark(line) or _TEXT.match(line) for line in map(decode, self.gone))


def first_line(line: bytes) -> bytes:
    """Return a line without line end, in the form in which two versions compare it."""
    return b" ".join(filter(None, line.rstrip().expandtabs(1).split(b" ")))


def _with_newlines(data: bytes) -> bytes:
    if b"\r" not in data:
        return data
    data = data.replace(b"\r\n", b"\n")
    return data if b"\n" in data else data.replace(b"\r", b"\n")


def _lines_gone(old: bytes, new: bytes) -> Iterator[bytes]:
    """Yield the lines, other than prose, that a version has less often than the one before."""
    least = min(len(old), len(new))
    same = _most(lambda size: old[:size] == new[:size], least)
    start = old.rfind(b"\n", 0, same) + 1
    same = _most(lambda size: old[len(old) - size :] == new[len(new) - size :], least - same)
    end = old.find(b"\n", len(old) - same)
    below = len(old) - end if same and end >= 0 else 0
    before, after = (data[start : len(data) - below] for data in (old, new))
    if not before or before.isspace():
        return
    gone, come = _surplus(before.split(b"\n"), after.split(b"\n"))
    lines, _ = _surplus(map(first_line, gone), map(first_line, come))
    yield from (line for line in dict.fromkeys(lines) if line and not line[:1].isalpha())


def _most(is_equal: Callable[[int], bool], size: int) -> int:
    """Return the largest number up to `size` for which a part is equal."""
    low, high = 0, size + 1
    while high - low > 1:
        middle = size if high > size else (low + high) // 2
        low, high = (middle, high) if is_equal(middle) else (low, middle)
    return low


_T = TypeVar("_T", bound=Hashable)


def _surplus(before: Iterable[_T], after: Iterable[_T]) -> tuple[list[_T], list[_T]]:
    """Return the parts that each side has more often than the other, in any order."""
    old, new = Counter(before), Counter(after)
    return [*(old - new).elements()], [*(new - old).elements()]
