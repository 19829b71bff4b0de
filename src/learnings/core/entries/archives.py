"""The archives, which keep the removed entries of a consolidation verbatim.

The archives of `agents/learnings.md` are `agents/archive/learnings-consolidated-<date>.md`, with
merged and moved entries under `## Group: <name>` and dropped ones under `## Dropped: <reason>`. The
fence of an original is longer than any row of tildes in it, so the original can be read back byte
for byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.errors import UnusableFile
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.markdown.escapes import unescaped
from learnings.core.patterns import lazy_pattern
from learnings.core.text import BOM, chomp, decode, encode, newline_of, printable, split_lines

# Headings that begin a part of an archive: `## Group: Builds`, `## Dropped: false since then`.
_PART_HEADING = lazy_pattern(r"##[ \t]+(?:Group|Dropped):")
# The beginning of an entry: the marks of a heading or a list item, and before them a BOM.
_MARKS = f"{BOM}#-*+ \t"
# Separators of entries, which are not always copied with them: `___`; of `---` and `***` the marks
# leave nothing.
_SEPARATOR = lazy_pattern(r"_(?:[ \t]*_){2,}[ \t]*")


class Archive(NamedTuple):
    """The comparable text of an archive, and the comparable text of its groups."""

    text: str = ""
    grouped: str = ""


def _parts(blocks: Blocks) -> list[tuple[int, int, str]]:
    """Return the parts: the first line (1-based), the line below the last, and the heading."""
    lines = blocks.lines
    second = (heading.line for heading in blocks.outline.headings if heading.level == 2)
    starts = [number for number in second if _PART_HEADING.match(lines[number - 1])]
    return [
        (first, end, chomp(lines[first - 1]).lstrip("#").strip())
        for first, end in pairwise([*starts, len(lines) + 1])
    ]


def part_finder(archive: bytes) -> Callable[[int], str]:
    """Return a function from a line of an archive to the heading of the part that it is in."""
    parts = _parts(blocks_of(archive))

    def heading_above(line: int) -> str:
        return next((heading for first, end, heading in parts if first < line < end), "")

    return heading_above


def read_archive(data: bytes) -> Archive:
    blocks = blocks_of(data)
    # The heading of a group stays, so that an entry is not mistaken for one at the end of another.
    groups = (part[:2] for part in _parts(blocks) if part[2].startswith("Group:"))
    grouped = [line for first, end in groups for line in blocks.lines[first - 1 : end - 1]]
    return Archive(comparable(blocks.lines), comparable(grouped))


def contains(text: str, entry: Entry) -> bool:
    """Return True if the text of an archive contains an entry; ignore blank lines and marks."""
    lines = comparable(entry.lines)
    return lines.strip("\n") != "" and lines in text


def put_into(
    entries: Iterable[Entry], after: Sequence[Archive], before: Sequence[Archive]
) -> tuple[list[Entry], list[Entry]]:
    """Return the entries that were added to archives: all of them, and those in groups."""
    now = [e for e in entries if any(contains(archive.text, e) for archive in after)]
    put = [e for e in now if not any(contains(archive.text, e) for archive in before)]
    return put, [e for e in put if any(contains(archive.grouped, e) for archive in after)]


def comparable(lines: Iterable[str]) -> str:
    """Join the lines that count, each between newlines, for contains()."""
    texts = (unescaped(chomp(line)).strip().lstrip(_MARKS) for line in lines)
    kept = [text for text in texts if text and not _SEPARATOR.fullmatch(text)]
    return "\n".join(("", *kept, ""))


_FENCE_LABEL = "markdown original"
_NO_NEWLINE = ", without a newline at its end"
# First line of the fence of an original.
_ORIGINAL_FENCE = lazy_pattern(rf"~~~+ {_FENCE_LABEL}({_NO_NEWLINE})?")
_TILDES = lazy_pattern(rb"~+")
_TITLE = """\
# Archived entries of {name} ({date})

