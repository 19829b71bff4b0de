"""A learnings file before and after a change: the entries that left, were edited, or lost text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from learnings.consolidation.checks.sentences import sentences_of_entry
from learnings.consolidation.groups.profiles import is_consolidated
from learnings.consolidation.proof.losses import MemoryVersion
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.entry_changes import EntryChanges, compare_entries
from learnings.core.entries.place_holders import is_place_holder
from learnings.core.entries.titles import identity_key


class EditedEntry(NamedTuple):
    """An entry that stays in a file, as it was and as it is."""

    old: Entry
    new: Entry


class Comparison(NamedTuple):
    """A learnings file before and after: its entries that left, and those that were edited."""

    path: str
    document: Document
    after: Document
    removed: tuple[Entry, ...]
    edited: tuple[EditedEntry, ...]


def comparison_of(path: str, before: MemoryVersion, after: MemoryVersion) -> Comparison:
    """Compare a learnings file of the version before with itself, or with its new name, after."""
    old, new = before.learnings[path], after.learnings.get(path)
    old = _with_merged_entries(old, new)
    # A file that is gone may have another name now.
    documents = (
        [new] if new else [d for p, d in after.learnings.items() if p not in before.learnings]
    )
    changes = [compare_entries(old, document) for document in documents]
    best = min(range(len(changes)), key=lambda index: len(changes[index].removed), default=None)
    if best is None:
        return Comparison(path, old, read(b""), _with_text(old.entries), ())
    document = documents[best]
    change = _with_restamped(changes[best])
    swapped = tuple(_hidden_by_namesake(old, document, change))
    edited = tuple(_edits(old, document, change, {entry.first for entry in swapped}))
    return Comparison(path, old, document, _with_text((*change.removed, *swapped)), edited)


def _with_merged_entries(old: Document, new: Document | None) -> Document:
    """Return an older version whose list items are the text of merged entries read as these.

    A file that was consolidated to one entry with a list shows by nothing but that it has headings.
    """
    if new is None or not new.dialect.level or old.dialect.level:
        return old
    alike = old.read_as(new.dialect)
    return alike if any(map(is_consolidated, alike.entries)) else old


def _with_restamped(changes: EntryChanges) -> EntryChanges:
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
    return tuple(sorted((e for e in entries if not says_nothing(e)), key=lambda e: e.first))


def says_nothing(entry: Entry) -> bool:
    """Return True for what a template has in place of an entry: nothing in it says anything."""
    lines = (line for line in entry.lines if line.strip())
    return is_place_holder(f"# {entry.heading}") or all(map(is_place_holder, lines))


def _hidden_by_namesake(old: Document, new: Document, changes: EntryChanges) -> Iterator[Entry]:
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


def _edits(
    old: Document, new: Document, changes: EntryChanges, missing: set[int]
) -> Iterator[EditedEntry]:
    known = new.by_identity | {o.identity: n for o, n in changes.reworded}
    for entry in old.entries:
        now = known.get(entry.identity)
        if now is not None and entry.first not in missing and now.body != entry.body:
            yield EditedEntry(entry, now)


def line_after(comparison: Comparison, entry: Entry) -> int:
    """Return the line behind the nearest entry above that is still there; else line 1."""
    above = (old for old in reversed(comparison.document.entries) if old.first < entry.first)
    known = comparison.after.by_identity
    return next((known[old.identity].last for old in above if old.identity in known), 1)


MOST_LOST = 0.5
"""The share of its words that an entry may lose without a notice (spec: more than half)."""

# Sentences that a notice shows; the others can be read in the commit.
_MOST_SHOWN = 5


class Shortening(NamedTuple):
    """What an entry lost: the sentences that are gone; is_empty if no word of its text is left."""

    sentences: tuple[str, ...]
    is_empty: bool


def shortening(old: Entry, new: Entry) -> Shortening | None:
    """Return what an entry lost with an edit, None if that is half of its words at most."""
    before, after = _words_of_text(old), _words_of_text(new)
    total = sum(before.values())
    lost = sum((before - after).values())
    if lost <= MOST_LOST * total:
        return None
    return Shortening(_lost_sentences(old, new), not after)


def _words_of_text(entry: Entry) -> Counter[str]:
    words = (entry.body if entry.level else entry.text).casefold().split()
    return Counter(word for word in words if any(map(str.isalnum, word)))


def _lost_sentences(old: Entry, new: Entry) -> tuple[str, ...]:
    kept = {sentence.text for sentence in sentences_of_entry(new)}
    sentences = (sentence.text for sentence in sentences_of_entry(old)[1:])
    return tuple(text for text in sentences if text not in kept)[:_MOST_SHOWN]
