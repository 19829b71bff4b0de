"""Compares the memory before and after a change: which entry is which one, and which are gone."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from learnings.consolidation.checks.sentences import sentences_of_entry
from learnings.consolidation.proof.results import MemoryVersion
from learnings.consolidation.proof.wording import words_of
from learnings.consolidation.text.keywords import keys
from learnings.core.entries.document import Document, Entry
from learnings.core.entries.origin import is_consolidated
from learnings.core.entries.pairing import Pairs, certain_pairs, text_of
from learnings.core.entries.place_holders import is_place_holder

Place = tuple[str, int]
"""The path of a file, and the first line of an entry in it."""
Placed = Mapping[Place, Entry]

# A time stamp alone proves nothing: another text under it has replaced the entry.
_named_pairs = partial(certain_pairs, stamps=False)


class Edit(NamedTuple):
    """An entry before and after, with other lines or in another file.

    is_entry is False for one in a file that has no entries any more, unless it is read as before.
    """

    path: str
    old: Entry
    new_path: str
    new: Entry
    is_entry: bool = True


class MemoryChange(NamedTuple):
    """What became of the entries; those that stayed are left out."""

    edits: list[Edit]
    removed: dict[Place, Entry]
    added: dict[Place, Entry]

    def pair(
        self, find: Callable[..., Pairs], old: Placed, new: Placed, *, are_entries: bool = True
    ) -> None:
        """Make edits of removed and added entries that are the same entry."""
        before, after = [*old.items()], [*new.items()]
        pairs = find([*old.values()], [*new.values()]) if old and new else {}
        for (place, one), (new_place, other) in ((before[i], after[j]) for i, j in pairs.items()):
            del self.removed[place]
            self.added.pop(new_place, None)
            path, new_path = place[0], new_place[0]
            if path != new_path or one.lines != other.lines or not are_entries:
                self.edits.append(Edit(path, one, new_path, other, are_entries))


def compare_memory(before: MemoryVersion, after: MemoryVersion) -> MemoryChange:
    """Compare two versions of the memory.

    Entries pair within their file, then between a file that is gone and a new one, and at last,
    with the same title or text, between any two files.
    """
    change = MemoryChange([], {}, {})
    for path, old in before.learnings.items():
        if path in after.learnings:
            _compare_files(change, path, old, after.learnings[path])
        else:
            change.removed.update(_placed(path, old))
    gone = {at: entry for at, entry in change.removed.items() if at[0] not in after.learnings}
    files = after.learnings.items()
    come = [_placed(path, new) for path, new in files if path not in before.learnings]
    new_files = {at: entry for placed in come for at, entry in placed.items()}
    change.added.update(new_files)
    every = [entry for document in before.learnings.values() for entry in document.entries]
    change.pair(partial(paired, every), gone, new_files)
    change.pair(_named_pairs, {**change.removed}, {**change.added})
    return change


def _placed(path: str, document: Document) -> Placed:
    return {(path, entry.first): entry for entry in document.entries}


def _compare_files(change: MemoryChange, path: str, old: Document, new: Document) -> None:
    """Compare two versions of a file, the new one read by itself and as the old one is read."""
    old = _with_merged_entries(old, new)
    now = new.by_identity
    same = {i for i, e in old.by_identity.items() if i in now and now[i].lines == e.lines}
    removed, added, as_old = (
        {(path, e.first): e for e in document.entries if e.identity not in same}
        for document in (old, new, new.read_as(old.dialect))
    )
    change.removed.update(removed)
    change.added.update(added)
    likely = partial(paired, old.entries)
    for entries, find in ((added, _named_pairs), (as_old, _named_pairs), (added, likely)):
        left = {at: entry for at, entry in removed.items() if at in change.removed}
        there = {at: e for at, e in entries.items() if at not in added or at in change.added}
        change.pair(find, left, there, are_entries=bool(new.entries))
    known = old.read_as(new.dialect).by_identity
    for at, entry in added.items():
        if entry.identity in known:
            change.added.pop(at, None)


def _with_merged_entries(old: Document, new: Document) -> Document:
    """Parse an older version as list items if these are the text of merged entries.

    Nothing but its headings shows that a file was consolidated to one entry with a list.
    """
    if not new.dialect.level or old.dialect.level:
        return old
    alike = old.read_as(new.dialect)
    return alike if any(map(is_consolidated, alike.entries)) else old


def paired(every: Sequence[Entry], old: Sequence[Entry], new: Sequence[Entry]) -> Pairs:
    """Pair entries by certain signs, and then those that keep their own words.

    every are all old entries, which share the words of a template.
    """
    pairs = _named_pairs(old, new)
    pairs |= _with_one_text(old, new, pairs)
    return pairs | _reworded(every, old, new, pairs)


def _with_one_text(old: Sequence[Entry], new: Sequence[Entry], known: Pairs) -> Pairs:
    """Pair the others that have one text under their headings, in order: twins with new titles."""
    there: dict[tuple[str, ...], deque[int]] = {}
    used = {*known.values()}
    for index, entry in enumerate(new):
        if index not in used:
            there.setdefault(text_of(entry)[1:], deque()).append(index)
    left = ((i, text_of(entry)[1:]) for i, entry in enumerate(old) if i not in known)
    return {i: there[text].popleft() for i, text in left if any(text) and there.get(text)}


KEPT_WORDS = 0.5
"""The share of its own words that an entry under another heading must keep.

