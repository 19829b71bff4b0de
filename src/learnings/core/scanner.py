"""The outline of a document by a quick look at the beginnings of its lines.

A column-0 heading, fence or comment is at document level wherever it stands, unless a fence or an
HTML block is open; so the scanner follows those exactly. What is inside list items and block quotes
it follows only as far as a later line depends on it: where the open item's content starts, and
whether a line of text would continue a paragraph there. Where that is not certain and a line turns
on it, the scanner gives up and the parser has to be asked.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from learnings.core.outline import Block, Heading, Item, Outline
from learnings.core.text import as_single_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MARKER = r"(?:[-+*]|[0-9]{1,9}[.)])"
# What a line is, told from its text after an indent of at most three columns.
_KIND = re.compile(
    r"(?P<heading>#{1,6})(?=[ \t\n]|$)"
    r"|(?P<fence>`{3,}(?=[^`]*$)|~{3,})"
    r"|(?P<rule>(?P<stroke>[-*_])[ \t]*(?:(?P=stroke)[ \t]*){2,}$)"
    rf"|(?P<item>(?P<marker>{_MARKER})(?:(?P<gap>[ \t]+)(?=[^ \t\n])|[ \t]*$))"
    r"|(?P<underline>(?:-+|=+)[ \t]*$)"
    r"|(?P<quote>>)"
    r"|(?P<html><)"
)
_EVENTFUL = frozenset("#`~-*_+0123456789=><")
_NOT_JUST_TEXT = _EVENTFUL | frozenset(" \t[")
# What a line of an item or a quote is, after the markers of further items in it: surely words of a
# paragraph, unless it stands in a fence, in HTML or in code; or else nothing that can hold other
# lines. (A "[" may start a link definition, and then no paragraph is open after it.)
_INNER = re.compile(
    rf"(?:{_MARKER} {{1,4}}(?=\S))*"
    r"(?:(?P<words>[^\s#`~\-*_+0-9=><\[]|`(?!``)|~(?!~~)|[*_]+[^\s*_]|-[^\s\-]|\+\S"
    r"|\#{1,6}[^\s#]|[0-9]+(?:[^\s0-9.)]|[.)]\S)|\[[^\[\]\\\n]*(?:\[|\](?!:)))"
    r"|(?P<bare>[#\[]))?"
)

# The parser drops everything after 20 levels of nesting; a list is two of them, a quote is one. So
# no marker before this column can be that deep.
_DEEP = 18
_MARKERS = re.compile(rf"(?:[ \t]*(?:>|{_MARKER}(?=[ \t\n]|$)))+")

_HTML_ENDS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_TAG_START = re.compile(r"<(?P<closing>/)?(?P<name>[A-Za-z][A-Za-z0-9]*)(?=\s|(?P<slash>/)?>|$)")
_RAW_TAGS = frozenset({"pre", "script", "style", "textarea"})
_BLOCK_TAG_NAMES = """
    address article aside base basefont blockquote body caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
    head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option
    p param search section summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_TAGS = frozenset(_BLOCK_TAG_NAMES.split())
# What versions of the parser disagree about.
_DISPUTED = re.compile(r"<(?:![a-z]|/?(?:(?i:search|source)|\w*[\u017f\u212a]))")
_is_blank = re.compile(r"[ \t]*$").match


class _Uncertain(Exception):
    """The parser has to be asked."""


def scan(lines: Sequence[str]) -> Outline | None:
    """Return the outline of the lines as split_lines() gives them, None where it is not certain.

    An outline that is returned is the one the parser would return.
    """
    try:
        return _Scan(_single_lines(lines), guessing=False).run()
    except _Uncertain:
        return None


def guess(lines: Sequence[str]) -> Outline:
    """Return what scan() returns, or where that is None, the most probable outline."""
    return _Scan(_single_lines(lines), guessing=True).run()


def _single_lines(lines: Sequence[str]) -> Sequence[str]:
    text = "".join(lines)
    return [as_single_line(line) for line in lines] if "\r" in text or "\0" in text else lines


