"""Versions that differ by one inserted block, as most of a memory file do, recognised cheaply.

Such a commit takes no entry out of the file, so neither version has to be parsed to know it. The
conditions are narrow on purpose; what they do not cover is compared in full.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, count
from operator import ne
from typing import NamedTuple

from learnings.core.entries.titles import is_dated_item
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.patterns import lazy_pattern
from learnings.core.text import decode

# An ATX heading in the first column, a blank after its `#`.
_HEADING = lazy_pattern(rb"#{1,6}[ \t]")
# What begins a fence or HTML, without its indent.
_OPENERS = (b"```", b"~~~", b"<")
# A heading at level 2.
_SECOND_LEVEL = lazy_pattern(rb"^##[ \t]", re.MULTILINE)
# A list item that is indented by at most three blanks.
_ITEM = lazy_pattern(rf" {{0,3}}{LIST_MARKER}[ \t]".encode())
# What is not a letter or a digit.
_NOT_IN_WORDS = lazy_pattern(r"[\W_]+")
# All different lines of a long history.
_REMEMBERED_LINES = 1 << 14


class Sketch(NamedTuple):
    """What can be said of a version line by line, without parsing it.

    has_headings_only says that its entries are surely headings: above the first one at level 2
    nothing may open a fence or HTML, and no list item is dated. headings are the letters and digits
    of all heading lines, casefolded.
    """

    lines: Sequence[bytes]
    has_headings_only: bool
    headings: frozenset[str]

    def may_hold_heading(self, line: bytes) -> bool:
        """Return True if a heading may have the words of the given one, whatever else differs."""
        return _kind(line).letters in self.headings


class _Line(NamedTuple):
    """The letters and digits of a heading; whether it may open a block, or is a dated item."""

    letters: str | None
    opens: bool
    dated: bool


def sketch(text: bytes) -> Sketch:
    """Return the sketch of a version."""
    lines = text.split(b"\n")
    kinds = set(map(_kind, lines))
    first = _SECOND_LEVEL.search(text)
    above = text[: first.start()].split(b"\n") if first else []
    is_plain = first is not None and not any(_kind(line).opens for line in above)
    is_dated = b"\r" in text or any(kind.dated for kind in kinds)
    letters = frozenset(kind.letters for kind in kinds if kind.letters is not None)
    return Sketch(lines, is_plain and not is_dated, letters)


def only_inserts(old: Sketch, new: Sketch) -> bool:
    """Return True if a version surely keeps every entry of the one before it; see inserted()."""
    return inserted(old, new) is not None


def inserted(old: Sketch, new: Sketch) -> frozenset[bytes] | None:
    """Return the different lines of the one block that a version inserts into the one before it.

    The block opens no fence and no HTML, and stands at the end or above a heading, in a file with
    level 2 headings and without dated list items, so that the version surely keeps every entry.
    None means only that this is not known.
    """
    if not (old.has_headings_only and new.has_headings_only):
        return None
    start = _first_difference(old.lines, new.lines)
    below = old.lines[start:]
    end = len(new.lines) - len(below)
    if not start or end <= start or new.lines[end:] != below:
        return None
    next_line = next((line for line in below if line.strip()), b"# the end")
    block = new.lines[start:end]
    is_plain = _HEADING.match(next_line) is not None and not any(_kind(n).opens for n in block)
    return frozenset(block) if is_plain else None


def _first_difference(before: Sequence[bytes], after: Sequence[bytes]) -> int:
    """Return the index of the first line that differs, or that only one version has."""
    differs = map(ne, before, after)
    return next(compress(count(), differs), min(len(before), len(after)))


@lru_cache(maxsize=_REMEMBERED_LINES)
def _kind(line: bytes) -> _Line:
    """Return what a line is, computed once for all versions that hold it."""
    letters = _NOT_IN_WORDS.sub("", decode(line).casefold()) if line.startswith(b"#") else None
    dated = _ITEM.match(line) is not None and is_dated_item(decode(line))
    return _Line(letters, line.lstrip(b" \t").startswith(_OPENERS), dated)
