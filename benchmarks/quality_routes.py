"""How well `learnings route` ranks, beside BM25 over files and over sections.

DATA/routes holds consolidations: a learnings file, the target files of that moment, and the file
into which each entry went. They come without history. For the rows `with history` the states are
committed one after another into a repository made for it, each on its own day.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from learnings.consolidation.bags import bag_of_entry, bag_of_section
from learnings.consolidation.bm25 import Bm25
from learnings.consolidation.received import Past, past_of
from learnings.consolidation.routes import PULL, Weights, routes
from learnings.consolidation.sections import Target, target_of
from learnings.core.document import Document, Entry, read
from learnings.history.deliveries import deliveries
from learnings.history.question import Question

LINE_LIMIT = 400
UNRANKED = 1000
PULLS = ("by_length", "neighbours", "beside")
GRID = {
    "by_length": (0.5, 0.75, 0.9),
    "neighbours": (0.0, 0.3),
    "beside": (0.0, 0.15),
    "no_room": (0.0, 0.1),
    "growth": (0.0, 0.05),
    "received": (0.0, 0.01),
}


class Case(NamedTuple):
    """One consolidation: its file, its targets, and the path that each routed entry went to."""

    name: str
    document: Document
    targets: tuple[Target, ...]
    truth: Mapping[str, str]

    @property
    def routed(self) -> list[Entry]:
        return [entry for entry in self.document.entries if entry.title in self.truth]


Ranks = Mapping[str, Sequence[int]]
"""The rank of the true file of each routed entry, from 1, by the name of the case."""


def cases(data: Path) -> list[Case]:
    """Return the consolidations of DATA, oldest first."""
    folders = [path.parent for path in (data / "routes").glob("*/truth.json")]
    return [_case(folder) for folder in sorted(folders, key=_age)]


def _age(folder: Path) -> tuple[str, int]:
    # Two of one day: target files only grow.
    return folder.name[:10], sum(path.stat().st_size for path in folder.glob("decisions/*.md"))


def _case(folder: Path) -> Case:
    rows = json.loads((folder / "truth.json").read_text("utf-8"))
    paths = sorted((folder / "decisions").glob("*.md"))
    return Case(
        folder.name,
        read((folder / "learnings.md").read_bytes()),
        tuple(target_of(f"decisions/{path.name}", path.read_bytes()) for path in paths),
        {row["title"]: row["target"] for row in rows},
    )


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
        found: dict[str, list[float]] = {}
        for place, score in index.scores(bag_of_entry(entry)).items():
            found.setdefault(sections[place].path, []).append(score)
        return {path: sum(sorted(each, reverse=True)[:best]) for path, each in found.items()}

    return _ranks(case, scores)


def _named(scores: Mapping[int, float], paths: Sequence[str]) -> dict[str, float]:
    return {paths[place]: score for place, score in scores.items()}


def _ranks(case: Case, scores: Callable[[Entry], Mapping[str, float]]) -> list[int]:
    found = []
    for entry in case.routed:
        each = scores(entry)
        order = sorted(each, key=lambda path: (-each[path], path))
        found.append(_rank(order, case.truth[entry.title]))
    return found


def _rank(order: Sequence[str], truth: str) -> int:
    return order.index(truth) + 1 if truth in order else UNRANKED


def ours(case: Case, past: Past | None, weights: Weights | None = None) -> list[int]:
    """Rank as the command does, which shows five files at most."""
    found = routes(
        case.routed,
        case.document.entries,
        case.targets,
        line_limit=LINE_LIMIT,
        past=past,
        weights=weights,
    )
    return [
        _rank([c.section.path for c in each.candidates], case.truth[each.entry.title])
        for each in found
    ]


# --- history


def pasts(data: Path) -> dict[str, Past]:
    """Return for each case what a history of the states up to it says."""
    with tempfile.TemporaryDirectory() as place:
        top = Path(place)
        _git(top, "init", "--quiet")
        return {case.name: _past(data / "routes" / case.name, top) for case in cases(data)}


def _past(folder: Path, top: Path) -> Past:
    shutil.rmtree(top / "decisions", ignore_errors=True)
    shutil.copytree(folder / "decisions", top / "decisions")
    shutil.copy(folder / "learnings.md", top)
    _git(top, "add", "--all")
    _git(top, "commit", "--quiet", "--message=state", f"--date={folder.name[:10]}T12:00:00")
    question = Question(top / "learnings.md", top, "9999-12-31")
    return past_of(deliveries(question, sorted((top / "decisions").glob("*.md"))))


def _git(top: Path, *words: str) -> None:
    own = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid"]
    subprocess.run(["git", *own, *words], cwd=top, check=True)


# --- figures


def figures(ranks: Ranks) -> str:
    """Return top-1, top-3 and mean reciprocal rank over all entries, as text."""
    every = [rank for each in ranks.values() for rank in each]
    top1, top3 = (sum(rank <= most for rank in every) / len(every) for most in (1, 3))
    return f"{top1:.2f}  {top3:.2f}  {_mrr(every):.2f}"


def _mrr(ranks: Sequence[int]) -> float:
    return sum(1 / rank for rank in ranks if rank < UNRANKED) / len(ranks) if ranks else 0.0


def left_out(data: Sequence[Case], known: Mapping[str, Past | None]) -> Ranks:
    """Return the ranks of each case under the weights with the best mean over the others."""
    tried = []
    for values in product(*GRID.values()):
        chosen: dict[str, Any] = dict(zip(GRID, values, strict=True))
        pull = PULL._replace(**{name: chosen.pop(name) for name in PULLS})
        weights = Weights(pull, **chosen)
        tried.append({case.name: ours(case, known[case.name], weights) for case in data})
    best: dict[str, Sequence[int]] = {}
    for case in data:
        others = [_others(each, case.name) for each in tried]
        best[case.name] = tried[others.index(max(others))][case.name]
    return best


def _others(ranks: Ranks, name: str) -> float:
    return round(sum(_mrr(each) for other, each in ranks.items() if other != name), 9)


def report(data: Path) -> Iterator[str]:
    """Yield the lines of the table."""
    if not (data / "routes").is_dir():
        return
    every = cases(data)
    large = {case.name for case in every if len(case.targets) > 10}
    known = pasts(data)
    nothing: dict[str, Past | None] = dict.fromkeys(known)
    rows: dict[str, Ranks] = {
        "BM25 over files": {case.name: by_files(case) for case in every},
        "BM25 over sections, the best": {case.name: by_sections(case, 1) for case in every},
        "BM25 over sections, best three": {case.name: by_sections(case, 3) for case in every},
        "ours": {case.name: ours(case, None) for case in every},
        "ours, leave one out": left_out(every, nothing),
        "ours with history": {case.name: ours(case, known[case.name]) for case in every},
        "ours with history, leave one out": left_out(every, dict(known)),
    }
    entries = sum(len(case.routed) for case in every)
    yield f"routes: {entries} entries of {len(every)} consolidations; right: over 10 targets"
    yield f"  {'':<34} top-1 top-3 MRR     top-1 top-3 MRR"
    for name, ranks in rows.items():
        some = {case: each for case, each in ranks.items() if case in large}
        yield f"  {name:<34} {figures(ranks)}    {figures(some)}"
