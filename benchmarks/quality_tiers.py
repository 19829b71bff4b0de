"""The quality of the found themes: on generated stores, and compared with those of people.

    python -m benchmarks.quality_tiers [DATA]

For each generated store, pairs of findings that share a theme are compared with pairs that share
one for a person: precision, recall and F1, at several levels. These stores choose the levels. DATA
is a folder of learning tiers that people have compacted, with `themes/`. For it the program prints
the share of findings that a compaction puts into themes, with the themes. For each theme of people
it prints in which of our themes the findings of its work units are.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

from benchmarks.tier_stores import STORES, Row
from learnings.consolidation.groups.partition import Levels
from learnings.tiers.clusters import PROMOTION_LEVELS as SEEN_AGAIN
from learnings.tiers.clusters import THEME_LEVELS, Vocabulary, clusters_of, title_of
from learnings.tiers.compaction import Compactor
from learnings.tiers.raw_files import RawFile, RawObservation, observations_of, read_raw_file
from learnings.tiers.tier_files import ThemeFile, TierFiles, TierIndex

TRIED = [
    *(Levels(group, 1.5 * group) for group in (0.25, 0.2, 0.14, 0.1)),
    *(Levels(group, 0.375) for group in (0.2, 0.14, 0.1)),
]


def main(words: Sequence[str]) -> int:
    """Print the numbers; returns 0."""
    for levels in TRIED:
        scores = [_score(rows, levels) for rows in STORES.values()]
        mean = [sum(values) / len(scores) for values in zip(*scores, strict=True)]
        mark = " (used)" if levels == THEME_LEVELS else ""
        print(f"{levels.group:.2f} {levels.pair:.3f}  {_shown(mean)}{mark}")
        print(
            "".join(f"    {n:9} {_shown(s)}\n" for n, s in zip(STORES, scores, strict=True)), end=""
        )
    if words:
        _compare(Path(words[0]))
    return 0


def _score(rows: Sequence[Row], levels: Levels) -> tuple[float, float, float]:
    """Return precision, recall and F1 of the pairs of a store."""
    findings = [
        RawObservation(unit, unit, number, rule, seen, "", None)
        for number, (unit, _, rule, seen) in enumerate(rows, start=1)
    ]
    ours = {
        pair
        for cluster in clusters_of(findings, levels=levels)
        for pair in combinations(sorted(cluster.observations), 2)
    }
    theirs = {
        (one, other)
        for one, other in combinations(range(len(rows)), 2)
        if rows[one][1] == rows[other][1] != "-"
    }
    right = len(ours & theirs)
    precision, recall = right / max(len(ours), 1), right / len(theirs)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def _shown(score: Sequence[float]) -> str:
    return "precision {:.2f}  recall {:.2f}  F1 {:.2f}".format(*score)


def _compare(folder: Path) -> None:
    """Print for each theme of people where the findings of its work units are."""
    read = [read_raw_file(path.name, path.read_bytes()) for path in sorted(folder.glob("*.json"))]
    observations = observations_of([file for file in read if isinstance(file, RawFile)])
    vocabulary = Vocabulary(observations)
    titles = {
        index: title_of([observations[n] for n in cluster.observations], vocabulary)
        for cluster in clusters_of(observations)
        for index in cluster.observations
    }
    again = clusters_of(observations, levels=SEEN_AGAIN)
    titles = {index: title for index, title in titles.items() if title}
    clusters = len({*titles.values()})
    print(
        f"\n{len(observations)} findings, {len(titles)} in {clusters} clusters with a name, "
        f"{len(again)} seen again"
    )
    raw = tuple(file for file in read if isinstance(file, RawFile))
    written = [
        ThemeFile(path.stem, path.read_bytes()) for path in sorted(folder.glob("themes/*.md"))
    ]
    for themes in ((), tuple(written)):
        files = TierFiles(folder.name, raw, (), themes, TierIndex(None))
        compaction = Compactor(files).compaction(datetime.now(UTC))
        share = 1 - len(compaction.left) / max(len(observations), 1)
        names = ", ".join(f"{theme.name} {len(theme.added)}" for theme in compaction.themes)
        print(f"beside {len(themes)} themes of people {share:.0%} are in a theme: {names}")
    for theme in written:
        units = {unit for unit, _ in theme.units}
        counts = Counter(
            titles.get(index, "(in none)")
            for index, observation in enumerate(observations)
            if observation.unit in units
        )
        print(f"{theme.name}: " + ", ".join(f"{name} {n}" for name, n in counts.most_common()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
