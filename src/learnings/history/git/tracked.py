"""Which files of a repository git tracks, and what they held when they were committed last."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from learnings.core.errors import UntrustedHistory
from learnings.history.git import commands, process
from learnings.history.git.process import GitFailed

# `<id> <kind> <size>`, before the content of an object.
_HEADER_FIELDS = 3


def tracked_files(folder: Path, patterns: Sequence[str]) -> list[str]:
    """Return the tracked files below a folder that one of git's pathspecs matches.

    Paths are POSIX, from the folder. Empty where git cannot say: no repository, no git.
    """
    command = ["--no-literal-pathspecs", "ls-files", "-z", "--", *patterns]
    try:
        printed = process.run(command, folder)
    except (GitFailed, UntrustedHistory):
        return []
    # In a conflict git names a file once for each side.
    return [*dict.fromkeys(os.fsdecode(path) for path in printed.split(b"\0") if path)]


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


def committed_blobs(top: Path, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
    """Return what a commit holds under each of the paths, those left out that it does not have.

    Paths are POSIX, from the top folder of the repository. Empty where git cannot say: no
    repository, no commit, no git.
    """
    # A name with a newline in it cannot be asked for, and no memory file has one.
    asked = [path for path in paths if "\n" not in path]
    query = b"".join(os.fsencode(f"{rev}:{path}\n") for path in asked)
    try:
        running = process.start(commands.CAT_FILE, top, interactive=True)
    except UntrustedHistory:
        return {}
    printed, _ = running.communicate(query)
    blobs: dict[str, bytes] = {}
    for path in asked:
        line, _, rest = printed.partition(b"\n")
        header = line.split(b" ")
        if len(header) != _HEADER_FIELDS or not header[2].isdigit():
            printed = rest  # `HEAD:path missing`
            continue
        size = int(header[2])
        if header[1] == b"blob":
            blobs[path] = rest[:size]
        printed = rest[size + 1 :]
    return blobs
