"""Target files as sections, and entries and sections as bags of keywords to compare."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
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
    inner = list(
        takewhile(
            lambda other: other.path == whole.path and len(other.trail) > len(whole.trail),
            islice(sections, index + 1, None),
        )
    )
    lines = (line for section in inner for line in (f"{section.title}\n", *section.lines))
    return whole._replace(
        last=inner[-1].last if inner else whole.last,
        lines=(*whole.lines, *lines),
        code=whole.code.union(*(section.code for section in inner)),
    )


def _sections(path: str, document: Document) -> Iterator[TargetSection]:
    lines = tuple(  # without fenced text
        "\n" if number in document.hidden_lines else line
        for number, line in enumerate(document.lines, start=1)
    )
    starts = document.outline.headings
    ends = [heading.line - 1 for heading in starts[1:]] + [len(lines)]
    first = starts[0].line if starts else len(lines) + 1
    if any(line.strip() for line in lines[document.front_matter : first - 1]):
        top = document.front_matter
        yield TargetSection(path, "", (), top + 1, first - 1, lines[top : first - 1])
    above: list[tuple[int, str]] = []
    for heading, end in zip(starts, ends, strict=False):
        title = heading_text(document.lines[heading.line - 1])
        above = [(level, name) for level, name in above if level < heading.level]
        trail = tuple(name for _, name in above)
        above.append((heading.level, title))
        hidden = sorted(document.hidden_lines.intersection(range(heading.line + 1, end + 1)))
        code = frozenset(document.lines[number - 1].strip() for number in hidden)
        own = lines[heading.line : end]
        yield TargetSection(path, title, trail, heading.line, end, own, code)


TITLE_WEIGHT = 2.0
"""The weight of a title word.

Chosen over the sets in benchmarks/README.md, Routes: other weights gain on one set and lose on
another.
"""


def bag_of_entry(entry: Entry) -> dict[str, float]:
    """Return the bag of an entry; a repeated word counts less than twice."""
    counts = _counted([(entry.title, TITLE_WEIGHT), (content_of(entry), 1.0)])
    return {word: 2 * count / (count + 1) for word, count in counts.items()}


def content_of(entry: Entry) -> str:
    """Return the text of an entry without its title; for a list item all of it."""
    return entry.text if entry.level == 0 else entry.body


def bag_of_section(section: TargetSection, extra: Iterable[str] = ()) -> dict[str, float]:
    """Return the bag of a section; the headings around it are sections of their own.

    extra are keys that count once as well.
    """
    bag = _counted([(section.text, 1.0), (section.title, TITLE_WEIGHT)])
    for key in extra:
        bag[key] = bag.get(key, 0.0) + 1.0
    return bag


def _counted(parts: Iterable[tuple[str, float]]) -> dict[str, float]:
    counts: dict[str, float] = {}
    for text, weight in parts:
        for key in keys(text):
            counts[key] = counts.get(key, 0.0) + weight
    return counts
