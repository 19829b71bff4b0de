"""The quality of the proposals of `learnings groups`, beside recipes from plain to rich.

DATA/groups holds consolidations: a memory file, and the entries that people then merged into one.
The table counts pairs of entries in the same group (precision, recall, F1, adjusted Rand index;
every ungrouped entry is alone). It also counts entries with one of their later merge partners among
their nearest.

No choice is judged on its own data: each constant of a variant, and in the last row the variant
itself, is the best for the passes of other dates than the judged one.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import NamedTuple

from benchmarks.group_variants import SHIPPED, VARIANTS, Choice, Variant, constants
from learnings.core.entries.document import Entry, read

COUNTED = 3  # of the nearest entries


class Case(NamedTuple):
    """A memory file; merged maps entry lines to groups, scored has the lines that count."""

    name: str
    entries: tuple[Entry, ...]
    merged: Mapping[int, int]
    scored: frozenset[int]

    @property
    def date(self) -> str:
        """Return the date of the consolidation."""
        return self.name[:10]


class Score(NamedTuple):
    """The figures of one file, or the means over several files; groups is a number of groups."""

    precision: float
    recall: float
    f1: float
    ari: float
    hit1: float
    hit3: float
    groups: float


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


def score(
    case: Case, groups: Sequence[Sequence[int]], nearest: Mapping[int, Sequence[int]]
) -> Score:
    """Return the figures of a proposal for one file; first lines identify entries."""
    proposed = {line: number for number, group in enumerate(groups) for line in group}
    true = [(case.merged.get(line), line) for line in sorted(case.scored)]
    ours = [(proposed.get(line), line) for line in sorted(case.scored)]
    both = _pairs([(_part(one), _part(other)) for one, other in zip(true, ours, strict=True)])
    merged, grouped = _pairs(list(map(_part, true))), _pairs(list(map(_part, ours)))
    chance = merged * grouped / math.comb(len(true), 2)
    hits = [_first_hit(case, line, nearest[line]) for line in case.merged]
    return Score(
        both / grouped if grouped else 0.0,
        both / merged,
        2 * both / (merged + grouped),
        (both - chance) / ((merged + grouped) / 2 - chance),
        sum(hit < 1 for hit in hits) / len(hits),
        sum(hit < COUNTED for hit in hits) / len(hits),
        len(groups),
    )


def _part(numbered: tuple[int | None, int]) -> Hashable:
    """Return the group of an entry; an ungrouped entry has its own."""
    number, line = numbered
    return ("alone", line) if number is None else number


def _pairs(parts: Sequence[Hashable]) -> int:
    return sum(math.comb(size, 2) for size in Counter(parts).values())


def _first_hit(case: Case, line: int, nearest: Sequence[int]) -> int:
    own = case.merged[line]
    hits = (rank for rank, other in enumerate(nearest) if case.merged.get(other) == own)
    return next(hits, COUNTED)


def averaged(scores: Sequence[Score]) -> Score:
    """Return the mean over files."""
    return Score(*(mean(column) for column in zip(*scores, strict=True)))


# --- choosing on other dates


Tried = Mapping[Choice, Sequence[Score]]
"""The scores of all files, by choice of constants."""


def tried(variant: Variant, every: Sequence[Case]) -> dict[Choice, list[Score]]:
    """Return the scores of all files for each choice of a variant's constants."""
    scores = {}
    for choice in variant.choices:
        with constants(choice):
            scores[choice] = [score(case, *variant.propose(case.entries, choice)) for case in every]
    return scores


def elsewhere(every: Sequence[Case], scores: Sequence[Score], dates: set[str]) -> float:
    """Return the quality of scores on the files of all but the given dates."""
    others = averaged(
        [one for case, one in zip(every, scores, strict=True) if case.date not in dates]
    )
    return others.f1 + others.ari


def judged(every: Sequence[Case], all_tried: Tried, also: str = "") -> list[Score]:
    """Return for each file its score under the choice that is best on other dates.

    also is one more date to leave out of the choice.
    """
    return [
        max(all_tried.values(), key=lambda scores: elsewhere(every, scores, {case.date, also}))[
            index
        ]
        for index, case in enumerate(every)
    ]


def nested(every: Sequence[Case], rows: Mapping[str, Tried]) -> list[tuple[str, Score]]:
    """Return for each file the variant that is best on other dates, with its score.

    The quality of a variant counts with constants chosen without one more date.
    """
    chosen = []
    for index, case in enumerate(every):
        worth = {
            name: elsewhere(every, judged(every, all_tried, case.date), {case.date})
            for name, all_tried in rows.items()
        }
        name = max(worth, key=worth.__getitem__)
        chosen.append((name, judged(every, rows[name])[index]))
    return chosen


# --- the table


def report(data: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    if not (data / "groups").is_dir():
        return
    every = cases(data)
    merged = sum(len(case.merged) for case in every)
    dates = len({case.date for case in every})
    yield f"groups: {merged} merged entries of {len(every)} files and {dates} dates; means of files"
    yield f"  {'':<44} P     R     F1    ARI   hit@1 hit@3 groups  F1 to the recipe"
    all_tried = {name: tried(variant, every) for name, variant in VARIANTS.items()}
    base = all_tried[SHIPPED][VARIANTS[SHIPPED].choices[0]]
    yield _row(SHIPPED, base, base)
    for name, scores in all_tried.items():
        chosen = "chosen on other dates" if len(scores) > 1 else "as it is"
        if name != SHIPPED or len(scores) > 1:
            yield _row(f"{name}, {chosen}", judged(every, scores), base)
    choice = nested(every, all_tried)
    yield _row("the best variant on other dates", [scores for _, scores in choice], base)
    yield "  which is: " + ", ".join(
        f"{case.name} {name}" for case, (name, _) in zip(every, choice, strict=True)
    )


def _row(name: str, scores: Sequence[Score], base: Sequence[Score]) -> str:
    figures = averaged(scores)
    shown = "  ".join(f"{figure:.2f}" for figure in figures[:-1])
    differences = [one.f1 - other.f1 for one, other in zip(scores, base, strict=True)]
    error = stdev(differences) / math.sqrt(len(differences))
    own_error = stdev(one.f1 for one in scores) / math.sqrt(len(scores))
    versus = f"{mean(differences):+.3f} ± {error:.3f}" if error else f"F1 ± {own_error:.3f}"
    return f"  {name:<44} {shown}  {sum(one.groups for one in scores):4.0f}   {versus}"
