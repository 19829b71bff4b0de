"""A slow count of entries that came back after a consolidation, over all pairs of commits.

It shares nothing with the package under test; `bruteforce` reads Markdown and git.

- A file is the same under each of its names, so a merge may join two of them.
- If several consolidations removed an entry, the newest counts: the one that is no ancestor of the
  others; of several such ones, that of the last day.
- An entry came back with each commit that has it and the consolidation behind it, while no parent
  has both, if every commit from there to HEAD has the entry.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.history.oracle import bruteforce
from tests.history.oracle.bruteforce import ALIKE, Entry


class Return(NamedTuple):
    """One way in which an entry may have come back."""

    removed_by: str
    returned_by: str
    by_merge: bool
    has_replacement: bool


class _Past(NamedTuple):
    """A whole history: parents, author date and entries per commit, and commits with the file."""

    repo: Path
    head: str
    parents: dict[str, tuple[str, ...]]
    dates: dict[str, str]
    versions: dict[str, tuple[Entry, ...]]
    existing: frozenset[str]
    names: dict[str, str]

    def introduced(self, commit: str) -> frozenset[str]:
        known = {e.identity for parent in self.parents[commit] for e in self.versions[parent]}
        return frozenset(_identities(self.versions[commit]) - known)

    def pairs(self, parent: str, commit: str) -> dict[str, str]:
        """Map new to old identities of the headings that the commit reworded."""
        old, new = self.versions[parent], self.versions[commit]
        return bruteforce._pairs(old, new, self.introduced(commit))

    def removed(self, commit: str) -> dict[str, Entry]:
        """Return the entries that a commit removed relative to every parent, by identity."""
        if commit not in self.existing:
            return {}
        gone = bruteforce._removed(self.repo, self.head, commit, self.names[commit])
        return {entry.identity: entry for entry in gone}

    def is_revert(self, commit: str, reverted: str) -> bool:
        subjects = bruteforce._subjects(self.repo, self.head)
        return subjects[commit] == f'Revert "{subjects[reverted]}"'

    def written(self, commit: str) -> set[str]:
        """Return the identities that a commit added, without reworded headings."""
        return set(self.introduced(commit)) - set(self.pairs(self.parents[commit][0], commit))

    def left_elsewhere(self, commit: str, entry: Entry) -> bool:
        """Return True if a commit other than a merge moved the heading out of another file."""
        parent, *more = self.parents[commit]
        listed = bruteforce._git(self.repo, "diff-tree", "-r", "--name-only", parent, commit)
        return not more and any(
            self._lines(parent, path, entry) > self._lines(commit, path, entry)
            for path in listed.split()
        )

    def _lines(self, commit: str, path: str, entry: Entry) -> int:
        data = bruteforce._content(self.repo, commit, path) or b""
        lines = data.decode("utf-8", "surrogateescape").splitlines()
        return sum(line.startswith("#") and line.endswith(entry.title) for line in lines)


def returned(repo: Path, file: str) -> dict[str, set[Return]]:
    """Return all ways in which each entry of the file at HEAD came back, by identity."""
    past = _past(repo, file)
    removed = {commit: past.removed(commit) for commit in past.parents}
    returns: dict[str, set[Return]] = {}
    for entry in past.versions[past.head]:
        removals = [commit for commit in past.parents if entry.identity in removed[commit]]
        behind = {
            a for removal in removals for a in bruteforce._ancestors(repo, past.head, removal)
        }
        last = sorted(set(removals) - behind, key=lambda c: (past.dates[c], c))
        ways = set(_ways(past, last[-1], removed[last[-1]][entry.identity])) if last else set()
        returns |= {entry.identity: ways} if ways else {}
    return returns


def _past(repo: Path, file: str) -> _Past:
    head = bruteforce._git(repo, "rev-parse", "HEAD").strip()
    parents = bruteforce._parents(repo, head)
    names = bruteforce.names_by_commit(repo, head, file)
    every_name = sorted(set().union(*names.values()))
    versions, existing = {}, set()
    found: dict[str, str] = {}
    for commit in parents:
        order = [*sorted(names[commit]), *every_name]
        there = [n for n in order if bruteforce._content(repo, commit, n) is not None]
        versions[commit] = bruteforce._version(repo, commit, there[0]) if there else ()
        existing |= {commit} if there else set()
        found |= {commit: there[0]} if there else {}
    dates = bruteforce._dates(repo, head)
    return _Past(repo, head, parents, dates, versions, frozenset(existing), found)


def _ways(past: _Past, removal: str, gone: Entry) -> list[Return]:
    holding = {c for c, entries in past.versions.items() if gone.identity in _identities(entries)}
    since = {c for c in holding if removal in bruteforce._ancestors(past.repo, past.head, c)}
    ways = []
    for commit in _joined(past, since):
        version = past.versions[commit]
        back = next(entry for entry in version if entry.identity == gone.identity)
        if since.intersection(past.parents[commit]) or not _is_same(gone, back):
            continue
        by_merge = bool(holding.intersection(past.parents[commit]))
        restored = (
            not past.versions[removal]
            or past.left_elsewhere(commit, back)
            or past.is_revert(commit, removal)
        )
        if by_merge or not restored:
            has_replacement = bool(past.written(removal) & _identities(version))
            ways.append(Return(removal, commit, by_merge, has_replacement))
    return ways


def _joined(past: _Past, inside: set[str]) -> set[str]:
    """Return the commits that can reach HEAD without leaving a set."""
    commits, more = set(), {past.head} & inside
    while more:
        commits |= more
        more = {p for c in more for p in past.parents[c] if p in inside} - commits
    return commits


def _identities(version: tuple[Entry, ...]) -> set[str]:
    return {entry.identity for entry in version}


def _is_same(old: Entry, new: Entry) -> bool:
    return old.words == new.words or bruteforce._similarity(old, new) >= ALIKE
