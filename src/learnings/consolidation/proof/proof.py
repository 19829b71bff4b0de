"""The proof that a change lost nothing, or what it lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from learnings.consolidation.proof.added import AddedText
from learnings.consolidation.proof.comparison import (
    Comparison,
    comparison_of,
    line_after,
    says_nothing,
)
from learnings.consolidation.proof.model import (
    COVERED,
    ENTRY,
    ORIGINAL,
    RETYPED,
    SHORTENED,
    Contents,
    Loss,
    Notice,
    Place,
    Proof,
    Version,
)
from learnings.consolidation.proof.shortened import shortening
from learnings.consolidation.proof.whereabouts import Whereabouts, archived_entries
from learnings.core.entries.archives import archive_folder, contains, is_archive_name, read_archive
from learnings.core.entries.document import Document, Entry, read


def prove(
    before: Version,
    after: Version,
    *,
    coverage: float,
    others: Contents = dict[str, bytes],
    unstaged: Contents = dict[str, bytes],
) -> Proof:
    """Compare the memory before and after a change.

    An entry is lost unless it is in the memory still, word for word in an archive or in another
    Markdown file, or covered by added text: coverage is the share of its pairs of near words that
    is enough. others gives the files that the change did not touch, unstaged the archives that are
    on disk alone: what only they have is lost for everybody else, wherever it was moved.
    """
    added, whereabouts = AddedText(before, after), Whereabouts(before, after, others, unstaged)
    results: list[Loss | Notice] = []
    for comparison in (comparison_of(path, before, after) for path in before.learnings):
        results += _judged_gone(comparison, added, whereabouts, coverage)
        results += _judged_edits(comparison, added, whereabouts, coverage)
    results += _altered_originals(before, after, whereabouts)
    return Proof(
        tuple(result for result in results if isinstance(result, Loss)),
        tuple(result for result in results if isinstance(result, Notice)),
        sum(len(document.entries) for document in before.learnings.values()),
    )


def _judged_gone(
    comparison: Comparison, added: AddedText, whereabouts: Whereabouts, coverage: float
) -> Iterator[Loss | Notice]:
    for entry in comparison.gone:
        if whereabouts.is_archived(entry):
            continue
        unstaged = whereabouts.unstaged(entry)
        if unstaged:
            yield _gone(entry, comparison)._replace(unstaged=unstaged)
        elif not whereabouts.is_there(entry, path=comparison.path):
            yield _judged(entry, comparison, added, whereabouts, coverage)


def _judged(
    entry: Entry,
    comparison: Comparison,
    added: AddedText,
    whereabouts: Whereabouts,
    coverage: float,
) -> Loss | Notice:
    """Return what to say of an entry that is nowhere word for word."""
    loss = _gone(entry, comparison)
    where = loss.title, loss.identity, loss.before, loss.after
    retyped = whereabouts.retyped(entry, comparison.document)
    if retyped is not None:
        return Notice(RETYPED, *where, archived=retyped)
    cover = added.cover_of(entry)
    altered = whereabouts.altered(entry, comparison.document)
    originals = whereabouts.originals_back(entry, comparison.document)
    is_covered = cover is not None and cover.score >= coverage and altered is None
    if is_covered or originals:
        missing = cover.uncovered if cover else ()
        return Notice(COVERED, *where, cover, missing, originals=originals)
    return loss._replace(cover=cover, altered=altered)


def _gone(entry: Entry, comparison: Comparison) -> Loss:
    before = Place(comparison.path, entry.first)
    after = Place(comparison.path, line_after(comparison, entry))
    return Loss(ENTRY, entry.heading, entry.identity, before, after, entry=entry)


def _judged_edits(
    comparison: Comparison, added: AddedText, whereabouts: Whereabouts, coverage: float
) -> Iterator[Loss | Notice]:
    for old, new in comparison.edited:
        shortened, is_renamed = shortening(old, new), old.identity != new.identity
        if not (shortened or is_renamed) or whereabouts.is_archived(old) or says_nothing(old):
            continue
        where = old.heading, old.identity, Place(comparison.path, old.first)
        after = Place(comparison.path, new.first)
        unstaged = whereabouts.unstaged(old)
        if unstaged and (is_renamed or (shortened and shortened.is_empty)):
            yield Loss(ENTRY, *where, after, entry=old, unstaged=unstaged)
            continue
        if shortened is None or whereabouts.is_there(old, path=comparison.path):
            continue
        cover = added.cover_of(old)
        if cover is not None and cover.score >= coverage:
            continue
        if shortened.is_empty:
            detail = "only its heading is left"
            yield Loss(ENTRY, *where, after, cover, detail=detail, entry=old)
        else:
            yield Notice(SHORTENED, *where, after, cover, shortened.sentences)


def _altered_originals(before: Version, after: Version, whereabouts: Whereabouts) -> Iterator[Loss]:
    """Give the originals that an archive had and no archive has any more, word for word."""
    for path, data in before.archives.items():
        if after.archives.get(path) == data:
            continue
        document = _source_of(path, before, after)
        for line, entry in archived_entries(data, document):
            if not contains(read_archive(data).text, entry) or _is_part(entry):
                continue
            if whereabouts.is_archived(entry) or whereabouts.is_there(entry, path=path):
                continue
            if whereabouts.retyped(entry, document):
                continue
            altered = whereabouts.altered(entry, document)
            now = altered if altered and altered.path == path else Place(path, 1)
            yield Loss(
                ORIGINAL, entry.heading, entry.identity, Place(path, line), now, altered=altered
            )


def _is_part(entry: Entry) -> bool:
    """Return True for the heading of a part in an archive by hand, if it is read as an entry."""
    return entry.title.startswith(("Group:", "Dropped:"))


def _source_of(archive: str, *versions: Version) -> Document:
    """Return the learnings file that an archive belongs to, an empty one where it is not known."""
    folder, _, name = archive.rpartition("/")
    for version in versions:
        files: Mapping[str, Document] = version.learnings
        for path, document in files.items():
            if archive_folder(path) == folder and is_archive_name(name, path) and document.entries:
                return document
    return read(b"")
