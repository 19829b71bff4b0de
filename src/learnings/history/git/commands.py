"""The git commands of a report on a file: their arguments, an early start, what they print.

`prefetching` starts them on a guess, before the modules that need their output are loaded: loading
takes about as long as git needs for a history of some thousand commits. A wrong guess only wastes
its work, since a process is taken over only by a call with exactly the same arguments. So its start
and its use both take them from here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import UntrustedHistory
from learnings.core.file_names import DEFAULT_FILE, OWN_FILE
from learnings.core.patterns import lazy_pattern
from learnings.history.git import process
from learnings.history.git.process import GitFailed

CAT_FILE = ("cat-file", "--batch")
IGNORED_REVISIONS = ".git-blame-ignore-revs"


def rev_parse(*revs: str) -> list[str]:
    """Return arguments that print a repository's folders, commits, their parents, replace refs."""
    names = ["--show-toplevel", "--git-common-dir", "--is-shallow-repository"]
    # Each commit is named twice, so that its parents end at the second name.
    ends = ("^{commit}", "^@", "^{commit}")
    revisions = [f"{rev}{end}" for rev in revs for end in ends]
    return ["rev-parse", *names, *revisions, "--glob=refs/replace/*"]


def listed_files(patterns: Sequence[str], *options: str) -> list[str]:
    """Return arguments that list the tracked files that match one of git's pathspecs."""
    return ["--no-literal-pathspecs", "ls-files", "-z", *options, "--", *patterns]


RAW = ("--raw", "-z", "--no-abbrev", "--no-renames")
"""Options of git for changes in the form that raw_changes() reads."""
CHANGED_FILES = ("diff-tree", "--stdin", "-r", *RAW, "--format=%x01%H%x02%P")
"""Prints the changes between a commit and a parent that a line of input names."""
# Git prints seconds and the zone without computing a date.
_RAW_DATE = "--date=raw"
SEPARATOR = "\2"
"""A mark before and after a date or an author, which contain spaces."""


def author_dates(
    tips: Sequence[str], known: Sequence[str] = (), *, authors: bool = False, raw: bool = False
) -> list[str]:
    """Return arguments that print the author dates of commits reachable from tips, not known.

    With raw, git prints seconds and zones instead of dates, which takes longer for a million
    commits.
    """
    date, form = ([_RAW_DATE], "%ad") if raw else ([], "%as")
    author = "%x02%an <%ae>" if authors else ""
    excluded = (f"^{tip}" for tip in known)
    return ["log", *date, f"--format={form}{author}", *tips, *excluded, "--"]


def file_log(rev: str, *names: str) -> list[str]:
    """Return arguments that list the commits that touch a file under any of its names.

    Each commit comes with the blobs before and after it, a merge with each parent that differs.
    """
    options = ["--full-history", "--parents", "-m", *RAW, _RAW_DATE]
    return ["log", *options, "--format=%x01%H%x02%ad%x02%P", rev, "--", *names]


def last_changes(rev: str, paths: Sequence[str], *options: str) -> list[str]:
    """Return arguments that list changes of paths: author date (ISO with zone), then the paths."""
    dated = ["--date=iso-strict", *options, "--format=%x01%ad"]
    return ["log", *RAW, *dated, rev, "--", *paths]


_OTHER_HISTORY_OPTIONS = ("--at", "--replay")
# Far more than packed refs have; guessing about more is not worth the time.
_MAX_BYTES = 1 << 20
# A full SHA-1 or SHA-256 id.
_COMMIT = lazy_pattern(r"[0-9a-f]{40,64}")


@contextmanager
def prefetching(words: Sequence[str], folder: Path) -> Iterator[None]:
    """Start the git processes that a command probably needs; stop unused ones at the end."""
    try:
        _prefetch(words, folder)
        yield
    finally:
        process.stop_prefetched()


def _prefetch(words: Sequence[str], folder: Path) -> None:
    if any(word.startswith(_OTHER_HISTORY_OPTIONS) for word in words):
        return
    files = [word for word in words if word.endswith(".md") and not word.startswith("-")]
    file = Path(os.path.realpath(folder / (files[0] if files else DEFAULT_FILE)))
    # A path can have any name here, even one too long for the system.
    top = next((folder for folder in file.parents if os.path.lexists(folder / ".git")), None)
    if top is None or not os.path.isfile(file):  # noqa: PTH113  (never raises)
        return
    process.prefetch(rev_parse("HEAD"), file.parent)
    process.prefetch(CAT_FILE, top, interactive=True)
    # With a cache, most of the history is not needed again.
    if not os.path.exists(top / ".git" / "learnings"):  # noqa: PTH110  (never raises)
        head = _head(top / ".git")
        if head is not None:
            path = file.relative_to(top).as_posix()
            process.prefetch(file_log(head, path), top)
            process.prefetch(author_dates([head]), top)
            process.prefetch(CHANGED_FILES, top, interactive=True)
    elif not files and not os.path.lexists(top / OWN_FILE):
        process.prefetch(listed_files(()), top)  # for discovery


