"""Merge bases, merges in a range or in progress, and a three-way merge of one file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.core.file_names import MEMORY_ENDINGS
from learnings.core.patterns import lazy_pattern
from learnings.history.git import process
from learnings.history.git.process import GitFailed, paths_in
from learnings.history.git.repository import Repository, explained, output_of, run_in
from learnings.history.git.tracked import committed_blobs
from learnings.history.git.work_tree import git_folder

# `git merge` names the merged commits in variables (GITHEAD_<id>=<name>) before it writes
# MERGE_HEAD, which happens only after the hook pre-merge-commit.
_MERGED = lazy_pattern(r"GITHEAD_([0-9a-f]{40,64})")


class CommitParents(NamedTuple):
    """A commit with its parents."""

    commit: str
    parents: tuple[str, ...]


def merge_heads(repository: Repository) -> tuple[str, ...]:
    """Return the commits being merged into HEAD, empty if no merge is in progress."""
    try:
        heads = (git_folder(repository.top) / "MERGE_HEAD").read_text("ascii").split()
    except (OSError, ValueError):
        heads = _heads_named_by_git()
    return tuple(
        head
        for head in heads
        if head != repository.head
        and _succeeds(["cat-file", "-e", f"{head}^{{commit}}"], repository.top)
    )


def _heads_named_by_git() -> list[str]:
    matches = (_MERGED.fullmatch(name) for name in os.environ)
    return sorted(match[1] for match in matches if match)


def mentions(top: Path, word: str, *, but: str) -> bool:
    """Return True if a word is in a tracked file, or in a file of a commit being merged.

    The file at the POSIX path `but` does not count. False outside a repository; True if git cannot
    tell.
    """
    options = ["grep", "--quiet", "--ignore-case", "--word-regexp", "--fixed-strings", "-e", word]
    paths = ["--", ".", f":(exclude,top,literal){but}"]
    for revision in ([], *([head] for head in _heads_named_by_git())):
        searching = process.start(["--no-literal-pathspecs", *options, *revision, *paths], top)
        searching.communicate()
        if searching.returncode != 1:
            return searching.returncode == 0 or _succeeds(["rev-parse", "--git-dir"], top)
    return False


def _succeeds(arguments: list[str], folder: Path) -> bool:
    try:
        process.run(arguments, folder)
    except GitFailed:
        return False
    return True


def merge_bases(repository: Repository, one: str, other: str) -> tuple[str, ...]:
    """Return the commits at which two histories parted; several after criss-cross merges."""
    return tuple(output_of(repository.top, "merge-base", "--all", one, other).split())


def is_ancestor(repository: Repository, older: str, newer: str) -> bool:
    """Return True if a commit is the other one, or in its history."""
    return _succeeds(["merge-base", "--is-ancestor", older, newer], repository.top)


def merges_between(repository: Repository, base: str, head: str) -> list[CommitParents]:
    """Return the merges that head has and base lacks, newest first."""
    return _commits_with_parents(repository, "--merges", f"{base}..{head}", "--")


def commits_between(
    repository: Repository, base: str, head: str, paths: Iterable[str]
) -> list[CommitParents]:
    """Return the commits that head has, base lacks, and that change text, newest first.

    Text is in files with the endings of memory files, and at these POSIX paths from the top.
    """
    names = [f":(icase)*{ending}" for ending in MEMORY_ENDINGS]
    names += [f":(literal){path}" for path in paths]
    return _commits_with_parents(repository, "--full-history", f"{base}..{head}", "--", *names)


def changes_between(repository: Repository, base: str, head: str, path: str) -> list[CommitParents]:
    """Return the commits between two that change a file, and all merges, newest first."""
    name = f":(literal){path}"
    own = _commits_with_parents(repository, "--full-history", f"{base}..{head}", "--", name)
    known = {row.commit for row in own}
    return own + [row for row in merges_between(repository, base, head) if row.commit not in known]


def _commits_with_parents(repository: Repository, *arguments: str) -> list[CommitParents]:
    printed = repository.run(
        "--no-literal-pathspecs", "log", "--topo-order", "--format=%H %P", *arguments
    )
    rows = (line.split() for line in printed.decode("ascii").splitlines())
    return [CommitParents(row[0], tuple(row[1:])) for row in rows if row]


class DiffBase(NamedTuple):
    """The commit that a change starts from, and the files changed since, relative to top."""

    top: Path
    commit: str
    paths: tuple[str, ...]

    def content(self, path: str) -> bytes | None:
        """Return a file at the base, or None; limits and errors as for committed_blobs()."""
        return committed_blobs(self.top, [path], rev=self.commit).get(path)


def find_diff_base(folder: Path, base: str, *, replaced: bool = False) -> DiffBase | None:
    """Return the changes since HEAD left `base`, including uncommitted ones, except deletions.

    With replaced, return those between `base` and HEAD, even if HEAD does not descend from it. None
    if `base` is missing, or unrelated and not replaced. Raises UntrustedHistory if git fails.
    """
    if replaced:
        commit = output_of(folder, "rev-parse", "--verify", "--quiet", f"{base}^{{commit}}")
    else:
        commit = merge_base(folder, base) or ""
    if not commit:
        return None
    top = Path(os.fsdecode(run_in(folder, "rev-parse", "--show-toplevel")).removesuffix("\n"))
    options = ("--name-only", "--no-renames", "--diff-filter=d", "-z")
    return DiffBase(top, commit, tuple(paths_in(run_in(top, "diff", *options, commit))))


# Messages of git without the two commits; for unrelated histories it has none.
_NO_MERGE_BASE = ("Not a valid", "not a git repository", "dubious ownership")


def merge_base(folder: Path, base: str) -> str | None:
    """Return the commit at which HEAD left another one; None if that is missing or unrelated.

    Raises UntrustedHistory if git fails.
    """
    if not base or base.startswith("-"):
        return None
    try:
        return os.fsdecode(process.run(["merge-base", base, "HEAD"], folder)).removesuffix("\n")
    except GitFailed as error:
        if not str(error) or any(words in str(error) for words in _NO_MERGE_BASE):
            return None
        raise explained(error, folder) from error


# `git merge-file` exits with the number of conflicts, at most 127, or with a larger code if it
# fails.
_MOST_CONFLICTS = 127
_WITH_BASE = ("diff3", "zdiff3")


class MergedFile(NamedTuple):
    """The merged text; conflicts is the number of conflicts in it, marked as usual."""

    data: bytes
    conflicts: int


def merge_bytes(
    versions: Sequence[bytes], root: Path, *, names: Sequence[str], marker_size: int
) -> MergedFile:
    """Merge base, ours and theirs like git in the repository at `root`; names mark conflicts.

    Raises GitFailed, UntrustedHistory without git, OSError without space for temporary files.
    """
    from tempfile import TemporaryDirectory  # noqa: PLC0415  (only the merge driver needs it)

    with TemporaryDirectory(prefix="learnings-") as folder:
        paths = [Path(folder, name) for name in ("base", "ours", "theirs")]
        for path, data in zip(paths, versions, strict=True):
            path.write_bytes(data)
        return merge_files(paths, root, names=names, marker_size=marker_size)


def merge_files(
    paths: Sequence[Path], root: Path, *, names: Sequence[str], marker_size: int
) -> MergedFile:
    """Merge the contents of files by merge_bytes(), leaving the files unchanged."""
    in_git_order = [1, 0, 2]
    labels = [word for index in in_git_order for word in ("-L", names[index])]
    files = [str(paths[index]) for index in in_git_order]
    arguments = ["merge-file", "-p", f"--marker-size={marker_size}", *labels, "--", *files]
    merging = process.start(arguments, root)
    data, error = merging.communicate()
    if not 0 <= merging.returncode <= _MOST_CONFLICTS:
        raise GitFailed(error)
    return MergedFile(data, merging.returncode)


def shows_base(root: Path) -> bool:
    """Return True if conflicts should also show the base: `merge.conflictStyle` of git."""
    return output_of(root, "config", "--get", "merge.conflictStyle") in _WITH_BASE
