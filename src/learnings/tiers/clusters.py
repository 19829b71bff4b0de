"""Which observations belong to one theme: the groups of consolidation, at a level of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from learnings.consolidation.groups.groups import propose
from learnings.consolidation.groups.partition import IN_COMMON, Levels
from learnings.consolidation.text.keywords import keys
from learnings.core.entries.document import Entry
from learnings.tiers.raw_files import Observation

LEVELS = Levels(0.14, 0.375)
"""Similarity from which observations make a theme, and that which a theme of two needs.

Chosen on three made-up stores of 30 observations (benchmarks/README.md, Tiers), not on the real one
that was read afterwards: of the pairs that share a theme 77 % do so for a person too, and of those
of a person it finds 19 %. With the level of entries, which are longer, it is half as many (10 %,
86 % right), with 0.10 hardly more (20 %, 58 % right). The level for two is that of entries.
"""


class Cluster(NamedTuple):
    """What belongs together: indices of observations and of themes, the most typical first."""

    observations: tuple[int, ...]
    themes: tuple[int, ...]


def clusters_of(
    observations: Sequence[Observation],
    themes: Sequence[tuple[str, str]] = (),
    *,
    levels: Levels = LEVELS,
) -> list[Cluster]:
    """Return the clusters, the largest first; an observation is in one at most.

    themes are titles and texts that somebody has written: what is like them belongs to them.
    """
    texts = list(_texts(observations))
    texts += themes
    entries = [_entry(number, *text) for number, text in enumerate(texts, start=1)]
    # A file of fields has no boilerplate, and all of a small store may be about one thing.
    grouping = propose(
        entries,
        include_consolidated=True,
        with_neighbours=False,
        strip_common=False,
        levels=levels,
    )
    clusters = []
    for group in grouping.groups:
        members = sorted(group.members, key=lambda member: -len(member.shared))
        indices = [member.entry.first - 1 for member in members]
        count = len(observations)
        clusters.append(
            Cluster(
                tuple(index for index in indices if index < count),
                tuple(index - count for index in indices if index >= count),
            )
        )
    return clusters


def _texts(observations: Sequence[Observation]) -> Iterator[tuple[str, str]]:
    """Give the rule and the description of each; of a rule that others have, too, it alone.

    Those are one finding seen again, however different what was seen.
    """
    rules = [frozenset(keys(observation.rule)) for observation in observations]
    counts = Counter(rules)
    for observation, rule in zip(observations, rules, strict=True):
        is_shared = len(rule) >= IN_COMMON and counts[rule] > 1
        yield observation.rule, "" if is_shared else observation.description


def _entry(number: int, rule: str, description: str) -> Entry:
    """Return an entry without a title and a date.

    Rules are sentences: words that recur in them are no topics, as those of titles are (with the
    weight of titles and the levels of entries 57 % of the pairs are right). And what one work unit
    has found is not alike for having been written on one day.
    """
    lines = ("## \n", f"{rule}\n", f"{description}\n")
    return Entry("", None, None, 2, number, number + 1, str(number), lines)
