"""The commits that touch a file, and all merges, as git joins them when it leaves out the rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from learnings.history.git.repository import Repository


class Graph:
    """The history of some paths: each commit with the next ones among its ancestors.

    tip is what stands for HEAD: the newest commit that touched them, or a merge. None where
    nothing did.
    """

    def __init__(self, parents: dict[str, tuple[str, ...]]) -> None:
        self.parents = parents
        self.tip = next(iter(parents), None)
        self.after = lru_cache(maxsize=64)(self._after)

    def _after(self, commit: str) -> frozenset[str]:
        """Return the commits that a commit is an ancestor of."""
        found = {commit}
        # Parents come after their children.
        for name in reversed(self.parents):
            if not found.isdisjoint(self.parents[name]):
                found.add(name)
        return frozenset(found - {commit})


def graph_of(repository: Repository, names: Sequence[str]) -> Graph:
    """Ask git for the history of the given paths; raises UntrustedHistory."""
    arguments = ["rev-list", "--topo-order", "--full-history", "--parents", repository.head]
    printed = repository.run(*arguments, "--", *names).decode("ascii")
    rows = (line.split(" ") for line in printed.splitlines())
    return Graph({commit: tuple(parents) for commit, *parents in rows})
