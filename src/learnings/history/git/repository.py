"""The repository of a file, and the trustworthiness of its history."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError, UntrustedHistory, UsageProblem
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted, printable, quoted_if_empty
from learnings.history.git import commands, process
from learnings.history.git.process import GitFailed

# Refs of trial merges: GitHub's pull/N/merge, also as fetched under a remote, and its merge queue;
# GitLab's merge-requests/N/merge and merge trains.
_SYNTHETIC_REFS = lazy_pattern(
    r"refs/(remotes/)?pull/\d+/merge"
    r"|refs/remotes/[^/]+/pull/\d+/merge"
    r"|refs/(heads|remotes/[^/]+)/gh-readonly-queue/.+"
    r"|refs/(remotes/)?([^/]+/)?merge-requests/\d+/(merge|train)"
)

# Messages of git, with what to do; a check of all objects is the last resort.
_REMEDIES = (
    (
        r"\.lock': File exists",
        "another git process is running or has crashed; remove that file if none is running",
    ),
    (
        r"bad (?:\w+ )?config|bad zlib compression level|unknown date format",
        "correct it in git's configuration (git config --edit, with --global for your own)",
    ),
    (r"Expected git repo version|unknown repository extension", "update git"),
    (r"ermission denied", "allow this user to read it"),
    (r"", "run git fsck to find out why"),
)

# Messages of git about a name without an object, or without a commit: `HEAD:agents`.
_NO_COMMIT = ("unknown revision", "bad revision", "Not a valid object", "' does not exist in '")

_REAL_REFS = ("refs/heads/", "refs/remotes/", "refs/tags/")

PROMISOR = r"^remote\..*\.promisor$"
"""A pattern of the key in git's configuration that marks the remote of a partial clone."""
_LOST = (
    "the {} is missing from this repository; run git fsck to list all missing objects, and clone "
    "it again"
)


class Repository(NamedTuple):
    """A repository at a commit, `head`, with its parents; top is the top of the working tree.

    notes name replace refs and grafts.
    """

    top: Path
    common_dir: Path
    head: str
    parents: tuple[str, ...]
    shallow: bool
    notes: tuple[str, ...]

    @property
    def cache_folder(self) -> Path | None:
        """The folder for cached results; None if the history depends on more than its commits."""
        return None if self.shallow or self.notes else self.common_dir / "learnings"

    def run(self, *arguments: str, data: bytes | None = None) -> bytes:
        """Run git at the top folder, with data on standard input; raises like run_in()."""
        return run_in(self.top, *arguments, data=data)


def run_in(
    folder: Path, *arguments: str, data: bytes | None = None, index_file: str | None = None
) -> bytes:
    """Run git in a folder; raises UntrustedHistory with git's reason and a remedy."""
    with explaining(folder):
        return process.run(arguments, folder, data=data, index_file=index_file)


def output_of(folder: Path, *arguments: str) -> str:
    """Return the output of git in a folder without the last newline, empty if git fails."""
    try:
        return os.fsdecode(process.run(arguments, folder)).removesuffix("\n")
    except GitFailed:
        return ""


def open_repository(folder: Path, *, rev: str = "HEAD") -> Repository:
    """Open the repository around a folder at a commit. Raises as open_at()."""
    return open_at(folder, rev)[0]


def open_at(folder: Path, *revs: str) -> list[Repository]:
    """Open the repository around a folder at some commits.

    Raises UntrustedHistory without a usable repository or git, UsageProblem if one is no commit.
    """
    for rev in revs:
        if not rev or rev.startswith("-"):
            raise UsageProblem(
                f"{quoted_if_empty(rev)} is not a commit in this repository; see git log"
            )
    try:
        printed = process.run(commands.rev_parse(*revs), folder)
    except GitFailed as error:
        if len(revs) > 1:  # the first one that is no commit
            return [open_repository(folder, rev=rev) for rev in revs]
        raise _why_not_open(error, folder, revs[0]) from error
    top, common, shallow, *rest = os.fsdecode(printed).removesuffix("\n").split("\n")
    if shallow not in ("true", "false"):
        shown = printable(str(folder))
        raise UntrustedHistory(f"a folder of {shown} has a line feed in its name; rename it")
    commits: list[tuple[str, ...]] = []
    for _ in revs:
        end = rest.index(rest[0], 1)
        commits.append(tuple(rest[:end]))
        del rest[: end + 1]
    common_dir = (folder / common).resolve()
    notes = tuple(_notes(common_dir, replaced=len(rest)))
    return [
        Repository(Path(top), common_dir, head, tuple(parents), shallow == "true", notes)
        for head, *parents in commits
    ]


def synthetic_merge(repository: Repository) -> bool:
    """Return True if HEAD is a merge that a server made to try a pull or merge request.

    Its message (`Merge <head> into <base>`) or its ref shows it. If the trial became the real
    merge, a branch or tag also points at it.
    """
    if len(repository.parents) < 2:
        return False
    subject = repository.run("log", "-1", "--format=%s", repository.head).decode("utf-8", "replace")
    base, head = repository.parents[0], repository.parents[1]
    if subject.strip() == f"Merge {head} into {base}":
        return True
    listed = repository.run("for-each-ref", "--points-at", repository.head, "--format=%(refname)")
    refs = listed.decode("utf-8", "replace").split()
    synthetic = [ref for ref in refs if _SYNTHETIC_REFS.fullmatch(ref)]
    real = [ref for ref in refs if ref.startswith(_REAL_REFS) and ref not in synthetic]
    return bool(synthetic) and not real


