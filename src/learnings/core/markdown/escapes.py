"""Text as a reader sees it: without backslash escapes and character references.

Formatters add and remove them, so titles, time stamps, dates and words are compared without.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from learnings.core.patterns import lazy_pattern

# A run of backticks, an escaped sign or line end (a hard line break), a character reference.
_MARKED = lazy_pattern(
    r"(?P<ticks>`+)|\\(?P<sign>[!-/:-@\[-`{-~\n])"
    r"|&(?:(?P<name>[A-Za-z][A-Za-z0-9]{1,31})|\#(?:[0-9]{1,7}|[xX][0-9A-Fa-f]{1,6}));"
)
_TICKS = lazy_pattern("`+")


def unescaped(text: str) -> str:
    r"""Return text without escapes (`\[`, `1\.`) and references (`&lt;`, `&#91;`) outside code.

    A backslash before a letter stays, as in CommonMark.
    """
    if "\\" not in text and "&" not in text:
        return text
    return "".join(part for part, _ in prose_and_code(text))


def prose_and_code(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text: prose unescaped, and code spans (True) with their backticks."""
    ends = _ends_of_ticks(text)
    prose, start, position = "", 0, 0
    while (match := _MARKED.search(text, position)) is not None:
        position = match.end()
        if not match["ticks"]:
            prose += text[start : match.start()] + (match["sign"] or _referred(match))
            start = position
            continue
        same = ends[len(match[0])]
        closing = bisect_right(same, position)
        if closing < len(same):
            yield prose + text[start : match.start()], False
            prose, start, position = "", same[closing], same[closing]
            yield text[match.start() : position], True
    yield prose + text[start:], False


def _ends_of_ticks(text: str) -> Mapping[int, Sequence[int]]:
    """Return where the runs of backticks end, in order, by their length."""
    ends = defaultdict[int, list[int]](list)
    for run in _TICKS.finditer(text):
        ends[len(run[0])].append(run.end())
    return ends


def _referred(reference: re.Match[str]) -> str:
    """Return the character of a reference; an unknown name stays, white space is a blank."""
    from html import unescape  # noqa: PLC0415  (few texts hold a reference)
    from html.entities import html5  # noqa: PLC0415  (as above)

    name = reference["name"]
    text = html5.get(f"{name};", reference[0]) if name else unescape(reference[0])
    return " " if text.isspace() else text
