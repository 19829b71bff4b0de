"""Test whether the merge driver loses entries: versions of a real memory, merged in all directions.

REPOSITORY is a clone, FILE the memory in it. Three versions, one of them as the base of the other
two, are merged as no branch ever was: far apart, and across changes of the dialect. An entry of
either side must be in the result, unless the other side removed or edited it; both sides of a
conflict count. Of an entry that both edited, every new line must be there. COUNT merges are drawn,
1,000 by default.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from learnings.consolidation.merge.conflicts import without_markers
from learnings.consolidation.merge.merge import Merge, merge
from learnings.consolidation.merge.versions import NotMerged
from learnings.core.entries.archives import comparable
from learnings.core.entries.document import Document, read
from learnings.core.text import decode, encode, split_lines
from learnings.history.git.merges import merge_bytes
from learnings.history.git.repository import Repository, open_repository

NAMES = ("base", "ours", "theirs")


class Version(NamedTuple):
    """A version of the memory with the texts of its entries by their titles."""

    data: bytes
    texts: dict[str, str]


def versions_of(repository: Repository, path: str) -> Iterator[Version]:
    """Yield the versions of a file, the oldest first."""
    for commit in repository.run("log", "--reverse", "--format=%H", "--", path).split():
        try:
            data = repository.run("show", f"{decode(commit)}:{path}")
        except Exception:  # noqa: BLE001  (the commit deleted it)
            continue
        yield Version(data, texts_of(read(data)))


def texts_of(document: Document) -> dict[str, str]:
    """Return the text below the headings of entries, by title."""
    return {entry.title: comparable(entry.lines[1:]) for entry in document.entries}


def missing(sides: tuple[Version, Version, Version], merged: Merge) -> list[str]:
    """Return the titles of entries that a merge lost."""
    base, ours, theirs = (version.texts for version in sides)
    entries = read(encode(without_markers(decode(merged.data)))).entries
    result = {comparable(entry.lines[1:]) for entry in entries}
    known = {*base.values()}
    lines = lines_of(comparable(split_lines(decode(merged.data))))
    return [
        title
        for side, other in ((ours, theirs), (theirs, ours))
        for title, text in side.items()
        if text not in result and (text not in known or text in other.values())
        if not is_edited_twice(title, base, ours, theirs)
        or lines_of(text) - lines_of(base[title]) - lines
    ]


def is_edited_twice(title: str, *versions: dict[str, str]) -> bool:
    """Return True if both sides changed the text of an entry of the base."""
    return len({version.get(title) for version in versions} - {None}) == len(versions)


def lines_of(text: str) -> set[str]:
    return {line.strip() for line in split_lines(text)}


def main(folder: str, path: str, count: int = 1000) -> None:
    """Print the missing entries, and the counts."""
    repository = open_repository(Path(folder))
    versions = [*versions_of(repository, path)]
    random = Random(1)
    clean = conflicts = by_lines = lost = 0

    def merge_lines(*texts: bytes) -> tuple[bytes, int]:
        return merge_bytes(texts, repository.top, names=NAMES, marker_size=7)

    for _ in range(count):
        base, ours, theirs = sides = tuple(random.sample(versions, 3))
        try:
            merged = merge(base.data, ours.data, theirs.data, merge_text=merge_lines)
        except NotMerged:
            by_lines += 1
            continue
        clean, conflicts = clean + (not merged.conflicts), conflicts + bool(merged.conflicts)
        if titles := missing((base, ours, theirs), merged):
            lost += 1
            print([versions.index(version) for version in sides], titles)
    print(f"{clean} clean, {conflicts} with conflicts, {by_lines} by lines, {lost} with a loss")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
