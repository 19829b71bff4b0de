"""The cost of a repository's memory and instructions for each agent session that loads them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from learnings.check.loading import MemoryLoading
from learnings.core.cost import Cost, cost_of, total
from learnings.core.errors import LearningsError
from learnings.core.file_names import (
    IMPORTING,
    SESSION_INSTRUCTIONS,
    SHARED_READERS,
    WITHOUT_SHARED,
)
from learnings.core.instruction_paths import MOST_HOPS, has_paths
from learnings.core.roles import is_loaded_index, is_loaded_whole
from learnings.core.text import decode, encode, split_lines
from learnings.rules.load_limit import BYTES, LINES
from learnings.rules.rule import SessionFacts
from learnings.workspace.disk import content_of
from learnings.workspace.tree import Met, Tree
from learnings.workspace.workspace import Workspace

# The name of the agent where no agent has instructions.
_ANY_AGENT = "any agent"
# Folders of the memory of sub-agents, which load it when they start.
_OF_SUB_AGENTS = frozenset(("agent-memory", "agent-memory-local"))


class SessionCost(NamedTuple):
    """The files that a session of each agent loads at its start, with their costs.

    The agents have instructions here; the most expensive one is first. Paths start from the root.
    """

    agents: Mapping[str, Mapping[str, Cost]] = {}

    @property
    def files(self) -> Mapping[str, Cost]:
        """The files of the agent that loads most."""
        return next(iter(self.agents.values()), {})

    @property
    def total(self) -> Cost:
        """The total cost for the agent that loads most."""
        return total(self.files.values())

    @property
    def totals(self) -> Mapping[str, Cost]:
        """The total cost for each agent; empty if it is the same for all."""
        totals = {agent: total(files.values()) for agent, files in self.agents.items()}
        return totals if len({cost.tokens for cost in totals.values()}) > 1 else {}


def session_cost(workspace: Workspace, loading: MemoryLoading) -> SessionCost:
    """Return the cost of a session; an unreadable file costs nothing.

    An agent loads its instructions with their imports, and the learnings files and indexes that
    they name. A memory that is named elsewhere, for example in a skill, counts for all agents.
    """
    tree, found = workspace.tree, workspace.found
    indexes = (file for file in found.all_indexes if file not in found.link_indexes)
    memory = [file.path for file in (*found.learnings, *indexes) if file.included]
    own = {
        agent: [path for glob in globs for path in tree.files(glob)]
        for agent, globs in SESSION_INSTRUCTIONS.items()
    }
    reader, shared = _Reader(tree, loading), own[SHARED_READERS]
    for path in tree.links_last(dict.fromkeys(chain(memory, *own.values()))):
        tree.first_path(path, reader.met)
    agents = {
        agent: reader.loaded(
            paths if agent in WITHOUT_SHARED else [*paths, *shared], strict=agent in IMPORTING
        )
        for agent, paths in own.items()
        if paths
    } or {_ANY_AGENT: {}}

    for path in memory:
        cost = reader.cost(path)
        # Instructions count already, unless they are loaded later.
        is_instruction = has_paths(path) or is_loaded_whole(path) or is_loaded_index(path)
        if cost.size and not is_instruction and loading.is_named(path):
            named = len(agents) > 1 and [
                files
                for agent, files in agents.items()
                if path in files or loading.is_named_in(files, path, strict=agent in IMPORTING)
            ]
            for files in named or agents.values():
                files[path] = cost
    most_first = sorted(agents.items(), key=lambda one: -total(one[1].values()).size)
    return SessionCost(dict(most_first) if any(agents.values()) else {})


class _Reader:
    """The files of a repository as a session loads them, each read once."""

    def __init__(self, tree: Tree, loading: MemoryLoading) -> None:
        self._tree = tree
        self._loading = loading
        self.met = Met()
        self.cost = cache(self._cost)
        """Return the cost of a file."""

    def loaded(self, instructions: Iterable[str], *, strict: bool) -> dict[str, Cost]:
        """Return the files that a session loads because of some instructions."""
        files: dict[str, Cost] = {}
        paths = [path for path in instructions if self._is_for_every_session(path)]
        for _ in range(MOST_HOPS + 1):
            found = (path for path in paths if not self._tree.obstacle(path))
            usable = {self._tree.first_path(path, self.met) for path in found}
            new = sorted(usable.difference(files))
            files |= {path: cost for path in new if (cost := self.cost(path)).size}
            last = {path: LINES if is_loaded_index(path) else sys.maxsize for path in new}
            imports = ((p, one) for p in new for one in self._loading.imports(p, strict=strict))
            paths = [one.loads for path, one in imports if one.loads and one.line <= last[path]]
        return files

    def _is_for_every_session(self, path: str) -> bool:
        if not has_paths(path):
            return _OF_SUB_AGENTS.isdisjoint(path.split("/"))
        from learnings.agents.front_matter import read_front_matter  # noqa: PLC0415  (few have rules)
        from learnings.agents.loading import is_always_loaded  # noqa: PLC0415  (as above)

        lines = split_lines(decode(content_of(self._tree.full(path))))
        return is_always_loaded(path, read_front_matter(lines).values or {})

    def _cost(self, path: str) -> Cost:
        text = decode(content_of(self._tree.full(path)))
        if is_loaded_index(path):
            text = decode(encode("".join(split_lines(text)[:LINES]))[:BYTES])
        return cost_of(text)


def session_cost_at(workspace: Workspace, rev: str) -> SessionCost:
    """Return a session's cost at a commit. Raises UsageProblem and UntrustedHistory."""
    from learnings.check.other_versions import workspace_at  # noqa: PLC0415  (few runs compare two commits)
    from learnings.history.git.repository import open_repository  # noqa: PLC0415  (as above)

    with workspace_at(workspace, open_repository(workspace.root, rev=rev)) as copy:
        return session_cost(copy, MemoryLoading(copy.tree))


def session_facts(workspace: Workspace, loading: MemoryLoading, since: str | None) -> SessionFacts:
    """Return the facts for the budget rule; since is the commit at which a change begins."""
    cost = session_cost(workspace, loading)
    files = [(path, one.tokens) for path, one in cost.files.items()]
    files.sort(key=lambda file: -file[1])
    checked = (path for path, _ in files if workspace.role_of(path) is not None)
    try:
        before = session_cost_at(workspace, since).total.tokens if since else 0
    except LearningsError:
        before = 0
    return SessionFacts(next(checked, ""), cost.total.tokens, tuple(files), before)
