"""How a confidence memory is, in a few numbers: for outputs that are about more than it."""

from __future__ import annotations

from typing import NamedTuple

from learnings.app.workspace.disk import is_folder
from learnings.app.workspace.workspace import Workspace
from learnings.core.file_names import CONFIDENCE_FOLDER


class MemoryState(NamedTuple):
    """The active entries of a memory by the key of their file, and how many are near archive.

    path is that of its folder; waiting are the observations files that are not captured yet;
    problems are sentences about files that cannot be used, or not in part.
    """

    path: str
    active: dict[str, int]
    near_archive: int
    waiting: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def memory_state(workspace: Workspace) -> MemoryState | None:
    """Return the state of the memory of a workspace, None where it has none."""
    path = workspace.settings.confidence.get("path", CONFIDENCE_FOLDER)
    if not is_folder(workspace.root / str(path)):
        return None
    from learnings.app.confidence.folder import folder_of  # noqa: PLC0415  (few have such a memory)
    from learnings.app.confidence.loading import load  # noqa: PLC0415  (as above)
    from learnings.confidence.statistics import statistics  # noqa: PLC0415  (as above)

    folder = folder_of(workspace)
    loaded = load(folder)
    numbers = statistics(loaded.memory, loaded.settings)
    return MemoryState(
        folder.path,
        {kind.key: kind.active for kind in numbers.kinds},
        len(numbers.near_archive),
        tuple(file.source.path for file in loaded.sources if not file.is_captured),
        tuple(map(str, loaded.problems)),
    )
