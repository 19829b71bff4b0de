"""The kinds of Markdown lines by their beginnings, and the bounds of HTML blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

IGNORE_MARK = "learnings:"
"""Text in every comment that ignores rules, and in hardly any other line."""

BULLET_MARKER = "[-*+]"  # pattern for the marker of a bullet list item
LIST_MARKER = rf"(?:{BULLET_MARKER}|[0-9]{{1,9}}[.)])"
"""Pattern for the marker of any list item: a bullet, or up to nine digits with `.` or `)`."""

# A `---`, which may end a preamble or a section.
_RULER = lazy_pattern(r" {0,3}-{3,}[ \t]*$")

# The kind of a line, by its text after an indent of at most three columns. gap is the whitespace
# after the marker of an item, None if nothing follows on the line.
KIND = lazy_pattern(
    r"(?P<heading>#{1,6})(?=[ \t\n]|$)"
    r"|(?P<fence>`{3,}(?=[^`]*$)|~{3,})"
    r"|(?P<rule>(?P<stroke>[-*_])[ \t]*(?:(?P=stroke)[ \t]*){2,}$)"
    rf"|(?P<item>(?P<marker>{LIST_MARKER})(?:(?P<gap>[ \t]+)(?=[^ \t\n])|[ \t]*$))"
    r"|(?P<underline>(?:-+|=+)[ \t]*$)"
    r"|(?P<quote>>)"
    r"|(?P<html><)"
)
# First characters of lines that may be more than text: those that KIND matches, and those of
# indented lines and link definitions, which take a closer look.
EVENTFUL = frozenset("#`~-*_+0123456789=><")
NOT_JUST_TEXT = EVENTFUL | frozenset(" \t[")
# A line of an item or a quote, starting at its text: markers of further items in it, then words, if
# it is surely paragraph text (unless a fence, HTML or code is open); or bare, if it is another line
# that cannot contain other blocks. (A "[" may start a link definition: no paragraph is open after
# it.)
INNER = lazy_pattern(
    rf"(?:{LIST_MARKER} {{1,4}}(?=\S))*"
    r"(?:(?P<words>[^\s#`~\-*_+0-9=><\[]|`(?!``)|~(?!~~)|[*_]+[^\s*_]|-[^\s\-]|\+\S"
    r"|\#{1,6}[^\s#]|[0-9]+(?:[^\s0-9.)]|[.)]\S)|\[[^\[\]\\\n]*(?:\[|\](?!:)))"
    r"|(?P<bare>[#\[]))?"
)

# The parser drops everything after 20 levels of nesting (its option maxNesting); a list takes two
# levels, a quote one. So no marker before this column can be that deep.
DEEP = 18
# A run of quote and list markers.
_MARKERS = lazy_pattern(rf"(?:[ \t]*(?:>|{LIST_MARKER}(?=[ \t\n]|$)))+")


def is_blank(line: str) -> bool:
    return not line.strip(" \t\n")


def has_text(line: str) -> bool:
    """Return True if a line has more than blanks and the signs of rulers and emphasis."""
    return bool(line.strip(" \t\r\n-*_"))


def is_words(text: str) -> bool:
    """Return True if a line without indent is surely text, perhaps after item markers."""
    match = INNER.match(text)
    return match is not None and match.lastgroup == "words"


def interrupts(marker: str, gap: str | None) -> bool:
    """Return True if an item can interrupt a paragraph; gap is the space after its marker."""
    return bool(gap) and (len(marker) == 1 or int(marker[:-1]) == 1)


def is_deep(indent: int, text: str) -> bool:
    """Return True if a line may nest deeper than the parser reads; indent is in columns."""
    markers = _MARKERS.match(text)
    return markers is not None and len((" " * indent + markers[0]).expandtabs(4)) > DEEP


# HTML blocks that end with a mark: their opening text, and the mark.
_HTML_ENDS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_DECLARATION = lazy_pattern("<![A-Za-z]")
# The beginning of a tag: its name, whether it is an end tag, and whether a slash closes it.
_TAG_START = lazy_pattern(r"<(?P<closing>/)?(?P<name>[A-Za-z][A-Za-z0-9]*)(?=\s|(?P<slash>/)?>|$)")
# Tags whose block continues to an end tag, blank lines included.
_RAW_TAGS = frozenset({"pre", "script", "style", "textarea"})
# Tags whose block continues to a blank line.
_BLOCK_TAG_NAMES = """
    address article aside base basefont blockquote body caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
    head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option
    p param search section summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_TAGS = frozenset(_BLOCK_TAG_NAMES.split())
# Points on which versions of the parser disagree: lower-case declarations, tags that CommonMark
# added or removed, and letters that become ASCII in lower case.
DISPUTED = lazy_pattern(r"<(?:![a-z]|/?(?:(?i:search|source)|\w*[\u017f\u212a]))")
# The end tag of any of the raw tags, in any case.
_RAW_END = lazy_pattern(f"</(?ai:{'|'.join(sorted(_RAW_TAGS))})>")
_ATTRIBUTE_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
ATTRIBUTE = rf"\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*{_ATTRIBUTE_VALUE})?"
TAG_NAME = r"[A-Za-z][A-Za-z0-9\-]*"
# A line of one start tag with its attributes, or of one end tag.
_LONE_TAG = lazy_pattern(rf"<(?:{TAG_NAME}(?:{ATTRIBUTE})*\s*/?|/{TAG_NAME}\s*)>\s*$")


def html_end(text: str) -> Callable[[str], object] | None:
    """Return a test for the last line of the HTML block that interrupts text here, or None."""
    for start, end in _HTML_ENDS:
        if text.startswith(start):
            return lambda line: end in line
    if _DECLARATION.match(text):
        return lambda line: ">" in line
    tag = _TAG_START.match(text)
    if not tag:
        return None
    name = tag["name"].lower()
    if name in _RAW_TAGS and not tag["closing"] and not tag["slash"]:
        return _RAW_END.search
    return is_blank if name in _BLOCK_TAGS else None


def is_lone_tag(text: str) -> bool:
    return _LONE_TAG.match(text) is not None


def is_ruler(line: str) -> bool:
    """Return True for a `---`, which may end a preamble or a section."""
    return _RULER.match(chomp(line)) is not None


def end_of_fence(lines: Sequence[str], start: int, marks: str) -> int | None:
    """Return the index of the line that closes a fence opened with these marks, or None."""
    texts = ((index, lines[index].strip()) for index in range(start, len(lines)))
    ends = (n for n, text in texts if text.startswith(marks) and not text.strip(marks[0]))
    return next(ends, None)
