"""Headings whose `#` and title are not divided by a blank, and what they become with one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.entries.titles import heading_stamp
from learnings.core.markdown.html_blocks import html_end
from learnings.core.text import chomp, encode

_BOM = "\ufeff"
_GLUED = re.compile(r"(#{2,6})([^#\s].*|[^\S \t].*)")
_LOGGED = re.compile(r"\w+\[")  # ##vso[task.complete] and the like are written to build logs
_WORDS = re.compile(r"\w\S*\s+\w.*[^.,;:]")
_QUOTED_WORD = re.compile(r"(?:\*\*|__|[`\"“‘«])\w")
_BEGINS_TAG = re.compile(" {0,3}<")


class MissingSpace(NamedTuple):
    """A line that is meant as a heading: marks are its `#`, text is what follows them."""

    line: int
    marks: str
    text: str

    @property
    def title(self) -> str:
        """The title without the white space around it."""
        return self.text.strip()

    @property
    def is_blank_odd(self) -> bool:
        """Whether something stands in place of the blank, as a no-break space."""
        return self.text[0].isspace()


def glued_headings(document: Document) -> tuple[MissingSpace, ...]:
    """Return the glued headings of a file, those in code, comments and HTML left out."""
    if "##" not in document.text:
        return ()
    candidates = [
        MissingSpace(number, match[1], match[2])
        for number, line in enumerate(document.lines, start=1)
        if "##" in line[:3] and (match := _GLUED.match(_content(line, number)))
    ]
    hidden = _hidden(document) if candidates else set()
    return tuple(
        each
        for each in candidates
        if each.line not in hidden and _is_meant(each.text, document.lines[: each.line - 1])
    )


def divided(
    document: Document, glued: Sequence[MissingSpace], options: ReadOptions
) -> dict[int, str]:
    """Return the lines with a blank put in, by their numbers: those that become headings by that.

    None at all where code and comments would begin or end elsewhere by that, or where one heading
    would put the whole file into another dialect; several show which one it is meant to have.
    """
    lines = list(document.lines)
    for each in glued:
        old = lines[each.line - 1]
        behind = old.index(each.marks) + len(each.marks)
        rest = old[behind:]
        content = chomp(rest)
        lines[each.line - 1] = f"{old[:behind]} {content.lstrip()}{rest[len(content) :]}"
    after = read(encode("".join(lines)), options)
    headings = {(heading.line, heading.level) for heading in after.outline.headings}
    found = [each.line for each in glued if (each.line, len(each.marks)) in headings]
    same_dialect = document.dialect[:2] == after.dialect[:2] or not document.entries
    if not _hides_alike(document, after) or not (same_dialect or len(found) > 1):
        return {}
    return {line: lines[line - 1] for line in found}


def _hides_alike(before: Document, after: Document) -> bool:
    old, new = before.outline, after.outline
    return (old.fences, old.comments) == (new.fences, new.comments)


def _content(line: str, number: int) -> str:
    return chomp(line.removeprefix(_BOM) if number == 1 else line)


def _is_meant(text: str, above: Sequence[str]) -> bool:
    """Whether what is glued to the `#` is a title, not a channel, a tag or a command."""
    first, title = text[0], text.strip()
    if first.isspace():
        return any(sign.isalnum() for sign in title)
    if first == "[":
        return heading_stamp(title) is not None
    if _LOGGED.match(title) or not any(sign.isalpha() for sign in title):
        return False
    if first.islower() or not first.isalnum():
        is_title = _WORDS.fullmatch(title) if first.islower() else _QUOTED_WORD.match(title)
        return is_title is not None and not (above and above[-1].removeprefix(_BOM).strip())
    return True


def _hidden(document: Document) -> set[int]:
    """Return the lines of front matter, fences, comments, HTML, and those that are headings."""
    hidden = {*document.hidden_lines, *(heading.line for heading in document.outline.headings)}
    hidden.update(_in_html(document.lines, hidden))
    return hidden


def _in_html(lines: Sequence[str], hidden: set[int]) -> Iterator[int]:
    """Give the lines of other HTML blocks."""
    is_last: Callable[[str], object] | None = None
    for number, line in enumerate(lines, start=1):
        content = chomp(line)
        if is_last is None and number not in hidden and _BEGINS_TAG.match(content):
            is_last = html_end(content.lstrip(" "))
        if is_last is not None:
            yield number
            is_last = None if is_last(content) else is_last
