"""The git commands that every report on a file asks, as arguments for git.

Whoever reads an answer and whoever starts a command ahead of time take the same words from here.
"""

from __future__ import annotations

from collections.abc import Sequence

CONTENTS = ("cat-file", "--batch")
IGNORED_REVISIONS = ".git-blame-ignore-revs"


def opening(rev: str) -> list[str]:
    """Where the repository is, then the commit, its parents, the commit again, replaced objects."""
    names = ["--show-toplevel", "--git-common-dir", "--is-shallow-repository"]
    # The commit stands twice so that its parents end where it is named again.
    revisions = [f"{rev}^{{commit}}", f"{rev}^@", f"{rev}^{{commit}}", "--glob=refs/replace/*"]
    return ["rev-parse", *names, *revisions]


def dates(tips: Sequence[str], known: Sequence[str] = (), *, authors: bool = False) -> list[str]:
    """The author date of every commit reachable from tips and not from known ones."""
    chosen = "--format=%as %an <%ae>" if authors else "--format=%as"
    return ["log", chosen, *tips, *(f"^{tip}" for tip in known), "--"]


def file_commits(rev: str, names: Sequence[str], *, first_parent: bool = False) -> list[str]:
    """The commits that changed one of some paths, with the blobs before and after."""
    merges = ["--first-parent", "-m"] if first_parent else ["--full-history", "-c"]
    raw = ["--raw", "-z", "--no-abbrev", "--no-renames", "--format=%x01%H %as %P"]
    return ["log", *merges, *raw, rev, "--", *names]


def growth(rev: str, paths: Sequence[str], *, most: int) -> list[str]:
    """The newest commits that changed one of some paths, with the lines they added to each."""
    numbers = ["--numstat", "-z", "--no-renames", f"--max-count={most}", "--format=%x01%as"]
    return ["log", *numbers, rev, "--", *paths]


def blame(path: str, first_line: int, rev: str | None, ignored: str | None) -> list[str]:
    """The origin of each line from one to the end, in the order in which git finds them.

    ignored is a file that lists commits.
    """
    options = ["--incremental", "-w", "-C", "-C", "--no-textconv", "--no-ignore-revs-file"]
    if ignored is not None:
        options += ["--ignore-revs-file", ignored]
    return ["blame", *options, "-L", f"{first_line},", *([rev] if rev else []), "--", path]
