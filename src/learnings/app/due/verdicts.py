"""The verdicts on several files, where one that cannot be judged does not hide the others."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from learnings.app.due.query import (
    FileQuery,
    file_query_about,
    path_of,
    thresholds_of,
    workspace_for,
)
from learnings.core.due.triggers import Verdict
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory

NONE_FOUND = "no learnings file found; write agents/learnings.md, or configure the path of yours"


class Judged(NamedTuple):
    """The verdicts on the files that can be judged, and why the others cannot."""

    verdicts: tuple[Verdict, ...]
    trouble: tuple[LearningsError, ...]


def file_queries(args: argparse.Namespace, cwd: Path) -> Sequence[FileQuery]:
    """Make an inquiry for each file named in `args.files`, else for each one of the workspace.

    Raises MissingFile or BadSettings.
    """
    if args.files:
        found = []
        for file in args.files:
            workspace = workspace_for(file, cwd, thresholds_of(args))
            path = path_of(args, file, workspace, cwd)
            found.append(file_query_about(args, workspace, path, cwd))
        return found
    workspace = workspace_for(None, cwd, thresholds_of(args))
    files = [found.path for found in workspace.learnings_files() if found.included]
    return [file_query_about(args, workspace, workspace.root / file, cwd) for file in files]


def judge_all(asked: Sequence[FileQuery]) -> Judged:
    """Judge each file; a history that cannot be trusted, or a missing file, is trouble."""
    verdicts: list[Verdict] = []
    trouble: list[LearningsError] = []
    for each in asked:
        try:
            verdicts.append(each.verdict())
        except (UntrustedHistory, MissingFile) as error:
            trouble.append(error)
    return Judged(tuple(verdicts), tuple(trouble))
