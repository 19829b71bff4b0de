"""How well `learnings route` ranks, beside BM25 over files and over sections.

The cases are those of `route_cases.py`. For the rows `leave one out` the weights are chosen anew
for each day, from the cases of the other days alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.route_cases import Case, cases, moved
from learnings.consolidation.routes.routes import FIT_WEIGHTS, Weights, routes
from learnings.consolidation.text.bags import bag_of_entry, bag_of_section
from learnings.consolidation.text.bm25 import Bm25
from learnings.core.entries.document import Entry

LINE_LIMIT = 400  # the default of the setting
UNRANKED = 1000  # a rank that adds next to nothing to a mean reciprocal rank
FIT_WEIGHT_NAMES = ("neighbours", "beside")
GRID = {
    "beside": (0.3, 0.15, 0.0),
    "neighbours": (0.3, 0.0),
    "no_room": (0.1, 0.0),
    "growth": (0.15, 0.05, 0.0),
    "received": (0.03, 0.0),
}
"""What is in force first: of equals the first is chosen."""

Ranks = Sequence[Sequence[int]]
"""The rank of the true file of each routed entry, from 1, for each case."""


# --- what is compared


def by_files(case: Case) -> list[int]:
    """Rank by BM25 over whole files."""
    bags = []
    for target in case.targets:
        bag: dict[str, float] = {}
        for section in target.sections:
            for word, weight in bag_of_section(section).items():
                bag[word] = bag.get(word, 0.0) + weight
        bags.append(bag)
    index, paths = Bm25(bags), [target.path for target in case.targets]
    return _ranks(case, lambda entry: _named(index.scores(bag_of_entry(entry)), paths))


def by_sections(case: Case, best: int) -> list[int]:
    """Rank by BM25 over sections, the best ones of a file summed."""
    sections = [section for target in case.targets for section in target.sections]
    index = Bm25([bag_of_section(section) for section in sections])

    def scores(entry: Entry) -> dict[str, float]:
        by_path: dict[str, list[float]] = {}
        for section, score in index.scores(bag_of_entry(entry)).items():
            by_path.setdefault(sections[section].path, []).append(score)
        return {path: sum(sorted(values, reverse=True)[:best]) for path, values in by_path.items()}

    return _ranks(case, scores)


def _named(scores: Mapping[int, float], paths: Sequence[str]) -> dict[str, float]:
    return {paths[index]: score for index, score in scores.items()}


def _ranks(case: Case, scores: Callable[[Entry], Mapping[str, float]]) -> list[int]:
    ranks = []
    for entry in case.routed:
        by_path = scores(entry)
        order = sorted(by_path, key=lambda path: (-by_path[path], path))
        ranks.append(_rank(order, case.truth[entry.title]))
    return ranks


def _rank(order: Sequence[str], truth: str) -> int:
    return order.index(truth) + 1 if truth in order else UNRANKED


def ours(case: Case, weights: Weights | None = None, *, history: bool = True) -> list[int]:
    """Rank as the command does, which shows five files at most."""
    ranking = routes(
        case.routed,
        case.document.entries,
        case.targets,
        line_limit=LINE_LIMIT,
        activity=case.activity if history else None,
        weights=weights,
    )
    return [
        _rank([c.section.path for c in route.candidates], case.truth[route.entry.title])
        for route in ranking
    ]


# --- figures


def figures(ranks: Ranks) -> str:
    """Return top-1, top-3 and mean reciprocal rank over all entries, as text."""
    every = [rank for case_ranks in ranks for rank in case_ranks]
    top1, top3 = (sum(rank <= limit for rank in every) / len(every) for limit in (1, 3))
    return f"{top1:.2f}  {top3:.2f}  {sum(map(_worth, every)) / len(every):.2f}"


def _worth(rank: int) -> float:
    return 1 / rank if rank < UNRANKED else 0.0


def left_out(every: Sequence[Case], *, history: bool) -> list[Sequence[int]]:
    """Return the ranks of each case under the weights that are best for the other days."""
    grid = GRID if history else GRID | {"growth": (0.0,), "received": (0.0,)}
    tried = []
    for values in product(*grid.values()):
        chosen: dict[str, Any] = dict(zip(grid, values, strict=True))
        fit_weights = FIT_WEIGHTS._replace(**{name: chosen.pop(name) for name in FIT_WEIGHT_NAMES})
        weights = Weights(fit_weights, **chosen)
        tried.append([ours(case, weights, history=history) for case in every])
    chosen_ranks: list[Sequence[int]] = []
    for index, case in enumerate(every):
        others = [_on_other_days(ranks, every, case.day) for ranks in tried]
        chosen_ranks.append(tried[others.index(max(others))][index])
    return chosen_ranks


def _on_other_days(ranks: Ranks, every: Sequence[Case], day: str) -> float:
    pairs = zip(ranks, every, strict=True)
    return round(
        sum(sum(map(_worth, case_ranks)) for case_ranks, case in pairs if case.day != day), 9
    )


def report(data: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    if not (data / "routes").is_dir():
        return
    real = cases(data)
    every = [*real, *moved(real)]
    rows: dict[str, Ranks] = {
        "BM25 over files": [by_files(case) for case in every],
        "BM25 over sections, the best": [by_sections(case, 1) for case in every],
        "BM25 over sections, best three": [by_sections(case, 3) for case in every],
        "ours": [ours(case, history=False) for case in every],
        "ours, leave one out": left_out(every, history=False),
        "ours with history": [ours(case) for case in every],
        "ours with history, leave one out": left_out(every, history=True),
    }
    columns = {
        "all": range(len(real)),
        "over 10 targets": [at for at, case in enumerate(real) if len(case.targets) > 10],
        "moved": range(len(real), len(every)),
    }
    counts = {name: sum(len(every[at].routed) for at in some) for name, some in columns.items()}
    headings = "".join(f"{f'{name}: {count}':<21}" for name, count in counts.items())
    yield f"routes: {len(real)} consolidations\n  {'':<34} {headings}".rstrip()
    yield f"  {'':<34} {'     '.join(['top-1 top-3 MRR '] * len(columns))}".rstrip()
    for name, ranks in rows.items():
        cells = (figures([ranks[at] for at in some]) for some in columns.values())
        yield f"  {name:<34} {'     '.join(cells)}"
