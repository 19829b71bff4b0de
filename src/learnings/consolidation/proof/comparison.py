"""Compares two versions of a learnings file: entries that left, were edited, or lost text."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.sentences import sentences_of_entry
from learnings.consolidation.proof.losses import MemoryVersion
from learnings.consolidation.proof.wording import words_of
from learnings.consolidation.text.keywords import keys
from learnings.core.entries.document import Document, Entry, read
from learnings.core.entries.entry_changes import EntryChanges, compare_entries
from learnings.core.entries.origin import is_consolidated
from learnings.core.entries.place_holders import is_blank_heading, is_place_holder
from learnings.core.entries.titles import identity_key


class Comparison(NamedTuple):
    """A learnings file before and after: its entries that left, were edited, or came.

    edited are pairs of old and new versions. new_path is its name after the change, empty if it is
    gone.
    """

    path: str
    document: Document
    after: Document
    removed: tuple[Entry, ...]
    edited: tuple[tuple[Entry, Entry], ...]
    added: tuple[Entry, ...] = ()
    new_path: str = ""


def comparison_of(path: str, before: MemoryVersion, after: MemoryVersion) -> Comparison:
    """Compare the old version of a learnings file with the new one, perhaps under a new name."""
    old, new = before.learnings[path], after.learnings.get(path)
    old = _with_merged_entries(old, new)
    # A missing file may have a new name.
    documents = (
        {path: new}
        if new
        else {p: d for p, d in after.learnings.items() if p not in before.learnings}
    )
    candidates = [(compare_entries(old, d), name) for name, d in documents.items()]
    best = min(candidates, key=lambda candidate: len(candidate[0].removed), default=None)
    if best is None:
        return Comparison(path, old, read(b""), _with_text(old.entries), ())
    changes, name = best
    document = documents[name]
    change = _with_true_pairs(_with_restamped(changes), old)
    swapped = tuple(_hidden_by_namesake(old, document, change))
    edited = tuple(_edits(old, document, change, {entry.first for entry in swapped}))
    removed = _with_text((*change.removed, *swapped))
    return Comparison(path, old, document, removed, edited, change.added, name)


def _with_merged_entries(old: Document, new: Document | None) -> Document:
    """Parse an older version as list items if these are the text of merged entries.

    Nothing but its headings shows that a file was consolidated to one entry with a list.
    """
    if new is None or not new.dialect.level or old.dialect.level:
        return old
    alike = old.read_as(new.dialect)
    return alike if any(map(is_consolidated, alike.entries)) else old


def _with_restamped(changes: EntryChanges) -> EntryChanges:
    """Return changes in which an entry with a new or lost stamp counts as edited.

    This happens to all entries of a file when its dialect changes.
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


KEPT_WORDS = 0.5
"""The share of its own words that an entry under another heading must keep.

Its own words occur in no other entry of the file. Shared words, for example from a template, make
unrelated entries similar.
"""

# Most added entries with one word to compare, to bound the time for thousands of similar ones.
_MOST = 500
# With fewer own words, compare whole texts: a few words may be gone by chance.
_FEW_OWN_WORDS = 4


def _with_true_pairs(changes: EntryChanges, old: Document) -> EntryChanges:
    """Return changes with entries paired by words that no other entry of the file has."""
    if not changes.reworded and not (changes.removed and changes.added):
        return changes
    frequency = word_frequency(old.entries)
    true = [pair for pair in changes.reworded if _is_true_pair(*pair, frequency)]
    known_old = {entry.first for entry, _ in true}
    known_new = {entry.first for _, entry in true}
    others = [pair for pair in changes.reworded if pair[0].first not in known_old]
    removed = sorted((*changes.removed, *(o for o, _ in others)), key=lambda entry: entry.first)
    unpaired = (*changes.added, *(entry for _, entry in others))
    added = [entry for entry in unpaired if entry.first not in known_new]
    more = [*_rewordings(removed, added, frequency)]
    paired_old = {entry.first for entry, _ in more}
    paired_new = {entry.first for _, entry in more}
    return EntryChanges(
        tuple(entry for entry in removed if entry.first not in paired_old),
        tuple(entry for entry in added if entry.first not in paired_new),
        (*true, *more),
    )


def _is_true_pair(old: Entry, new: Entry, frequency: Counter[str]) -> bool:
    """Return True if an entry keeps its title, its body, or half of its own words."""
    if identity_key(None, old.title) == identity_key(None, new.title):
        return True
    if old.body.split() == new.body.split():
        return True
    own = _own_words(old, frequency)
    return len(own & {*words_of(new.lines)}) >= KEPT_WORDS * len(own)


def _rewordings(
    removed: Sequence[Entry], added: Sequence[Entry], frequency: Counter[str]
) -> Iterator[tuple[Entry, Entry]]:
    """Yield the pairs of entries that keep half of their own words, and half of all words.

    An entry that was merged from several replaces all of them and rewords none.
    """
    words = [frozenset() if is_consolidated(e) else {*words_of(e.lines)} for e in added]
    with_word: dict[str, list[int]] = {}
    for index, each in enumerate(words):
        for word in each:
            with_word.setdefault(word, []).append(index)
    taken: set[int] = set()
    for entry in removed if with_word else ():
        every, own = {*words_of(entry.lines)}, _own_words(entry, frequency)
        kept = Counter(index for word in own for index in with_word.get(word, [])[:_MOST])
        likenesses = {
            index: 2 * len(every & words[index]) / (len(every) + len(words[index]))
            for index, count in kept.items()
            if count >= KEPT_WORDS * len(own) and index not in taken
        }
        best = max(likenesses, key=lambda index: likenesses[index], default=None)
        if best is not None and likenesses[best] >= KEPT_WORDS:
            taken.add(best)
            yield entry, added[best]