class _Scan:
    """One pass over the lines; the state says what the lines so far have left open."""

    __slots__ = (
        "adrift",
        "comments",
        "content",
        "fences",
        "guessing",
        "headings",
        "items",
        "lines",
        "number",
        "paragraph",
        "quoted",
        "simple",
    )

    def __init__(self, lines: Sequence[str], *, guessing: bool) -> None:
        self.lines = lines
        self.guessing = guessing
        self.number = 0  # of the line just read
        self.headings: list[Heading] = []
        self.items: list[Item] = []
        self.fences: list[Block] = []
        self.comments: list[Block] = []
        self._leave()

    def _leave(self) -> None:
        """Be at document level, nothing open."""
        self.content = 0  # where the content of the open item starts; 0: no item is open
        self.quoted = False  # a block quote is open
        self.simple = True  # the open item or quote holds only text and nested items
        self.paragraph: bool | None = False  # text would continue a paragraph; None: perhaps
        self.adrift = False  # perhaps the open item has ended, and a paragraph after it is open

    def run(self) -> Outline:
        lines, total = self.lines, len(self.lines)
        while self.number < total:
            line = lines[self.number]
            self.number += 1
            first = line[0]
            if first == "\n":
                self.paragraph = self.quoted = False
            elif first not in _NOT_JUST_TEXT:
                if not self.paragraph:
                    self._text(0, line)
            elif first in " \t":
                self._indented(line)
            else:
                self._begin(0, line)
        return Outline(
            tuple(self.headings), tuple(self.items), tuple(self.fences), tuple(self.comments)
        )

    def _indented(self, line: str) -> None:
        text = line.lstrip(" \t")
        if not text or text == "\n":
            self.paragraph = self.quoted = False
            return
        if self.paragraph and text[0] not in _EVENTFUL:
            return
        space = line[: len(line) - len(text)]
        indent = len(space.expandtabs(4)) if "\t" in space else len(space)
        if self.content and indent >= self.content:
            self._inside(indent, text)
        elif self.quoted and text[0] == ">":  # the parser minds no indent here
            self._quote(text)
        elif indent < 4:
            self._begin(indent, text)
        else:
            self._lazy_code(text)
            self._text(indent, text)

    def _lazy_code(self, text: str) -> None:
        """Take what would be code if it did not follow text of an item or of a quote."""
        if text[0] not in _EVENTFUL:
            return
        if self.content:
            self._doubt()
        elif self.quoted and self.paragraph:
            self.paragraph = None  # a quote in the quote ends here, the parser forgets the indent

    def _doubt(self) -> None:
        """Stop, unless a guess will do."""
        if not self.guessing:
            raise _Uncertain

    def _begin(self, indent: int, text: str) -> None:
        """Take a line that is not in the open item and starts before column 4."""
        match = _KIND.match(text)
        kind = match.lastgroup if match else None
        if match is None:
            self._text(indent, text)
        elif kind == "item":
            self._item(indent, text, match)
        elif kind == "heading":
            self._leave()
            self.headings.append(Heading(self.number, match.end()))
        elif kind == "fence":
            self._fence(match[0])
        elif kind == "quote":
            self._quote(text)
        elif kind == "html":
            self._html(indent, text)
        elif kind == "rule":
            self._leave()
        elif self.paragraph and self._in_document():
            self.paragraph = False
        else:
            self._text(indent, text)

    def _text(self, indent: int, text: str) -> None:
        """Take a line that is not in the open item and begins no other block."""
        if self.paragraph is None:
            self.adrift = bool(self.content)
            self.quoted = False
        elif not self.paragraph:
            self._leave()
            if indent < 4:
                self.paragraph = True if text[0] != "[" or _is_words(text) else None

    def _item(self, indent: int, text: str, match: re.Match[str]) -> None:
        marker, gap = match.group("marker", "gap")
        if self.paragraph is not False and not _interrupts(marker, gap) and self._in_document():
            if self.paragraph:
                if marker == "-":  # it underlines the paragraph, which makes it a heading
                    self.paragraph = False
                return
            self._doubt()
        self._leave()
        self.items.append(Item(self.number))
        start = indent + len(marker)
        if gap:
            self._first_line(start, gap, text[match.end() :])
        elif not self._is_blank_next():  # the parser ends an item that starts with two blank lines
            self.content = start + 1

    def _in_document(self) -> bool:
        """Say whether the open paragraph is, or may be, in no item and in no quote."""
        return not self.quoted and (self.adrift or not self.content)

    def _is_blank_next(self) -> bool:
        following = self.lines[self.number : self.number + 1]
        return all(map(_is_blank, following))

    def _first_line(self, start: int, gap: str, text: str) -> None:
        width = len((" " * start + gap).expandtabs(4)) - start if "\t" in gap else len(gap)
        self.content = start + (width if width <= 4 else 1)
        self._inner(start + width, text)

    def _inside(self, indent: int, text: str) -> None:
        """Take a line of the open item."""
        if not self.adrift:
            self._inner(indent, text)
            return
        if indent < 4 and _KIND.match(text):
            self._doubt()
        self.paragraph = None

    def _inner(self, indent: int, text: str) -> None:
        """Follow whether a paragraph is open in the item or quote after this line."""
        match = _INNER.match(text)
        kind = match.lastgroup if match else None
        if (not match or not kind or indent + match.end() > _DEEP) and _is_deep(indent, text):
            self._doubt()
        if kind is None:
            self.simple = False
        if not self.simple or self.paragraph is None:
            self.paragraph = None
        elif indent >= self.content + 4 and (not self.paragraph or text[0] in _EVENTFUL):
            self.paragraph = None  # it may be code
        else:
            self.paragraph = True if kind == "words" else None

    def _quote(self, text: str) -> None:
        if not self.quoted:
            self._leave()
            self.quoted = True
        text = text[1:].removeprefix(" ")
        inner = text.lstrip(" \t")
        if not inner or inner == "\n":
            self.paragraph = False
        else:
            self._inner(len(text) - len(inner) if "\t" not in text else 4, inner)

    def _fence(self, markup: str) -> None:
        self._leave()
        first = self.number
        is_end = re.compile(rf" {{0,3}}{markup[0]}{{{len(markup)},}}[ \t]*$").match
        closed = self._skip_to(lambda line: markup in line and is_end(line))
        self.fences.append(Block(first, self.number, closed))

    def _html(self, indent: int, text: str) -> None:
        if _DISPUTED.match(text):
            self._doubt()
        is_last = _html_end(text)
        if is_last is None:
            if self.paragraph or not _lone_tag().match(text):
                self._text(indent, text)
                return
            if self.paragraph is None:
                self._doubt()
            is_last = _is_blank
        self._leave()
        if is_last is _is_blank:
            self._skip_to(is_last)
            return
        first = self.number
        closed = bool(is_last(text)) or self._skip_to(is_last)
        if text.startswith("<!--"):
            self.comments.append(Block(first, self.number, closed))

    def _skip_to(self, is_last: Callable[[str], object]) -> bool:
        """Read on to the line that is_last accepts; False: there is none, all lines are read."""
        for number in range(self.number, len(self.lines)):
            if is_last(self.lines[number]):
                self.number = number + 1
                return True
        self.number = len(self.lines)
        return False


