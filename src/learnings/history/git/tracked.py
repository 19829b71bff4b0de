"""Which files git tracks, their last committed content, and the rule that ignores a new file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import Popen
from typing import NamedTuple

from learnings.core.errors import UntrustedHistory
from learnings.core.patterns import lazy_pattern
from learnings.history.git import commands, process
from learnings.history.git.ignored import IGNORE_FILE
from learnings.history.git.objects import GitObject, read_object
from learnings.history.git.process import GitFailed
from learnings.history.git.repository import explained

# `<id> <kind> <size>`, before the content of an object.
_HEADER_FIELDS = 3


def tracked_files(folder: Path, patterns: Sequence[str]) -> list[str]:
    """Return the tracked files below a folder that one of git's pathspecs matches.

    Paths are POSIX, from the folder. Empty where git cannot say: no repository, no git.
    """
    try:
        printed = process.run(commands.tracked_files(patterns), folder)
    except (GitFailed, UntrustedHistory):
        return []
    # In a conflict git names a file once for each side.
    return [*dict.fromkeys(os.fsdecode(path) for path in printed.split(b"\0") if path)]


def listed_files(
    folder: Path, patterns: Sequence[str], *, with_untracked: bool = True
) -> list[str]:
    """Return the same with the files that git would add, unless they are not wanted.

    Raises LearningsError where git cannot say.
    """
    command = ["--no-literal-pathspecs", "ls-files", "-z", "--cached"]
    untracked = ["--others", "--exclude-standard"] if with_untracked else []
    try:
        printed = process.run([*command, *untracked, "--", *patterns], folder)
    except GitFailed as error:
        raise explained(error, folder) from error
    return [*dict.fromkeys(os.fsdecode(path) for path in printed.split(b"\0") if path)]


class IndexedFiles(NamedTuple):
    """The index of a repository, as POSIX paths from the top folder.

    sparse are the files that a sparse checkout leaves out of the disk.
    """

    files: frozenset[str]
    sparse: frozenset[str]
    submodules: frozenset[str]


def indexed_files(top: Path) -> IndexedFiles:
    """Return what is in the index. Raises LearningsError where git cannot say."""
    try:
        printed = process.run(["ls-files", "-z", "-t", "--stage"], top)
    except GitFailed as error:
        raise explained(error, top) from error
    rows = [row.partition(b"\t") for row in printed.split(b"\0") if row]
    paths = {os.fsdecode(path): fields.split(b" ") for fields, _, path in rows}
    return IndexedFiles(
        frozenset(paths),
        frozenset(path for path, fields in paths.items() if fields[0] == b"S"),
        frozenset(path for path, fields in paths.items() if fields[1] == b"160000"),
    )


def is_unchanged(folder: Path, paths: Sequence[str]) -> bool:
    """Return True if git tracks files, and they are on disk and in the index as in HEAD.

    Paths are POSIX, from the folder. False where git cannot say: no repository, no git.
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
    """Return the files on disk that differ from a commit, and those that git does not track.

    Only those that one of git's pathspecs matches and that git does not ignore; POSIX paths from
    the top folder. Empty where git cannot say.
    """
    diff = ["--no-literal-pathspecs", "diff", "--name-only", "--no-renames", "--diff-filter=d"]
    others = ["--no-literal-pathspecs", "ls-files", "--others", "--exclude-standard"]
    try:
        printed = process.run([*diff, "-z", rev, "--", *patterns], top)
        printed += process.run([*others, "-z", "--", *patterns], top)
    except (GitFailed, UntrustedHistory):
        return []
    return [os.fsdecode(path) for path in printed.split(b"\0") if path]


def altered_files(top: Path, rev: str, patterns: Sequence[str]) -> list[str]:
    """Return the files of a commit that are changed or gone, on disk or in the index.

    Only those that one of git's pathspecs matches; POSIX paths from the top folder, sorted. Empty
    where git cannot say: no repository, no commit, no git.
    """
    diff = ["--no-literal-pathspecs", "diff", "--name-only", "--no-renames", "--diff-filter=MDT"]
    try:
        printed = process.run([*diff, "-z", rev, "--", *patterns], top)
        printed += process.run([*diff, "--cached", "-z", rev, "--", *patterns], top)
    except (GitFailed, UntrustedHistory):
        return []
    return sorted({os.fsdecode(path) for path in printed.split(b"\0") if path})


