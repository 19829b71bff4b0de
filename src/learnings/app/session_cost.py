"""What the memory of a repository costs each session of an agent that loads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.cost import NOTHING, Cost, cost_of, total
from learnings.core.due.verdicts import DUE, Verdict
from learnings.core.entries.dialects import FOLDER
from learnings.core.errors import LearningsError
from learnings.core.roles import is_loaded_index
from learnings.core.text import decode, encode, split_lines
from learnings.rules.load_limit import BYTES, LINES
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import read_file
from learnings.workspace.workspace import Workspace


class FileCost(NamedTuple):
    """What a session pays for a file; path is from the root."""

    path: str
    cost: Cost


class SessionCost(NamedTuple):
    """What a session pays for the files that it loads, and for the batches in them.

    Loaded are learnings files and memory indexes; target files are read when they are needed.
    batches is the cost of the batches that are due: what the next consolidation saves, less what
    is written in their place.
    """

    files: tuple[FileCost, ...]
    batches: Cost

    @property
    def total(self) -> Cost:
        """What all files cost together."""
        return total(file.cost for file in self.files)


def session_cost(workspace: Workspace, verdicts: Iterable[Verdict]) -> SessionCost:
    """Return what a session pays for the learnings files and indexes of a workspace.

    A file that cannot be read costs nothing. verdicts are those on the learnings files.
    """
    candidates = (*workspace.learnings_files(), *memory_indexes(workspace))
    paths = dict.fromkeys(file.path for file in candidates if file.included)
    files = (FileCost(path, _cost_of_file(workspace.root, path)) for path in paths)
    due = (verdict for verdict in verdicts if verdict.verdict == DUE and not _is_folder(verdict))
    return SessionCost(tuple(files), total(map(_batch_cost, due)))


def memory_indexes(workspace: Workspace) -> Sequence[Candidate]:
    """Return the memory indexes, without a configured one that is missing: findings say that."""
    loaded = workspace.loaded_indexes()
    try:
        return (*workspace.index_files(), *loaded)
    except LearningsError:
        return loaded


def _is_folder(verdict: Verdict) -> bool:
    """Return True for a memory folder, of which a session reads the index alone."""
    return verdict.report.document.dialect.name == FOLDER


def _batch_cost(verdict: Verdict) -> Cost:
    return total(cost_of(entry_age.entry.text) for entry_age in verdict.batch)


def _cost_of_file(root: Path, path: str) -> Cost:
    try:
        data = read_file(root / path, shown=path)
    except LearningsError:
        return NOTHING
    if is_loaded_index(path):
        data = encode("".join(split_lines(decode(data))[:LINES]))[:BYTES]
    return cost_of(decode(data))
