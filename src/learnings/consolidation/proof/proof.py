"""The proof that a change lost nothing, or what it lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from learnings.consolidation.proof.added import AddedText
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
from learnings.core.entries.archives import contains, folder_of, is_archive_name, read_archive
from learnings.core.entries.changes import Changes, compare
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.place_holders import is_place_holder
from learnings.core.entries.titles import identity_key


class _Edit(NamedTuple):
    """An entry that stays in a file, as it was and as it is."""

    old: Entry
    new: Entry


class _Comparison(NamedTuple):
    """A learnings file before and after: its entries that left, and those that were edited."""

    path: str
    document: Document
    after: Document
    gone: tuple[Entry, ...]
    edited: tuple[_Edit, ...]


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
    for comparison in (_comparison(path, before, after) for path in before.learnings):
        results += _judged_gone(comparison, added, whereabouts, coverage)
        results += _judged_edits(comparison, added, whereabouts, coverage)
    results += _altered_originals(before, after, whereabouts)
    return Proof(
        tuple(result for result in results if isinstance(result, Loss)),
        tuple(result for result in results if isinstance(result, Notice)),
        sum(len(document.entries) for document in before.learnings.values()),
    )


def missing_entries(path: str, before: Version, after: Version) -> tuple[Entry, ...]:
    """Return the entries of one learnings file that are not in it any more, nor in its new name."""
    return _comparison(path, before, after).gone


def _comparison(path: str, before: Version, after: Version) -> _Comparison:
    old = before.learnings[path]
    new = after.learnings.get(path)
    # A file that is gone may have another name now.
    documents = (
        [new] if new else [d for p, d in after.learnings.items() if p not in before.learnings]
    )
    changes = [compare(old, document) for document in documents]
    best = min(range(len(changes)), key=lambda index: len(changes[index].removed), default=None)
    if best is None:
        return _Comparison(path, old, read(b""), _with_text(old.entries), ())
    document = documents[best]
    change = _with_restamped(changes[best])
    swapped = tuple(_hidden_by_namesake(old, document, change))
    edited = tuple(_edits(old, document, change, {entry.first for entry in swapped}))
    return _Comparison(path, old, document, _with_text((*change.removed, *swapped)), edited)


def _with_restamped(changes: Changes) -> Changes:
    """Return changes in which an entry that got or lost its stamp under its title is an edited one.

    That is what happens to all entries of a file when its dialect changes.
    """
    by_title: dict[str, list[Entry]] = {}
    for entry in changes.added:
        by_title.setdefault(identity_key(None, entry.title), []).append(entry)
    pairs = []
    for old in changes.removed:
        same = by_title.get(identity_key(None, old.title), [])
        new = next((e for e in same if old.title and (not e.stamp or not old.stamp)), None)
        if new is not None:
            same.remove(new)
            pairs.append((old, new))
    paired = {old.first for old, _ in pairs}
    removed = tuple(entry for entry in changes.removed if entry.first not in paired)
    return changes._replace(removed=removed, reworded=(*changes.reworded, *pairs))


def _with_text(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return tuple(sorted((e for e in entries if not _is_place_holder(e)), key=lambda e: e.first))


def _is_place_holder(entry: Entry) -> bool:
    """Return True for what a template has in place of an entry: nothing in it says anything."""
    lines = (line for line in entry.lines if line.strip())
    return is_place_holder(f"# {entry.heading}") or all(map(is_place_holder, lines))


def _hidden_by_namesake(old: Document, new: Document, changes: Changes) -> Iterator[Entry]:
    """Give the entries whose heading now stands over the text of another one with the same.

    Of two entries with one heading the second has ` #2` in its identity, and loses that when the
    first goes.
    """
    removed = {entry.key for entry in changes.removed}
    for entry in old.entries:
        now = new.by_identity.get(entry.identity)
        if now is None or entry.key not in removed or entry.body == now.body:
            continue
        if any(other.key == entry.key and other.body == now.body for other in changes.removed):
            yield entry


def _edits(old: Document, new: Document, changes: Changes, gone: set[int]) -> Iterator[_Edit]:
    known = new.by_identity | {o.identity: n for o, n in changes.reworded}
    for entry in old.entries:
        now = known.get(entry.identity)
        if now is not None and entry.first not in gone and now.body != entry.body:
            yield _Edit(entry, now)


def _judged_gone(
    comparison: _Comparison, added: AddedText, whereabouts: Whereabouts, coverage: float
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
    comparison: _Comparison,
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


def _gone(entry: Entry, comparison: _Comparison) -> Loss:
    before = Place(comparison.path, entry.first)
    after = Place(comparison.path, _line_after(comparison, entry))
    return Loss(ENTRY, entry.heading, entry.identity, before, after, entry=entry)


def _judged_edits(
    comparison: _Comparison, added: AddedText, whereabouts: Whereabouts, coverage: float
) -> Iterator[Loss | Notice]:
    for old, new in comparison.edited:
        shortened, is_renamed = shortening(old, new), old.identity != new.identity
        if not (shortened or is_renamed) or whereabouts.is_archived(old) or _is_place_holder(old):
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
            if folder_of(path) == folder and is_archive_name(name, path) and document.entries:
                return document
    return read(b"")


def _line_after(comparison: _Comparison, entry: Entry) -> int:
    """Return the line behind the nearest entry above that is still there; else line 1."""
    above = (old for old in reversed(comparison.document.entries) if old.first < entry.first)
    known = comparison.after.by_identity
    return next((known[old.identity].last for old in above if old.identity in known), 1)
