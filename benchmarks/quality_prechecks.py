"""Precision and recall of the pre-checks, on written cases and on real consolidations.

The cases are in `prechecks/*.toml`; each file explains how they were made. The rule that a check
replaces is measured beside it, taken literally.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from learnings.consolidation.checks.covered import CoverageIndex
from learnings.consolidation.checks.precheck import ADD, DROP, Precheck
from learnings.consolidation.checks.prechecks import prechecks
from learnings.consolidation.checks.supersession import Order, superseded
from learnings.consolidation.text.sections import TargetFile, TargetSection, target_of
from learnings.core.entries.document import Document, Entry, read
from learnings.core.settings.setting_values import Settings

CASES = Path(__file__).parent / "prechecks"
HALVES = ("development", "held out")
TARGET = "agents/decisions/all.md"


class Score(NamedTuple):
    """The numbers of cases that were reported, correctly or not, and of missed cases."""

    hits: int
    false: int
    missed: int
    right: int

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.false) if self.hits + self.false else 1.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.missed) if self.hits + self.missed else 1.0

    def __str__(self) -> str:
        return (
            f"P {self.precision:.2f}  R {self.recall:.2f}   ({self.hits} found, "
            f"{self.false} false, {self.missed} missed, {self.right} rightly not)"
        )


class Case(NamedTuple):
    """The input of a check, True if it should find something, and a name for the case."""

    data: Any
    truth: bool
    name: str


def scored(cases: Sequence[Case], says: Callable[[Any], bool]) -> Score:
    """Return the scores of a check."""
    counts = Counter((says(case.data), case.truth) for case in cases)
    return Score(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


def half(cases: Sequence[Any], name: str) -> Sequence[Any]:
    """Return the cases at odd positions (development) or at even ones (held out)."""
    return cases[HALVES.index(name) :: 2]


def document_of(*entries: Sequence[str]) -> Document:
    """Return a learnings file from entries given as title and text."""
    text = "".join(f"## {title}\n\n{body}\n\n" for title, body in entries)
    return read(f"# Learnings\n\n{text}".encode())


def sections_of(cases: Sequence[Any]) -> tuple[TargetSection, ...]:
    """Return the sections of all cases as those of one target file."""
    text = "".join(f"## {case['section'][0]}\n\n{case['section'][1]}\n\n" for case in cases)
    return target_of(TARGET, f"# Decisions\n\n{text}".encode()).sections


def cases_of(name: str) -> list[Any]:
    """Return the cases of one check, in file order."""
    loaded: list[Any] = tomllib.loads((CASES / f"{name}.toml").read_text("utf-8"))["case"]
    return loaded


# --- redundancy


def redundancy_cases(name: str) -> Iterator[Case]:
    """Yield the entries of one half: covered ones and new ones."""
    for case in half(cases_of("redundancy"), name):
        for key in ("covered", "new"):
            entry = document_of(case[key]).entries[0]
            wording = f" ({case['wording']})" if key == "covered" else ""
            yield Case(entry, key == "covered", f"{key}{wording}: {entry.title}")


def index_of(sections: Sequence[TargetSection]) -> CoverageIndex:
    """Return sections with the default thresholds."""
    settings = Settings()
    return CoverageIndex(sections, settings.coverage, settings.coverage_perhaps)


def phrases_covered(entry: Entry, sections: Sequence[TargetSection]) -> bool:
    """Return True by the literal rule: a section has over 70 % of the phrases of 3 to 5 words."""
    wanted = set(_phrases(f"{entry.title} {entry.body}"))
    return any(
        len(wanted & set(_phrases(f"{section.title} {section.text}"))) > 0.7 * len(wanted)
        for section in sections
    )


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    words = text.casefold().split()
    for length in (3, 4, 5):
        for start in range(len(words) - length + 1):
            yield tuple(words[start : start + length])


def redundancy(name: str) -> Iterator[tuple[str, Score]]:
    """Yield the scores for finding covered entries in one half."""
    sections = sections_of(cases_of("redundancy"))
    coverage_index = index_of(sections)
    cases = list(redundancy_cases(name))
    some = [case for case in cases if "(free)" not in case.name]

    def action(entry: Entry) -> str | None:
        finding = coverage_index.covering(entry)
        return None if finding is None else finding.action

    yield "flagged (0.15 and up)", scored(cases, lambda e: action(e) is not None)
    yield "the same without free wordings", scored(some, lambda e: action(e) is not None)
    yield "dropped (0.40 and up)", scored(cases, lambda e: action(e) in (DROP, ADD))
    yield "literal: 70 % of phrases", scored(cases, lambda e: phrases_covered(e, sections))


# --- supersession


def supersession(name: str) -> Iterator[tuple[str, Score]]:
    """Yield the scores for pairs in which the newer entry supersedes the older one."""
    cases = list(supersession_cases(name))
    yield "flagged", scored(cases, lambda d: bool(_superseded(d)))
    yield "dropped", scored(cases, lambda d: any(e.action == DROP for e in _superseded(d)))
    yield "literal: half of the title, any negation", scored(cases, literally_superseded)


def supersession_cases(name: str) -> Iterator[Case]:
    """Yield the pairs of one half as documents of two entries."""
    for case in half(cases_of("supersession"), name):
        document = document_of(case["older"], case["newer"])
        yield Case(document, case["superseded"], case["newer"][0])


def _superseded(document: Document) -> Sequence[Precheck]:
    older, newer = document.entries
    dates = {older.identity: "2026-01-01", newer.identity: "2026-02-01"}
    pairs = superseded(Order(document.entries, dates))
    return [pair for pair in pairs if pair.entry is older]


def literally_superseded(document: Document) -> bool:
    """Return True by the literal rule, with the words as written."""
    older, newer = document.entries
    old, new = ({*entry.title.casefold().split()} for entry in (older, newer))
    words = newer.text.casefold().replace(".", " ").replace(",", " ")
    negated = any(f" {cue} " in words for cue in ("no longer", "instead of", "not", "actually"))
    return len(old & new) > 0.5 * min(len(old), len(new)) and negated


# --- real consolidations


def moved(data: Path) -> Score:
    """Return the scores for finding moved entries in the next state of the targets.

    Each consolidation of DATA/routes is looked up in the target files of the next one; its entries
    against the targets of their own time count as new.
    """
    folders = sorted(
        (folder for folder in (data / "routes").iterdir() if (folder / "truth.json").exists()),
        key=lambda folder: (folder.name[:10], len((folder / "learnings.md").read_bytes())),
    )
    cases = []
    for folder, later in pairwise(folders):
        moved_titles = {
            row["title"] for row in json.loads((folder / "truth.json").read_text("utf-8"))
        }
        now, then = (index_of(_sections(state)) for state in (folder, later))
        for entry in read((folder / "learnings.md").read_bytes()).entries:
            if entry.title in moved_titles:
                cases += [
                    Case((then, entry), truth=True, name=entry.title),
                    Case((now, entry), truth=False, name=entry.title),
                ]
    return scored(cases, lambda pair: _is_covered(*pair))


def _is_covered(index: CoverageIndex, entry: Entry) -> bool:
    return (index.documented(entry) or index.covering(entry)) is not None


def findings(data: Path) -> Iterator[tuple[str, str]]:
    """Yield how many entries of DATA/routes have each finding with the targets of their state.

    Nobody has labelled them; the numbers show the reading cost of the checks. File order gives the
    order of their dates.
    """
    counts: Counter[str] = Counter()
    for folder in sorted(path.parent for path in (data / "routes").glob("*/learnings.md")):
        entries = read((folder / "learnings.md").read_bytes()).entries
        counts["entries"] += len(entries)
        order = _in_file_order(entries)
        for finding in prechecks(entries, _targets(folder), order):
            counts[f"{finding.check}, {finding.action}"] += 1
    for name, count in sorted(counts.items()):
        yield name, str(count)


def supersessions(data: Path) -> str:
    """Return the counts of superseded pairs in DATA/groups; a person should read each pair."""
    pairs = [
        pair
        for path in sorted((data / "groups").glob("*/*.md"))
        for entries in [read(path.read_bytes()).entries]
        for pair in superseded(Order(entries, {}))
    ]
    return f"{len(pairs)}, {sum(pair.action == DROP for pair in pairs)} of them to drop"


def _in_file_order(entries: Sequence[Entry]) -> Order:
    return Order(entries, {entry.identity: f"{n:05}" for n, entry in enumerate(entries)})


def _targets(folder: Path) -> list[TargetFile]:
    paths = sorted((folder / "decisions").glob("*.md"))
    return [target_of(path.name, path.read_bytes()) for path in paths]


def _sections(folder: Path) -> list[TargetSection]:
    return [section for target in _targets(folder) for section in target.sections]


def report(data: Path | None = None) -> Iterator[str]:
    """Yield the lines of the table."""
    for check in (redundancy, supersession):
        yield f"{check.__name__}"
        for name in HALVES:
            for title, score in check(name):
                yield f"  {name:<12} {title:<42} {score}"
    if data is not None and (data / "routes").is_dir():
        yield "real consolidations"
        yield f"  {'redundancy: flagged in the next state of the targets':<55} {moved(data)}"
        yield f"  {'supersession, DATA/groups':<55} {supersessions(data)}"
        yield from (f"  {f'DATA/routes: {name}':<55} {count}" for name, count in findings(data))
