"""Text that a file says to have copied from another one, compared with that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from learnings.core.agents.text import lines_with_language
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

# Patterns are compiled by the first file of an agent: most runs meet none.
# The comment above a copy, which names its source.
_SOURCE = lazy_pattern(r"(?i)[ \t]*<!--\s*source:\s*([\w./${}-]+\.\w+)\s*-->\s*$")
# The comment below a copy.
_END = lazy_pattern(r"(?i)[ \t]*<!--\s*end of source\s*-->\s*$")
# The `#` of a heading: a copy may change its depth. From the first one only, or a row of them would
# be tried from each.
_HEADING = lazy_pattern(r"(?<!#)#+(?=[ \t])")


class Copy(NamedTuple):
    """A copy: the path of its source, and the lines of the two comments around it.

    last is None where the comment at its end is missing.
    """

    path: str
    first: int
    last: int | None


class Difference(NamedTuple):
    """Where a copy leaves its source: a line of the copy, and one of the source with its text.

    source_line is None where the text of the copy is nowhere in the source, 0 where the source has
    ended. goes_on says that the copy is right as far as it goes and ends before the section does.
    """

    line: int
    source_line: int | None
    text: str = ""
    goes_on: bool = False


def names_source(line: str) -> bool:
    """Return True if a line is the comment above a copy, which names its source."""
    return _SOURCE.match(line) is not None


def copies(lines: Sequence[str], front_matter: int = 0) -> Iterator[Copy]:
    """Give the copies in a file; comments in code blocks are examples."""
    if not any("source" in line.lower() for line in lines):
        return  # as in most files
    path, first = "", 0
    for number, line, code in lines_with_language(lines, front_matter):
        source = _SOURCE.match(line) if code is None else None
        if source or (first and code is None and _END.match(line)):
            if first:
                yield Copy(path, first, None if source else number)
            path, first = (source[1], number) if source else ("", 0)
    if first:
        yield Copy(path, first, None)


def difference(copy: Copy, lines: Sequence[str], source: Sequence[str]) -> Difference | None:
    """Return the first line where a copy differs from its source, None where it does not.

    A copy is a run of lines of its source that ends where a section ends. Blank lines, blanks at
    the end of lines and the depth of headings do not count.
    """
    copied = _content(lines, copy.first, (copy.last or copy.first) - 1)
    source_lines = _content(source, 0, len(source))
    if not copied:
        return Difference(copy.first, None)
    length, start = max(
        ((_in_common(copied, source_lines[index:]), -index) for index in range(len(source_lines))),
        default=(0, 0),
    )
    if not length:
        return Difference(copied[0][0], None)
    behind = source_lines[length - start : length - start + 1]
    if length < len(copied):
        return _difference_at(copied[length][0], behind)
    if behind and not behind[0][1].startswith(("# ", "<!--")):
        return _difference_at(copy.last or copied[-1][0], behind)._replace(goes_on=True)
    return None


def _difference_at(line: int, behind: Sequence[tuple[int, str]]) -> Difference:
    return Difference(line, *behind[0]) if behind else Difference(line, 0)


def _content(lines: Sequence[str], first: int, last: int) -> list[tuple[int, str]]:
    """Return the lines with words from behind the line `first` to `last`, with their numbers."""
    numbered = enumerate(map(chomp, lines[first:last]), start=first + 1)
    return [(n, _HEADING.sub("#", text.rstrip(), count=1)) for n, text in numbered if text.strip()]


def _in_common(copied: Sequence[tuple[int, str]], source_lines: Sequence[tuple[int, str]]) -> int:
    """Return how many lines are the same from the beginning on."""
    pairs = zip(copied, source_lines, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0][1] == pair[1][1], pairs))
