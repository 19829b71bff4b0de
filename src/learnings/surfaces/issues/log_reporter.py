"""The results of a CI job as text in its log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TextIO

from learnings.app.inspection import Inspection
from learnings.core.text import printable
from learnings.surfaces.issues.ci_run import CiRun
from learnings.surfaces.issues.notify import NotifyResult, write_result
from learnings.surfaces.issues.platform import Platform
from learnings.surfaces.render import due, findings, proof
from learnings.surfaces.render.entry_results import DueResult


class LogReporter:
    """A reporter that writes everything to the log; a dry run looks the same."""

    def __init__(self, out: TextIO, err: TextIO, platform: Platform, run: CiRun) -> None:
        self._out = out
        self._err = err
        self._platform = platform
        self._run = run

    def log(self, inspection: Inspection) -> None:
        self._out.write(findings.as_text(inspection.report))
        self._out.write(due.as_text(DueResult(inspection.verdicts, inspection.forms)))
        if inspection.verification and inspection.verification.changed:
            self._out.write(proof.as_text(inspection.verification))
        for problem in inspection.problems:
            self._log_problem(problem)

    def summary(self, text: str) -> None:
        """Ignore the summary, because the log says the same."""

    def outputs(self, values: Mapping[str, str]) -> None:
        """Ignore the outputs, because no later step reads them."""

    def issues(self, result: NotifyResult) -> None:
        write_result(result, self._platform, self._run, self._out)

    def problem(self, sentence: str) -> None:
        self._log_problem(sentence)

    def _log_problem(self, sentence: str) -> None:
        self._err.write(f"learnings: {printable(sentence)}\n")