Entries that left `{name}`, word for word. Merged and moved entries are in groups, other
entries under Dropped. `learnings archive --restore IDENTITY` restores an entry.
"""
_SHORTEST = 3  # tildes of a fence in Markdown


class ArchivePart(NamedTuple):
    """A part of an archive: its heading without `## `, and its originals."""

    heading: str
    originals: tuple[bytes, ...]


class Original(NamedTuple):
    """The bytes of a removed entry, the heading of its part, and its first line (1-based)."""

    data: bytes
    heading: str
    line: int


def group_part(name: str, originals: Iterable[bytes]) -> ArchivePart:
    return ArchivePart(_one_line(f"Group: {name}"), tuple(originals))


def dropped_part(reason: str, originals: Iterable[bytes]) -> ArchivePart:
    return ArchivePart(_one_line(f"Dropped: {reason}"), tuple(originals))


def with_originals(
    before: bytes | None, parts: Sequence[ArchivePart], *, learnings_file: str, date: str
) -> bytes:
    """Append originals to an archive (None: a new one), except those it already contains.

    Raises UnusableFile if the archive ends inside an unclosed code block or comment.
    """
    held = [(original.heading, original.data) for original in originals_in(before or b"")]
    count = Counter(held)
    others = (_missing_originals(part, count) for part in parts)
    missing = [part for part in others if part.originals]
    if before and not missing:
        return before
    first = next((data for part in parts for data in part.originals), b"")
    newline = "\r\n" if newline_of(decode(before or first)) == "\r\n" else "\n"
    name = printable(learnings_file.rpartition("/")[2])
    title = _TITLE.format(name=name, date=date).replace("\n", newline)
    start = before or encode(title)
    if not start.endswith(b"\n"):
        start += encode(newline)
    last_heading = next((heading for *_, heading in reversed(_parts(blocks_of(start)))), "")
    result = start + b"".join(_with_parts(missing, last_heading, newline))
    expected = held + [(part.heading, data) for part in missing for data in part.originals]
    if [(original.heading, original.data) for original in originals_in(result)] != expected:
        raise UnusableFile(
            f"the archive of {learnings_file} ends inside an unclosed code block or comment; "
            "close it, then run again"
        )
    return result


def originals_in(archive: bytes) -> tuple[Original, ...]:
    """Return the originals that with_originals() wrote to an archive, in order."""
    blocks = blocks_of(archive)
    originals = []
    for first, end, heading in _parts(blocks):
        for fence in blocks.outline.fences:
            opening = blocks.lines[fence.first - 1]
            match = _ORIGINAL_FENCE.fullmatch(chomp(opening))
            if match and fence.closed and first < fence.first < end:
                text = "".join(blocks.lines[fence.first : fence.last - 1])
                if match[1]:
                    text = text.removesuffix(opening[len(chomp(opening)) :])
                originals.append(Original(encode(text), heading, fence.first + 1))
    return tuple(originals)


def not_in(archive: bytes, originals: Iterable[bytes]) -> list[bytes]:
    """Return the originals an archive lacks; a memory folder's archive is itself an original."""
    held = {archive, *(original.data for original in originals_in(archive))}
    return [original for original in originals if original not in held]


def _missing_originals(part: ArchivePart, count: Counter[tuple[str, bytes]]) -> ArchivePart:
    missing = []
    for data in part.originals:
        key = (part.heading, data)
        if count[key]:
            count[key] -= 1
        else:
            missing.append(data)
    return ArchivePart(part.heading, tuple(missing))


def _with_parts(parts: Sequence[ArchivePart], last_heading: str, newline: str) -> Iterator[bytes]:
    for part in parts:
        if part.heading != last_heading:
            yield encode(f"{newline}## {part.heading}{newline}")
        last_heading = part.heading
        for data in part.originals:
            longest = max(map(len, _TILDES.findall(data)), default=0)
            fence = "~" * max(_SHORTEST, longest + 1)
            label, end = ("", "") if data.endswith(b"\n") else (_NO_NEWLINE, newline)
            yield encode(f"{newline}{fence} {_FENCE_LABEL}{label}{newline}")
            yield data + encode(f"{end}{fence}{newline}")


def _one_line(heading: str) -> str:
    return printable(" ".join(heading.split()))


class MissingEntries(NamedTuple):
    """The headings of lost entries; commit (an id or `HEAD`) still had `total` entries.

    former is the path of the file in that commit; empty for the path of today.
    """

    commit: str
    total: int
    missing: tuple[str, ...]
    former: str = ""


def missing_entries(entries: Sequence[Entry], texts: Iterable[str]) -> list[Entry]:
    missing = list(entries)
    for text in texts:
        if not missing:
            break
        lines = comparable(split_lines(text))
        missing = [entry for entry in missing if not contains(lines, entry)]
    return missing
