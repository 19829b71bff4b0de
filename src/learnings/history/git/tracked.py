"""Tracked files, their last committed content, and the rule that ignores a new file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from learnings.core.errors import LearningsError, UntrustedHistory
from learnings.core.patterns import lazy_pattern
from learnings.history.git import commands, process
from learnings.history.git.objects import ObjectReader, tree_entries
from learnings.history.git.process import GitFailed, paths_in
from learnings.history.git.repository import run_in

IGNORE_FILE = ".gitignore"
_DIFF = ("--no-literal-pathspecs", "diff", "--name-only", "--no-renames", "-z")


def tracked_files(folder: Path, patterns: Sequence[str] = ()) -> list[str]:
    """Return the tracked files, or those that match git pathspecs, as POSIX paths from the folder.

    Empty without git or a repository.
    """
    # In a conflict git names a file once for each side.
    return [*dict.fromkeys(_printed_paths(folder, commands.tracked_files(patterns)))]


def _printed_paths(folder: Path, *listings: Sequence[str]) -> list[str]:
    """Return the paths that git prints for some arguments, empty if it fails for any."""
    try:
        return paths_in(b"".join([process.run(arguments, folder) for arguments in listings]))
    except (GitFailed, UntrustedHistory):
        return []


def listed_files(
    folder: Path, patterns: Sequence[str], *, with_untracked: bool = True
) -> list[str]:
    """Like tracked_files(), with untracked files if wanted; raises LearningsError if git fails."""
    command = ["--no-literal-pathspecs", "ls-files", "-z", "--cached"]
    untracked = ["--others", "--exclude-standard"] if with_untracked else []
    printed = run_in(folder, *command, *untracked, "--", *patterns)
    return [*dict.fromkeys(paths_in(printed))]


class IndexedFiles(NamedTuple):
    """The index of a repository, as POSIX paths from a folder.

    sparse has the files and folders that a sparse checkout keeps off the disk.
    """

    files: frozenset[str]
    sparse: frozenset[str]
    submodules: frozenset[str]
    links: frozenset[str]


NO_INDEX = IndexedFiles(*[frozenset[str]()] * 4)


def indexed_files(folder: Path) -> IndexedFiles:
    """Return the entries of the index below a folder. Raises LearningsError if git fails."""
    printed = run_in(folder, "ls-files", "-z", "-t", "--stage")
    rows = [row.partition(b"\t") for row in printed.split(b"\0") if row]
    paths = {os.fsdecode(path): fields.split(b" ") for fields, _, path in rows}
    sparse = {path for path, fields in paths.items() if fields[0] == b"S"}
    modes = {path: fields[1] for path, fields in paths.items()}
    return IndexedFiles(
        frozenset(paths),
        frozenset(sparse | folders_around(sparse)),
        frozenset(path for path, mode in modes.items() if mode == b"160000"),
        frozenset(path for path, mode in modes.items() if mode == b"120000"),
    )


def folders_around(files: Iterable[str]) -> set[str]:
    """Return the folders that files are in, at any depth, without the root."""
    folders: set[str] = set()
    for file in files:
        folder = file.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return folders


def ignored_files(folder: Path, paths: Iterable[str]) -> frozenset[str]:
    """Return the untracked paths that git ignores by the rules of the repository, not of a user.

    paths are POSIX, from the folder; if git ignores the folder itself, none of them. Empty without
    git.
    """
    asked = [".", *(f"./{path}" for path in paths)]  # a leading colon would be magic
    printed = _checked(folder, asked, "-c", "core.excludesFile=")
    return frozenset() if "." in printed else frozenset(path[2:] for path in printed)


def _checked(folder: Path, paths: Sequence[str], *options: str) -> Sequence[str]:
    # This command refuses literal pathspecs.
    command = ("--no-literal-pathspecs", *options, "check-ignore", "-z", "--stdin")
    try:
        running = process.start(command, folder, interactive=True)
    except UntrustedHistory:
        return ()
    printed, _ = running.communicate(b"".join(os.fsencode(path) + b"\0" for path in paths))
    if running.returncode in (0, 1):
        return paths_in(printed)
    # A path that git refuses, such as one behind a link, fails the command for all others.
    alone = paths if len(paths) > 1 else ()
    return [ignored for path in alone for ignored in _checked(folder, [path], *options)]


def is_unchanged(folder: Path, paths: Sequence[str]) -> bool:
    """Return True if tracked files are the same on disk, in the index and in HEAD.

    paths are POSIX, from the folder. False without git or a repository.
    """
    names = [f":(literal){path}" for path in paths]
    try:
        changes = process.run(
            ["--no-literal-pathspecs", "status", "--porcelain", "-z", "--", *names], folder
        )
    except (GitFailed, UntrustedHistory):
        return False
    return not changes and {*paths} <= {*tracked_files(folder, names)}


def changed_files(top: Path, rev: str, patterns: Sequence[str]) -> list[str]:
    """Return changed and untracked files that match git pathspecs, without ignored ones.

    Paths are POSIX, from the top folder. Empty if git fails.
    """
    changed = [*_DIFF, "--diff-filter=d", rev, "--", *patterns]
    others = ["--no-literal-pathspecs", "ls-files", "--others", "--exclude-standard", "-z"]
    return _printed_paths(top, changed, [*others, "--", *patterns])


def altered_files(top: Path, rev: str, patterns: Sequence[str]) -> list[str]:
    """Return the files of a commit that were changed or removed, on disk or in the index, sorted.

    patterns are git pathspecs; paths are POSIX from the top folder. Empty if git fails.
    """
    options = ["--diff-filter=MDT", rev, "--", *patterns]
    return sorted({*_printed_paths(top, [*_DIFF, *options], [*_DIFF, "--cached", *options])})


def committed_blobs(top: Path, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
    """Return the content of the paths that a commit has, each limited by ObjectReader.

    Paths are POSIX, from the top folder. Empty without git, a repository or the commit. Raises
    UntrustedHistory if an object is missing or damaged.
    """
    # A name with a newline cannot be requested, and no memory file has one.
    asked = [path for path in paths if "\n" not in path]
    blobs: dict[str, bytes] = {}
    with closing(ObjectReader(top)) as objects:
        try:
            for path in asked:
                git_object = objects.get(f"{rev}:{path}")
                if git_object is not None and git_object.kind == "blob":
                    blobs[path] = git_object.content
        except LearningsError:
            if not _leads_to_commit(top, rev):
                return {}
            raise
    _refuse_missing(top, [path for path in asked if path not in blobs], rev)
    return blobs


def _refuse_missing(top: Path, paths: Sequence[str], rev: str) -> None:
    if not paths or not _leads_to_commit(top, rev):
        return
    listed = run_in(top, "ls-tree", "-z", "--full-tree", rev, "--", *paths)
    for entry in tree_entries(listed):
        if entry.kind == "blob":
            raise UntrustedHistory(
                f"the object {entry.id} is missing from this repository; run git fsck to list all "
                "missing objects, and clone it again"
            )


def _leads_to_commit(top: Path, rev: str) -> bool:
    """Return True if a name stands for a commit, present or lost; HEAD may stand for none."""
    try:
        process.run(["rev-parse", "--verify", "--quiet", rev], top)
    except (GitFailed, UntrustedHistory):
        return False
    return True


# Characters with a special meaning in an ignore pattern.
_SPECIAL_IN_PATTERNS = lazy_pattern(r"([\\*?\[])")


class IgnoringRule(NamedTuple):
    """A rule by which git ignores a path; origin is `FILE:LINE`, `line` in `file` reverses it."""

    origin: str
    pattern: str
    line: str
    file: str


def ignoring_rule(folder: Path, path: str) -> IgnoringRule | None:
    """Return the rule by which git ignores a file; None if no rule does, or git fails.

    path is POSIX, from the folder. Rules of the user and the machine count, since `git add` obeys
    them.
    """
    try:
        top = Path(os.fsdecode(process.run(["rev-parse", "--show-toplevel"], folder)).rstrip("\n"))
    except (GitFailed, UntrustedHistory):
        return None
    parts = Path(os.path.relpath(os.path.realpath(folder), top), path).parts
    *folders, name = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
    rules = _ignoring_rules(top, [*folders, *(f"{folder}/" for folder in folders), name])
    if name not in rules:
        return None
    for ignored in folders:
        # The slash stands for a folder that may be missing; files ignored inside it do not ignore
        # the folder itself.
        as_folder = rules.get(f"{ignored}/", ("", "", "*"))
        if ignored in rules or not as_folder[2].endswith("*"):
            return _rule_with_line(rules.get(ignored, as_folder), f"{ignored}/")
    return _rule_with_line(rules[name], name)


def _ignoring_rules(top: Path, paths: Sequence[str]) -> Mapping[str, tuple[str, str, str]]:
    # This command refuses literal pathspecs; `./` keeps a leading colon from being magic.
    command = ["--no-literal-pathspecs", "check-ignore", "--verbose", "-z", "--stdin"]
    running = process.start(command, top, interactive=True)
    printed, _ = running.communicate(b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths))
    fields = os.fsdecode(printed).split("\0")
    rows = zip(fields[0::4], fields[1::4], fields[2::4], fields[3::4], strict=False)
    return {
        path.removeprefix("./"): (source, line, pattern)
        for source, line, pattern, path in rows
        if not pattern.startswith("!")
    }


def _rule_with_line(rule: tuple[str, str, str], path: str) -> IgnoringRule:
    """Return a rule with the line that reverses it; of rules in one file the last one counts.

    An ignore file in a folder overrides the ones above it, and all of them override other rules.
    """
    source, number, pattern = rule
    is_ours = source.rpartition("/")[2] == IGNORE_FILE and not Path(source).is_absolute()
    file = source if is_ours else IGNORE_FILE
    inner = path.removeprefix(file.removesuffix(IGNORE_FILE))
    literal = _SPECIAL_IN_PATTERNS.sub(r"\\\1", inner)
    if not inner.endswith("/"):
        literal = f"{literal.rpartition('/')[0]}/*.md".lstrip("/")
    return IgnoringRule(f"{source}:{number}", pattern, f"!/{literal}", file)
