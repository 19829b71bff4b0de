"""The baseline of a repository as a file: what is known, and which findings are new."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.workspace.disk import read_file
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import BadSettings
from learnings.core.findings.baseline import Baseline, Known, is_known, recorded
from learnings.core.findings.finding import Finding, in_order
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
    from learnings.core.findings.baseline_json import read  # noqa: PLC0415  (few repositories have one)

    data = read_file(workspace.root / path, shown=path)
    return BaselineFile(path, data, read(data, name=printable(path)))


def recorded_in(
    workspace: Workspace, findings: Sequence[Finding], *, base: Path
) -> list[tuple[Finding, Known]]:
    """Return findings in order, each as the baseline of its repository would record it.

    They have to be all of their files; their paths start from `base`.
    """
    ordered = in_order(findings)
    paths = {finding.path: workspace.relative(base / finding.path) for finding in ordered}
    at_home = [finding._replace(path=paths[finding.path] or finding.path) for finding in ordered]
    return list(zip(ordered, recorded(at_home), strict=True))


def split(
    workspace: Workspace, findings: Sequence[Finding], *, base: Path
) -> tuple[list[Finding], list[Finding]]:
    """Return the findings of a repository that are new, and those that its baseline knows.

    Their paths start from `base`. Raises BadSettings for a baseline that is broken.
    """
    baseline = load(workspace).known
    parts: dict[bool, list[Finding]] = {False: [], True: []}
    for finding, record in recorded_in(workspace, findings, base=base):
        parts[is_known(record, baseline)].append(finding)
    return parts[False], parts[True]