def first_parent_of(repository: Repository, old_head: str) -> bool:
    """Return True if an older HEAD is on the chain of first parents of this one."""
    if old_head == repository.head:
        return True
    arguments = ["rev-list", "--first-parent", "--parents", f"{old_head}..{repository.head}", "--"]
    walked = output_of(repository.top, *arguments)
    return walked.rpartition("\n")[2].split()[1:2] == [old_head]


# The dates, the consolidation and the origins ask the same of one new commit.
@lru_cache(maxsize=256)
def all_reachable(repository: Repository, old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Return True if all commits reachable from the old tips are reachable from the new ones."""
    known = {*new, *(repository.parents if repository.head in new else ())}
    if known.issuperset(old):
        return True
    arguments = ["rev-list", "--max-count=1", *old, *(f"^{tip}" for tip in new), "--"]
    try:
        return not process.run(arguments, repository.top).strip()
    except GitFailed:
        # A tip that git no longer has: its commits cannot be told from the others.
        return False


def shallow_clone(*, more: str = "") -> UntrustedHistory:
    """Return the error for a shallow clone; more is another remedy of the caller."""
    remedies = f"run git fetch --unshallow, or check out with fetch-depth: 0{more}"
    return UntrustedHistory(f"this is a shallow clone, in which everything looks new; {remedies}")


def shallow_commits(repository: Repository) -> frozenset[str]:
    """Return the commits at which the history of a shallow clone is cut off."""
    try:
        return frozenset((repository.common_dir / "shallow").read_text("ascii").split())
    except OSError:
        return frozenset()


@contextmanager
def explaining(folder: Path) -> Iterator[None]:
    """Raise the error of explained() if git fails in a folder."""
    try:
        yield
    except GitFailed as error:
        raise explained(error, folder) from error


def explained(error: GitFailed, folder: Path) -> LearningsError:
    """Return the error for an output of git: one sentence with the remedy."""
    text = str(error)
    if "not a git repository" in text:
        return UntrustedHistory(f"{folder} is not in a git repository; run this inside a clone")
    if "must be run in a work tree" in text:
        return UntrustedHistory(f"{folder} is a bare repository; run this inside a clone of it")
    if "dubious ownership" in text:
        # The path at the end of git's first line on safe.directory.
        match = re.search(r"dubious ownership in repository at '(.+)'$", text, re.MULTILINE)
        path = match[1] if match else str(folder)
        import shlex  # noqa: PLC0415  (for errors only)

        return UntrustedHistory(
            f"the repository {path} belongs to another user; if you trust it, run: "
            f"git config --global --add safe.directory {shlex.quote(path)}"
        )
    if "promisor" in text or "could not fetch" in text or "missing blob" in text:
        return _not_fetched()
    lines = text.splitlines() or ["no reason given"]
    reason = next((line for line in lines if line.startswith("fatal: ")), lines[0])
    reason = reason.removeprefix("fatal: ")
    remedy = next(remedy for pattern, remedy in _REMEDIES if re.search(pattern, text))
    return UntrustedHistory(f"git cannot read this history ({reason}); {remedy}")


def _not_fetched() -> UntrustedHistory:
    again = "or clone again without --filter"
    if process.is_offline():
        return UntrustedHistory(
            "this partial clone lacks objects of the history; run this without --offline (or "
            f"{process.OFFLINE}) to fetch them, {again}"
        )
    return UntrustedHistory(
        f"cannot fetch the missing objects of this partial clone; connect to its remote, {again}"
    )


def missing_object(top: Path, name: str) -> UntrustedHistory:
    """Return the error for an object of the history that is missing."""
    if output_of(top, "config", "--get-regexp", PROMISOR):
        return _not_fetched()
    return UntrustedHistory(_LOST.format(f"object {name}"))


def _why_not_open(error: GitFailed, folder: Path, rev: str) -> LearningsError:
    text = str(error)
    if any(words in text for words in _NO_COMMIT):
        if rev != "HEAD":
            return UsageProblem(f"{rev} is not a commit in this repository; see git log")
        name = output_of(folder, "rev-parse", "--verify", "--quiet", "HEAD")
        if not name:
            return UntrustedHistory(
                "the repository has no commits yet, so there is no history to read; "
                "commit the file first"
            )
        return UntrustedHistory(_LOST.format(f"commit {name} at HEAD"))
    return explained(error, folder)


def _notes(common_dir: Path, *, replaced: int) -> Iterator[str]:
    if replaced:
        verb = "changes" if replaced == 1 else "change"
        refs = counted(replaced, "replace ref")
        yield f"{refs} {verb} this history (git replace --list)"
    grafts = common_dir / "info" / "grafts"
    if os.path.isfile(grafts) and grafts.stat().st_size:  # noqa: PTH113  (never raises)
        yield f"grafts change this history ({grafts})"


def refuse_submodule(top: Path, user_folder: Path, file: Path) -> None:
    """Raise UntrustedHistory if a file in a submodule is named from a folder outside of it."""
    superproject = output_of(top, "rev-parse", "--show-superproject-working-tree")
    if superproject and user_folder.is_relative_to(superproject):
        import shlex  # noqa: PLC0415  (as above)

        raise UntrustedHistory(
            f"{os.path.relpath(file, user_folder)} lies in the submodule "
            f"{top.relative_to(superproject)}, which has its own history; run this inside it: cd "
            f"{shlex.quote(str(top))}"
        )


def current_branch(folder: Path) -> str:
    """Return the branch checked out around a folder; empty for a detached HEAD or no repository."""
    return output_of(folder, "symbolic-ref", "--short", "--quiet", "HEAD")


def head_commit(folder: Path) -> str:
    """Return the commit checked out around a folder; empty if there is none."""
    return output_of(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}")
