"""The quality of the ranking of `learnings route`, beside plainer and richer recipes.

`route_cases.py` has the cases. A recipe is a weighted sum of figures. If a weight has several
values, each day's value is chosen by the entries of the other days alone. The last row chooses the
recipe the same way, from its scores on days that did not choose its weights. A rank counts among
the five files that the command shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from benchmarks.route_cases import Case, cases, moved
from learnings.consolidation.routes import MAX_TARGETS, Route, TargetIndex, standardised
from learnings.consolidation.text.sections import bag_of_entry
from learnings.consolidation.text.similarity import Bag, Bm25
from learnings.core.entries.document import Entry

LINE_LIMIT = 400  # the setting's default
Figures = Mapping[str, Mapping[str, float]]
"""The figures of each file that shares a word with an entry, by path and name."""

Weights = Mapping[str, float]
Worth = list[list[float]]
"""One divided by the rank of the true file, 0 below the fifth, for each entry of each case."""

ALONE = (1.0,)
CHOSEN = (0.2, 0.0, 0.1, 0.4)  # the first of equals is chosen
HISTORY = {"received": (0.2,), "recency": (0.2,)}
RECIPES: Mapping[str, Mapping[str, Sequence[float]]] = {
    "BM25 over files": {"file": ALONE},
    "BM25 over sections, the best one": {"best": ALONE},
    "BM25 over sections, best three": {"text": ALONE},
    "and headings": {"text": ALONE, "heading": (0.2,)},
    "and history": {"text": ALONE, **HISTORY},
    "and both": {"text": ALONE, "heading": (0.2,), **HISTORY},
    "and both, weights chosen": {
        "text": ALONE,
        **dict.fromkeys(("heading", "received", "recency"), CHOSEN),
    },
    "and neighbours, room, weights chosen": {
        "text": ALONE,
        **dict.fromkeys(("heading", "received", "recency"), CHOSEN[:2]),
        "neighbours": (0.0, 0.15, 0.3),
        "room": (0.0, 0.2),
    },
}
"""From plain to rich, each with the values of its weights.

