"""Headings without a space between `#` and the title, and the repaired lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.entries.titles import heading_stamp
from learnings.core.markdown.line_kinds import html_end
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, encode

# Two to six `#` and the next character, or whitespace other than a blank or tab.
_NO_SPACE = lazy_pattern(r"(#{2,6})([^#\s].*|[^\S \t].*)")
# The beginning of a build log command: `##vso[task.complete]`.
_LOG_COMMAND = lazy_pattern(r"\w+\[")
# At least two words, without the punctuation that ends a sentence or clause.
_WORDS = lazy_pattern(r"\w\S*\s+\w.*[^.,;:]")
# A word after an opening mark: bold, code, a quotation.
_QUOTED_WORD = lazy_pattern(r"(?:\*\*|__|[`\"“‘«])\w")
# A line that may begin HTML.
_BEGINS_TAG = lazy_pattern(" {0,3}<")


class MissingSpace(NamedTuple):
    """A line (1-based) meant as a heading: its `#` marks and the text after them."""

    line: int
    marks: str
    text: str

    @property
    def title(self) -> str:
        return self.text.strip()

    @property
    def is_odd_space(self) -> bool:
        return self.text[0].isspace()


def missing_spaces(document: Document) -> tuple[MissingSpace, ...]:
    candidates = [
        MissingSpace(number, match[1], match[2])
        for number, line in enumerate(document.lines, start=1)
        if (match := _NO_SPACE.match(chomp(line.removeprefix(BOM) if number == 1 else line)))
    ]
    if not candidates:
        return ()
    hidden = {*document.hidden_lines, *(heading.line for heading in document.outline.headings)}
    hidden.update(_in_html(document.lines, hidden))
    return tuple(
        heading
        for heading in candidates
        if heading.line not in hidden
        and _is_meant(heading.text, document.lines[heading.line - 2] if heading.line > 1 else "")
    )


class Spaced(NamedTuple):
    """The repaired lines by number, empty if they would change blocks, entries or the dialect."""

    lines: dict[int, str]
    entries_lost: int = 0
    changes_dialect: bool = False


def with_spaces(
    document: Document, headings: Sequence[MissingSpace], options: ReadOptions
) -> Spaced:
    lines = list(document.lines)
    for heading in headings:
        line = lines[heading.line - 1]
        marks_end = line.index(heading.marks) + len(heading.marks)
        title = chomp(line[marks_end:])
        terminator = line[marks_end + len(title) :]
        lines[heading.line - 1] = f"{line[:marks_end]} {title.lstrip()}{terminator}"
    after = read(encode("".join(lines)), options)
    known = {(heading.line, heading.level) for heading in after.outline.headings}
    fixed = [heading.line for heading in headings if (heading.line, len(heading.marks)) in known]
    starts = {entry.first for entry in after.entries}
    lost = sum(entry.first not in starts for entry in document.entries)
    same_dialect = document.dialect[:2] == after.dialect[:2] or not document.entries
    old, new = document.outline, after.outline
    hides_alike = (old.fences, old.comments) == (new.fences, new.comments)
    if lost or not same_dialect or not hides_alike:
        return Spaced({}, lost, changes_dialect=not same_dialect)
    return Spaced({line: lines[line - 1] for line in fixed})


def _is_meant(text: str, above: str) -> bool:
    """Return True if the text after `#` is a title, not a channel, a tag or a command."""
    first, title = text[0], text.strip()
    if first.isspace():
        return any(map(str.isalnum, title))
    if first == "[":
        return heading_stamp(title) is not None
    if _LOG_COMMAND.match(title) or not any(map(str.isalpha, title)):
        return False
    if first.islower() or not first.isalnum():
        is_title = _WORDS.fullmatch(title) if first.islower() else _QUOTED_WORD.match(title)
        return is_title is not None and not above.removeprefix(BOM).strip()
    return True


def _in_html(lines: Sequence[str], hidden: set[int]) -> Iterator[int]:
    is_last: Callable[[str], object] | None = None
    for number, line in enumerate(lines, start=1):
        content = chomp(line)
        if is_last is None and number not in hidden and _BEGINS_TAG.match(content):
            is_last = html_end(content.lstrip(" "))
        if is_last is not None:
            yield number
            is_last = None if is_last(content) else is_last
