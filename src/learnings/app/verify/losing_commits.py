"""Which commit of a range took an entry out of its file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from learnings.app.workspace.workspace import Workspace
from learnings.core.entries.archives import comparable
from learnings.core.entries.document import ReadOptions, read_older, within_limits
from learnings.history.git.merging import changes_between
from learnings.history.git.snapshots import Snapshot


class CommitEntries:
    """The entries that a file has in commits, each file read once."""

    def __init__(self, workspace: Workspace, snapshot: Snapshot) -> None:
        self._workspace = workspace
        self._snapshot = snapshot
        self._texts = lru_cache(maxsize=4096)(self._read)

    def has(self, commit: str, path: str, identity: str) -> bool:
        """Return True if a file has an entry in a commit."""
        return identity in self._texts(commit, path)

    def text(self, commit: str, path: str, identity: str) -> str | None:
        """Return the text of an entry in a commit as archives are compared, None without it."""
        return self._texts(commit, path).get(identity)

    def _read(self, commit: str, path: str) -> Mapping[str, str]:
        data = self._snapshot.of_commit(commit).read(path)
        if data is None:
            return {}
        options = ReadOptions.of(self._workspace.file_settings(path))
        entries = read_older(within_limits(data), options).by_identity
        return {identity: comparable(entry.lines) for identity, entry in entries.items()}

    def losing_commit(self, base: str, head: str, path: str, identity: str) -> str:
        """Return the newest commit since the base that lost an entry which a parent of it had.

        Empty where head has it still, or no commit can be named.
        """
        if self.has(head, path, identity):
            return ""
        for commit, parents in changes_between(self._snapshot.repository, base, head, path):
            has_lost = not self.has(commit, path, identity)
            if has_lost and any(self.has(parent, path, identity) for parent in parents):
                return commit
        return ""
