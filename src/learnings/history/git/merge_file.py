"""A three-way merge, line by line, by `git merge-file`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from learnings.history.git import process

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
        raise process.GitFailed(error)
    return MergedFile(data, merging.returncode)


def shows_base(root: Path) -> bool:
    """Return True if conflicts should also show the base: `merge.conflictStyle` of git."""
    try:
        style = process.run(["config", "--get", "merge.conflictStyle"], root)
    except process.GitFailed:  # not configured
        return False
    return style.decode("utf-8", "replace").strip() in _WITH_BASE
