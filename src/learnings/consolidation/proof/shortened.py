"""Entries that stay in their file and lose most of their text."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from learnings.consolidation.checks.sentences import sentences_of_entry
from learnings.core.entries.document import Entry

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
    before, after = _words(old), _words(new)
    total = sum(before.values())
    lost = sum((before - after).values())
    if lost <= MOST_LOST * total:
        return None
    return Shortening(_lost_sentences(old, new), not after)


def _words(entry: Entry) -> Counter[str]:
    words = (entry.body if entry.level else entry.text).casefold().split()
    return Counter(word for word in words if any(map(str.isalnum, word)))


def _lost_sentences(old: Entry, new: Entry) -> tuple[str, ...]:
    kept = {sentence.text for sentence in sentences_of_entry(new)}
    sentences = (sentence.text for sentence in sentences_of_entry(old)[1:])
    return tuple(text for text in sentences if text not in kept)[:_MOST_SHOWN]
