"""The comment `<!-- learnings: ignore[rule, other] reason -->` as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from learnings.core.markdown.line_kinds import IGNORE_MARK
from learnings.core.patterns import lazy_pattern

_OPENED, _CLOSED = "<!--", "-->"
# The content of the comment: group 1 are the rules, group 2 is the reason.
_INSIDE = lazy_pattern(r"\s*learnings:\s*ignore\b\s*(?:\[([^\]]*)\])?(.*)", re.DOTALL)
# A letter or digit, which every reason has.
_WORD = lazy_pattern(r"\w")


class IgnoreComment(NamedTuple):
    """A comment with its offsets in the text; a reason without a word is empty."""

    start: int
    end: int
    rules: tuple[str, ...]
    reason: str


def comments_in(text: str) -> tuple[IgnoreComment, ...]:
    if IGNORE_MARK not in text:
        return ()
    comments = []
    for start, end in _all(text):
        inside = _INSIDE.fullmatch(text, start + len(_OPENED), end - len(_CLOSED))
        if inside is not None:
            names = [name.strip() for name in (inside[1] or "").split(",")]
            reason = " ".join(inside[2].split())
            rules = tuple(dict.fromkeys(filter(None, names)))
            comments.append(
                IgnoreComment(start, end, rules, reason if _WORD.search(reason) else "")
            )
    return tuple(comments)


def comments_behind(line: str) -> tuple[IgnoreComment, ...]:
    end = len(line)
    behind: list[IgnoreComment] = []
    for comment in reversed(comments_in(line)):
        if line[comment.end : end].strip():
            break
        behind.append(comment)
        end = comment.start
    return tuple(reversed(behind))


def without_ignores(line: str) -> str:
    """Return a line without trailing ignore comments, so that keys survive an ignored rule."""
    behind = comments_behind(line)
    if not behind or not line[: behind[0].start].strip():
        return line
    return line[: behind[0].start].rstrip(" \t") + line[len(line.rstrip()) :]


def _all(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each comment; a comment inside another is part of it."""
    end = 0
    while (start := text.find(_OPENED, end)) >= 0:
        closed = text.find(_CLOSED, start + 2)  # `<!-->` is also a comment
        if closed < 0:
            return
        end = closed + len(_CLOSED)
        yield start, end
