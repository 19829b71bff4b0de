"""The status of a confidence memory in a few numbers, for outputs about more than it."""

from __future__ import annotations

from typing import NamedTuple

from learnings.core.file_names import CONFIDENCE_FOLDER
from learnings.workspace.disk import is_folder
from learnings.workspace.workspace import Workspace


class ConfidenceStatus(NamedTuple):
    """The active entries of a memory by the key of their file, and how many are near archive.

    path is that of its folder; pending are the observations files that are not captured yet;
    problems are sentences about files that cannot be used, or not in part.
    """

    path: str
    active: dict[str, int]
    near_archive: int
    pending: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def confidence_status(workspace: Workspace) -> ConfidenceStatus | None:
    """Return the state of the memory of a workspace, None where it has none."""
    path = workspace.settings.confidence.get("path", CONFIDENCE_FOLDER)
    if not is_folder(workspace.root / str(path)):
        return None
    from learnings.confidence.statistics import statistics  # noqa: PLC0415  (as above)
    from learnings.forms.confidence.loaded_memory import load_memory  # noqa: PLC0415  (as above)
    from learnings.forms.confidence.memory_folder import memory_folder_of  # noqa: PLC0415  (few have such a memory)

    folder = memory_folder_of(workspace)
    loaded = load_memory(folder)
    numbers = statistics(loaded.memory, loaded.settings)
    return ConfidenceStatus(
        folder.path,
        {kind.key: kind.active for kind in numbers.kinds},
        len(numbers.near_archive),
        tuple(file.source.path for file in loaded.sources if not file.is_captured),
        tuple(map(str, loaded.problems)),
    )
