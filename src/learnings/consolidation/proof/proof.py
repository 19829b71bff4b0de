"""The proof that a change lost nothing, or the entries, originals and index rows that it lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.proof.comparison import (
    Comparison,
    comparison_of,
    line_after,
    says_nothing,
    shortening,
)
from learnings.consolidation.proof.locations import AddedText, EntryLocations, archived_entries
from learnings.consolidation.proof.losses import (
    COVERED,
    ENTRY,
    ORIGINAL,
    RETYPED,
    ROW,
    SHORTENED,
    FilePlace,
    LazyContents,
    Loss,
    MemoryVersion,
    Notice,
    Proof,
)
from learnings.core.entries.archives import archive_folder, contains, is_archive_name, read_archive
from learnings.core.entries.document import Document, Entry, read
from learnings.index.headings import IndexedFile
from learnings.index.index_file import MemoryIndex
from learnings.index.matching import match_rows
from learnings.index.rows import MatchStatus, RowMatch


def prove(
    before: MemoryVersion,
    after: MemoryVersion,
    *,
    coverage: float,
    others: LazyContents = dict[str, bytes],
    unstaged: LazyContents = dict[str, bytes],
) -> Proof:
    """Compare the memory before and after a change.

    An entry is lost unless it is in the memory still, word for word in an archive or in another
    Markdown file, or covered by added text: coverage is the share of its pairs of near words that
    is enough. others gives the files that the change did not touch, unstaged the archives that are
    on disk alone: what only they have is lost for everybody else, wherever it was moved.
    """
    added, locations = AddedText(before, after), EntryLocations(before, after, others, unstaged)
    results: list[Loss | Notice] = []
    for comparison in (comparison_of(path, before, after) for path in before.learnings):
        results += _judged_missing(comparison, added, locations, coverage)
        results += _judged_edits(comparison, added, locations, coverage)
    results += _altered_originals(before, after, locations)
    return Proof(
        tuple(result for result in results if isinstance(result, Loss)),
        tuple(result for result in results if isinstance(result, Notice)),
        sum(len(document.entries) for document in before.learnings.values()),
    )


def _judged_missing(
    comparison: Comparison, added: AddedText, locations: EntryLocations, coverage: float
) -> Iterator[Loss | Notice]:
    for entry in comparison.removed:
        if locations.is_archived(entry):
            continue
        unstaged = locations.unstaged(entry)
        if unstaged:
            yield _missing_entry(entry, comparison)._replace(unstaged=unstaged)
        elif not locations.is_there(entry, path=comparison.path):
            yield _judged(entry, comparison, added, locations, coverage)


def _judged(
    entry: Entry,
    comparison: Comparison,
    added: AddedText,
    locations: EntryLocations,
    coverage: float,
) -> Loss | Notice:
    """Return what to say of an entry that is nowhere word for word."""
    loss = _missing_entry(entry, comparison)
    where = loss.title, loss.identity, loss.before, loss.after
    retyped = locations.retyped(entry, comparison.document)
    if retyped is not None:
        return Notice(RETYPED, *where, archived=retyped)
    cover = added.cover_of(entry)
    altered = locations.altered(entry, comparison.document)
    originals = locations.originals_back(entry, comparison.document)
    is_covered = cover is not None and cover.score >= coverage and altered is None
    if is_covered or originals:
        missing = cover.uncovered if cover else ()
        return Notice(COVERED, *where, cover, missing, originals=originals)
    return loss._replace(cover=cover, altered=altered)


def _missing_entry(entry: Entry, comparison: Comparison) -> Loss:
    before = FilePlace(comparison.path, entry.first)
    after = FilePlace(comparison.path, line_after(comparison, entry))
    return Loss(ENTRY, entry.heading, entry.identity, before, after, entry=entry)


def _judged_edits(
    comparison: Comparison, added: AddedText, locations: EntryLocations, coverage: float
) -> Iterator[Loss | Notice]:
    for old, new in comparison.edited:
        shortened, is_renamed = shortening(old, new), old.identity != new.identity
        if not (shortened or is_renamed) or locations.is_archived(old) or says_nothing(old):
            continue
        where = old.heading, old.identity, FilePlace(comparison.path, old.first)
        after = FilePlace(comparison.path, new.first)
        unstaged = locations.unstaged(old)
        if unstaged and (is_renamed or (shortened and shortened.is_empty)):
            yield Loss(ENTRY, *where, after, entry=old, unstaged=unstaged)
            continue
        if shortened is None or locations.is_there(old, path=comparison.path):
            continue
        cover = added.cover_of(old)
        if cover is not None and cover.score >= coverage:
            continue
        if shortened.is_empty:
            detail = "only its heading is left"
            yield Loss(ENTRY, *where, after, cover, detail=detail, entry=old)
        else:
            yield Notice(SHORTENED, *where, after, cover, shortened.sentences)


def _altered_originals(
    before: MemoryVersion, after: MemoryVersion, locations: EntryLocations
) -> Iterator[Loss]:
    """Give the originals that an archive had and no archive has any more, word for word."""
    for path, data in before.archives.items():
        if after.archives.get(path) == data:
            continue
        document = _source_of(path, before, after)
        for line, entry in archived_entries(data, document):
            if not contains(read_archive(data).text, entry) or _is_part(entry):
                continue
            if locations.is_archived(entry) or locations.is_there(entry, path=path):
                continue
            if locations.retyped(entry, document):
                continue
            altered = locations.altered(entry, document)
            now = altered if altered and altered.path == path else FilePlace(path, 1)
            yield Loss(
                ORIGINAL, entry.heading, entry.identity, FilePlace(path, line), now, altered=altered
            )


def _is_part(entry: Entry) -> bool:
    """Return True for the heading of a part in an archive by hand, if it is read as an entry."""
    return entry.title.startswith(("Group:", "Dropped:"))


def _source_of(archive: str, *versions: MemoryVersion) -> Document:
    """Return the learnings file that an archive belongs to, an empty one where it is not known."""
    folder, _, name = archive.rpartition("/")
    for version in versions:
        files: Mapping[str, Document] = version.learnings
        for path, document in files.items():
            if archive_folder(path) == folder and is_archive_name(name, path) and document.entries:
                return document
    return read(b"")


# The row is there, and what it stands for is not.
_UNRESOLVED = (MatchStatus.ORPHAN, MatchStatus.FILE_MISSING)


class IndexedMemory(NamedTuple):
    """A memory index with the files that it lists."""

    memory_index: MemoryIndex
    files: Sequence[IndexedFile]


def lost_rows(before: IndexedMemory, after: IndexedMemory) -> Iterator[Loss]:
    """Give the rows that no longer resolve; those that never did, and new ones, are not lost."""
    resolved = Counter(
        m.row.text.strip() for m in _row_matches(before) if m.status not in _UNRESOLVED
    )
    lines = {m.row.text.strip(): m.row.line for m in _row_matches(before)}
    for row_match in _row_matches(after):
        text = row_match.row.text.strip()
        if row_match.status in _UNRESOLVED and resolved[text]:
            path = after.memory_index.path
            where = f"no heading of {row_match.path} reads so" if row_match.path else ""
            missing = f"there is no file {row_match.path}"
            yield Loss(
                ROW,
                text,
                text,
                FilePlace(path, lines[text]),
                FilePlace(path, row_match.row.line),
                detail=missing if row_match.status is MatchStatus.FILE_MISSING else where,
            )


def _row_matches(indexed: IndexedMemory) -> Sequence[RowMatch]:
    return match_rows(indexed.memory_index, indexed.files).row_matches
