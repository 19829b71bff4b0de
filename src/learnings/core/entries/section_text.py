"""The text of sections: lists, leads of items, and fields of a repeated form."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from learnings.core.entries.titles import item_text, starts_with_date
from learnings.core.markdown.line_kinds import has_text
from learnings.core.markdown.outline import Outline, Section, lines_of
from learnings.core.patterns import lazy_pattern

# Maximum words of a title that can be a form field, such as `Context` or `What went well`.
FIELD_WORDS = 3

# A task box at the start of an item.
_TASK_BOX = lazy_pattern(r"\[[ xX]\][ \t]+")
# Bold text at the start; group 2 is its content.
_BOLD = lazy_pattern(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
# The lead of an item without bold text: at most four words and a colon.
_WORDS_BEFORE_COLON = lazy_pattern(r"(\w[^\s:]*(?: [^\s:]+){0,3}):(?:\s|$)")
# The name of a field in a title, with the sign that marks it as one: `❌ WRONG (…)`, `Problem: …`.
_FIELD_NAME = lazy_pattern(r"(?P<name>[^\s:(]+(?: [^\s:(]+){0,2})(?::| ?\(|$)")


class Lead(NamedTuple):
    """The lead of a list item, casefolded: bold text or words before a colon, without a date."""

    text: str
    is_bold: bool


# Versions of a file repeat its lines hundreds of times.
@lru_cache(maxsize=4096)
def lead_of(line: str) -> Lead:
    text = _TASK_BOX.sub("", item_text(line), count=1)
    bold = _BOLD.match(text)
    words = None if bold else _WORDS_BEFORE_COLON.match(text)
    lead = bold[2] if bold else words[1] if words else ""
    has_date = starts_with_date(lead)
    return Lead("" if has_date else lead.casefold().strip(" :.–—-"), bold is not None)


def own_items(items: Sequence[int], lines: Sequence[str]) -> tuple[int, ...]:
    """Return the items (1-based first lines) whose lead is not a repeated form field."""
    leads = [lead_of(line).text for line in lines]
    counts = Counter(leads)
    return tuple(
        item for item, lead in zip(items, leads, strict=True) if not lead or counts[lead] < 2
    )


def _beginning(title: str) -> str:
    match = _FIELD_NAME.match(title)
    return match["name"].casefold() if match else ""


def own_headings(sections: Sequence[Section], above: Sequence[int]) -> tuple[Section, ...]:
    """Return the sections that are not fields of a form, which recurs under other headings."""
    parents: defaultdict[str, set[int]] = defaultdict(set)
    beginnings: defaultdict[str, list[int]] = defaultdict(list)
    for section in sections:
        parent = bisect(above, section.heading.line)
        parents[section.title.casefold()].add(parent)
        beginnings[_beginning(section.title)].append(parent)
    total = len(set().union(*parents.values()))
    unnamed = beginnings[""]

    def is_field(title: str) -> bool:
        count, alike = len(parents[title.casefold()]), beginnings[_beginning(title)]
        is_everywhere = count > 2 and 2 * count >= total
        # A form has each field once; several entries of a chapter may all begin with `Rule: …`.
        is_form = (
            len(alike) == len({*alike}) > 1 and 2 * len(alike) > total and alike is not unnamed
        )
        return is_form or (count > 1 and (len(title.split()) <= FIELD_WORDS or is_everywhere))

    return tuple(section for section in sections if not is_field(section.title))


class SectionText:
    def __init__(self, lines: Sequence[str], outline: Outline) -> None:
        self._lines = lines
        self._comments = lines_of(outline.comments)
        self._fences = lines_of(outline.fences)
        self._items = {item.line for item in outline.items}

    def of(self, section: Section) -> Iterator[int]:
        """Yield the lines of a section with text, including sub-sections."""
        for number in range(section.heading.line + 1, section.last + 1):
            if number not in self._comments and has_text(self._lines[number - 1]):
                yield number

    def first(self, section: Section) -> int:
        return next(self.of(section), 0)

    def is_list(self, section: Section) -> bool:
        """Return True if a section has only list items, perhaps below an introduction."""
        is_in_list = False
        for number in self.of(section):
            if number in self._items:
                is_in_list = True
            elif is_in_list:
                # A line continues the item above it if it is indented, lazy, or code.
                line, above = self._lines[number - 1], self._lines[number - 2]
                is_lazy = line[0] != "#" and above.strip()
                if not (line[0] in " \t" or is_lazy or number in self._fences):
                    return False
        return is_in_list
