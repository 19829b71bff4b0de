"""The comment that ignores rules, `<!-- learnings: ignore[rule, other] reason -->`, as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.markdown.line_kinds import IGNORE_MARK
from learnings.core.patterns import lazy_pattern

_OPENED, _CLOSED = "<!--", "-->"
# What stands between the marks of the comment: group 1 are the rules, group 2 is the reason.
_INSIDE = lazy_pattern(r"\s*learnings:\s*ignore\b\s*(?:\[([^\]]*)\])?(.*)", re.DOTALL)
# A letter or a digit, which a reason has.
_WORD = lazy_pattern(r"\w")


class IgnoreComment(NamedTuple):
    """What one comment says; start and end are offsets in the text, 0-based, end exclusive.

    rules is empty where it names none. reason is empty where it has no word.
    """

    start: int
    end: int
    rules: tuple[str, ...]
    reason: str


def comments_in(text: str) -> tuple[IgnoreComment, ...]:
    """Return the comments that ignore something, wherever they stand in a text."""
    if IGNORE_MARK not in text:
        return ()
    comments = []
    for start, end in _all(text):
        inside = _INSIDE.fullmatch(text, start + len(_OPENED), end - len(_CLOSED))
        if inside is not None:
            comments.append(_read(start, end, inside))
    return tuple(comments)


def comments_behind(line: str) -> tuple[IgnoreComment, ...]:
    """Return the comments at the end of a line: only white space and such comments follow."""
    end = len(line)
    behind: list[IgnoreComment] = []
    for comment in reversed(comments_in(line)):
        if line[comment.end : end].strip():
            break
        behind.append(comment)
        end = comment.start
    return tuple(reversed(behind))


def without_ignores(line: str) -> str:
    """Return a line without the comments at its end that ignore rules, all else as it is.

    So an entry, a heading or a row keeps its title and its key when a rule is ignored for it.
    """
    behind = comments_behind(line)
    if not behind or not line[: behind[0].start].strip():
        return line
    return line[: behind[0].start].rstrip(" \t") + line[len(line.rstrip()) :]


def _all(text: str) -> Iterator[tuple[int, int]]:
    """Give the offsets where each comment begins and ends; one inside another is part of it."""
    end = 0
    while (start := text.find(_OPENED, end)) >= 0:
        closed = text.find(_CLOSED, start + 2)  # `<!-->` is a comment as well
        if closed < 0:
            return
        end = closed + len(_CLOSED)
        yield start, end


def _read(start: int, end: int, inside: re.Match[str]) -> IgnoreComment:
    names = [name.strip() for name in (inside[1] or "").split(",")]
    reason = " ".join(inside[2].split())
    rules = tuple(dict.fromkeys(filter(None, names)))
    return IgnoreComment(start, end, rules, reason if _WORD.search(reason) else "")
