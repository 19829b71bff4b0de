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
from itertools import chain
from typing import NamedTuple

from learnings.consolidation.text.keywords import (
    keywords_of,
    without_comments,
    words,
)
from learnings.consolidation.text.languages import foreign_stop_words
from learnings.consolidation.text.similarity import WordSums, packed
from learnings.core.entries.document import Entry
from learnings.core.entries.titles import item_text
from learnings.core.labels import is_label, recurring_labels, without_labels
from learnings.core.patterns import lazy_pattern

FEW_ENTRIES = 8
"""With fewer entries, no word is too common, as documented: shares mean little."""

# A tag in brackets (`[infra]`, not a link or a box), `#tag`, and an id as in `LRN-20260206-001`.
_TAG = lazy_pattern(
    r"(?<!\])\[[^\W\d][\w :/-]{0,30}\](?![(\[:])|(?<![\w/])#[\w:/-]+|\b[A-Z][A-Z]+-\d[\w-]*"
)

TITLE_BONUS, OTHER_ENTRIES, CHANCE = 0.8, 30, 0.5
"""Constants in the weight of a word (benchmarks/README.md, Groups).

TITLE_BONUS favours words in titles. OTHER_ENTRIES is the size of an imaginary second file, so that
a word that stands in every entry still counts. CHANCE discounts words of few entries, which may
share them by chance: fully in one entry, by half in two.
"""


_DAY = len("2026-01-01")  # a stated date can be a month


class Profile(NamedTuple):
    """An entry prepared for comparison.

    words is a vector of length 1 of all its keywords; parts, if asked for, has vectors of its title
    and its body, each of weight one half; both are empty if there are no words. discriminative are
    the keys that are not all over the file. day is its stated date, as an ordinal, if any. title
    are the keys of its title.
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


def profiles(
    entries: Sequence[Entry], *, strip_common: bool = True, with_parts: bool = False
) -> list[Profile]:
    """Return the profile of each entry of a file, in the given order.

    Without strip_common, words all over the file are discriminative as well.
    """
    texts = [title_and_text(entry) for entry in entries]
    labels = recurring_labels([body for _, body in texts])
    read = [
        [words(without_labels(_TAG.sub(" ", without_comments(text)), labels)) for text in pair]
        for pair in texts
    ]
    pairs = chain.from_iterable(read)
    stop_words = foreign_stop_words([word.casefold() for text in pairs for word in text])
    found = ([chain.from_iterable(map(keywords_of, text)) for text in pair] for pair in read)
    counts = [
        [Counter(k.key for k in text if k.word.casefold() not in stop_words) for text in pair]
        for pair in found
    ]
    spread = Counter(key for title, body in counts for key in title.keys() | body.keys())
    titles = Counter(key for title, _ in counts for key in title)
    weights = {}
    for key, count in spread.items():
        rarity = math.log((len(entries) + OTHER_ENTRIES) / count) * (1 - CHANCE / count)
        weights[key] = rarity * (1 + TITLE_BONUS * math.log1p(titles[key]))
    too_common = set[str]()  # in more than half of the entries, not because of titles
    if strip_common and len(entries) >= FEW_ENTRIES:
        often = (key for key, count in spread.items() if 2 * count > len(entries))
        too_common = {key for key in often if 4 * titles[key] < spread[key]}

    def unit(words: Mapping[str, int]) -> dict[str, float]:
        """Return a vector of length 1, in the order of its keys."""
        vector = {key: (1 + math.log(words[key])) * weights[key] for key in sorted(words)}
        length = math.hypot(*vector.values())
        return {key: value / length for key, value in vector.items() if value}

    profiled = []
    for entry, (title, body) in zip(entries, counts, strict=True):
        parts = dict[str, float]()
        if with_parts:  # no key begins with a space
            parts = {f" {key}": value for key, value in unit(title).items()} | unit(body)
            parts = {key: value * math.sqrt(0.5) for key, value in parts.items()}
        telling = frozenset((*title, *body)) - too_common
        stated = entry.stated or ""
        day = date.fromisoformat(stated[:_DAY]).toordinal() if len(stated) >= _DAY else None
        profiled.append(Profile(unit(title + body), parts, telling, day, frozenset(title)))
    return profiled


ONE = 1 << 30
"""A similarity of 1."""

_UNIT = 1 << 15  # a weight of 1; the product of two is at most ONE

NEAR_IN_TIME, FADE = 0.10, 5.0
"""Bonus for entries that were written near each other: NEAR_IN_TIME · exp(-days / FADE)."""


def similarities(
    vectors: Sequence[Mapping[str, float]], days: Sequence[int | None]
) -> Iterator[array[int]]:
    """Yield the similarity of each vector to all, in parts of ONE; 0 to itself.

    Vectors have the length 1 or are empty. days are ordinals of dates.
    """
    weights = [{key: round(value * _UNIT) for key, value in vector.items()} for vector in vectors]
    rows = WordSums(weights, "I")
    near = {
        day: packed(array("I", [round(ONE * _nearness(day, other)) for other in days]))
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


def closeness(profiles: Sequence[Profile]) -> list[float]:
    """Return the mean similarity of each of at least two profiles to the others."""
    means = []
    for index, profile in enumerate(profiles):
        others = (*profiles[:index], *profiles[index + 1 :])
        means.append(sum(similarity(profile, other) for other in others) / len(others))
    return means


MAX_MEMBERS = 8
"""Most members of a group: what fits into one merged entry, as documented."""


def linked(rows: list[array[int]], *, level: int) -> list[list[int]]:
    """Return clusters of indices, singles too; equally similar ones are joined in the given order.

    rows are the similarities of each index to all, 0 to itself; they are used up. level (above 0)
    is the average similarity that joins two clusters.
    """
    clusters = {index: [index] for index in range(len(rows))}
    # An average is never above the larger of its two parts, so that queued values are upper bounds.
    queue = [(-max(row), index) for index, row in enumerate(rows)]
    heapq.heapify(queue)
    while queue:
        bound, one = heapq.heappop(queue)
        if one in clusters and -bound >= level:
            nearest = max(rows[one])
            if nearest == -bound:
                _join(one, rows[one].index(nearest), rows, clusters)
            heapq.heappush(queue, (-nearest, one))
    return list(clusters.values())


def _join(one: int, other: int, rows: list[array[int]], clusters: dict[int, list[int]]) -> None:
    """Join two clusters; nothing is similar to the second, or to one for which there is no room."""
    size, other_size = len(clusters[one]), len(clusters[other])
    both = size + other_size
    pairs = zip(rows[one], rows[other], strict=True)
    row = rows[one] = array("I", [(size * a + other_size * b) // both for a, b in pairs])
    clusters[one] += clusters.pop(other)
    row[one] = row[other] = 0
    for index, members in clusters.items():
        if both + len(members) > MAX_MEMBERS:
            row[index] = 0
        rows[index][one], rows[index][other] = row[index], 0


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

    benchmarks/README.md, Groups, has their figures. The text does not show how much a person merges
    on a day, a fifth of the entries or two thirds: hence a setting.
    """
    group = (1 - eagerness) / 2
    return Levels(group, 1.5 * group, 1.6 * group, 2 * group)


