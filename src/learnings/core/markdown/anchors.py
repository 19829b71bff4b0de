"""The anchors of headings, as GitHub makes them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from learnings.core.markdown.links import INLINE, decoded, links_in
from learnings.core.patterns import lazy_pattern

# Characters that an anchor omits: all but letters, digits, marks, `_`, `-` and blanks.
_LEFT_OUT = lazy_pattern(r"[^\w\- ]")
# The marks of code and emphasis.
_MARKUP = lazy_pattern(r"[`*]|~~")
# An explicit anchor: `<a id="x">`, `<a name="x">`, or `{#x}` at the end of a heading.
_OWN_ANCHOR = lazy_pattern(r"<[^<>]*\b(?:id|name)\s*=\s*[\"']([^\"'<>]+)[\"']|\{#([\w:.-]+)\}\s*$")


def anchors_of(headings: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Return the anchors of headings (keys and titles) by their keys; a second one ends in `-1`."""
    used: set[str] = set()
    anchors = {}
    for key, title in headings:
        base = _LEFT_OUT.sub("", without_markup(title).strip().lower()).replace(" ", "-")
        anchor = base
        number = 0
        while anchor in used:
            number += 1
            anchor = f"{base}-{number}"
        used.add(anchor)
        anchors[key] = anchor
    return anchors


def without_markup(title: str) -> str:
    """Return a title as shown: the text of links, without the marks of code and emphasis."""
    for link in reversed(links_in([title]) if "](" in title else ()):
        if link.form == INLINE:
            title = title[: link.place.start] + link.text + title[link.place.end :]
    return _MARKUP.sub("", title)


def own_anchors(line: str) -> list[str]:
    return [match[1] or match[2] for match in _OWN_ANCHOR.finditer(line)]


def loose_anchor(anchor: str) -> str:
    """Return the alternative anchor of programs with other rules for signs."""
    return re.sub(r"[-_]+", "-", normalized_anchor(anchor)).strip("-")


def normalized_anchor(anchor: str) -> str:
    """Return an anchor for comparison: decoded, in lower case."""
    return decoded(anchor).casefold()
