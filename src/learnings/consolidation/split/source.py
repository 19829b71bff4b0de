"""A file to be split: its sections, definitions and link targets, and new files of its lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from posixpath import basename, dirname, join, normpath, splitext
from typing import NamedTuple

from learnings.core.entries.titles import written_heading
from learnings.core.markdown import outline
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.links import (
    DEFINITION,
    WIKI,
    Link,
    anchors_of,
    links_in,
    normalized_anchor,
    own_anchors,
)
from learnings.core.markdown.parser import setext_headings, takes_too_long
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, decode, encode, newline_of

# A line that underlines the text above it; without one, no parser is needed.
_UNDERLINE = lazy_pattern(r" {0,3}(?:=+|-+)[ \t]*$")
# `[^note]: text`, not indented like code.
_NOTE = lazy_pattern(r" {0,3}\[(\^[^\[\]]+)\]:(?=\s*\S|$)")
# Text that may use a definition: `[text][label]`, `[label]`, `[^note]`.
_USE = lazy_pattern(r"\[(\^?[^\[\]]+)\](?!:)")
# A collapsible block at the start of a line; it contains blocks of its own.
_OPENED = lazy_pattern(r"^ {0,3}<details\b", re.IGNORECASE)
_CLOSED = lazy_pattern(r"</details\s*>", re.IGNORECASE)
DEEPEST = 3
"""The deepest level of a heading at which a file is cut."""
LEAD = "In files of their own:"
"""The line above the cross-references that stay in the source."""


class Section(NamedTuple):
    """A heading alone, or with its text: a section moves as a whole, or the sections in it do.

    first and last are its 1-based lines, without trailing blank lines. intro is the last line above
    it and the sections beside it: where a list of the moved ones belongs. title may be empty.
    """

    first: int
    last: int
    level: int
    title: str
    intro: int = 0

    @property
    def numbers(self) -> range:
        """The numbers of its lines."""
        return range(self.first, self.last + 1)


class Source:
    """A file before the split; path is POSIX, relative to the root.

    lines have their terminators; a byte order mark is separate. hidden are the lines of code,
    comments and the front matter. unclosed is the first line of a block without an end, or 0.
    real_folder returns where a folder of a link target really is, None outside the root.
    """

    def __init__(
        self, path: str, data: bytes, real_folder: Callable[[str], str | None] = str
    ) -> None:
        self.path, self.data, self._real_folder = path, data, real_folder
        self.name = basename(path)
        self.stem, self.suffix = splitext(self.name)
        text = decode(data)
        self.bom = BOM if text.startswith(BOM) else ""
        self.newline = newline_of(text)
        blocks = blocks_of(encode(text.removeprefix(BOM)))
        self.lines = blocks.lines
        hiding = blocks.outline.hiding_blocks
        self.hidden = frozenset(blocks.outline.hidden_lines(blocks.front_matter))
        self.unclosed = next((block.first for block in hiding if not block.closed), 0)
        self.front_matter, self._outline = blocks.front_matter, blocks.outline

    @cached_property
    def headings(self) -> Sequence[Section]:
        """The headings outside code, comments, quotes and lists."""
        found = [
            Section(line, line, level, written_heading(self.lines[line - 1]))
            for line, level in self._outline.headings
        ]
        inner = self.lines[self.front_matter :]
        if any(_UNDERLINE.match(chomp(line)) for line in inner) and not takes_too_long(inner):
            for block, level in setext_headings(inner):
                first, last = (line + self.front_matter for line in block[:2])
                title = " ".join(map(str.strip, self.lines[first - 1 : last - 1]))
                found.append(Section(first, last, level, title))
        return sorted(found)

    @property
    def title(self) -> str | None:
        """The title of a heading of level 1 before all others."""
        return next((heading.title for heading in self.headings[:1] if heading.level == 1), None)

    def text(self, numbers: Collection[int]) -> str:
        """Return some lines, without code and comments."""
        return "".join(self.lines[number - 1] for number in numbers if number not in self.hidden)

    @cached_property
    def anchors(self) -> Mapping[int, str]:
        """The anchors of the headings by their lines."""
        return anchors_of((heading.first, heading.title) for heading in self.headings)

    @cached_property
    def _targets(self) -> Mapping[str, int]:
        """The lines of anchors, and of `[[titles]]`; the first of several counts."""
        targets = {f"[[{h.title.casefold()}": h.first for h in reversed(self.headings)}
        for line, anchor in self.anchors.items():
            targets.setdefault(normalized_anchor(anchor), line)
        for number, text in enumerate(self.lines, start=1):
            for anchor in own_anchors(text) if number not in self.hidden else ():
                targets.setdefault(normalized_anchor(anchor), number)
        return targets

    @cached_property
    def links(self) -> Sequence[Link]:
        return links_in(self.lines, self.front_matter)

    def line_of(self, link: Link, path: str) -> int | None:
        """Return the target line of a link in the file at a path; None if that is elsewhere."""
        if not link.path:
            is_here = path == self.path
        elif link.form == WIKI:
            is_here = basename(link.path).strip() in (self.name, self.stem)
        else:
            base = "" if link.path.startswith("/") else dirname(path)
            named = normpath(join(base, link.path.lstrip("/")))
            is_here = basename(named) == self.name and (
                self._real_folder(dirname(named)) == dirname(self.path)
            )
        if not link.anchor or not is_here:
            return None
        title = link.anchor.rpartition("#")[2].strip().casefold()
        is_wiki = link.form == WIKI
        return self._targets.get(f"[[{title}" if is_wiki else normalized_anchor(link.anchor))

    @cached_property
    def definitions(self) -> Mapping[str, range]:
        """The lines of link definitions and footnotes by label; the first one of a label counts."""
        links = (link for link in self.links if link.form == DEFINITION)
        found = [(link.place.line, link.target.line, link.text) for link in links]
        for first, line in enumerate(self.lines, start=1):
            if first not in self.hidden and (note := _NOTE.match(line)):
                last = first  # indented lines continue it, even after blank ones
                for number, text in enumerate(self.lines[first:], start=first + 1):
                    if text.startswith(("    ", "\t")):
                        last = number
                    elif text.strip():
                        break
                found.append((first, last, note[1]))
        definitions: dict[str, range] = {}
        for first, last, label in sorted(found):
            definitions.setdefault(_label(label), range(first, last + 1))
        return definitions

    @cached_property
    def sections(self) -> Sequence[Section]:
        """The sections that may move, in the order of the file, with those inside others.

        None is in a `<details>` block. Definitions at the end of the file belong to no section,
        because all may use them.
        """
        depth, depths = 0, []
        for number, line in enumerate(self.lines, start=1):
            depths.append(depth)
            if number not in self.hidden:
                depth = max(0, depth + len(_OPENED.findall(line)) - len(_CLOSED.findall(line)))
        headings = [h for h in self.headings[self.title is not None :] if not depths[h.first - 1]]
        places = [outline.Heading(heading.first, heading.level) for heading in headings]
        sections: list[Section] = []
        around: list[Section] = []
        intros: dict[int, int] = {}
        ends = outline.section_ends(places, self._end(headings))
        for heading, end in zip(headings, ends, strict=True):
            first, level = heading.first, heading.level
            while around and around[-1].last < first:
                around.pop()
            if level <= (DEEPEST if around else 2):
                intro = intros.setdefault(around[-1].first if around else 0, first - 1)
                last = self._last_text(first, end)
                sections.append(heading._replace(last=last, intro=intro))
                around.append(sections[-1])
        return sections

    def _end(self, headings: Sequence[Section]) -> int:
        """Return the last line of the sections, above the definitions at the end of the file."""
        end = last = self._last_text(1, len(self.lines))
        for definition in reversed([*self.definitions.values()]):
            if definition[-1] < end:
                break
            end = self._last_text(1, definition[0] - 1)
        # A section that has only definitions is a section.
        return last if any(heading.last == end for heading in headings) else end

    def _last_text(self, first: int, last: int) -> int:
        """Return the last line with text among some lines, or the line before the first."""
        while last >= first and not self.lines[last - 1].strip():
            last -= 1
        return last


def _label(text: str) -> str:
    return " ".join(text.split()).casefold()


def pieces_of(
    sections: Sequence[Section], largest: int, chosen: Collection[Section]
) -> list[Section]:
    """Return the sections that move as a whole or stay; those larger than largest are cut inside.

    chosen sections move as a whole, whatever their size; a section that contains one is cut.
    """
    pieces: list[Section] = []
    for index, section in enumerate(sections, start=1):
        if pieces and section.first <= pieces[-1].last:
            continue
        has_sections = any(inner.first in section.numbers for inner in sections[index : index + 1])
        is_parted = any(other.first in section.numbers[1:] for other in chosen)
        is_cut = has_sections and (len(section.numbers) > largest or is_parted)
        if section in chosen or not is_cut:
            pieces.append(section)
    return pieces


class Line(NamedTuple):
    """A line; origin is its number in the source, 0 for an added line."""

    text: str
    origin: int = 0


def new_file(source: Source, title: str, sections: Sequence[Section]) -> list[Line]:
    """Return a file of some sections below a title; empty: the sections have one."""
    lines = _added(source, [f"# {title}", ""] if title else [])
    for number, section in enumerate(sections):
        lines += _added(source, [""] * (number > 0))
        lines += (Line(source.lines[origin - 1], origin) for origin in section.numbers)
    return _with_definitions(source, lines)


def rest_of(
    source: Source, moved: Iterable[Section], references: Mapping[int, Sequence[str]]
) -> list[Line]:
    """Return the rest of the source, with its cross-references to new files.

    references are by the last line of the text that they go below.
    """
    missing = {number for section in moved for number in section.numbers}
    lines: list[Line] = []
    is_gap = False
    for number, text in enumerate(("", *source.lines)):
        is_gap = number in missing or (is_gap and not text.strip())
        if number and not is_gap:
            lines.append(Line(text, number))
        if number in references:
            lines = _without_blank_end(lines)
            # Below the references of an earlier split, or with a lead of their own.
            above = (line.text for line in reversed(lines) if line.text.strip())
            last = next((text for text in above if not text.startswith("- [")), "")
            lead = [] if chomp(last) == LEAD else [*[""] * bool(lines), LEAD, ""]
            lines += _added(source, [*lead, *references[number], ""])
    return _with_definitions(source, lines)


def _added(source: Source, texts: Iterable[str]) -> list[Line]:
    return [Line(text + source.newline) for text in texts]


def _with_definitions(source: Source, lines: Sequence[Line]) -> list[Line]:
    """Return lines followed by the definitions that they use and lack."""
    origins = {line.origin for line in lines}
    text = "".join(line.text for line in lines if line.origin not in source.hidden)
    used = {_label(match[1]) for match in _USE.finditer(text)}
    known = (source.definitions[label] for label in used if label in source.definitions)
    missing = sorted((numbers for numbers in known if numbers[0] not in origins), key=min)
    result = _without_blank_end(lines)
    ends = {numbers[-1] for numbers in source.definitions.values()}
    if missing and result[-1].origin not in ends:
        result += _added(source, [""])
    result += (Line(source.lines[number - 1]) for numbers in missing for number in numbers)
    return result


def _without_blank_end(lines: Sequence[Line]) -> list[Line]:
    end = len(lines)
    while end and not lines[end - 1].text.strip():
        end -= 1
    return list(lines[:end])
