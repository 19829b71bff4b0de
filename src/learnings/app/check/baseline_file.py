"""The baselines of the repositories that a check looks at: what is known, and what is new."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.disk import read_file
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import BadSettings
from learnings.core.findings.baseline import Baseline, Known, is_known, recorded
from learnings.core.findings.finding import Finding, Report, in_order
from learnings.core.text import printable


class BaselineFile(NamedTuple):
    """The file at `path`, from the root; data is None where there is none, so nothing is known."""

    path: str
    data: bytes | None
    known: Baseline


def load(workspace: Workspace) -> BaselineFile:
    """Return the baseline of a repository. Raises BadSettings where it cannot be understood."""
    path = workspace.settings.baseline
    if not os.path.lexists(workspace.root / path):
        return BaselineFile(path, None, {})
    from learnings.app.workspace.tree import FileTree  # noqa: PLC0415  (most repositories have none)

    obstacle = FileTree(workspace.root).obstacle(path, named=True)
    if obstacle is not None:
        raise BadSettings(f"{printable(path)}: {obstacle}; put the file itself here")
    from learnings.core.findings.baseline_json import read  # noqa: PLC0415

    data = read_file(workspace.root / path, shown=path)
    return BaselineFile(path, data, read(data, name=printable(path)))


def recorded_in(
    workspace: Workspace, findings: Sequence[Finding], *, base: Path
) -> list[tuple[Finding, Known]]:
    """Return findings in order, each as the baseline of its repository would record it.

    They have to be all of their files; their paths start from `base`.
    """
    ordered = in_order(findings)
    paths = {each.path: workspace.relative(base / each.path) for each in ordered}
    at_home = [each._replace(path=paths[each.path] or each.path) for each in ordered]
    return list(zip(ordered, recorded(at_home), strict=True))


class BaselineFilter:
    """Takes the findings of a check apart: those that are new and those that a baseline knows.

    Paths of the findings start from `base`. Each repository has a baseline of its own.
    """

    def __init__(self, base: Path) -> None:
        self._base = base
        self._found: dict[Path, tuple[Workspace, list[Finding]]] = {}

    def add(self, workspace: Workspace, findings: Iterable[Finding]) -> None:
        """Take all findings of a file of a workspace."""
        self._found.setdefault(workspace.root, (workspace, []))[1].extend(findings)

    def report(self, *, files: int, all_new: bool = False) -> Report:
        """Return the findings, the known ones apart unless all are to count as new.

        Raises BadSettings for a baseline that is broken.
        """
        parts: dict[bool, list[Finding]] = {True: [], False: []}
        for workspace, findings in self._found.values():
            baseline = {} if all_new else load(workspace).known
            if not baseline:
                parts[False] += findings
                continue
            for finding, each in recorded_in(workspace, findings, base=self._base):
                parts[is_known(each, baseline)].append(finding)
        return Report.of(parts[False], files=files, known=parts[True])