def clusters_of(profiles: Sequence[Profile], levels: Levels) -> list[list[int]]:
    """Return the clusters of 2 to 8 profiles, as sorted lists of their indices.

    The result depends on the order of profiles only if pairs are equally similar.
    """
    is_small = len(profiles) < FEW_ENTRIES
    if is_small and not levels.small_file:
        return _chains(profiles)
    rows = list(similarities([one.words for one in profiles], [one.day for one in profiles]))
    clusters = []
    for cluster in linked(rows, level=max(round(ONE * levels.group), 1)):
        members, before = sorted(cluster), list[int]()
        while members != before:  # leave out who shares too little with the rest
            before = members
            spread = Counter(chain.from_iterable(profiles[n].discriminative for n in members))
            shared = {key for key, count in spread.items() if count > 1}
            members = [n for n in before if len(profiles[n].discriminative & shared) >= IN_COMMON]
        least = levels.small_file if is_small else levels.group
        if len(members) == 2:
            least = max(least, levels.pair)
        near = closeness([profiles[n] for n in members])
        if len(members) > 1 and sum(near) / len(near) >= least:
            clusters.append(members)
    return sorted(clusters)


def _chains(profiles: Sequence[Profile]) -> list[list[int]]:
    """Return the chains of profiles whose neighbours share enough keywords."""
    chains: list[list[int]] = []
    for index, profile in enumerate(profiles):
        near, rest = [index], []
        for links in chains:
            shared = (profile.discriminative & profiles[other].discriminative for other in links)
            if any(len(keys) >= IN_COMMON for keys in shared):
                near += links
            else:
                rest.append(links)
        chains = [*rest, near]
    return sorted(sorted(links) for links in chains if len(links) > 1)
