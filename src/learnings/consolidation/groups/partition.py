"""Entries as vectors of their keywords, in clusters of 2 to 8 members.

Entries are similar by their shared words and by how near in time they were written. Average linkage
joins the two clusters whose members are most similar on average.
"""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import combinations, compress
from typing import NamedTuple

from learnings.consolidation.text.keywords import (
    is_label,
    keywords,
    recurring_labels,
    without_comments,
    without_labels,
    words,
)
from learnings.consolidation.text.languages import foreign_stop_words
from learnings.consolidation.text.similarity import WordSums
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import item_text
from learnings.core.patterns import lazy_pattern

FEW_ENTRIES = 8
"""With fewer entries, no word is too common, as documented: shares mean little."""

# A tag in brackets (`[infra]`, not a link or a box), `#tag`, and an id as in `LRN-20260206-001`.
_TAG = lazy_pattern(
    r"(?<!\])\[[^\W\d][\w :/-]{0,30}\](?![(\[:])|(?<![\w/])#[\w:/-]+|\b[A-Z][A-Z]+-\d[\w-]*"
)

TITLE_BONUS, OTHER_ENTRIES, CHANCE = 0.8, 30, 0.5
"""The constants of the weight of a word, from a table of eleven passes, six of them at hand.

The bonus is for words in titles: with the present levels, F1 falls from 0.39 to 0.26 without it
over the six passes, and fell from 0.335 to 0.25 over the five others. The other entries are those
of an imagined other file, so that a word of the whole file still counts (1 instead of 30: 0.35).
Chance is the discount of a word in one entry, half of it in two entries, because few entries may
share it by chance (0: 0.28). benchmarks/README.md, Groups, has them with levels chosen anew, where
they are worth less.
"""


class Profile(NamedTuple):
    """An entry prepared for comparison.

    words is a vector of length 1 of all its keywords; parts has vectors of its title and its body,
    each of weight one half; both are empty if there are no words. discriminative are the keys that
    are not all over the file. day is its stated date, as an ordinal, if any. title are the keys of
    its title.
    """

    words: Mapping[str, float]
    parts: Mapping[str, float]
    discriminative: frozenset[str]
    day: int | None
    title: frozenset[str] = frozenset()


def title_and_text(entry: Entry) -> tuple[str, str]:
    """Return the title of an entry and all the text below and after it.

    A title that is only a label, as in `## [LRN-20260206-001] correction`, is returned as empty.
    """
    if entry.level:
        return "" if is_label(entry.title) else entry.title, entry.body
    before, after = item_text(entry.lines[0]), ""
    if entry.title:  # an item can be empty
        before, _, after = before.partition(entry.title)
    return entry.title, f"{before} {after}\n{entry.body}"


def profiles(entries: Sequence[Entry], *, strip_common: bool = True) -> list[Profile]:
    """Return the profile of each entry of a file, in the given order.

    Without strip_common, words all over the file are discriminative as well.
    """
    texts = [title_and_text(entry) for entry in entries]
    labels = recurring_labels([body for _, body in texts])
    plain = [
        [without_labels(_TAG.sub(" ", without_comments(text)), labels) for text in pair]
        for pair in texts
    ]
    stop_words = foreign_stop_words(
        [word.casefold() for pair in plain for text in pair for word in words(text)]
    )
    counts = [
        [Counter(k.key for k in keywords(t) if k.word.casefold() not in stop_words) for t in pair]
        for pair in plain
    ]
    spread = Counter(key for title, body in counts for key in title.keys() | body.keys())
    titles = Counter(key for title, _ in counts for key in title)
    weights = {key: _weight(len(entries), n, titles[key]) for key, n in spread.items()}
    # A word in more than half of the entries, not because of titles.
    too_common = {
        key
        for key, n in (spread.items() if strip_common and len(entries) >= FEW_ENTRIES else ())
        if 2 * n > len(entries) and 4 * titles[key] < n
    }
    profiled = []
    for entry, (title, body) in zip(entries, counts, strict=True):
        # No key begins with a space.
        parts = {f" {key}": value for key, value in _unit(title, weights).items()}
        parts |= _unit(body, weights)
        halves = {key: value * math.sqrt(0.5) for key, value in parts.items()}
        telling = frozenset((*title, *body)) - too_common
        whole = _unit(title + body, weights)
        profiled.append(Profile(whole, halves, telling, _day(entry), frozenset(title)))
    return profiled


