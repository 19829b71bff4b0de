"""The repository that a file lies in, and how far its history can be trusted."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError, UntrustedHistory, UsageProblem
from learnings.history.git import commands, process
from learnings.history.git.process import GitFailed

_SYNTHETIC_REFS = re.compile(
    r"refs/(remotes/)?pull/\d+/merge"
    r"|refs/remotes/[^/]+/pull/\d+/merge"
    r"|refs/(heads|remotes/[^/]+)/gh-readonly-queue/.+"
    r"|refs/(remotes/)?([^/]+/)?merge-requests/\d+/(merge|train)"
)

_OURS = ("refs/heads/", "refs/remotes/", "refs/tags/")

_PARTIAL = (
    "this is a partial clone and the missing objects cannot be fetched; connect to its "
    "remote, or clone again without --filter"
)


class Repository(NamedTuple):
    """A repository at one commit.

    top is the top folder of the working tree, head the commit that history is read from, parents
    its parents. notes name what bends the history (replace refs, grafts); a bent or shallow
    history is never cached.
    """

    top: Path
    common_dir: Path
    head: str
    parents: tuple[str, ...]
    shallow: bool
    notes: tuple[str, ...]

    @property
    def has_replacements(self) -> bool:
        """Whether the history depends on more than its commits."""
        return self.shallow or bool(self.notes)

    def run(self, *arguments: str) -> bytes:
        """Run git at the top folder; raises UntrustedHistory with git's reason put plainly."""
        try:
            return process.run(arguments, self.top)
        except GitFailed as error:
            raise explained(error, self.top) from error


def open_repository(folder: Path, *, rev: str = "HEAD") -> Repository:
    """Open the repository that a folder lies in, at a commit.

    Raises UntrustedHistory where there is none, it has no commit, belongs to somebody else or git
    is missing; UsageProblem where rev names no commit.
    """
    if not rev or rev.startswith("-"):
        raise UsageProblem(f"{rev or 'nothing'} names no commit of this repository; see git log")
    try:
        printed = process.run(commands.opening(rev), folder)
    except GitFailed as error:
        raise _why_not_open(error, folder, rev) from error
    top, common, shallow, head, *rest = os.fsdecode(printed).removesuffix("\n").split("\n")
    end = rest.index(head)
    common_dir = (folder / common).resolve()
    return Repository(
        top=Path(top),
        common_dir=common_dir,
        head=head,
        parents=tuple(rest[:end]),
        shallow=shallow == "true",
        notes=tuple(_notes(common_dir, replaced=len(rest) - end - 1)),
    )


def synthetic_merge(repository: Repository) -> bool:
    """Say whether HEAD is a merge that a server made to try a pull or merge request.

    Such a commit is in nobody's history. It is known by its message (`Merge <head> into <base>`)
    or by the ref it is checked out from. A ref may be left over from a trial that was then merged
    as it was, so a branch or tag that points at the commit as well makes it a real one.
    """
    if len(repository.parents) < 2:
        return False
    subject = repository.run("log", "-1", "--format=%s", repository.head).decode("utf-8", "replace")
    base, head = repository.parents[0], repository.parents[1]
    if subject.strip() == f"Merge {head} into {base}":
        return True
    listed = repository.run("for-each-ref", "--points-at", repository.head, "--format=%(refname)")
    refs = listed.decode("utf-8", "replace").split()
    of_server = [ref for ref in refs if _SYNTHETIC_REFS.fullmatch(ref)]
    ours = [ref for ref in refs if ref.startswith(_OURS) and ref not in of_server]
    return bool(of_server) and not ours


def first_parent_of(repository: Repository, old_head: str) -> bool:
    """Say whether an older HEAD is on the chain of first parents of this one."""
    if old_head == repository.head:
        return True
    arguments = ["rev-list", "--first-parent", "--parents", f"{old_head}..{repository.head}", "--"]
    try:
        walked = process.run(arguments, repository.top)
    except GitFailed:
        return False
    return walked.rstrip().rpartition(b"\n")[2].split()[1:2] == [old_head.encode("ascii")]


def shallow_commits(repository: Repository) -> frozenset[str]:
    """Return the commits at which a shallow clone cut the history off."""
    try:
        return frozenset((repository.common_dir / "shallow").read_text("ascii").split())
    except OSError:
        return frozenset()


def explained(error: GitFailed, folder: Path) -> LearningsError:
    """Turn what git printed into one sentence with the remedy."""
    text = str(error)
    if "dubious ownership" in text:
        place = re.search(r"dubious ownership in repository at '(.+)'$", text, re.MULTILINE)
        owned = place[1] if place else str(folder)
        return UntrustedHistory(
            f"the repository {owned} belongs to another user; if you trust it, run: "
            f"git config --global --add safe.directory {shlex.quote(owned)}"
        )
    if "promisor" in text or "could not fetch" in text or "missing blob" in text:
        return UntrustedHistory(_PARTIAL)
    lines = text.splitlines() or ["no reason given"]
    reason = next((line for line in lines if line.startswith("fatal: ")), lines[0])
    reason = reason.removeprefix("fatal: ")
    return UntrustedHistory(f"git cannot read this history ({reason}); run git fsck to see why")


def missing_object(repository: Repository, name: str) -> UntrustedHistory:
    """Return what to say where an object of the history is not there."""
    try:
        process.run(["config", "--get-regexp", r"^remote\..*\.promisor$"], repository.top)
    except GitFailed:
        return UntrustedHistory(f"git has no object {name}; run git fsck to see why")
    return UntrustedHistory(_PARTIAL)


def _why_not_open(error: GitFailed, folder: Path, rev: str) -> LearningsError:
    text = str(error)
    if "not a git repository" in text:
        return UntrustedHistory(
            f"{folder} is in no git repository, and ages come from git history; "
            "run this inside a clone"
        )
    if "must be run in a work tree" in text:
        return UntrustedHistory(f"{folder} is a bare repository; run this inside a clone of it")
    if "unknown revision" in text or "bad revision" in text or "Not a valid object" in text:
        if rev != "HEAD":
            return UsageProblem(f"{rev} names no commit of this repository; see git log")
        return UntrustedHistory(
            "the repository has no commits yet, so nothing has an age; commit the file first"
        )
    return explained(error, folder)


def _notes(common_dir: Path, *, replaced: int) -> list[str]:
    notes = []
    if replaced:
        notes.append(f"{replaced} replace refs change this history (git replace --list)")
    grafts = common_dir / "info" / "grafts"
    if grafts.is_file() and grafts.stat().st_size:
        notes.append(f"grafts change this history ({grafts})")
    return notes


def refuse_submodule(top: Path, cwd: Path, file: Path) -> None:
    """Refuse a file inside a submodule that is named from outside of it.

    Raises UntrustedHistory: which of the two histories is meant is the user's to say.
    """
    if cwd.is_relative_to(top):
        return
    try:
        printed = process.run(["rev-parse", "--show-superproject-working-tree"], top)
    except GitFailed:
        return
    above = os.fsdecode(printed).removesuffix("\n")
    if above and cwd.is_relative_to(above):
        raise UntrustedHistory(
            f"{os.path.relpath(file, cwd)} lies in the submodule {top.relative_to(above)}, which "
            f"has a history of its own; run this inside it: cd {shlex.quote(str(top))}"
        )
