"""What happened to the entries of a file between two of its versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry

ALIKE = 0.6
"""From this ratio of SequenceMatcher on, two bodies under different headings are one entry.

With it the dates of 8,926 entries in three real histories were those that `git blame` gives.
"""

MAX_WORDS = 4000
"""Words of a body that are compared: more than entries have, to bound the time. Not measured."""

MAX_PAIRS = 250_000
"""Pairs of a removed and an added entry whose words are counted, the first in the old file first.

Those of 500 entries that become 500 others; chosen to bound the time, not measured.
"""

MAX_COMPARISONS = 4000
"""Full comparisons of two bodies in one change, the most promising first.

Some 60 rewritten entries among 60 new ones; chosen to bound the time, not measured.
"""


class Changes(NamedTuple):
    """The entries that left a file, those that came, and those that got another heading.

    reworded holds pairs (old entry, new entry); neither of a pair is in removed or added.
    """

    removed: tuple[Entry, ...]
    added: tuple[Entry, ...]
    reworded: tuple[tuple[Entry, Entry], ...]

    def origin_of(self, entry: Entry) -> Entry | None:
        """Return the old entry that the given new one is a rewording of, else None."""
        return next((old for old, new in self.reworded if new.identity == entry.identity), None)


def compare(old: Document, new: Document, *, others: Sequence[Document] = ()) -> Changes:
    """Compare two versions of a file, each read in its own dialect.

    For a merge, old is one parent and others are its other parents: an entry that any of them had
    was not added by the merge.

    An entry is still there when its identity is, wherever it moved. Where the dialect changed
    between the versions, each is also read in the dialect of the other, so that the same heading
    is not taken for a loss because it is read differently.
    """
    removed = _missing(old.entries, new.by_identity, new.read_as(old.dialect).by_identity)
    known = [version.by_identity for version in (old, old.read_as(new.dialect), *others)]
    added = _missing(new.entries, *known)
    pairs = tuple(pair_by_body(removed, added)) if removed and added else ()
    old_identities = {before.identity for before, _ in pairs}
    new_identities = {after.identity for _, after in pairs}
    return Changes(
        removed=tuple(entry for entry in removed if entry.identity not in old_identities),
        added=tuple(entry for entry in added if entry.identity not in new_identities),
        reworded=pairs,
    )


def removed_from_all(changes: Sequence[Changes]) -> tuple[Entry, ...]:
    """Return the entries that a commit removed relative to every parent.

    changes holds one comparison for each parent; a commit without parents removed nothing.
    """
    if not changes:
        return ()
    first, *others = changes
    removed = [{entry.identity for entry in change.removed} for change in others]
    return tuple(
        e for e in first.removed if all(e.identity in identities for identities in removed)
    )


def is_alike(old: Entry, new: Entry) -> bool:
    """Return True if two entries of one identity are the same one, edited at most."""
    return old.body.split() == new.body.split() or any(pair_by_body((old,), (new,)))


def pair_by_body(removed: Sequence[Entry], added: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Give the pairs (old, new) that are one entry under another heading, best pairs first.

    Bodies are compared without their headings as sequences of words; a body without words pairs
    with nothing; each entry is in one pair at most. Pairs that cannot reach the threshold by the
    words they have in common are skipped, and the number of full comparisons is bounded.
    """
    if not removed or not added:
        return
    from difflib import SequenceMatcher  # noqa: PLC0415  (where headings came and went at once)

    first = removed[: max(1, MAX_PAIRS // max(1, len(added)))]
    candidates = sorted(_candidates(first, added), key=lambda c: (-c[0], c[1], c[2]))
    scored = []
    for _, i, j in candidates[:MAX_COMPARISONS]:
        ratio = SequenceMatcher(None, _words(removed[i]), _words(added[j]), autojunk=False).ratio()
        if ratio >= ALIKE:
            scored.append((-ratio, i, j))
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, i, j in sorted(scored):
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            yield removed[i], added[j]


def _candidates(
    removed: Sequence[Entry], added: Sequence[Entry]
) -> Iterator[tuple[float, int, int]]:
    """Give (upper bound of the ratio, old index, new index) where the bound is high enough."""
    new_words = [_word_counts(entry) for entry in added]
    for i, entry in enumerate(removed):
        words, total = _word_counts(entry)
        for j, (other_words, other_total) in enumerate(new_words):
            enough = ALIKE * (total + other_total)
            if not enough or 2 * min(total, other_total) < enough:
                continue
            # The quick_ratio() of difflib, over counts made once for each body.
            common = sum(min(words[w], other_words[w]) for w in words.keys() & other_words.keys())
            if 2 * common >= enough:
                yield 2 * common / (total + other_total), i, j


def _word_counts(entry: Entry) -> tuple[Counter[str], int]:
    """Return the words of a body and how many they are; 0 for a body of separators only."""
    words = _words(entry)
    has_words = any(character.isalnum() for word in words for character in word)
    return Counter(words), len(words) if has_words else 0


def _words(entry: Entry) -> list[str]:
    return entry.body.split()[:MAX_WORDS]


def _missing(entries: Iterable[Entry], *present: dict[str, Entry]) -> list[Entry]:
    """Return the entries that none of some versions have, each given by identity."""
    known = set().union(*present)
    return [entry for entry in entries if entry.identity not in known]