def _weight(entries: int, spread: int, titles: int) -> float:
    """Return the weight of a word: rare words and title words weigh more."""
    rarity = math.log((entries + OTHER_ENTRIES) / spread) * (1 - CHANCE / spread)
    return rarity * (1 + TITLE_BONUS * math.log1p(titles))


def _unit(counts: Mapping[str, int], weights: Mapping[str, float]) -> dict[str, float]:
    """Return a vector of length 1, in the order of its keys."""
    vector = {key: (1 + math.log(counts[key])) * weights[key] for key in sorted(counts)}
    length = math.hypot(*vector.values())
    return {key: value / length for key, value in vector.items() if value}


def _day(entry: Entry) -> int | None:
    try:
        return date.fromisoformat((entry.stated or "")[:10]).toordinal()
    except ValueError:
        return None


ONE = 1 << 30
"""A similarity of 1."""

_UNIT = 1 << 15  # a weight of 1; the product of two is at most ONE

NEAR_IN_TIME, FADE = 0.10, 5.0
"""Bonus for entries that were written near each other: NEAR_IN_TIME · exp(-days / FADE).

Over the six passes at hand, F1 falls from 0.39 to 0.27 without it, and to 0.36 with levels chosen
anew on other dates (benchmarks/README.md, Groups); it also helped on five others.
"""


def similarities(
    vectors: Sequence[Mapping[str, float]], days: Sequence[int | None]
) -> Iterator[array[int]]:
    """Yield the similarity of each vector to all, in parts of ONE; 0 to itself.

    Vectors have the length 1 or are empty. days are ordinals of dates.
    """
    weights = [{key: round(value * _UNIT) for key, value in vector.items()} for vector in vectors]
    rows = WordSums(weights, len(weights), "I")
    near = {
        day: rows.packed({n: round(ONE * _nearness(day, other)) for n, other in enumerate(days)})
        for day in dict.fromkeys(days)
    }
    for index, (factors, day) in enumerate(zip(weights, days, strict=True)):
        row = rows.sums(factors, near[day])
        row[index] = 0
        yield row


def similarity(one: Profile, other: Profile) -> float:
    """Return the similarity of two profiles, from 0 to 1 and a little more for the same day."""
    words = sum(value * other.words.get(key, 0.0) for key, value in one.words.items())
    return words + _nearness(one.day, other.day)


def _nearness(day: int | None, other: int | None) -> float:
    if day is None or other is None:
        return 0.0
    return NEAR_IN_TIME * math.exp(-abs(day - other) / FADE)


MAX_MEMBERS = 8
"""Most members of a group: what fits into one merged entry, as documented."""


def linked(rows: list[array[int]], *, level: int) -> Iterator[list[int]]:
    """Yield clusters of indices, singles too; equally similar ones are joined in the given order.

    rows are the similarities of each index to all, 0 to itself; they are used up. level (above 0)
    is the average similarity that joins two clusters.
    """
    clusters = {index: [index] for index in range(len(rows))}
    # For each size, the clusters that have room for one of that size, as flags.
    room = [bytearray([1]) * len(rows) for _ in range(MAX_MEMBERS + 1)]
    # A cluster's join level is an upper bound for its similarity to any other: an average is never
    # above the larger of its two parts. So queued values are upper bounds.
    queue = [(-max(row), index) for index, row in enumerate(rows)]
    heapq.heapify(queue)
    while queue:
        bound, one = heapq.heappop(queue)
        if one not in clusters or -bound < level:
            continue
        similarity, other = _nearest_cluster(rows[one], room[len(clusters[one])])
        if similarity == -bound:
            _join_clusters(one, other, rows, clusters)
            size = len(clusters[one])
            for smaller, has_room in enumerate(room):
                has_room[other] = 0
                has_room[one] = smaller + size <= MAX_MEMBERS
            if size == MAX_MEMBERS:
                yield clusters.pop(one)
        heapq.heappush(queue, (-similarity, one))
    yield from clusters.values()