def _is_words(text: str) -> bool:
    match = _INNER.match(text)
    return match is not None and match.lastgroup == "words"


def _interrupts(marker: str, gap: str | None) -> bool:
    """Say whether an item may start where a paragraph would go on."""
    return bool(gap) and (len(marker) == 1 or int(marker[:-1]) == 1)


def _is_deep(indent: int, text: str) -> bool:
    markers = _MARKERS.match(text)
    return markers is not None and len((" " * indent + markers[0]).expandtabs(4)) > _DEEP


def _html_end(text: str) -> Callable[[str], object] | None:
    """Return what knows the last line of the HTML that the text starts, where it interrupts text.

    None stands for no HTML block, or for one that cannot follow on a line of a paragraph.
    """
    for start, end in _HTML_ENDS:
        if text.startswith(start):
            return lambda line: end in line
    if re.match("<![A-Za-z]", text):
        return lambda line: ">" in line
    tag = _TAG_START.match(text)
    if not tag:
        return None
    name = tag["name"].lower()
    if name in _RAW_TAGS and not tag["closing"] and not tag["slash"]:
        return re.compile(f"</(?ai:{'|'.join(sorted(_RAW_TAGS))})>").search
    return _is_blank if name in _BLOCK_TAGS else None


@cache
def _lone_tag() -> re.Pattern[str]:
    value = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
    attribute = rf"\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*{value})?"
    name = r"[A-Za-z][A-Za-z0-9\-]*"
    return re.compile(rf"<(?:{name}(?:{attribute})*\s*/?|/{name}\s*)>\s*$")
