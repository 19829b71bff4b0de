"""HTML blocks: which lines begin one, and what the last line of each looks like."""

from __future__ import annotations

from collections.abc import Callable

from learnings.core.markdown.line_kinds import is_blank
from learnings.core.patterns import lazy_pattern

# HTML blocks that end with a mark: the text that begins one, and the mark.
_HTML_ENDS = (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"))
_DECLARATION = lazy_pattern("<![A-Za-z]")
# The beginning of a tag: its name, whether it is an end tag, whether a slash closes it.
_TAG_START = lazy_pattern(r"<(?P<closing>/)?(?P<name>[A-Za-z][A-Za-z0-9]*)(?=\s|(?P<slash>/)?>|$)")
# Tags whose block goes on to an end tag, blank lines included.
_RAW_TAGS = frozenset({"pre", "script", "style", "textarea"})
# Tags whose block goes on to a blank line.
_BLOCK_TAG_NAMES = """
    address article aside base basefont blockquote body caption center col colgroup dd details
    dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6
    head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option
    p param search section summary table tbody td tfoot th thead title tr track ul
"""
_BLOCK_TAGS = frozenset(_BLOCK_TAG_NAMES.split())
# What versions of the parser disagree about: lower-case declarations, tags that CommonMark added or
# removed, and letters that become ASCII in lower case.
DISPUTED = lazy_pattern(r"<(?:![a-z]|/?(?:(?i:search|source)|\w*[\u017f\u212a]))")
# The end tag of any of the raw tags, capitals or not.
_RAW_END = lazy_pattern(f"</(?ai:{'|'.join(sorted(_RAW_TAGS))})>")
_VALUE = r"""(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*")"""
_ATTRIBUTE = rf"\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*{_VALUE})?"
_NAME = r"[A-Za-z][A-Za-z0-9\-]*"
# A line of one start tag with its attributes, or of one end tag.
_LONE_TAG = lazy_pattern(rf"<(?:{_NAME}(?:{_ATTRIBUTE})*\s*/?|/{_NAME}\s*)>\s*$")


def html_end(text: str) -> Callable[[str], object] | None:
    """Return the test for the last line of the HTML block that a text begins, else None.

    None also for a block that cannot follow directly on a line of a paragraph: see is_lone_tag().
    """
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
    """Return True if a line, without its indent, is one tag and nothing else."""
    return _LONE_TAG.match(text) is not None