def _own_words(entry: Entry, frequency: Counter[str]) -> set[str]:
    """Return the words that no other entry has or, if these are few, all words of an entry."""
    every = {*words_of(entry.lines)}
    own = {word for word in every if frequency[word] == 1}
    return own if len(own) >= _FEW_OWN_WORDS else every


def _with_text(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    return tuple(sorted((e for e in entries if not says_nothing(e)), key=lambda e: e.first))


# Words of a one-line placeholder, as in `- [YYYY-MM-DD] **Short title**: what was learned`.
_MOST_BLANK_WORDS = 10


def says_nothing(entry: Entry) -> bool:
    """Return True for a template's placeholder, which says nothing.

    The body decides: a request for text, such as `[what happened]`, says nothing, and neither does
    a template's heading.
    """
    heading, *lines = (line for line in entry.lines if line.strip())
    is_blank = is_place_holder(heading) or is_place_holder(f"# {entry.heading}")
    is_blank = is_blank or (bool(lines) and is_blank_heading(entry.title))
    if not lines:  # a list item may name a form: `the URL is /<YYYY-MM-DD>/<N>`
        return is_blank and len(words_of(entry.lines)) <= _MOST_BLANK_WORDS
    return is_blank and all(map(is_place_holder, lines))


def _hidden_by_namesake(old: Document, new: Document, changes: EntryChanges) -> Iterator[Entry]:
    """Yield entries whose heading now stands over the text of its twin.

    Of two entries with one heading, the second has ` #2` in its identity, and loses it when the
    first goes.
    """
    removed = {(entry.key, entry.body) for entry in changes.removed}
    for entry in old.entries if removed else ():
        now = new.by_identity.get(entry.identity)
        if now is not None and entry.body != now.body and (entry.key, now.body) in removed:
            yield entry


def _edits(
    old: Document, new: Document, changes: EntryChanges, missing: set[int]
) -> Iterator[tuple[Entry, Entry]]:
    # A change of some sections may change the dialect, so that others are no longer entries.
    known = new.by_identity | new.read_as(old.dialect).by_identity
    known |= {o.identity: n for o, n in changes.reworded}
    for entry in old.entries:
        now = known.get(entry.identity)
        if now is not None and entry.first not in missing and now.lines != entry.lines:
            yield entry, now


class Anchors:
    """The entries of a file that still exist, to locate the place of a missing one."""

    def __init__(self, comparison: Comparison) -> None:
        known = comparison.after.by_identity
        old = [entry for entry in comparison.document.entries if entry.identity in known]
        self._first = [entry.first for entry in old]
        self._last_now = [known[entry.identity].last for entry in old]

    def line_of(self, entry: Entry) -> int:
        """Return the line after the nearest remaining entry above, else line 1."""
        index = bisect_left(self._first, entry.first)
        return self._last_now[index - 1] if index else 1


HALF, NEARLY_ALL = 0.5, 0.9
"""Lost shares of an entry's words for a notice, and above which it is lost (spec)."""

# Least words of a body for NEARLY_ALL: in a shorter one, a changed word is half.
_FEW_WORDS = 4
# Sentences shown in a notice; the others are in the commit.
_MOST_SHOWN = 5


class Shortening(NamedTuple):
    """An entry's loss: the share of its words, and the missing sentences."""

    share: float
    sentences: tuple[str, ...]
    is_empty: bool

    @property
    def is_loss(self) -> bool:
        return self.is_empty or self.share > NEARLY_ALL


def shortening(old: Entry, new: Entry, frequency: Callable[[], Counter[str]]) -> Shortening | None:
    """Return an entry's loss in an edit, None if it kept more than half of its words.

    The entry is lost if nearly all of its content is gone: of its keywords, or of the words that no
    other entry of its file has. frequency counts the entries with each word. Template words and
    function words are ignored, because they stay whatever happens to an entry.
    """
    before, after = _content(old) or Counter(words_of(old.lines)), _content(new)
    total = sum(before.values())
    share = sum((before - after).values()) / total if total else 0.0
    below = filter(str.strip, new.lines[1:])
    is_empty = total > 0 and (all(map(is_place_holder, below)) if new.level else not after)
    if not is_empty and share < HALF:
        return None
    others = frequency()
    own = {word for word in before if others[word] <= 1}
    told, left = ({*keys(" ".join(words))} for words in (before, after))
    shares = [min(share, NEARLY_ALL) if total < _FEW_WORDS else share]
    shares += [
        len(said - still) / len(said)
        for said, still in ((told, left), (own, {*after}))
        if len(said) >= _FEW_WORDS
    ]
    kept = {sentence.text for sentence in sentences_of_entry(new)}
    lost = (s.text for s in sentences_of_entry(old)[1:] if s.text not in kept)
    return Shortening(max(shares), tuple(lost)[:_MOST_SHOWN], is_empty)


def word_frequency(entries: Iterable[Entry]) -> Counter[str]:
    """Return the number of entries that contain each word."""
    return Counter(word for entry in entries for word in {*words_of(entry.lines)})


def _content(entry: Entry) -> Counter[str]:
    """Count the words below an entry's heading, or beside the title of a row or list item."""
    below = Counter(words_of(entry.lines[1:]))
    if entry.level and below:
        return below
    return Counter(words_of(entry.lines)) - Counter(words_of((entry.title, entry.stamp or "")))
