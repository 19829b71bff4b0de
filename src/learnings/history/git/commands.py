"""The git commands that a report on a file runs, as arguments for git.

A prefetched process is found by its arguments, so its start and its use both take them from here.
"""

from __future__ import annotations

from collections.abc import Sequence

CAT_FILE = ("cat-file", "--batch")
IGNORED_REVISIONS = ".git-blame-ignore-revs"


def rev_parse(rev: str) -> list[str]:
    """Return arguments that print a repository's folders, a commit, its parents, replace refs."""
    names = ["--show-toplevel", "--git-common-dir", "--is-shallow-repository"]
    # The commit stands twice so that its parents end where it is named again.
    revisions = [f"{rev}^{{commit}}", f"{rev}^@", f"{rev}^{{commit}}", "--glob=refs/replace/*"]
    return ["rev-parse", *names, *revisions]


def author_dates(
    tips: Sequence[str], known: Sequence[str] = (), *, authors: bool = False
) -> list[str]:
    """Return arguments that print the author dates of commits reachable from tips, not known."""
    form = "--format=%as %an <%ae>" if authors else "--format=%as"
    return ["log", form, *tips, *(f"^{tip}" for tip in known), "--"]


def file_commits(rev: str, names: Sequence[str], *, first_parent: bool = False) -> list[str]:
    """Return arguments that list the commits that changed a path, with blobs before and after."""
    merges = ["--first-parent", "-m"] if first_parent else ["--full-history", "-c"]
    raw = ["--raw", "-z", "--no-abbrev", "--no-renames", "--format=%x01%H %as %P"]
    return ["log", *merges, *raw, rev, "--", *names]


def growth(rev: str, paths: Sequence[str], *, limit: int) -> list[str]:
    """Return arguments that list the newest commits that changed a path, with the lines added."""
    numbers = ["--numstat", "-z", "--no-renames", f"--max-count={limit}", "--format=%x01%as"]
    return ["log", *numbers, rev, "--", *paths]


def ignored_in(file: str) -> list[str]:
    """Return options of blame that skip the commits that a file lists by their full hashes."""
    return ["--ignore-revs-file", file]


def ignored(commits: Sequence[str]) -> list[str]:
    """Return options of blame that skip some commits."""
    return [f"--ignore-rev={commit}" for commit in commits]


def blame(path: str, first_line: int | None, rev: str | None, ignoring: Sequence[str]) -> list[str]:
    """Return arguments that print the origin of each line from first_line on, as git finds them.

    first_line None is for a file that is a single line to git: its white space counts, since the
    ends of its lines are nothing else. rev None is the working tree; ignoring are options that say
    which commits to skip.
    """
    options = ["--incremental", "-C", "-C", "--no-textconv", "--no-ignore-revs-file"]
    lines = ["-w", "-L", f"{first_line},"] if first_line else []
    return ["blame", *options, *ignoring, *lines, *([rev] if rev else []), "--", path]
