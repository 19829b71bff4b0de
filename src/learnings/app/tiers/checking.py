"""The findings about the folder of learning tiers on disk."""

from __future__ import annotations

import os

from learnings.app.tiers.folder import read_folder
from learnings.app.workspace.committed import committed_data
from learnings.app.workspace.disk import find_root, real_path
from learnings.app.workspace.tier_folder import has_folder
from learnings.app.workspace.workspace import Workspace
from learnings.core.findings.finding import Report
from learnings.tiers.checks import findings_of
from learnings.tiers.raw_files import SUFFIX, RawFile, read_raw_file
from learnings.tiers.store_files import TierFiles


def report_on_tiers(workspace: Workspace) -> Report:
    """Return what is wrong with the folder, nothing without one. Raises as read_folder()."""
    if not has_folder(workspace):
        return Report.of((), files=0)
    files = read_folder(workspace)
    has_index = files.index_file.data is not None
    count = len(files.raw) + len(files.themes) + has_index
    return Report.of(findings_of(files, changed_raw_files(workspace, files)), files=count)


def changed_raw_files(workspace: Workspace, files: TierFiles) -> list[str]:
    """Return the names of raw files that are not as the last commit has them, valid ones there.

    A file that was none of JSON may be corrected.
    """
    from learnings.history.git.tracked import altered_files  # noqa: PLC0415  (starts git)

    top = find_root(real_path(workspace.root))
    if not os.path.lexists(top / ".git"):
        return []
    inner = (real_path(workspace.root) / files.folder).relative_to(top).as_posix()
    altered = altered_files(top, "HEAD", [f":(glob,top){_escaped(inner)}/*{SUFFIX}"])
    names = {f"{files.folder}/{path.rpartition('/')[2]}" for path in altered}
    committed = committed_data(workspace.root, sorted(names), rev="HEAD")
    return [
        path.rpartition("/")[2]
        for path, data in sorted(committed.items())
        if isinstance(read_raw_file(path.rpartition("/")[2], data), RawFile)
    ]


def _escaped(folder: str) -> str:
    """Return a folder for a glob of git, which takes some characters of it for its own."""
    return "".join(f"\\{character}" if character in "*?[\\" else character for character in folder)
