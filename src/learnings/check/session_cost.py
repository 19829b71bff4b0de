"""What the memory of a repository costs each session of an agent that loads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.cost import Cost, cost_of, total
from learnings.core.due.verdicts import DUE, Verdict
from learnings.core.errors import LearningsError
from learnings.core.file_names import SESSION_INSTRUCTIONS
from learnings.core.instruction_paths import MOST_HOPS
from learnings.core.roles import is_loaded_index
from learnings.core.text import decode, encode, split_lines
from learnings.rules.load_limit import BYTES, LINES
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import is_file, read_file
from learnings.workspace.tree import FileTree
from learnings.workspace.workspace import Workspace


class FileCost(NamedTuple):
    """What a session pays for a file; path is from the root."""

    path: str
    cost: Cost


class SessionCost(NamedTuple):
    """What a session pays for the files that it loads, and for the batches in them.

    Loaded are learnings files, memory indexes, and the instructions of the agent that loads most of
    them, with what they import; target files are read when they are needed. batches is the cost of
    the batches that are due: what the next consolidation saves, less what it writes instead.
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
    paths = [file.path for file in candidates if file.included]
    costs = {path: _cost_of_file(workspace.root, path) for path in dict.fromkeys(paths)}
    sessions = [_instructions(workspace.root, agent) for agent in SESSION_INSTRUCTIONS]
    most = max(sessions, key=lambda files: total(files.values()).size)
    due = (verdict for verdict in verdicts if verdict.verdict == DUE)
    files = (FileCost(path, cost) for path, cost in {**costs, **most}.items())
    return SessionCost(tuple(files), total(map(_batch_cost, due)))


def _instructions(root: Path, patterns: Sequence[str]) -> dict[str, Cost]:
    """Return what one agent loads of its instructions, with the files that they import."""
    tree = FileTree(root)
    found: dict[str, Cost] = {}
    paths = [path for pattern in patterns for path in tree.files(pattern)]
    for _ in range(MOST_HOPS + 1):
        texts = {path: _text_of(root, path) for path in paths if path not in found}
        found |= {path: cost_of(text) for path, text in texts.items() if text}
        paths = [path for item in texts.items() for path in _imports(root, *item)]
    return found


def _imports(root: Path, path: str, text: str) -> Iterator[str]:
    if "@" not in text:
        return
    from learnings.agents.memory_mentions import imports_of, mentions_in  # noqa: PLC0415  (few files import)

    for imported in imports_of(mentions_in(path, encode(text))):
        if is_file(root / imported):
            yield imported


def _text_of(root: Path, path: str) -> str:
    try:
        return decode(read_file(root / path, shown=path))
    except LearningsError:
        return ""


def memory_indexes(workspace: Workspace) -> Sequence[Candidate]:
    """Return the memory indexes, without a configured one that is missing: findings say that."""
    loaded = workspace.loaded_indexes()
    try:
        return (*workspace.index_files(), *loaded)
    except LearningsError:
        return loaded


def _batch_cost(verdict: Verdict) -> Cost:
    return total(cost_of(entry_age.entry.text) for entry_age in verdict.batch)


def _cost_of_file(root: Path, path: str) -> Cost:
    text = _text_of(root, path)
    if is_loaded_index(path):
        text = decode(encode("".join(split_lines(text)[:LINES]))[:BYTES])
    return cost_of(text)