Its own words occur in no other entry of the file. Shared words, for example from a template, make
unrelated entries similar.
"""

# Most added entries with one word to compare, to bound the time for thousands of similar ones.
_MOST = 500
# With fewer own words, compare whole texts: a few words may be gone by chance.
_FEW_OWN_WORDS = 4


def _reworded(
    every: Sequence[Entry], old: Sequence[Entry], new: Sequence[Entry], known: Pairs
) -> Pairs:
    """Pair the others that keep half of their own words, and half of all words.

    An entry that was merged from several replaces all of them and rewords none.
    """
    used = {*known.values()}
    there = {j: _said(e) for j, e in enumerate(new) if j not in used and not is_consolidated(e)}
    with_word: dict[str, list[int]] = {}
    for index, words in there.items():
        for word in words:
            with_word.setdefault(word, []).append(index)
    pairs: Pairs = {}
    if len(known) == len(old) or not with_word:
        return pairs
    frequency = Counter(word for entry in every for word in _said(entry))
    for index, entry in enumerate(old):
        if index in known:
            continue
        words = _said(entry)
        own = frozenset(word for word in words if frequency[word] == 1)
        own = own if len(own) >= _FEW_OWN_WORDS else words
        kept = Counter(other for word in own for other in with_word.get(word, [])[:_MOST])
        likenesses = {
            other: 2 * len(words & there[other]) / (len(words) + len(there[other]))
            for other, count in kept.items()
            if count >= KEPT_WORDS * len(own) and other not in pairs.values()
        }
        # Sets of words have another order in each run: of equal ones, take the first in the file.
        best = max(sorted(likenesses), key=lambda other: likenesses[other], default=None)
        if best is not None and likenesses[best] >= KEPT_WORDS:
            pairs[index] = best
    return pairs


@lru_cache(maxsize=4096)
def _said(entry: Entry) -> frozenset[str]:
    """Return the keywords of an entry, or all words if these are few."""
    found = frozenset(keys(entry.text))
    return found if len(found) >= _FEW_OWN_WORDS else frozenset(words_of(entry.lines))


HALF, NEARLY_ALL = 0.5, 0.9
"""Lost shares of an entry's words for a notice, and above which it is lost (spec)."""

# Least words of a body for a share: in a shorter one, a changed word is half.
_FEW_WORDS = 4
# Sentences shown in a notice; the others are in the commit.
_MOST_SHOWN = 5
EMPTIED = "only its heading is left"
"""The detail of an entry that lost all of its text."""


class Shortening(NamedTuple):
    """What an entry lost in an edit: the missing sentences, and what is left if it is lost."""

    sentences: tuple[str, ...]
    detail: str


def shortening(old: Entry, new: Entry, frequency: Callable[[], Counter[str]]) -> Shortening | None:
    """Return an entry's loss in an edit, None if it kept more than half of its words.

    The entry is lost if nearly all of its content is gone: of its keywords, or of the words that no
    other entry of its file has. frequency counts the entries with each word. Template words and
    function words are ignored, because they stay whatever happens to an entry.
    """
    title = old.title, old.stamp or ""
    before, after = content_words(old, title), content_words(new, title)
    if not before:  # all of it is in its title
        before, after = (Counter(words_of(entry.lines)) for entry in (old, new))
    total = sum(before.values())
    share = sum((before - after).values()) / total if total else 0.0
    below = filter(str.strip, new.lines[1:])
    has_body = any(map(str.strip, old.lines[1:])) or not old.level
    is_empty = total > 0 and (
        has_body and all(map(is_place_holder, below)) if new.level else not after
    )
    if not is_empty and (share < HALF or total < _FEW_WORDS):
        return None
    others = frequency()
    own = {word for word in before if others[word] <= 1}
    told, left = ({*keys(" ".join(words))} for words in (before, after))
    shares = [
        len(said - still) / len(said)
        for said, still in ((told, left), (own, {*after}))
        if len(said) >= _FEW_WORDS
    ]
    kept = {sentence.text for sentence in sentences_of_entry(new)}
    lost = (s.text for s in sentences_of_entry(old)[1:] if s.text not in kept)
    share = max([share, *shares])
    detail = f"{int(100 * share)} % of its words are gone" if share > NEARLY_ALL else ""
    return Shortening(tuple(lost)[:_MOST_SHOWN], EMPTIED if is_empty else detail)


def content_words(entry: Entry, title: Sequence[str]) -> Counter[str]:
    """Count the words below an entry's heading, or those of an item beside its old title."""
    if entry.level:
        return Counter(words_of(entry.lines[1:]))
    return Counter(words_of(entry.lines)) - Counter(words_of(title))


def word_frequency(entries: Iterable[Entry]) -> Counter[str]:
    """Return the number of entries that contain each word."""
    return Counter(word for entry in entries for word in {*words_of(entry.lines)})
