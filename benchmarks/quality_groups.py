"""How well `learnings groups` proposes, beside two plain methods.

DATA/groups holds consolidations: a memory file, and the entries that people then merged into one.
Counted are pairs of entries in the same group (precision, recall, F1, adjusted Rand index; every
ungrouped entry is alone) and whether one that was merged with an entry is among its nearest.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.groups.closeness import Weights
from learnings.consolidation.groups.groups import NEAREST, clusters_of, propose, subject_of
from learnings.consolidation.groups.linkage import MAX_MEMBERS, Clusters, Thresholds
from learnings.consolidation.text.stop_words import STOP_WORDS
from learnings.core.entries.document import Entry, read

# Around the values in use, to both sides.
WEIGHTS_GRID = tuple(
    Weights(theme, day) for theme, day in product((0.15, 0.25, 0.35), (0.12, 0.17, 0.22, 0.27))
)
THRESHOLDS_GRID = tuple(
    Thresholds(group, pair) for group, pair in product((0.04, 0.05, 0.06), (0.4, 0.6, 0.8))
)
TFIDF_THRESHOLDS = tuple(step / 100 for step in range(3, 31))
_WORD = re.compile(r"[\w-]{3,}")  # a word of the literal rule


class Case(NamedTuple):
    """A memory file; merged has the group of an entry by its line, scored the lines that count."""

    name: str
    entries: tuple[Entry, ...]
    merged: Mapping[int, int]
    scored: frozenset[int]


class Proposal(NamedTuple):
    """Groups and nearest entries, by the first lines of entries."""

    groups: Sequence[Sequence[int]]
    nearest: Mapping[int, Sequence[int]]


class Score(NamedTuple):
    """The figures of one file, or their means over several."""

    precision: float
    recall: float
    f1: float
    ari: float
    hit1: float
    hit3: float


def cases(data: Path) -> list[Case]:
    """Return the files of DATA in the order of their names."""
    return [_case(path.parent) for path in sorted((data / "groups").glob("*/truth.json"))]


def _case(folder: Path) -> Case:
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    entries = read((folder / truth["file"]).read_bytes()).entries
    line = {(entry.stamp, entry.title): entry.first for entry in entries}
    left_out = {line[m["timestamp"], m["title"]] for m in truth["left_out_of_scoring"]}
    merged = {
        line[m["timestamp"], m["title"]]: number
        for number, group in enumerate(truth["groups"])
        for m in group["members"]
    }
    return Case(folder.name, entries, merged, frozenset(line.values()) - left_out)


# --- scoring


def score(case: Case, proposal: Proposal) -> Score:
    """Return the figures of a proposal for one file."""
    proposed = {line: number for number, group in enumerate(proposal.groups) for line in group}
    true = [(case.merged.get(line), line) for line in sorted(case.scored)]
    ours = [(proposed.get(line), line) for line in sorted(case.scored)]
    both = _pairs([(_part(one), _part(other)) for one, other in zip(true, ours, strict=True)])
    merged, grouped = _pairs(list(map(_part, true))), _pairs(list(map(_part, ours)))
    chance = merged * grouped / math.comb(len(true), 2)
    hits = [_first_hit(case, line, proposal.nearest.get(line, ())) for line in case.merged]
    return Score(
        both / grouped if grouped else 0.0,
        both / merged,
        2 * both / (merged + grouped),
        (both - chance) / ((merged + grouped) / 2 - chance),
        sum(hit < 1 for hit in hits) / len(hits),
        sum(hit < 3 for hit in hits) / len(hits),
    )


def _part(numbered: tuple[int | None, int]) -> Hashable:
    """Return the group of an entry; one of its own for an entry in none."""
    number, line = numbered
    return ("alone", line) if number is None else number


def _pairs(parts: Sequence[Hashable]) -> int:
    return sum(math.comb(size, 2) for size in Counter(parts).values())


def _first_hit(case: Case, line: int, nearest: Sequence[int]) -> int:
    own = case.merged[line]
    hits = (rank for rank, other in enumerate(nearest) if case.merged.get(other) == own)
    return next(hits, NEAREST)


def mean(scores: Sequence[Score]) -> Score:
    """Return the mean over files."""
    return Score(*(sum(column) / len(scores) for column in zip(*scores, strict=True)))


def left_out(tried: Sequence[Sequence[Score]]) -> list[Score]:
    """Return for each file its score under the choice that is best for the mean of the others."""
    files = range(len(tried[0]))

    def worth(scores: Sequence[Score], file: int) -> float:
        others = mean([scores[other] for other in files if other != file])
        return others.f1 + others.ari

    return [max(tried, key=lambda scores: worth(scores, file))[file] for file in files]


# --- what is compared


def ours(case: Case, weights: Weights, thresholds: Thresholds) -> Proposal:
    """Propose as the command does."""
    grouping = propose(case.entries, weights=weights, thresholds=thresholds)
    return Proposal(
        [[member.entry.first for member in group.members] for group in grouping.groups],
        {
            neighbours.entry.first: [near.first for near, _ in neighbours.nearest]
            for neighbours in grouping.neighbours
        },
    )


def over_the_grid(every: Sequence[Case]) -> list[list[Score]]:
    """Return the scores of all files for each choice of weights and thresholds."""
    tried: dict[tuple[Weights, Thresholds], list[Score]] = {}
    for case, weights in product(every, WEIGHTS_GRID):
        subject = subject_of(case.entries, weights)
        nearest = ours(case, weights, Thresholds()).nearest
        for thresholds in THRESHOLDS_GRID:
            groups = [
                [subject.entries[one].first for one in cluster]
                for cluster in clusters_of(subject, thresholds)
            ]
            tried.setdefault((weights, thresholds), []).append(
                score(case, Proposal(groups, nearest))
            )
    return list(tried.values())


def literal(case: Case) -> Proposal:
    """Group by two shared words, taken literally: whatever is linked is one group."""
    spoken = {entry.first: _words(entry) for entry in case.entries}
    near = {
        line: [other for other in spoken if other != line and len(words & spoken[other]) > 1]
        for line, words in ((line, words) for line, words in spoken.items())
    }
    groups, seen = [], set[int]()
    for line in spoken:
        group, queue = [], [line]
        while queue:
            one = queue.pop()
            if one not in seen:
                seen.add(one)
                group.append(one)
                queue += near[one]
        groups.append(group)
    ranked = {
        line: sorted(others, key=lambda other: -len(spoken[line] & spoken[other]))[:NEAREST]
        for line, others in near.items()
    }
    return Proposal([group for group in groups if len(group) > 1], ranked)


def _words(entry: Entry) -> set[str]:
    return {word.casefold() for word in _WORD.findall(entry.text)} - STOP_WORDS


def plain(case: Case, threshold: float) -> Proposal:
    """Group by the cosine of TF-IDF vectors and average linkage, nothing else."""
    counts = [
        Counter(
            word for word in map(str.casefold, _WORD.findall(entry.text)) if word not in STOP_WORDS
        )
        for entry in case.entries
    ]
    spread = Counter(word for count in counts for word in count)
    vectors = [
        {word: n * math.log(len(counts) / spread[word]) for word, n in c.items()} for c in counts
    ]
    rows = [array("d", [_cosine(one, other) for other in vectors]) for one in vectors]
    near = [
        {other: near for other, near in enumerate(row) if other != one and near > 0}
        for one, row in enumerate(rows)
    ]
    clusters = Clusters(near, group=threshold, pair=threshold)
    clusters.link(MAX_MEMBERS)
    lines = [entry.first for entry in case.entries]
    return Proposal(
        [[lines[one] for one in cluster] for cluster in clusters.members.values()],
        {
            lines[one]: [
                lines[other] for other in sorted(others, key=lambda o: -others[o])[:NEAREST]
            ]
            for one, others in enumerate(near)
        },
    )


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    dot = sum(weight * other.get(word, 0.0) for word, weight in one.items())
    lengths = (math.sqrt(sum(w * w for w in vector.values())) for vector in (one, other))
    return dot / (math.prod(lengths) or 1.0)


def report(data: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    if not (data / "groups").is_dir():
        return
    every = cases(data)
    rows = {
        "two shared words": [score(case, literal(case)) for case in every],
        "TF-IDF, leave one out": left_out(
            [
                [score(case, plain(case, threshold)) for case in every]
                for threshold in TFIDF_THRESHOLDS
            ]
        ),
        "ours, leave one out": left_out(over_the_grid(every)),
        "ours": [score(case, ours(case, Weights(), Thresholds())) for case in every],
    }
    merged = sum(len(case.merged) for case in every)
    yield f"groups: {merged} entries of {len(every)} files that were merged; means over files"
    yield f"  {'':<34} P     R     F1    ARI   hit@1 hit@3"
    for name, scores in rows.items():
        yield f"  {name:<34} {'  '.join(f'{figure:.2f}' for figure in mean(scores))}"
    yield from (
        f"    {case.name:<32} {'  '.join(f'{figure:.2f}' for figure in scored)}"
        for case, scored in zip(every, rows["ours, leave one out"], strict=True)
    )
