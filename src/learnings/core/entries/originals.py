"""The originals in an archive: written so that each can be read back byte for byte.

An original stands in a fence of its own, below the heading of its group or of the reason why it was
dropped:

    ## Group: Builds

    ~~~ markdown original
    ## When a build hangs

    Look at the lock first.
    ~~~

The fence is longer than any row of tildes in the original. So nothing in the original ends it, be
that a fence without an end, a comment or a heading like those of an archive, and nothing in it is
part of the archive's own structure, for a reader of Markdown as for us; formatters leave it alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.entries.archives import part_headings
from learnings.core.errors import UnusableFile
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode, encode, newline_of, printable

_LABEL = "markdown original"
_NO_NEWLINE = ", without a newline at its end"
# The first line of an original's fence.
_FENCE = lazy_pattern(rf"~~~+ {_LABEL}({_NO_NEWLINE})?")
_TILDES = lazy_pattern(rb"~+")
_SHORTEST = 3  # tildes of a fence in Markdown


class Part(NamedTuple):
    """A part of an archive: its heading without `## `, and the bytes of its originals."""

    heading: str
    originals: tuple[bytes, ...]


class Original(NamedTuple):
    """An entry as it left its file.

    heading is that of its part (`Group: Builds`), line its first line in the archive, 1-based.
    """

    data: bytes
    heading: str
    line: int


def group(name: str, originals: Iterable[bytes]) -> Part:
    """Return the part for entries that were merged or moved together."""
    return Part(_one_line(f"Group: {name}"), tuple(originals))


def dropped(reason: str, originals: Iterable[bytes]) -> Part:
    """Return the part for entries that nobody needs any more."""
    return Part(_one_line(f"Dropped: {reason}"), tuple(originals))


def with_originals(
    before: bytes | None, parts: Sequence[Part], *, learnings_file: str, date: str
) -> bytes:
    """Return an archive with originals added at its end; what it held before stays as it was.

    before is None for an archive that is begun with this, on a date (ISO) and for a file. What
    stands in it already under the same heading is not added, so that a second run adds nothing.
    Raises UnusableFile where the archive ends inside code or a comment that is never closed.
    """
    held = originals_in(before or b"")
    count = Counter((original.heading, original.data) for original in held)
    missing = [part for part in (_missing(part, count) for part in parts) if part.originals]
    if before and not missing:
        return before
    newline = newline_of(decode(before or _first(parts)))
    newline = "\n" if newline == "\r" else newline
    start = before or encode(_title(learnings_file, date, newline))
    is_ended = start.endswith(b"\n")
    result = start + b"".join(
        [b"" if is_ended else encode(newline), *_added(missing, _last_heading(start), newline)]
    )
    expected = [(original.heading, original.data) for original in held]
    expected += [(part.heading, data) for part in missing for data in part.originals]
    if [(original.heading, original.data) for original in originals_in(result)] != expected:
        raise UnusableFile(
            f"the archive of {learnings_file} ends inside code or a comment that is never closed; "
            "close it there, then run again"
        )
    return result


def originals_in(archive: bytes) -> tuple[Original, ...]:
    """Return the originals that with_originals() has put into an archive, in their order.

    There is no input that it refuses; an archive written by hand has none.
    """
    blocks = blocks_of(archive)
    headings = part_headings(blocks)
    bounds = [*headings, len(blocks.lines) + 1]
    return tuple(
        original
        for heading, end in pairwise(bounds)
        for original in _originals_of(blocks, heading, end)
    )


def not_in(archive: bytes, originals: Iterable[bytes]) -> list[bytes]:
    """Return those of some originals that an archive does not hold byte for byte."""
    held = {original.data for original in originals_in(archive)}
    return [original for original in originals if original not in held]


def _originals_of(blocks: Blocks, heading: int, end: int) -> Iterator[Original]:
    """Give the originals between the line of a part's heading and the next part."""
    title = chomp(blocks.lines[heading - 1]).lstrip("#").strip()
    for fence in blocks.outline.fences:
        match = _FENCE.fullmatch(chomp(blocks.lines[fence.first - 1]))
        if match and fence.closed and heading < fence.first < end:
            text = "".join(blocks.lines[fence.first : fence.last - 1])
            if match[1]:
                opening = blocks.lines[fence.first - 1]
                text = text.removesuffix(opening[len(chomp(opening)) :])
            yield Original(encode(text), title, fence.first + 1)


def _missing(part: Part, count: Counter[tuple[str, bytes]]) -> Part:
    """Return a part without what is counted, and count that down."""
    missing = []
    for data in part.originals:
        key = (part.heading, data)
        if count[key]:
            count[key] -= 1
        else:
            missing.append(data)
    return Part(part.heading, tuple(missing))


def _added(parts: Sequence[Part], last_heading: str, newline: str) -> Iterator[bytes]:
    """Give what is added to an archive whose last part has that heading."""
    for part in parts:
        if part.heading != last_heading:
            yield encode(f"{newline}## {part.heading}{newline}")
        last_heading = part.heading
        for data in part.originals:
            yield from (encode(newline), _fenced(data, newline))


def _fenced(data: bytes, newline: str) -> bytes:
    longest = max((len(row) for row in _TILDES.findall(data)), default=0)
    fence = "~" * max(_SHORTEST, longest + 1)
    is_ended = data.endswith(b"\n")
    first = f"{fence} {_LABEL}{'' if is_ended else _NO_NEWLINE}{newline}"
    return b"".join((encode(first), data, encode(f"{'' if is_ended else newline}{fence}{newline}")))


def _last_heading(archive: bytes) -> str:
    blocks = blocks_of(archive)
    headings = part_headings(blocks)
    return chomp(blocks.lines[headings[-1] - 1]).lstrip("#").strip() if headings else ""


def _title(learnings_file: str, date: str, newline: str) -> str:
    name = printable(learnings_file.rpartition("/")[2])
    lines = (
        f"# Archived entries of {name} ({date})",
        "",
        f"What has left `{name}`, word for word: what was merged or moved stands in groups, what",
        "nobody needs any more under Dropped. `learnings archive --restore IDENTITY` brings an",
        "entry back.",
        "",
    )
    return newline.join(lines)


def _first(parts: Sequence[Part]) -> bytes:
    return next((data for part in parts for data in part.originals), b"")


def _one_line(heading: str) -> str:
    return printable(" ".join(heading.split()))
