"""What one line of Markdown may be, by its beginning alone."""

from __future__ import annotations

from learnings.core.patterns import lazy_pattern

IGNORE_MARK = "learnings:"
"""A text that is in every comment that ignores rules, and in hardly any other line."""

BULLET_MARKER = "[-*+]"
"""A regular expression for the marker of an item of a bullet list."""

LIST_MARKER = rf"(?:{BULLET_MARKER}|[0-9]{{1,9}}[.)])"
"""The same for any list: a bullet, or a number of at most nine digits with `.` or `)`."""

# What a line is, by its text after an indent of at most three columns. gap is the white space after
# the marker of an item, None where nothing follows in the line.
KIND = lazy_pattern(
    r"(?P<heading>#{1,6})(?=[ \t\n]|$)"
    r"|(?P<fence>`{3,}(?=[^`]*$)|~{3,})"
    r"|(?P<rule>(?P<stroke>[-*_])[ \t]*(?:(?P=stroke)[ \t]*){2,}$)"
    rf"|(?P<item>(?P<marker>{LIST_MARKER})(?:(?P<gap>[ \t]+)(?=[^ \t\n])|[ \t]*$))"
    r"|(?P<underline>(?:-+|=+)[ \t]*$)"
    r"|(?P<quote>>)"
    r"|(?P<html><)"
)
# The first characters of a line that may be more than text: those of what KIND matches, and with
# them those of indented lines and link definitions, which take a longer look.
EVENTFUL = frozenset("#`~-*_+0123456789=><")
NOT_JUST_TEXT = EVENTFUL | frozenset(" \t[")
# A line of an item or a quote, from its text on: markers of further items in it, then words, if it
# is surely text of a paragraph (unless a fence, HTML or code is open); or bare, if it is another
# line that cannot hold others. (A "[" may start a link definition: no paragraph is open after it.)
INNER = lazy_pattern(
    rf"(?:{LIST_MARKER} {{1,4}}(?=\S))*"
    r"(?:(?P<words>[^\s#`~\-*_+0-9=><\[]|`(?!``)|~(?!~~)|[*_]+[^\s*_]|-[^\s\-]|\+\S"
    r"|\#{1,6}[^\s#]|[0-9]+(?:[^\s0-9.)]|[.)]\S)|\[[^\[\]\\\n]*(?:\[|\](?!:)))"
    r"|(?P<bare>[#\[]))?"
)

# The parser drops everything after 20 levels of nesting (its option maxNesting); a list is two of
# them, a quote is one. So no marker before this column can be that deep.
DEEP = 18
# A run of markers of quotes and lists.
_MARKERS = lazy_pattern(rf"(?:[ \t]*(?:>|{LIST_MARKER}(?=[ \t\n]|$)))+")


def is_blank(line: str) -> bool:
    """Return True for a line of blanks only, with or without its terminator."""
    return not line.strip(" \t\n")


def has_text(line: str) -> bool:
    """Return True if a line holds more than blanks and the signs of rulers and emphasis."""
    return bool(line.strip(" \t\r\n-*_"))


def is_words(text: str) -> bool:
    """Return True if a line without its indent is surely text behind markers of items, if any."""
    match = INNER.match(text)
    return match is not None and match.lastgroup == "words"


def interrupts(marker: str, gap: str | None) -> bool:
    """Return True if an item may start where a paragraph would go on.

    gap is the white space behind its marker, None or empty for an item without content.
    """
    return bool(gap) and (len(marker) == 1 or int(marker[:-1]) == 1)


def is_deep(indent: int, text: str) -> bool:
    """Return True if a line may nest deeper than the parser goes; indent in columns."""
    markers = _MARKERS.match(text)
    return markers is not None and len((" " * indent + markers[0]).expandtabs(4)) > DEEP
