"""Anchors of headings, made from their words like those of GitHub and most other hosts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode

# Encoded bytes in a link destination: `%E7%A2%BA`.
_ENCODED_BYTES = lazy_pattern(r"(?:%[0-9A-Fa-f]{2})+")
# Characters that an anchor omits: all but letters, digits, marks, `_`, `-` and blanks.
_LEFT_OUT = lazy_pattern(r"[^\w\- ]")
# A link, whose text stays, and the marks of code and emphasis. No bracket within a link, so that a
# row of brackets is read only once.
_MARKUP = lazy_pattern(r"\[([^\[\]]*)\]\([^)\[]*\)|[`*]|~~")
# An explicit anchor: `<a id="x">`, `<a name="x">`, or `{#x}` at the end of a heading.
_OWN_ANCHOR = lazy_pattern(r"<[^<>]*\b(?:id|name)\s*=\s*[\"']([^\"'<>]+)[\"']|\{#([\w:.-]+)\}\s*$")


class AnchoredHeading(NamedTuple):
    """A heading with its title and a key chosen by the caller."""

    key: int
    title: str


def anchors_of(headings: Iterable[AnchoredHeading]) -> dict[int, str]:
    """Return the anchor of each heading of a file by its key; a second one ends in `-1`."""
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
    return _MARKUP.sub(lambda match: match[1] or "", title)


def own_anchors(line: str) -> list[str]:
    """Return the explicit anchors of a line."""
    return [match[1] or match[2] for match in _OWN_ANCHOR.finditer(line)]


def loose_anchor(anchor: str) -> str:
    """Return the alternative anchor of programs with other rules for signs."""
    return re.sub(r"[-_]+", "-", normalized_anchor(anchor)).strip("-")


def normalized_anchor(anchor: str) -> str:
    """Return an anchor for comparison: decoded, in lower case."""
    return decoded(anchor).casefold()


def decoded(text: str) -> str:
    """Return a destination, or a part of one, with encoded bytes decoded."""
    return _ENCODED_BYTES.sub(lambda match: decode(bytes.fromhex(match[0].replace("%", ""))), text)