def _head(git_folder: Path) -> str | None:
    """Return the checked-out commit, or None if only git can find it."""
    try:
        head = (git_folder / "HEAD").read_text("ascii").strip()
        if head.startswith("ref: "):
            ref = head.removeprefix("ref: ")
            loose = git_folder / ref
            head = loose.read_text("ascii").strip() if loose.is_file() else _packed(git_folder, ref)
    except (OSError, ValueError):
        return None
    return head if _COMMIT.fullmatch(head) else None


def _packed(git_folder: Path, ref: str) -> str:
    packed = git_folder / "packed-refs"
    if packed.stat().st_size > _MAX_BYTES:
        return ""
    rows = (line.split(" ") for line in packed.read_text("utf-8").splitlines())
    return next((row[0] for row in rows if row[1:] == [ref]), "")


_HEADER = b"\x01"  # mark that `commands` makes git print before each commit
_SUBMODULE = b"160000"
_REGULAR = b"100"  # prefix of the modes of regular files
_MOVED = (b"R", b"C")  # renamed and copied, by status


class RawChange(NamedTuple):
    """A file in two trees: its modes, its ids (None: no file), git's letter for it, and its paths.

    The paths differ if git detected a rename or a copy.
    """

    old_mode: bytes
    mode: bytes
    before: str | None
    after: str | None
    status: str
    path_before: str
    path: str

    @property
    def regular(self) -> tuple[str | None, str | None]:
        """The ids before and after; None if there is no regular file."""
        old, new = self.old_mode.startswith(_REGULAR), self.mode.startswith(_REGULAR)
        return self.before if old else None, self.after if new else None


class PrintedCommit(NamedTuple):
    """The fields printed for a commit, and its changes by path, for each parent that differs."""

    fields: list[str]
    diffs: list[dict[str, RawChange]]


def printed_commits(chunks: Iterable[bytes]) -> Iterator[list[PrintedCommit]]:
    """Yield the commits of a log, grouped by the chunk that completed them."""
    rest, row, last = b"", b"", b""
    paths: list[str] = []
    commits: list[PrintedCommit] = []
    for chunk in chain(chunks, [b"\0"]):
        *tokens, rest = (rest + chunk).split(b"\0")
        for token in tokens:
            if row:
                paths.append(os.fsdecode(token))
                if len(paths) == 2 or row.rpartition(b" ")[2][:1] not in _MOVED:
                    change = _raw_change(row, paths[0], paths[-1])
                    commits[-1].diffs[-1][change.path] = change
                    row, paths = b"", []
            elif (field := token.lstrip(b"\n")).startswith(_HEADER):
                if not commits or field != last:
                    fields = field[1:].decode("ascii", "replace").split(SEPARATOR)
                    commits.append(PrintedCommit(fields, []))
                commits[-1].diffs.append({})
                last = field
            elif field.startswith(b":"):
                row = field
        if len(commits) > 1:  # the last one may continue
            yield commits[:-1]
            del commits[:-1]
    if commits:
        yield commits


def all_commits(printed: bytes) -> list[PrintedCommit]:
    """Return the commits of a whole log."""
    return [*chain.from_iterable(printed_commits([printed]))]


def raw_changes(printed: bytes) -> dict[str, RawChange]:
    """Return the files of one diff by path."""
    [commit] = all_commits(_HEADER + b"\0" + printed)
    return commit.diffs[0]


def _raw_change(row: bytes, path_before: str, path: str) -> RawChange:
    """Read `:mode mode id id status`; a merge has a mode and an id for each parent."""
    *fields, status = row.lstrip(b":").split(b" ")
    half = len(fields) // 2
    old_mode, mode = fields[0], fields[half - 1]
    before, after = (
        None if kind == _SUBMODULE or not name.strip(b"0") else name.decode("ascii")
        for kind, name in ((old_mode, fields[half]), (mode, fields[-1]))
    )
    return RawChange(old_mode, mode, before, after, status[:1].decode("ascii"), path_before, path)


def dates_of_last_changes(folder: Path, paths: list[str], *options: str) -> dict[str, str]:
    """Return the author date (ISO with zone) of the last change of each file below some folders.

    Paths are POSIX, relative to `folder`; options go to `git log`. Empty without git, a
    repository or a commit.
    """
    try:
        printed = process.run(last_changes("HEAD", paths, "--relative", *options), folder)
    except (GitFailed, UntrustedHistory):
        return {}
    return dict(reversed([*dated_paths(printed)]))  # the newest is printed first


def dated_paths(printed: bytes) -> Iterator[tuple[str, str]]:
    """Yield the paths that commits changed, newest first, with the dates of the commits."""
    for commit in all_commits(printed):
        for path in chain.from_iterable(commit.diffs):
            yield path, commit.fields[0]
