"""Pairs the entries of two versions that are the same entry.

An entry may have another key in the newer version because it was edited there, not replaced. A
wrong pair makes one entry of two unrelated ones, a missed pair makes an edit a removal and an
addition. The key of a list item is its whole first line, so items are paired by more than the key.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache

from learnings.core.entries.document import Entry
from learnings.core.entries.entry_changes import pair_by_body
from learnings.core.entries.titles import stated_date
from learnings.core.markdown.line_edits import without_filler
from learnings.core.text import chomp

# Words from which two very similar texts are one, wherever they stand. Shorter texts, such as "Run
# it again.", can be similar by chance. Chosen, not measured.
_ENOUGH_WORDS = 12

# Characters of an ISO date without a time of day: of a month, and of a day.
_DAY_LENGTHS = (len("2026-01"), len("2026-01-20"))

Pairs = dict[int, int]
"""The index of the newer entry by the index of the older one."""
Matches = Iterable[tuple[int, int]]
"""Pairs of such indexes."""


Text = tuple[str, ...]
"""The lines of an entry without line ends, blanks at their ends, and filler below the last."""


@lru_cache(maxsize=16384)  # as many entries as the versions of a long history have
def text_of(entry: Entry) -> Text:
    return tuple(chomp(line).rstrip() for line in without_filler(entry.lines))


def pairs(old: Sequence[Entry], new: Sequence[Entry]) -> Pairs:
    """Pair two versions by certain signs, then by similar texts."""
    return with_similar(certain_pairs(old, new), old, new)


def certain_pairs(old: Sequence[Entry], new: Sequence[Entry], *, stamps: bool = True) -> Pairs:
    """Pair entries with the same key, text below the heading, title or time stamp, in this order.

    Texts and titles are unique among the entries that are left, stamps in their version. Without
    stamps, one that stands over another title and text is another entry.
    """
    found = with_same_keys(old, new)
    for rule in (_with_same_bodies, _with_same_titles):
        before, after = _left(found, old, new)
        matches = rule([old[i] for i in before], [new[j] for j in after])
        found |= {before[i]: after[j] for i, j in matches}
    taken = set(found.values())
    stamped = _with_same_stamps(old, new) if stamps else ()
    return found | {i: j for i, j in stamped if i not in found and j not in taken}


def _has_enough_words(entry: Entry) -> bool:
    return len(entry.body.split()) >= _ENOUGH_WORDS


def with_similar(
    found: Mapping[int, int],
    old: Sequence[Entry],
    new: Sequence[Entry],
    fits: Callable[[Entry], bool] = _has_enough_words,
) -> Pairs:
    """Return the pairs with those of similar texts added, among the other entries that fit.

    Headings do not count. A list item has none.
    """
    left = (
        {_below_heading(version[i]): i for i in indexes}
        for version, indexes in zip((old, new), _left(found, old, new), strict=True)
    )
    before, after = ({entry: i for entry, i in side.items() if fits(entry)} for side in left)
    matches = pair_by_body([*before], [*after])
    return {**found, **{before[one]: after[other] for one, other in matches}}


def _left(
    found: Mapping[int, int], old: Sequence[Entry], new: Sequence[Entry]
) -> tuple[list[int], list[int]]:
    """Return the indexes that no pair has."""
    taken = set(found.values())
    return (
        [i for i in range(len(old)) if i not in found],
        [j for j in range(len(new)) if j not in taken],
    )


def _below_heading(entry: Entry) -> Entry:
    return entry if entry.level else entry._replace(lines=("", *entry.lines))


def with_same_keys(old: Sequence[Entry], new: Sequence[Entry]) -> Pairs:
    """Return pairs with one key; of several, those with the same text first, others in order."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for j, entry in enumerate(new):
        groups[entry.key].append(j)
    found: Pairs = {}
    for i, entry in enumerate(old):
        group, text = groups[entry.key], text_of(entry)
        same = next((j for j in group if text_of(new[j]) == text), None)
        if same is not None:
            group.remove(same)
            found[i] = same
    for i, entry in enumerate(old):
        if i not in found and (group := groups[entry.key]):
            found[i] = group.pop(0)
    return found


def _with_same_bodies(old: Sequence[Entry], new: Sequence[Entry]) -> Matches:
    def body_of(entry: Entry) -> Hashable:
        body = text_of(entry)[1:]
        return body if entry.level and any(body) else None

    return _with_single_values(old, new, body_of)


def _with_same_titles(old: Sequence[Entry], new: Sequence[Entry]) -> Matches:
    """Pair titles of which one stamp is missing, or a prefix of the other.

    This happens if a file gets time stamps, or longer ones: `2026-01-20` and `2026-01-20-120000`.
    """

    def title_of(entry: Entry) -> Hashable:
        return entry.level > 0, entry.title.casefold()

    for i, j in _with_single_values(old, new, title_of):
        before, after = (entry.stamp or "" for entry in (old[i], new[j]))
        # Items have no stamp in their first line that could name them.
        if not old[i].level or before.startswith(after) or after.startswith(before):
            yield i, j


def _with_same_stamps(old: Sequence[Entry], new: Sequence[Entry]) -> Matches:
    """Pair ids, and time stamps with a time of day, since all entries of a day share its date."""

    def stamp_of(entry: Entry) -> Hashable:
        stamp = entry.stamp if entry.level else None
        is_day = stamp is not None and len(stated_date(stamp) or "") in _DAY_LENGTHS
        return None if stamp is None or is_day else stamp.casefold()

    return _with_single_values(old, new, stamp_of)


def _with_single_values(
    old: Sequence[Entry], new: Sequence[Entry], value_of: Callable[[Entry], Hashable]
) -> Matches:
    """Yield pairs of entries with the same value, if each is the only one of its version."""
    before, after = (_by_single_value(map(value_of, version)) for version in (old, new))
    return ((i, after[value]) for value, i in before.items() if value in after)


def _by_single_value(values: Iterable[Hashable]) -> Mapping[Hashable, int]:
    indexes: dict[Hashable, list[int]] = {}
    for index, value in enumerate(values):
        indexes.setdefault(value, []).append(index)
    return {
        value: found[0] for value, found in indexes.items() if value is not None and len(found) == 1
    }
