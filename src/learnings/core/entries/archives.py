"""Archives: where the entries that a consolidation takes out of a learnings file stay, verbatim.

The archives of `agents/learnings.md` are `agents/archive/learnings-consolidated-<date>.md`. What
was merged or moved stands in them under `## Group: <name>`, what was dropped under
`## Dropped: <reason>`. Here they are recognised, ours and those that people wrote; how we write
them, so that each entry can be read back byte for byte, is in originals.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.markdown.blocks import Blocks, blocks_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp

FOLDER = "archive"
# The headings that begin a part of an archive: `## Group: Builds`, `## Dropped: false since then`.
_GROUP = lazy_pattern(r"##[ \t]+Group:")
_PART = lazy_pattern(r"##[ \t]+(?:Group|Dropped):")
# What an entry begins with: the marks of a heading or a list item.
_MARKS = "#-*+ \t"
# What separates entries and is not always copied with them: `___`; of `---` and `***` the marks
# leave nothing.
_SEPARATOR = lazy_pattern(r"_(?:[ \t]*_){2,}[ \t]*")


class Archive(NamedTuple):
    """The text of an archive, as contains() looks into it: all of it, and what is in groups."""

    text: str = ""
    grouped: str = ""


def folder_of(learnings_file: str) -> str:
    """Return the folder of a learnings file's archives; both are POSIX paths."""
    folder, slash, _ = learnings_file.rpartition("/")
    return f"{folder}{slash}{FOLDER}"


def path_of(learnings_file: str, date: str) -> str:
    """Return the path of a learnings file's archive for a date (ISO); both paths are POSIX."""
    return f"{folder_of(learnings_file)}/{_stem(learnings_file).lower()}-consolidated-{date}.md"


def is_archive_name(name: str, learnings_file: str) -> bool:
    """Return True if a file of that name in folder_of() a learnings file is its archive."""
    folded = name.casefold()
    beginning = f"{_stem(learnings_file).casefold()}-consolidated-"
    return folded.startswith(beginning) and folded.endswith(".md")


def part_headings(blocks: Blocks) -> list[int]:
    """Return the lines, 1-based, of the headings that begin the parts of an archive."""
    second = (heading.line for heading in blocks.outline.headings if heading.level == 2)
    return [number for number in second if _PART.match(blocks.lines[number - 1])]


def read_archive(data: bytes) -> Archive:
    """Return the archive with these bytes; there is no input that it refuses."""
    blocks = blocks_of(data)
    lines = blocks.lines
    grouped: list[str] = []
    for number, end in pairwise([*part_headings(blocks), len(lines) + 1]):
        if _GROUP.match(lines[number - 1]):
            # The heading stays, so that no entry is taken for one that ends in another group.
            grouped += lines[number - 1 : end - 1]
    return Archive(comparable(lines), comparable(grouped))


def contains(text: str, entry: Entry) -> bool:
    """Return True if a text of an archive holds an entry, all of its lines one after another.

    Blank lines, separators, indentation, white space at the end of a line, and the marks of
    headings and list items do not count: an archive may put an entry at another level.
    """
    lines = comparable(entry.lines)
    return lines.strip("\n") != "" and lines in text


def put_into(
    entries: Iterable[Entry], after: Sequence[Archive], before: Sequence[Archive]
) -> tuple[list[Entry], list[Entry]]:
    """Return those of some entries that archives hold and did not hold before: all, and in groups.

    after and before are the archives of two versions, in any order.
    """
    put = [
        entry
        for entry in entries
        if any(contains(archive.text, entry) for archive in after)
        and not any(contains(archive.text, entry) for archive in before)
    ]
    return put, [e for e in put if any(contains(archive.grouped, e) for archive in after)]


def comparable(lines: Iterable[str]) -> str:
    """Return the lines that count, each with a newline before and after it, for contains()."""
    texts = (chomp(line).strip().lstrip(_MARKS) for line in lines)
    kept = [text for text in texts if text and not _SEPARATOR.fullmatch(text)]
    return "\n".join(("", *kept, ""))


def _stem(learnings_file: str) -> str:
    name = learnings_file.rpartition("/")[2]
    return name.rpartition(".")[0] or name
