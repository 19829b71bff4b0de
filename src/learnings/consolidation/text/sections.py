"""Target files as sections, and entries and sections as bags of keywords to compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys
from learnings.core.entries.dialects import HEADING
from learnings.core.entries.document import Document, Entry, ReadOptions, read
from learnings.core.entries.titles import heading_text
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
    document = read(data, ReadOptions(HEADING, 2))
    is_record = is_dated_record(path, document.lines, document.outline)
    return TargetFile(path, len(document.lines), tuple(_sections(path, document)), is_record)


def whole_section(sections: Sequence[TargetSection], index: int) -> TargetSection:
    """Return a section of some files with the text of its sub-sections."""
    whole = sections[index]
    for inner in islice(sections, index + 1, None):
        if inner.path != whole.path or len(inner.trail) <= len(whole.trail):
            break
        lines = (*whole.lines, f"{inner.title}\n", *inner.lines)
        whole = whole._replace(last=inner.last, lines=lines, code=whole.code | inner.code)
    return whole


def _sections(path: str, document: Document) -> Iterator[TargetSection]:
    hidden, headings, top = document.hidden_lines, document.outline.headings, document.front_matter
    lines = tuple("\n" if n in hidden else line for n, line in enumerate(document.lines, start=1))
    first, *ends = *(heading.line - 1 for heading in headings), len(lines)
    if any(line.strip() for line in lines[top:first]):
        yield TargetSection(path, "", (), top + 1, first, lines[top:first])
    above: list[tuple[int, str]] = []
    for heading, end in zip(headings, ends, strict=True):
        title = heading_text(document.lines[heading.line - 1])
        above = [(level, name) for level, name in above if level < heading.level]
        trail = tuple(name for _, name in above)
        above.append((heading.level, title))
        own = hidden.intersection(range(heading.line + 1, end + 1))
        code = frozenset(document.lines[number - 1].strip() for number in own)
        yield TargetSection(path, title, trail, heading.line, end, lines[heading.line : end], code)


TITLE_WEIGHT = 2.0
"""The weight of a title word.

Chosen over the sets in benchmarks/README.md, Routes: other weights gain on one set and lose on
another.
"""


def bag_of_entry(entry: Entry) -> dict[str, float]:
    """Return the bag of an entry; a repeated word counts less than twice."""
    bag = bag_of(entry.title, content_of(entry))
    return {word: 2 * count / (count + 1) for word, count in bag.items()}


def content_of(entry: Entry) -> str:
    """Return the text of an entry without its title; for a list item all of it."""
    return entry.text if entry.level == 0 else entry.body


def bag_of(title: str, text: str, more: Iterable[str] = ()) -> dict[str, float]:
    """Return the keywords of a title and a text with their weights; more are keys of weight 1."""
    bag: dict[str, float] = {}
    whole = f"{title}\n{text}"
    for words, weight in ((keys(whole), 1.0), (keys(title), TITLE_WEIGHT - 1), (more, 1.0)):
        for key in words:
            bag[key] = bag.get(key, 0.0) + weight
    return bag