neighbours are the texts of the entries just before and after; room is 0 for a file with room for
the entry, else -1.
"""


# --- figures of files


def figures(case: Case) -> list[Figures]:
    """Return the figures for each routed entry of a case."""
    index = TargetIndex(case.targets, LINE_LIMIT, case.activity)
    files = Bm25(_bags_of_files(case, index))
    entries, wanted = case.document.entries, {entry.identity for entry in case.routed}
    evidence = [
        {one.target.path: one for one in index.ranked(entry, bag_of_entry(entry))}
        for entry in entries
    ]
    rows: list[Figures] = []
    for at, entry in enumerate(entries):
        if entry.identity not in wanted:
            continue
        near = [evidence[other] for other in (at - 1, at + 1) if 0 <= other < len(entries)]
        by_file = _standardised(case, files.row(bag_of_entry(entry)))
        fits = {path: known.fit for path, known in evidence[at].items()}
        by_best = _standardised(case, [fits.get(target.path, 0.0) for target in case.targets])
        rows.append(
            {
                path: {
                    "file": by_file[path],
                    "best": by_best[path],
                    "text": known.text,
                    "heading": known.heading_share,
                    "received": known.received,
                    "recency": known.recency,
                    "neighbours": sum(other[path].text for other in near if path in other),
                    "room": _room(case, path, entry),
                }
                for path, known in evidence[at].items()
            }
        )
    return rows


def _bags_of_files(case: Case, index: TargetIndex) -> list[Bag]:
    bags: dict[str, dict[str, float]] = {target.path: {} for target in case.targets}
    sections = [section for target in case.targets for section in target.sections]
    for section, section_bag in zip(sections, index.bags, strict=True):
        bag = bags[section.path]
        for word, weight in section_bag.items():
            bag[word] = bag.get(word, 0.0) + weight
    return list(bags.values())


def _standardised(case: Case, values: Sequence[float]) -> dict[str, float]:
    paths = [target.path for target in case.targets]
    return dict(zip(paths, standardised(values), strict=True))


def _room(case: Case, path: str, entry: Entry) -> float:
    lines = {target.path: target.lines for target in case.targets}[path]
    return 0.0 if lines + len(entry.lines) <= LINE_LIMIT else -1.0


# --- scores of recipes


def worth_of(case: Case, rows: Sequence[Figures], weights: Weights) -> list[float]:
    """Return the score of one choice of weights for each entry of a case."""
    worth = []
    for entry, row in zip(case.routed, rows, strict=True):
        totals = {
            path: sum(weight * known[name] for name, weight in weights.items())
            for path, known in row.items()
        }
        order = sorted(totals, key=lambda path: (-totals[path], path))
        worth.append(_worth(order, case.truth[entry.title]))
    return worth


def worth_of_command(case: Case) -> list[float]:
    """Return the scores for the ranking of the command."""
    index = TargetIndex(case.targets, LINE_LIMIT, case.activity)
    return [
        _worth([section.path for section in Route(index, entry).sections], case.truth[entry.title])
        for entry in case.routed
    ]


def _worth(order: Sequence[str], truth: str) -> float:
    shown = order[:MAX_TARGETS]
    return 1 / (shown.index(truth) + 1) if truth in shown else 0.0


class Tried(NamedTuple):
    """The score of each choice of weights of each recipe, with the day of each case."""

    days: Sequence[str]
    by_recipe: Mapping[str, Sequence[Worth]]

    def chosen(self, recipe: str, without: set[str]) -> Worth:
        """Return the score of a recipe under the weights that are best for the other days."""
        return max(self.by_recipe[recipe], key=lambda worth: self._total(worth, without))

    def left_out(self, recipe: str) -> Worth:
        """Return the score of a recipe on each day, with weights from the other days."""
        return [self.chosen(recipe, {day})[at] for at, day in enumerate(self.days)]

    def best_recipe(self, day: str) -> str:
        """Return the best recipe on the other days, each with weights from the others."""
        return max(self.by_recipe, key=lambda recipe: self._inner(recipe, day))

    def _inner(self, recipe: str, day: str) -> float:
        others = [(at, other) for at, other in enumerate(self.days) if other != day]
        return round(sum(sum(self.chosen(recipe, {day, other})[at]) for at, other in others), 9)

    def _total(self, worth: Worth, without: set[str]) -> float:
        pairs = zip(worth, self.days, strict=True)
        return round(sum(sum(of_case) for of_case, day in pairs if day not in without), 9)


def tried(every: Sequence[Case]) -> Tried:
    """Return all recipes with all of their weights."""
    rows = [figures(case) for case in every]
    by_recipe = {
        recipe: [
            [
                worth_of(case, case_rows, weights)
                for case, case_rows in zip(every, rows, strict=True)
            ]
            for weights in _choices(values)
        ]
        for recipe, values in RECIPES.items()
    }
    return Tried([case.day for case in every], by_recipe)


def _choices(values: Mapping[str, Sequence[float]]) -> Iterator[Weights]:
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


# --- the table


def report(data: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    if not (data / "routes").is_dir():
        return
    real = cases(data)
    every = [*real, *moved(real)]
    results = tried(every)
    ours = [worth_of_command(case) for case in every]
    rows = {recipe: results.left_out(recipe) for recipe in RECIPES}
    chosen = {day: results.best_recipe(day) for day in dict.fromkeys(results.days)}
    rows["recipe and weights chosen"] = [
        results.chosen(chosen[day], {day})[at] for at, day in enumerate(results.days)
    ]
    rows["learnings route"] = ours
    columns = {
        "all": range(len(real)),
        "over 10 targets": [at for at, case in enumerate(real) if len(case.targets) > 10],
        "moved": range(len(real), len(every)),
    }
    counts = {name: sum(len(every[at].routed) for at in some) for name, some in columns.items()}
    headings = "".join(f"{f'{name}: {count}':<26}" for name, count in counts.items())
    yield f"routes: {len(real)} consolidations\n  {'':<38}{headings}MRR more than ours"
    yield f"  {'':<38}{'top-1 top-3 MRR'.ljust(26) * len(columns)}".rstrip()
    for name, worth in rows.items():
        cells = "".join(f"{_cell([worth[at] for at in some]):<26}" for some in columns.values())
        yield f"  {name:<38}{cells}{_difference(ours, worth, results.days)}"
    yield "  chosen: " + "; ".join(f"{day} {recipe}" for day, recipe in chosen.items())


def _cell(worth: Worth) -> str:
    every = [value for of_case in worth for value in of_case]
    top1, top3 = (sum(value >= least for value in every) / len(every) for least in (1, 1 / 3))
    mean, error = _mean(every)
    return f"{top1:.2f}  {top3:.2f}  {mean:.2f} ± {error:.2f}"


def _difference(ours: Worth, worth: Worth, days: Sequence[str]) -> str:
    pairs = zip(ours, worth, strict=True)
    differences = [[b - a for a, b in zip(one, other, strict=True)] for one, other in pairs]
    mean, _ = _mean([value for of_case in differences for value in of_case])
    return f"{mean:+.3f} ± {_error_by_days(differences, days):.3f}"


def _error_by_days(worth: Worth, days: Sequence[str]) -> float:
    """Return the standard error of the mean if the entries of one day move together."""
    count = sum(map(len, worth))
    mean = sum(map(sum, worth)) / count
    sums: dict[str, float] = {}
    for of_case, day in zip(worth, days, strict=True):
        sums[day] = sums.get(day, 0.0) + sum(value - mean for value in of_case)
    few = len(sums) / (len(sums) - 1)
    return sqrt(few * sum(value**2 for value in sums.values())) / count


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error, as if the values were independent."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, sqrt(variance / len(values))
