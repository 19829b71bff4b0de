"""Lines meant as headings or list items that Markdown reads as text, and the repaired lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Document, ReadOptions, read
from learnings.core.entries.titles import marks_of
from learnings.core.markdown.line_kinds import LIST_MARKER, html_end
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, encode

# Two to six `#` and the next character, or whitespace other than a blank or tab.
_NO_SPACE = lazy_pattern(r"(#{2,6})([^#\s].*|[^\S \t].*)")
# Characters without width: soft hyphen, zero width and direction marks, word joiner, BOM.
_NO_WIDTH = "\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"
# A heading or list item behind such characters, or a heading behind a no-break space.
_BEHIND = lazy_pattern(
    rf" {{0,3}}(?P<hidden>[{_NO_WIDTH}\u00a0][ {_NO_WIDTH}\u00a0]*)"
    rf"(?P<text>(?P<mark>#{{1,6}}|{LIST_MARKER})[ \t]+\S.*)"
)
_BEGINS_HIDDEN = lazy_pattern(rf"[{_NO_WIDTH}]+")
# The beginning of a build log command: `##vso[task.complete]`.
_LOG_COMMAND = lazy_pattern(r"\w+\[")
# At least two words, without the punctuation that ends a sentence or clause.
_WORDS = lazy_pattern(r"\w\S*\s+\w.*[^.,;:]")
# A word after an opening mark: bold, code, a quotation.
_QUOTED_WORD = lazy_pattern(r"(?:\*\*|__|[`\"“‘«])\w")
# A line that may begin HTML.
_BEGINS_TAG = lazy_pattern(" {0,3}<")


class MeantLine(NamedTuple):
    """A line (1-based), its fault as a clause, and the text that was meant."""

    line: int
    fault: str
    meant: str

    @property
    def is_heading(self) -> bool:
        return self.meant[0] == "#"


def meant_lines(document: Document) -> tuple[MeantLine, ...]:
    candidates = [
        meant
        for number, line in enumerate(document.lines, start=1)
        if (meant := _meant(number, document.lines))
    ]
    if not candidates:
        return ()
    hidden = {*document.hidden_lines, *(heading.line for heading in document.outline.headings)}
    hidden.update(_in_html(document.lines, hidden))
    return tuple(meant for meant in candidates if meant.line not in hidden)


class Repair(NamedTuple):
    """The repaired lines by number, empty if they would change blocks, entries or the dialect.

    begun are the lines at which a heading or an entry then begins.
    """

    lines: dict[int, str]
    begun: frozenset[int]
    entries_lost: int = 0
    changes_dialect: bool = False


def repair(document: Document, meant: Sequence[MeantLine], options: ReadOptions) -> Repair:
    lines = list(document.lines)
    for number, _, text in meant:
        line = lines[number - 1]
        mark = BOM if number == 1 and line.startswith(BOM) else ""
        lines[number - 1] = f"{mark}{text}{line[len(chomp(line)) :]}"
    after = read(encode("".join(lines)), options)
    starts = {entry.first for entry in after.entries}
    begun = frozenset(starts) | {heading.line for heading in after.outline.headings}
    lost = sum(entry.first not in starts for entry in document.entries)
    same_dialect = document.dialect[:2] == after.dialect[:2] or not document.entries
    old, new = document.outline, after.outline
    hides_alike = (old.fences, old.comments) == (new.fences, new.comments)
    known = begun.intersection(number for number, *_ in meant)
    if lost or not same_dialect or not hides_alike:
        return Repair({}, known, lost, changes_dialect=not same_dialect)
    return Repair({line: lines[line - 1] for line in sorted(known)}, known)


def _meant(number: int, lines: Sequence[str]) -> MeantLine | None:
    line = lines[number - 1]
    content = chomp(line.removeprefix(BOM) if number == 1 else line)
    if match := _NO_SPACE.match(content):
        marks, text = match.groups()
        title = text[match.end() :] if (match := _BEGINS_HIDDEN.match(text)) else text
        above = lines[number - 2] if number > 1 else ""
        if not _is_title(text if title == text else f" {title}", above):
            return None
        wrong = "a no-break space is" if text[0].isspace() else "a blank is missing"
        wrong = wrong if title == text else f"{_sign(text)} is"
        return MeantLine(number, f"{wrong} after {marks}", f"{marks} {title.lstrip()}")
    match = None if content.isascii() else _BEHIND.match(content)
    if match is None or (match["hidden"].strip() == "" and match["mark"][0] != "#"):
        return None
    sign = _sign(match["hidden"])
    return MeantLine(number, f"{sign} is before {match['mark']}", match["text"])


def _sign(hidden: str) -> str:
    return f"an invisible character (U+{ord(hidden[0]):04X})"


def _is_title(text: str, above: str) -> bool:
    """Return True if the text after `#` is a title, not a channel, a tag or a command."""
    first, title = text[0], text.strip()
    if first.isspace():
        return any(map(str.isalnum, title))
    if first == "[":
        return marks_of(title).stamp is not None
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
