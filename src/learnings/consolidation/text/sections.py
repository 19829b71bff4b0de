"""Target files as sections, and entries and sections as bags of keywords to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import heading_text
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.roles import is_dated_record


class TargetSection(NamedTuple):
    """The text between a heading of a target file and the next one, at any level.

    title is empty for text above the first heading; trail holds the titles of the headings around
    it, outermost first. Line numbers are 1-based, in the file. lines is its text without the
    heading; fenced text is blank there, so that numbers stay true, and its stripped lines are in
    code.
    """

    path: str
    title: str
    trail: tuple[str, ...]
    line: int
    last: int
    lines: tuple[str, ...]
    code: frozenset[str] = frozenset()

    @property
    def text(self) -> str:
        """The source below the heading, without fenced examples."""
        return "".join(self.lines)

    @property
    def first(self) -> int:
        """The number of the first of lines."""
        return self.last - len(self.lines) + 1


class TargetFile(NamedTuple):
    """A target file: its POSIX path from the root, its number of lines, its sections.

    is_record is True for the record of one decision, which takes no other entry: its name begins
    with a number or date, or it has a status above its second heading.
    """

    path: str
    lines: int
    sections: tuple[TargetSection, ...]
    is_record: bool = False


def target_of(path: str, data: bytes) -> TargetFile:
    """Parse a target file; accepts any input."""
    blocks = blocks_of(data)
    is_record = is_dated_record(path, blocks.lines, blocks.outline)
    return TargetFile(path, len(blocks.lines), tuple(_sections(path, blocks)), is_record)


def whole_section(sections: Sequence[TargetSection], index: int) -> TargetSection:
    """Return a section of some files with the text of its sub-sections."""
    whole = sections[index]
    for inner in islice(sections, index + 1, None):
        if inner.path != whole.path or len(inner.trail) <= len(whole.trail):
            break
        lines = (*whole.lines, f"{inner.title}\n", *inner.lines)
        whole = whole._replace(last=inner.last, lines=lines, code=whole.code | inner.code)
    return whole


def _sections(path: str, blocks: Blocks) -> Iterator[TargetSection]:
    source, top, (headings, *_) = blocks
    hidden = blocks.outline.hidden_lines(top)
    lines = tuple("\n" if n in hidden else line for n, line in enumerate(source, start=1))
    first, *ends = *(heading.line - 1 for heading in headings), len(lines)
    if any(line.strip() for line in lines[top:first]):
        yield TargetSection(path, "", (), top + 1, first, lines[top:first])
    above: list[tuple[int, str]] = []
    for heading, end in zip(headings, ends, strict=True):
        title = heading_text(source[heading.line - 1])
        above = [(level, name) for level, name in above if level < heading.level]
        trail = tuple(name for _, name in above)
        above.append((heading.level, title))
        own = hidden.intersection(range(heading.line + 1, end + 1))
        code = frozenset(source[number - 1].strip() for number in own)
        yield TargetSection(path, title, trail, heading.line, end, lines[heading.line : end], code)


def bag_of_entry(entry: Entry) -> dict[str, float]:
    """Return the bag of an entry; a repeated word counts less than twice."""
    bag = bag_of(entry.title, content_of(entry))
    return {word: 2 * count / (count + 1) for word, count in bag.items()}


def content_of(entry: Entry) -> str:
    """Return the text of an entry without its title; for a list item all of it."""
    return entry.text if entry.level == 0 else entry.body


def bag_of(title: str, text: str, more: Iterable[str] = ()) -> Counter[str]:
    """Return the number of each keyword in a title and a text; more are further ones.

    A word of a title counts twice: other weights gain on one of the sets in benchmarks/README.md,
    Routes, and lose on another.
    """
    return Counter((*keys(f"{title}\n{text}"), *keys(title), *more))
