"""What the memory of a repository costs each session of an agent that loads it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.disk import read_file
from learnings.core.cost import NOTHING, Cost, cost_of, total
from learnings.core.due.triggers import DUE, Verdict
from learnings.core.errors import LearningsError
from learnings.core.roles import is_loaded_index
from learnings.core.text import decode, encode, split_lines
from learnings.rules.load_limit import BYTES, LINES


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


def session_cost(
    root: Path, paths: Sequence[str], verdicts: Iterable[Verdict | None]
) -> SessionCost:
    """Return what a session pays for files, by their paths from the root.

    A file that cannot be read costs nothing. verdicts are those on the learnings files among them.
    """
    files = (FileCost(path, _cost_of_file(root, path)) for path in dict.fromkeys(paths))
    due = (verdict for verdict in verdicts if verdict and verdict.verdict == DUE)
    return SessionCost(tuple(files), total(batch_cost(verdict) for verdict in due))


def batch_cost(verdict: Verdict) -> Cost:
    """Return what the entries of a batch cost together."""
    return total(cost_of(entry_age.entry.text) for entry_age in verdict.batch)


def _cost_of_file(root: Path, path: str) -> Cost:
    try:
        data = read_file(root / path, shown=path)
    except LearningsError:
        return NOTHING
    if is_loaded_index(path):
        data = encode("".join(split_lines(decode(data))[:LINES]))[:BYTES]
    return cost_of(decode(data))
