"""Consolidations that record the file each entry went to, for `quality_routes.py`.

DATA/routes holds for each a learnings file and the target files at that time. They come without
history: their states are committed one after another into a new repository.

Few of them have many target files. The cases `moved` therefore search for the removed entries once
more, among the files of the newest state without the sections that hold them. The additions of
earlier entries to the files are their history.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from learnings.consolidation.routes import TargetActivity, target_activity_of
from learnings.consolidation.text.sections import TargetFile, TargetSection, target_of
from learnings.consolidation.text.similarity import texts_of
from learnings.core.due.history_facts import Transfer, Transfers
from learnings.core.entries.document import Document, Entry, read
from learnings.history.change_dates import transfers
from learnings.history.file_history import HistoryQuery, open_history

MIN_COVERED_SHARE = 0.3
"""Share of an entry's word pairs from which a section of the newest state is its own."""


class Case(NamedTuple):
    """One consolidation: its file, its targets, the destination path of each routed entry."""

    name: str
    document: Document
    targets: tuple[TargetFile, ...]
    truth: Mapping[str, str]
    activity: TargetActivity

    @property
    def day(self) -> str:
        return self.name[:10]

    @property
    def routed(self) -> list[Entry]:
        return [entry for entry in self.document.entries if entry.title in self.truth]


# --- in their own state


def cases(data: Path) -> list[Case]:
    """Return the consolidations of DATA, oldest first."""
    folders = [path.parent for path in (data / "routes").glob("*/truth.json")]
    with tempfile.TemporaryDirectory() as folder_name:
        top = Path(folder_name)
        _git(top, "init", "--quiet")
        return [_case(folder, top) for folder in sorted(folders, key=_age)]


def _age(folder: Path) -> tuple[str, int]:
    # Two on one day: target files only grow.
    return folder.name[:10], sum(path.stat().st_size for path in folder.glob("decisions/*.md"))


def _case(folder: Path, top: Path) -> Case:
    rows = json.loads((folder / "truth.json").read_text("utf-8"))
    paths = sorted((folder / "decisions").glob("*.md"))
    return Case(
        folder.name,
        read((folder / "learnings.md").read_bytes()),
        tuple(target_of(f"decisions/{path.name}", path.read_bytes()) for path in paths),
        {row["title"]: row["target"] for row in rows},
        _past(folder, top),
    )


def _past(folder: Path, top: Path) -> TargetActivity:
    shutil.rmtree(top / "decisions", ignore_errors=True)
    shutil.copytree(folder / "decisions", top / "decisions")
    shutil.copy(folder / "learnings.md", top)
    _git(top, "add", "--all")
    _git(top, "commit", "--quiet", "--message=state", f"--date={folder.name[:10]}T12:00:00")
    query = HistoryQuery(top / "learnings.md", top, "9999-12-31")
    with open_history(query) as history:
        return target_activity_of(transfers(history, sorted((top / "decisions").glob("*.md"))))


def _git(top: Path, *words: str) -> None:
    own = ["-c", "user.name=Bench", "-c", "user.email=bench@example.invalid"]
    subprocess.run(["git", *own, *words], cwd=top, check=True)


# --- among the files of the newest state


def moved(every: Sequence[Case]) -> Iterator[Case]:
    """Yield the cases `moved`; an entry that left the file twice counts once."""
    newest = every[-1].targets
    sections = [section for target in newest for section in target.sections]
    texts, known, history = texts_of(sections), set[str](), Transfers()
    for case, following in pairwise(every):
        left = {e.title for e in case.document.entries} - {
            e.title for e in following.document.entries
        }
        held: dict[str, TargetSection] = {}
        for entry in case.document.entries:
            covered = texts.best(entry) if entry.title in left else None
            if covered is not None and covered.score >= MIN_COVERED_SHARE:
                held[entry.title] = sections[covered.text_index]
        truth = {title: section.path for title, section in held.items() if title not in known}
        if truth:
            targets = tuple(_without(target, set(held.values())) for target in newest)
            yield Case(case.name, case.document, targets, truth, target_activity_of(history))
        known |= set(truth)
        history = _with(history, case, {title: held[title] for title in truth})


def _without(target: TargetFile, removed: set[TargetSection]) -> TargetFile:
    left = tuple(section for section in target.sections if section not in removed)
    lines = sum(_lines(section) for section in target.sections if section in removed)
    return target._replace(lines=target.lines - lines, sections=left)


def _with(history: Transfers, case: Case, held: Mapping[str, TargetSection]) -> Transfers:
    added: dict[str, tuple[str, ...]] = {}
    for section in dict.fromkeys(held.values()):
        added[section.path] = (*added.get(section.path, ()), f"{section.title}\n", *section.lines)
    entries = tuple(entry for entry in case.document.entries if entry.title in held)
    dates = {**history.last_commits, **dict.fromkeys(added, case.day)}
    return Transfers((Transfer(case.name, case.day, entries, added), *history.transfers), dates)


def _lines(section: TargetSection) -> int:
    return section.last - section.line + 1
