"""What files held when they were committed last."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from learnings.app.workspace.disk import find_root, real_path
from learnings.core.entries.document import LARGEST_FILE, Document, ReadOptions, read
from learnings.core.settings.values import FileSettings
from learnings.history.git.tracked import committed_blobs


def committed_documents(
    root: Path, paths: Sequence[str], settings: FileSettings, *, rev: str = "HEAD"
) -> dict[str, Document]:
    """Return the files as a commit has them, by path, read as their settings say.

    Paths are POSIX, from the root. Those that the commit does not have, or has too large to be a
    memory file, are left out; so are all of them where there is no commit or no repository.
    """
    top = find_root(real_path(root))
    if not os.path.lexists(top / ".git"):
        return {}
    inner = real_path(root).relative_to(top).as_posix()
    names = {path: path if inner == "." else f"{inner}/{path}" for path in paths}
    blobs = committed_blobs(top, [*names.values()], rev=rev)
    options = ReadOptions.of(settings)
    return {
        path: read(blobs[name], options)
        for path, name in names.items()
        if name in blobs and len(blobs[name]) <= LARGEST_FILE
    }
