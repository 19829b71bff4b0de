"""What a commit holds of files that are on disk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from learnings.app.workspace.disk import find_root, real_path
from learnings.core.entries.document import excess_of
from learnings.history.git.tracked import committed_blobs


def committed_data(root: Path, paths: Sequence[str], *, rev: str) -> dict[str, bytes]:
    """Return what a commit holds under each path; paths are POSIX, from the root.

    Those that the commit does not have, or has too large to be a memory file, are left out; so are
    all of them where there is no commit or no repository.
    """
    top = find_root(real_path(root))
    if not os.path.lexists(top / ".git"):
        return {}
    inner = real_path(root).relative_to(top).as_posix()
    names = {path: path if inner == "." else f"{inner}/{path}" for path in paths}
    blobs = committed_blobs(top, [*names.values()], rev=rev)
    return {
        path: blobs[name]
        for path, name in names.items()
        if name in blobs and excess_of(blobs[name]) is None
    }
