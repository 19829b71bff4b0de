"""The cost of a repository's memory for each agent session that loads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.cost import Cost, cost_of, total
from learnings.core.due.verdicts import DUE, Verdict
from learnings.core.errors import LearningsError, UsageProblem
from learnings.core.file_names import SESSION_INSTRUCTIONS
from learnings.core.instruction_paths import MOST_HOPS
from learnings.core.roles import is_loaded_index
from learnings.core.text import decode, encode, short_commit, split_lines
from learnings.rules.load_limit import BYTES, LINES
from learnings.rules.rule import SessionFacts
from learnings.workspace.discovery import Candidate
from learnings.workspace.disk import content_of, is_file, real_path, reason_of
from learnings.workspace.tree import FileTree
from learnings.workspace.workspace import Workspace


class SessionCost(NamedTuple):
    """The cost of a session for memory and the instructions of the agent that loads most.

    files have paths from the root, batches is the cost of the due entries of loaded files. agents
    have instructions here, each with the cost of its session, most expensive first.
    """

    files: Mapping[str, Cost]
    batches: Cost
    agents: Mapping[str, Cost] = {}

    @property
    def total(self) -> Cost:
        """The total cost of all files."""
        return total(self.files.values())


def session_cost(workspace: Workspace, verdicts: Iterable[Verdict]) -> SessionCost:
    """Return the cost of a session; an unreadable file costs nothing."""
    candidates = (*workspace.learnings_files(), *memory_indexes(workspace))
    paths = [file.path for file in candidates if file.included]
    memory = {}
    for path in paths:
        text = decode(content_of(workspace.root / path))
        if is_loaded_index(path):
            text = decode(encode("".join(split_lines(text)[:LINES]))[:BYTES])
        memory[path] = cost_of(text)
    read = {agent: _instructions(workspace.root, g) for agent, g in SESSION_INSTRUCTIONS.items()}
    sessions = {agent: {**memory, **files} for agent, files in read.items() if files}
    costs = {agent: total(files.values()) for agent, files in sessions.items()}
    agents = {agent: costs[agent] for agent in sorted(costs, key=lambda one: -costs[one].size)}
    batches = (verdict.batch for verdict in verdicts if verdict.verdict == DUE)
    # No session loads the files of a memory folder.
    due = (age.entry for batch in batches for age in batch if not age.entry.path)
    leaving = total(cost_of(entry.text) for entry in due)
    most = sessions[next(iter(agents))] if agents else memory
    return SessionCost(most, leaving, agents)


def session_cost_at(workspace: Workspace, rev: str) -> SessionCost:
    """Return a session's cost at a commit. Raises UsageProblem and UntrustedHistory."""
    from learnings.history.git.repository import open_repository  # noqa: PLC0415  (few runs compare two commits)
    from learnings.history.git.snapshots import copy_of_commit, is_relevant  # noqa: PLC0415  (as above)

    repository = open_repository(workspace.root, rev=rev)
    inner = real_path(workspace.root).relative_to(repository.top)
    try:
        with copy_of_commit(repository, is_relevant) as folder:
            return session_cost(workspace.below(folder / inner), ())
    except OSError as error:
        raise UsageProblem(
            f"cannot copy the files of {short_commit(rev)} to a temporary folder "
            f"({reason_of(error)}); fix this and run again"
        ) from None


def session_facts(workspace: Workspace, since: str | None) -> SessionFacts:
    """Return the facts for the budget rule; since is the commit at which a change begins."""
    cost = session_cost(workspace, ())
    files = [(path, one.tokens) for path, one in cost.files.items()]
    files.sort(key=lambda file: -file[1])
    checked = (path for path, _ in files if workspace.role_of(path) is not None)
    try:
        before = session_cost_at(workspace, since).total.tokens if since else 0
    except LearningsError:
        before = 0
    return SessionFacts(next(checked, ""), cost.total.tokens, tuple(files), before)


def _instructions(root: Path, patterns: Sequence[str]) -> dict[str, Cost]:
    tree = FileTree(root)
    found: dict[str, Cost] = {}
    paths = [path for pattern in patterns for path in tree.files(pattern)]
    for _ in range(MOST_HOPS + 1):
        texts = {path: decode(content_of(root / path)) for path in paths if path not in found}
        found |= {path: cost_of(text) for path, text in texts.items() if text}
        paths = []
        for path, text in texts.items():
            if "@" in text:
                from learnings.agents.loading import imports_of, mentions_in  # noqa: PLC0415  (few files import)

                imported = imports_of(mentions_in(path, encode(text)))
                paths += [other for other in imported if is_file(root / other)]
    return found


def memory_indexes(workspace: Workspace) -> Sequence[Candidate]:
    """Return the memory indexes, without missing configured ones, which findings report."""
    loaded = workspace.loaded_indexes()
    try:
        return (*workspace.index_files(), *loaded)
    except LearningsError:
        return loaded
