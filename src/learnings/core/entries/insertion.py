"""Versions that differ by one inserted block: most commits to a memory file, told apart cheaply.

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
from learnings.core.text import decode

_HEADING = re.compile(rb"#{1,6}[ \t]")
_OPENERS = (b"```", b"~~~", b"<")
_SECOND_LEVEL = re.compile(rb"^##[ \t]", re.MULTILINE)
_ITEM = re.compile(rf" {{0,3}}{LIST_MARKER}[ \t]".encode())
_NOT_IN_WORDS = re.compile(r"[\W_]+")
_REMEMBERED_LINES = 1 << 14


class Sketch(NamedTuple):
    """What can be said of a version line by line.

    has_headings_only says that its entries are headings for sure: one at level 2 is plain to see,
    and no list item is dated. headings are the letters and digits of all heading lines.
    """

    lines: Sequence[bytes]
    has_headings_only: bool
    headings: frozenset[str]

    def may_hold_heading(self, line: bytes) -> bool:
        """Say whether a heading may have the words of the given one, whatever else differs."""
        return _look(line).letters in self.headings


class _Line(NamedTuple):
    letters: str | None
    opens: bool
    dated: bool


def sketch(text: bytes) -> Sketch:
    """Sketch a version."""
    lines = text.split(b"\n")
    looks = set(map(_look, lines))
    second = _SECOND_LEVEL.search(text)
    opened = second is None or any(_look(n).opens for n in text[: second.start()].split(b"\n"))
    dated = b"\r" in text or any(look.dated for look in looks)
    letters = frozenset(look.letters for look in looks if look.letters is not None)
    return Sketch(lines, not opened and not dated, letters)


def only_inserts(old: Sketch, new: Sketch) -> bool:
    """Say whether a version surely keeps every entry of the one before it.

    True where the new version is the old one with a block inserted that opens no fence and no
    HTML, at the end or above a heading, in a file with level 2 headings and without dated list
    items. False means only that this is not known.
    """
    if not (old.has_headings_only and new.has_headings_only):
        return False
    place = _first_difference(old.lines, new.lines)
    rest = old.lines[place:]
    end = len(new.lines) - len(rest)
    if not place or end <= place or new.lines[end:] != rest:
        return False
    following = next((line for line in rest if line.strip()), b"# the end")
    inserted = new.lines[place:end]
    return _HEADING.match(following) is not None and not any(_look(n).opens for n in inserted)


def _first_difference(before: Sequence[bytes], after: Sequence[bytes]) -> int:
    differs = map(ne, before, after)
    return next(compress(count(), differs), min(len(before), len(after)))


@lru_cache(maxsize=_REMEMBERED_LINES)
def _look(line: bytes) -> _Line:
    """Look at a line, once for all versions that hold it."""
    letters = _NOT_IN_WORDS.sub("", decode(line).casefold()) if line.startswith(b"#") else None
    dated = _ITEM.match(line) is not None and is_dated_item(decode(line))
    return _Line(letters, line.lstrip(b" \t").startswith(_OPENERS), dated)
