"""What two versions of a file tell about its entries before they are read as documents.

If no line that may begin an entry is gone, nothing was removed. An entry whose first line stands
once in both versions is the same entry. Whatever is not sure, the documents tell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import compress, count
from operator import ne

from learnings.core.entries import dialects, titles
from learnings.core.entries.document import ReadOptions
from learnings.core.entries.entry_changes import ComparableLine, comparable_line
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import scan
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BLANKS, BOM, INVISIBLE, decode

HEADING, ITEM = "#", "-"
"""The marks of lines that may begin an entry."""

_ITEM = lazy_pattern(rf"\s*{LIST_MARKER}(?:\s|$)")
_BOLD_ITEM = lazy_pattern(rf"[ \t]*{LIST_MARKER}[ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*|__)")
# The beginning of an entry that is neither: a row, a date, a numbered paragraph.
_TEXT = lazy_pattern(r"\s*(?:\||\[\d{4}-|\*\*[A-Z\d])")
# A line that may hide other lines: a fence or HTML.
_MAY_HIDE = lazy_pattern(r"[ \t>*+\-0-9.)]*(?:```|~~~|<)")
# Titles by which `shapes` recognises a file; list items below some of these headings are entries.
_TITLES_OF_TOOLS = frozenset(
    (
        *("#codebasepatterns", "#projectcontext", "#corecontext"),
        *("#userpreferences", "#keylearnings", "#donotrepeat"),
        *("#howthisprojectworks", "#activecontext"),
    )
)


def _mark(line: str) -> str:
    seen = line.lstrip(BLANKS)
    if seen.startswith("#"):
        return HEADING
    return ITEM if _ITEM.match(seen) else ""


# Enough for all different lines of a long history.
@lru_cache(maxsize=1 << 14)
def start_of(line: str) -> str:
    """Return what all first lines of an entry share, mark and letters; empty for other text."""
    mark, seen = _mark(line), line.lstrip(INVISIBLE)
    if not mark:
        return ""
    text = titles.heading_text(seen) if mark == HEADING else titles.read_item(seen).key_title
    return mark + _letters(titles.TWIN_NUMBER.sub("", text.rstrip()))


def title_of(line: str) -> str:
    """Return the title in the first line of an entry, whatever form its file has."""
    seen = line.lstrip(INVISIBLE)
    is_heading = _mark(line) == HEADING
    return titles.read_heading(seen, stamped=True).title if is_heading else start_of(seen)[1:]


def _letters(text: str) -> str:
    return titles.NOT_IN_WORDS.sub("", text.casefold())


class Version:
    """A version of a file: its lines without line ends, and those that may begin an entry."""

    def __init__(self, data: bytes, options: ReadOptions) -> None:
        text = decode(data).removeprefix(BOM).replace("\r\n", "\n")
        self.lines = text.split("\n" if "\n" in text else "\r")
        self.options = options

    @cached_property
    def starts(self) -> Mapping[str, Sequence[str]]:
        """The lines that may begin an entry, by start_of()."""
        found: dict[str, list[str]] = {}
        for line in self.lines:
            if line and not line[0].isalpha() and (start := start_of(line)):
                found.setdefault(start, []).append(line)
        return found

    def has(self, line: ComparableLine) -> bool:
        """Return True if a line is in the version, perhaps in a fence or a comment."""
        return line in map(comparable_line, self.lines)

    def may_show(self, line: ComparableLine) -> bool:
        """Return True unless a line surely begins no entry of the version."""
        return self.has(line) and line in self._shown

    @cached_property
    def _shown(self) -> frozenset[ComparableLine]:
        """The headings and items, or all lines if the scanner is not certain."""
        lines, outline = self.lines, scan([f"{line}\n" for line in self.lines])
        if outline is not None:
            shown = (*(heading.line for heading in outline.headings), *outline.items)
            lines = [lines[number - 1] for number in shown]
        return frozenset(map(comparable_line, lines))

    @cached_property
    def has_headings_only(self) -> bool:
        """True if surely no entry is a list item, by the rules of `layout`."""
        is_tool = not _TITLES_OF_TOOLS.isdisjoint(self.starts)
        if is_tool or self.options.dialect in (dialects.BULLET, *dialects.SHAPES):
            return False
        starts = self.starts.items()
        headings, items = (
            [line for start, lines in starts if start[0] == mark for line in lines]
            for mark in (HEADING, ITEM)
        )
        second = (titles.heading_text(s) for s in headings if s.startswith(("## ", "##\t")))
        names = [name for name in second if not titles.explains_file(name)]
        if sum(map(titles.has_time_stamp, names)) > 1:
            return True
        if any(map(titles.is_dated_item, items)):
            return False
        if any(line.startswith(("### ", "###\t")) for line in headings):
            return True
        chapters, bold = len(names), sum(_BOLD_ITEM.match(item) is not None for item in items)
        # Where titles are long, only bold items can be the entries.
        are_long = 2 * sum(not dialects.is_chapter(name) for name in names) > chapters
        are_few = len(items) < 3 * chapters and bold < chapters
        return chapters > 1 and (are_few or (are_long and bold < 2 * chapters - 2))


class VersionChange:
    """What surely stayed, or surely was not there, in a version and the one before it."""

    def __init__(self, old: Version, new: Version) -> None:
        self._old, self._new = old, new

    def holds(self, line: str) -> bool:
        """Return True if the old version surely has the new entry that a line begins."""
        start = start_of(line)
        before = self._old.starts.get(start)
        if not start or before != self._new.starts.get(start):
            return False
        return before is None or len(before) == 1 or start not in self._unsure_twins

    def lacks(self, line: str) -> bool:
        """Return True if the old version surely has no entry that a line begins."""
        start = start_of(line)
        if not start or line.lstrip()[0].isdigit():
            return False  # it may equal any text
        # The date of an item counts where it is hidden.
        texts, starts = (start[1:], _letters(line)), self._old.starts
        return not any(mark + text in starts for mark in (HEADING, ITEM) for text in texts)

    @cached_property
    def gone(self) -> Sequence[str]:
        """The lines, other than prose, that the new version has less often.

        White space is one blank, and none at the ends.
        """
        _, before, after = self._middles
        old, new = (Counter(" ".join(line.split()) for line in side) for side in (before, after))
        return [line for line in old - new if line and not line[0].isalpha()]

    @cached_property
    def keeps_entries(self) -> bool:
        """True if every line that begins an entry of the old version is still in the file."""
        marks = {*map(_mark, self.gone)}
        if HEADING in marks or any(map(_TEXT.match, self.gone)):
            return False
        return ITEM not in marks or self._old.has_headings_only

    @cached_property
    def _unsure_twins(self) -> frozenset[str]:
        """The starts of several lines of which the text may differ: by a change in it."""
        above, before, after = self._middles
        changed = [*before, *after]
        is_in_preamble = len(above) < (self._old.options.preamble_lines or 0)
        if is_in_preamble or any(map(_MAY_HIDE.match, changed)):
            return frozenset(self._old.starts)
        level = 7  # below any heading: the items up to the next one may hold the change
        for line in reversed(above):
            text = line.lstrip(BLANKS)
            marks = len(text) - len(text.lstrip("#"))
            if marks < level and (marks or level == 7):
                changed.append(line)
            level = min(level, marks or 7)
        return frozenset(map(start_of, changed))

    @cached_property
    def _middles(self) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
        """The lines above the first difference, and both sides without them and the common end."""
        before, after = self._old.lines, self._new.lines
        start = _first_difference(before, after)
        above, before, after = before[:start], before[start:], after[start:]
        end = _first_difference(before[::-1], after[::-1])
        return above, before[: len(before) - end], after[: len(after) - end]


def _first_difference(before: Sequence[str], after: Sequence[str]) -> int:
    """Return the index of the first line that differs or is missing on one side."""
    return next(compress(count(), map(ne, before, after)), min(len(before), len(after)))