def _nearest_cluster(row: array[int], has_room: bytearray) -> tuple[int, int]:
    """Return the largest similarity to a cluster that has room for this one, and that cluster."""
    similarity = max(compress(row, has_room), default=0)
    if not similarity:
        return 0, 0
    other = row.index(similarity)
    while not has_room[other]:
        other = row.index(similarity, has_room.find(1, other))
    return similarity, other


def _join_clusters(
    one: int, other: int, rows: list[array[int]], clusters: dict[int, list[int]]
) -> None:
    size, other_size = len(clusters[one]), len(clusters[other])
    both = size + other_size
    pairs = zip(rows[one], rows[other], strict=True)
    row = array("I", [(size * a + other_size * b) // both for a, b in pairs])
    row[one] = 0
    rows[one] = row
    clusters[one] += clusters.pop(other)
    for index in clusters:
        rows[index][one] = row[index]


IN_COMMON = 2
"""Least keywords that a member shares with the rest of its group, as documented."""


class Levels(NamedTuple):
    """Mean similarities: to join two clusters, for a pair, for a small file, to propose.

    Below the last one a group is only a hint. At 0, two words in common are enough in a small file.
    """

    group: float
    pair: float
    small_file: float = 0.0
    firm: float = 0.0


def levels_of(eagerness: float) -> Levels:
    """Return the levels for an eagerness from 0 to 1: 0.25, 0.375, 0.4 and 0.5 for 0.5.

    The first two come from the recipe; chosen on dates other than the judged ones, the six passes
    at hand give the same or a neighbouring step (benchmarks/README.md, Groups). The text does not
    show how much a person merges on a day, a fifth of the entries or two thirds: hence a setting.
    Of 231 runs of 3 to 7 entries, 39 % have a group by the first two levels, 23 % from 0.4 on. Of
    the pairs in groups from 0.34 on people merged two fifths. Of those from 0.45 to
    0.5, readers refused three of four.
    """
    group = (1 - eagerness) / 2
    return Levels(group, 1.5 * group, 1.6 * group, 2 * group)


def clusters_of(profiles: Sequence[Profile], levels: Levels) -> list[list[int]]:
    """Return the clusters of 2 to 8 profiles, as sorted lists of their indices.

    The result depends on the order of profiles only if pairs are equally similar.
    """
    is_small = len(profiles) < FEW_ENTRIES
    if is_small and not levels.small_file:
        return sorted(sorted(chain) for chain in _chains(profiles) if len(chain) > 1)
    rows = list(similarities([one.words for one in profiles], [one.day for one in profiles]))
    least = levels.small_file if is_small else levels.group
    clusters = []
    for cluster in linked(rows, level=max(round(ONE * levels.group), 1)):
        members = _with_words_in_common(cluster, profiles)
        level = max(least, levels.pair) if len(members) == 2 else least
        if len(members) > 1:
            near = closeness([profiles[index] for index in members])
            if sum(near) / len(near) >= level:
                clusters.append(members)
    return sorted(clusters)


def closeness(profiles: Sequence[Profile]) -> list[float]:
    """Return the mean similarity of each of at least two profiles to the others."""
    sums = [0.0] * len(profiles)
    for (i, one), (j, other) in combinations(enumerate(profiles), 2):
        value = similarity(one, other)
        sums[i] += value
        sums[j] += value
    return [value / (len(profiles) - 1) for value in sums]


def _chains(profiles: Sequence[Profile]) -> list[list[int]]:
    """Return the chains of profiles whose neighbours share enough keywords."""
    chains: list[list[int]] = []
    for index, profile in enumerate(profiles):
        own = profile.discriminative
        near = [
            chain
            for chain in chains
            if any(len(own & profiles[other].discriminative) >= IN_COMMON for other in chain)
        ]
        chains = [chain for chain in chains if chain not in near]
        chains.append([index, *(other for chain in near for other in chain)])
    return chains


def _with_words_in_common(cluster: Sequence[int], profiles: Sequence[Profile]) -> list[int]:
    """Return the members that share enough with the rest, repeatedly leaving out the others."""
    members, before = sorted(cluster), list[int]()
    while members != before:
        before = members
        spread = Counter(key for one in members for key in profiles[one].discriminative)
        shared = {key for key, count in spread.items() if count > 1}
        members = [m for m in before if len(profiles[m].discriminative & shared) >= IN_COMMON]
    return members
