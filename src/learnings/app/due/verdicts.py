"""The verdicts on several files, where one that cannot be judged does not hide the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.app.due.query import FileQuery
from learnings.core.due.triggers import Verdict
from learnings.core.errors import LearningsError, MissingFile, UntrustedHistory


class VerdictResults(NamedTuple):
    """The verdicts on the files that can be judged, and the errors that stand for the others."""

    verdicts: tuple[Verdict, ...]
    errors: tuple[LearningsError, ...]


def judge_all(file_queries: Sequence[FileQuery]) -> VerdictResults:
    """Judge each file; a history that cannot be trusted, or a missing file, becomes an error."""
    verdicts: list[Verdict] = []
    errors: list[LearningsError] = []
    for file_query in file_queries:
        try:
            verdicts.append(file_query.verdict())
        except (UntrustedHistory, MissingFile) as error:
            errors.append(error)
    return VerdictResults(tuple(verdicts), tuple(errors))
