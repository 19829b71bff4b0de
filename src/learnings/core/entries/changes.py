"""What happened to the entries of a file between two of its versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from learnings.core.entries.document import Document, Entry

ALIKE = 0.6
"""From this share of common words on, two bodies under different headings are one entry."""

MAX_WORDS = 4000
"""Words of a body that are compared; beyond it an entry is a document of its own."""

MAX_COMPARISONS = 4000
"""Full comparisons of two bodies in one change, the most promising first."""


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

    Of a merge, old is one parent and others are the other ones: what any of them had did not come
    with the merge.

    An entry is still there when its identity is, wherever it moved. Where the dialect changed
    between the two, each is also read in the other's, so that the same heading in another
    reading is not taken for a loss.
    """
    gone = _missing(old.entries, new.by_identity, new.read_as(old.dialect).by_identity)
    known = [version.by_identity for version in (old, old.read_as(new.dialect), *others)]
    came = _missing(new.entries, *known)
    pairs = tuple(pair_by_body(gone, came)) if gone and came else ()
    old_halves = {before.identity for before, _ in pairs}
    new_halves = {after.identity for _, after in pairs}
    return Changes(
        removed=tuple(entry for entry in gone if entry.identity not in old_halves),
        added=tuple(entry for entry in came if entry.identity not in new_halves),
        reworded=pairs,
    )


def removed_from_all(changes: Sequence[Changes]) -> tuple[Entry, ...]:
    """Return the entries that a commit took out relative to every parent.

    changes holds one comparison for each parent; a commit without parents took nothing out.
    """
    if not changes:
        return ()
    first, *others = changes
    common = [{entry.identity for entry in change.removed} for change in others]
    return tuple(e for e in first.removed if all(e.identity in rest for rest in common))


def is_alike(old: Entry, new: Entry) -> bool:
    """Say whether two entries of one identity are the same one, edited at most."""
    return old.body.split() == new.body.split() or any(pair_by_body((old,), (new,)))


def pair_by_body(gone: Sequence[Entry], came: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Give the pairs (old, new) that are one entry under another heading, best pairs first.

    Bodies are compared without their headings as sequences of words; a body that says nothing
    pairs with nothing; each entry is in one pair. Pairs that cannot reach the threshold by the
    words they have in common are skipped, and the number of full comparisons is bounded.
    """
    candidates = sorted(_candidates(gone, came), key=lambda c: (-c[0], c[1], c[2]))
    scored = []
    for _, i, j in candidates[:MAX_COMPARISONS]:
        ratio = SequenceMatcher(None, _words(gone[i]), _words(came[j]), autojunk=False).ratio()
        if ratio >= ALIKE:
            scored.append((-ratio, i, j))
    used_old: set[int] = set()
    used_new: set[int] = set()
    for _, i, j in sorted(scored):
        if i not in used_old and j not in used_new:
            used_old.add(i)
            used_new.add(j)
            yield gone[i], came[j]


def _candidates(gone: Sequence[Entry], came: Sequence[Entry]) -> Iterator[tuple[float, int, int]]:
    """Give (upper bound of the ratio, old index, new index) where the bound is high enough."""
    new_words = [_counted(entry) for entry in came]
    for i, entry in enumerate(gone):
        words, total = _counted(entry)
        for j, (others, other_total) in enumerate(new_words):
            enough = ALIKE * (total + other_total)
            if not enough or 2 * min(total, other_total) < enough:
                continue
            # What difflib calls quick_ratio, over counts made once for each body.
            common = sum(min(words[word], others[word]) for word in words.keys() & others.keys())
            if 2 * common >= enough:
                yield 2 * common / (total + other_total), i, j


def _counted(entry: Entry) -> tuple[Counter[str], int]:
    """Return the words of a body with their number; 0 for a body of separators only."""
    words = _words(entry)
    says_something = any(character.isalnum() for word in words for character in word)
    return Counter(words), len(words) if says_something else 0


def _words(entry: Entry) -> list[str]:
    return entry.body.split()[:MAX_WORDS]


def _missing(entries: Iterable[Entry], *present: dict[str, Entry]) -> list[Entry]:
    known = set().union(*present)
    return [entry for entry in entries if entry.identity not in known]
