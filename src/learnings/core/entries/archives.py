"""Archives: where the entries that a consolidation takes out of a learnings file stay, verbatim.

The archives of `agents/learnings.md` are `agents/archive/learnings-consolidated-<date>.md`. What
was merged or moved stands in them under `## Group: <name>`, what was dropped under
`## Dropped: <reason>`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.core.entries.document import Entry
from learnings.core.markdown.blocks import blocks_of
from learnings.core.text import chomp

FOLDER = "archive"
# The headings that begin a part of an archive: `## Group: Builds`, `## Dropped: false since then`.
_GROUP = re.compile(r"##[ \t]+Group:")
_PART = re.compile(r"##[ \t]+(?:Group|Dropped):")
# What separates entries and is not always copied with them: `---`, `***`, `___`.
_SEPARATOR = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*")


class Archive(NamedTuple):
    """The text of an archive, as contains() looks into it: all of it, and what is in groups."""

    text: str = ""
    grouped: str = ""


def folder_of(learnings_file: str) -> str:
    """Return the folder of a learnings file's archives; both are POSIX paths."""
    folder, slash, _ = learnings_file.rpartition("/")
    return f"{folder}{slash}{FOLDER}"


def is_archive_name(name: str, learnings_file: str) -> bool:
    """Return True if a file of that name in folder_of() a learnings file is its archive."""
    stem = learnings_file.rpartition("/")[2].rpartition(".")[0].casefold()
    folded = name.casefold()
    return folded.startswith(f"{stem}-consolidated-") and folded.endswith(".md")


def read_archive(data: bytes) -> Archive:
    """Return the archive with these bytes; there is no input that it refuses."""
    lines, _, outline = blocks_of(data)
    second = [heading.line for heading in outline.headings if heading.level == 2]
    parts = [number for number in second if _PART.match(lines[number - 1])]
    grouped: list[str] = []
    for number, end in pairwise([*parts, len(lines) + 1]):
        if _GROUP.match(lines[number - 1]):
            # The heading stays, so that no entry is taken for one that ends in another group.
            grouped += lines[number - 1 : end - 1]
    return Archive(_comparable(lines), _comparable(grouped))


def contains(text: str, entry: Entry) -> bool:
    """Return True if a text of an archive holds an entry, all of its lines one after another.

    Blank lines, separators and white space at the end of a line do not count.
    """
    return _comparable(entry.lines) in text


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


def _comparable(lines: Iterable[str]) -> str:
    """Return the lines that count, each with a newline before and after it."""
    texts = (chomp(line).rstrip() for line in lines)
    kept = [text for text in texts if text and not _SEPARATOR.fullmatch(text)]
    return "\n".join(("", *kept, ""))