def committed_blobs(top: Path, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
    """Return what a commit holds under each of the paths, those left out that it does not have.

    Paths are POSIX, from the top folder of the repository. What is larger than any memory file ends
    behind the limit for that. Empty where git cannot say: no repository, no commit, no git. Raises
    UntrustedHistory where the commit has a file of which something is missing or damaged.
    """
    # A name with a newline in it cannot be asked for, and no memory file has one.
    asked = [path for path in paths if "\n" not in path]
    try:
        running = process.start(commands.CAT_FILE, top, interactive=True)
    except UntrustedHistory:
        return {}
    blobs: dict[str, bytes] = {}
    try:
        for path in asked:
            git_object = _ask(running, f"{rev}:{path}")
            if git_object is not None and git_object.kind == "blob":
                blobs[path] = git_object.content
    except (EOFError, OSError):
        _, errors = running.communicate()
        if not _leads_to_commit(top, rev):
            return {}
        raise explained(GitFailed(errors.decode("utf-8", "replace").strip()), top) from None
    finally:
        process.stop(running)
    _refuse_missing(top, [path for path in asked if path not in blobs], rev)
    return blobs


def _ask(running: Popen[bytes], name: str) -> GitObject | None:
    """Ask a running `git cat-file --batch` for an object; raises EOFError or OSError at its end."""
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(os.fsencode(name) + b"\n")
    running.stdin.flush()
    return read_object(running.stdout)


def _refuse_missing(top: Path, paths: Sequence[str], rev: str) -> None:
    """Raise UntrustedHistory if a commit has a file at one of the paths that could not be read."""
    if not paths or not _leads_to_commit(top, rev):
        return
    try:
        listed = process.run(["ls-tree", "-z", "--full-tree", rev, "--", *paths], top)
    except GitFailed as error:
        raise explained(error, top) from error
    for row in listed.split(b"\0"):
        fields = row.partition(b"\t")[0].split(b" ")
        if len(fields) == _HEADER_FIELDS and fields[1] == b"blob":
            name = fields[2].decode("ascii")
            raise UntrustedHistory(
                f"the object {name} is missing in this repository; run git fsck to see what else "
                "is, and clone it again"
            )


def _leads_to_commit(top: Path, rev: str) -> bool:
    """Return True if a name stands for a commit, be it here or lost; HEAD may stand for none."""
    try:
        process.run(["rev-parse", "--verify", "--quiet", rev], top)
    except GitFailed:
        return False
    return True


# What has a meaning of its own in a pattern of an ignore file.
_SPECIAL_IN_PATTERNS = lazy_pattern(r"([\\*?\[])")


class IgnoringRule(NamedTuple):
    """A rule by which git ignores a path, and the line that lifts it with the file to add it to.

    origin is where the rule is written, as `FILE:LINE`.
    """

    origin: str
    pattern: str
    line: str
    file: str


def ignoring_rule(folder: Path, path: str) -> IgnoringRule | None:
    """Return the rule by which git ignores a file, None where none does or git cannot say.

    path is POSIX, from the folder. Rules of the user and the machine count: `git add` obeys them. A
    tracked file is never ignored.
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
        # The slash stands for a folder that may be missing; what is ignored in it is not itself.
        as_folder = rules.get(f"{ignored}/", ("", "", "*"))
        if ignored in rules or not as_folder[2].endswith("*"):
            return _rule_with_line(rules.get(ignored, as_folder), f"{ignored}/")
    return _rule_with_line(rules[name], name)


def _ignoring_rules(top: Path, paths: Sequence[str]) -> Mapping[str, tuple[str, str, str]]:
    """Return the rules that ignore paths, by path: source, line and pattern."""
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
    """Return a rule with the line that lifts it; of rules in one file the last one counts.

    An ignore file in a folder counts more than one above it, and all of them more than other rules.
    """
    source, number, pattern = rule
    is_ours = source.rpartition("/")[2] == IGNORE_FILE and not Path(source).is_absolute()
    file = source if is_ours else IGNORE_FILE
    inner = path.removeprefix(file.removesuffix(IGNORE_FILE))
    literal = _SPECIAL_IN_PATTERNS.sub(r"\\\1", inner)
    if not inner.endswith("/"):
        literal = f"{literal.rpartition('/')[0]}/*.md".lstrip("/")
    return IgnoringRule(f"{source}:{number}", pattern, f"!/{literal}", file)
