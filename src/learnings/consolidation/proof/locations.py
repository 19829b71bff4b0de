"""Where an entry that left its file is now: in another file, in an archive, or in added text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.groups.profiles import is_consolidated
from learnings.consolidation.proof.losses import Cover, FilePlace, LazyContents, MemoryVersion
from learnings.consolidation.text.coverage import Covered, Texts
from learnings.consolidation.text.sections import target_of
from learnings.core.entries.archives import (
    comparable,
    contains,
    originals_in,
    part_headings,
    read_archive,
)
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.entry_changes import is_alike
from learnings.core.entries.rewriting import entry_of
from learnings.core.entries.titles import CONSOLIDATED
from learnings.core.markdown.blocks import blocks_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, decode, split_lines

# A word or number, whatever stands around it.
_WORD = lazy_pattern(r"\w+")
# Characters of a text that could stand in an archive by chance; chosen, some five words.
_SHORTEST = 30


class EntryLocations:
    """The files of a version in which an entry may stand, each prepared once and when needed."""

    def __init__(
        self,
        before: MemoryVersion,
        after: MemoryVersion,
        others: LazyContents,
        unstaged: LazyContents,
    ) -> None:
        self._before = before
        self._after = after
        self._others = others
        self._read_unstaged = unstaged

    @cached_property
    def _archives(self) -> list[str]:
        return [read_archive(data).text for data in self._after.archives.values()]

    @cached_property
    def _words_of_archives(self) -> dict[str, str]:
        return {path: _joined_words([decode(data)]) for path, data in self._after.archives.items()}

    @cached_property
    def _changed(self) -> list[str]:
        documents = (document.lines for document in self._after.learnings.values())
        texts = (split_lines(decode(data)) for data in self._after.texts.values())
        return [comparable(lines) for lines in (*documents, *texts)]

    @cached_property
    def _unchanged(self) -> list[str]:
        return [comparable(split_lines(decode(data))) for data in self._others().values()]

    def is_archived(self, entry: Entry) -> bool:
        """Return True if an archive holds an entry word for word."""
        return any(contains(text, entry) for text in self._archives)

    @cached_property
    def _unstaged(self) -> dict[str, str]:
        return {path: read_archive(data).text for path, data in self._read_unstaged().items()}

    def unstaged(self, entry: Entry) -> str:
        """Return the path of the archive on disk alone that holds an entry, empty if none does."""
        return next((path for path, text in self._unstaged.items() if contains(text, entry)), "")

    def is_there(self, entry: Entry, *, path: str) -> bool:
        """Return True if an entry of a file stands in a Markdown file, moved or copied as it was.

        One that another learnings file has under its identity, edited at most, is there as well.
        """
        return (
            any(contains(text, entry) for text in self._changed)
            or self._is_moved(entry, path)
            or any(contains(text, entry) for text in self._unchanged)
        )

    def _is_moved(self, entry: Entry, path: str) -> bool:
        documents = (d for other, d in self._after.learnings.items() if other != path)
        candidates = (document.by_identity.get(entry.identity) for document in documents)
        return any(other is not None and is_alike(entry, other) for other in candidates)

    def retyped(self, entry: Entry, document: Document) -> FilePlace | None:
        """Return where an archive has the title and text of an entry in the same words.

        Of 371 entries that were archived by hand, three came back with `->` for an arrow or without
        the breaks of their lines, and one under the time stamp of its neighbour.
        """
        words = _joined_words([entry.title, entry.body] if entry.level else [entry.text])
        if len(words) <= _SHORTEST:
            return None
        for path, text in self._words_of_archives.items():
            if words in text:
                altered = self.altered(entry, document, title_only=True)
                return altered if altered and altered.path == path else FilePlace(path, 1)
        return None

    def altered(
        self, entry: Entry, document: Document, *, title_only: bool = False
    ) -> FilePlace | None:
        """Return where an archive has an entry of a document under its heading, but altered.

        With title_only the time stamp may be another.
        """
        for path, data in self._after.archives.items():
            for line, archived in archived_entries(data, document):
                if archived.key == entry.key or (title_only and archived.title == entry.title):
                    return FilePlace(path, line)
        return None

    def originals_back(self, entry: Entry, document: Document) -> int:
        """Return how many originals a merged entry of a document has, if all of them are back.

        That is so where a consolidation was taken back: 0 where an archive knows of none, or one of
        them is not in the memory again.
        """
        if not is_consolidated(entry):
            return 0
        for archive in (*self._before.archives.values(), *self._after.archives.values()):
            members = [*_members_of(archive, entry, document)]
            if members and all(any(contains(t, m) for t in self._changed) for m in members):
                return len(members)
        return 0


def archived_entries(archive: bytes, document: Document) -> Iterator[tuple[int, Entry]]:
    """Give the entries in an archive of a document, each with its line there, 1-based.

    An archive that was written by hand is read as the document is.
    """
    originals = originals_in(archive)
    for original in originals:
        entry = entry_of(original.data, document)
        if entry is not None:
            yield original.line, entry
    if not originals:
        own = read(archive)
        for entry in (own.read_as(document.dialect) if document.entries else own).entries:
            yield entry.first, entry


def _members_of(archive: bytes, merged: Entry, document: Document) -> Iterator[Entry]:
    """Give the entries in the groups of an archive that bear the name of a merged entry."""
    group = f"group: {merged.title.casefold().removesuffix(CONSOLIDATED).strip()}"
    blocks = blocks_of(archive)
    for number, end in pairwise([*part_headings(blocks), len(blocks.lines) + 1]):
        if blocks.lines[number - 1].strip("# \t\r\n").casefold() == group:
            for line, entry in archived_entries(archive, document):
                if number < line < end:
                    yield entry


def _joined_words(texts: Iterable[str]) -> str:
    """Return the words of texts with one blank before and after each."""
    words = (word for text in texts for word in _WORD.findall(text))
    return f" {' '.join(words)} "


class _AddedLines(NamedTuple):
    """The lines that were added to one entry or section, with its title."""

    place: FilePlace
    title: str
    text: str


class AddedText:
    """The sections and entries that a change added or wrote on, with their added lines alone."""

    def __init__(self, before: MemoryVersion, after: MemoryVersion) -> None:
        self._sections: Sequence[_AddedLines] = [*_added_lines(before, after)]
        self._texts = Texts(f"{added.title}\n{added.text}" for added in self._sections)
        self._together = Texts([self.text])

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(f"{added.title}\n{added.text}" for added in self._sections)

    def cover_of(self, entry: Entry) -> Cover | None:
        """Return the section that covers an entry best, None where none shares anything.

        An entry that was merged from others is covered by all sections together: it may have
        become several again, as when a consolidation is reverted.
        """
        best = self._texts.best(entry)
        if best is None:
            return None
        place = self._sections[best.text_index].place
        whole = self._together.best(entry) if is_consolidated(entry) else None
        return _cover(place, whole or best)


def _cover(place: FilePlace, covered: Covered) -> Cover:
    return Cover(place, covered.score, covered.new_words)


def _added_lines(before: MemoryVersion, after: MemoryVersion) -> Iterator[_AddedLines]:
    for path, document in after.learnings.items():
        older = before.learnings.get(path)
        known = older.by_identity if older else {}
        for entry in document.entries:
            same = known.get(entry.identity)
            lines = entry.lines[1:] if entry.level else entry.lines
            place = FilePlace(path, entry.first)
            yield from _with_added_lines(
                place, entry.title, lines, _count_lines(same.lines if same else ())
            )
    for path, data in after.texts.items():
        past = before.learnings.get(path)
        count = _count_lines(
            past.lines if past else split_lines(decode(before.texts.get(path, b"")))
        )
        for section in target_of(path, data).sections:
            place = FilePlace(path, section.line)
            yield from _with_added_lines(place, section.title, section.lines, count)


def _with_added_lines(
    place: FilePlace, title: str, lines: Iterable[str], known: Counter[str]
) -> Iterator[_AddedLines]:
    """Give the lines that are not counted among the known ones, which are counted down; or none."""
    added = []
    for line in lines:
        text = chomp(line).strip()
        if text and known[text] > 0:
            known[text] -= 1
        elif text:
            added.append(text)
    if added:
        yield _AddedLines(place, title, "\n".join(added))


def _count_lines(lines: Iterable[str]) -> Counter[str]:
    return Counter(chomp(line).strip() for line in lines)
