"""Reporters of a CI job: the log, summary and outputs of a step, or a dry run."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TextIO

from learnings.app.inspection import Inspection
from learnings.core.due.verdicts import DUE, NOT_DUE, STARVED, Verdict
from learnings.core.errors import UsageProblem
from learnings.core.text import printable
from learnings.forms import verdict_words
from learnings.surfaces.actions import (
    without_commands,
    without_old_form,
    workflow_command,
    write_commands,
    write_verbatim,
)
from learnings.surfaces.issues.notify import (
    NotifyResult,
    outcomes_as_text,
    requests_as_text,
    write_result,
)
from learnings.surfaces.render import due, findings, job_summary, proof
from learnings.surfaces.render.writing import span


class Reporter:
    """A reporter that writes to the log, and the rest to files of the runner.

    environ names the files; without it, everything is in the log. Only in GitHub Actions does the
    log have annotations.
    """

    def __init__(self, out: TextIO, err: TextIO, environ: Mapping[str, str]) -> None:
        self._out = out
        self._err = err
        self._environ = environ
        self._in_actions = environ.get("GITHUB_ACTIONS") == "true"
        self._report = ""

    def log(self, inspection: Inspection) -> None:
        if self._in_actions:
            write_commands(self._out, _annotations(inspection))
        else:
            self._out.write(findings.as_text(inspection.report))
            self._out.write(due.as_text(due.DueResult(inspection.verdicts, inspection.forms)))
            if inspection.verification and inspection.verification.changed:
                self._out.write(proof.as_text(inspection.verification))
        for problem in inspection.problems:
            self._log_problem(problem)

    def summary(self, text: str) -> None:
        append_text(self._environ.get("GITHUB_STEP_SUMMARY"), text)
        if self._in_actions:
            self._report = save_report(self._environ.get("RUNNER_TEMP"), text)

    def outputs(self, values: Mapping[str, str]) -> None:
        text = output_text({**values, "report-path": self._report})
        append_text(self._environ.get("GITHUB_OUTPUT"), text)

    def issues(self, result: NotifyResult) -> None:
        write_result(result, self._out)
        path = self._environ.get("GITHUB_STEP_SUMMARY")
        rows = tuple(f"- {span(line)}" for line in outcomes_as_text(result).splitlines())
        room = job_summary.LARGEST_SUMMARY - size_of(path)
        part = job_summary.SummaryPart("### Issue\n", rows)
        append_text(path, job_summary.with_part("", part, room))
        text = output_text({"issue-number": _issue_numbers(result)})
        append_text(self._environ.get("GITHUB_OUTPUT"), text)

    def problem(self, sentence: str) -> None:
        self._log_problem(sentence)
        text = f"> **Not done:** {span(sentence)}\n\n"
        append_text(self._environ.get("GITHUB_STEP_SUMMARY"), text)

    def _log_problem(self, sentence: str) -> None:
        if self._in_actions:
            write_commands(self._out, workflow_command("error", sentence, title="learnings"))
        self._err.write(f"learnings: {printable(sentence)}\n")


class DryRunReporter(Reporter):
    """A reporter that prints everything as GitHub Actions would get it."""

    def log(self, inspection: Inspection) -> None:
        errors = [workflow_command("error", p, title="learnings") for p in inspection.problems]
        self._show("annotations", _annotations(inspection) + "".join(errors))

    def summary(self, text: str) -> None:
        self._show("job summary, to GITHUB_STEP_SUMMARY", text)

    def outputs(self, values: Mapping[str, str]) -> None:
        shown = {**values, "report-path": f"{REPORT_NAME} in RUNNER_TEMP, the job summary"}
        lines = "".join(f"{name}: {value}\n" for name, value in shown.items())
        self._show("outputs, to GITHUB_OUTPUT", lines)

    def issues(self, result: NotifyResult) -> None:
        text = outcomes_as_text(result) + requests_as_text(result)
        number = f"\noutput issue-number: {_issue_numbers(result)}\n"
        self._show("consolidation issue", text + number)

    def problem(self, sentence: str) -> None:
        self._show("consolidation issue", f"unknown: {printable(sentence)}\n")

    def _show(self, title: str, text: str) -> None:
        self._out.write(f"--- {title}\n")
        write_verbatim(self._out, without_old_form(text) or "(nothing)\n")
        self._out.write("\n")


def _annotations(inspection: Inspection) -> str:
    verification = inspection.verification
    lost = proof.as_github(verification) if verification else ""
    verdicts = due.as_github(due.DueResult(inspection.verdicts, inspection.forms))
    return findings.as_github(inspection.report) + lost + verdicts


def _issue_numbers(result: NotifyResult) -> str:
    numbers = (outcome.number for outcome in result.outcomes)
    return " ".join(str(number) for number in numbers if number is not None)


_WORST_FIRST = (DUE, STARVED, NOT_DUE)
REPORT_NAME = "learnings-report.md"


def outputs_for(verdicts: Sequence[Verdict]) -> dict[str, str]:
    words = {verdict.verdict for verdict in verdicts}
    batch = sum(len(verdict.batch) for verdict in verdicts if verdict.verdict == DUE)
    reasons = [f"{verdict.report.file}: {verdict_words.reason(verdict)}" for verdict in verdicts]
    return {
        "verdict": next((word for word in _WORST_FIRST if word in words), NOT_DUE),
        "reasons": "\n".join(without_commands(printable(reason)) for reason in reasons),
        "batch-size": str(batch),
    }


def output_text(outputs: Mapping[str, str]) -> str:
    """Return outputs in the runner's format; no value can end early or set another."""
    text = ""
    for name, value in outputs.items():
        delimiter = f"end_{secrets.token_hex(16)}"
        text += f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
    return text


def append_text(path: str | None, text: str, *, mode: str = "ab") -> None:
    """Append to a file that the runner names, if any. Raises UsageProblem."""
    if not path:
        return
    try:
        with Path(path).open(mode) as file:
            file.write(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageProblem(
            f"cannot write {path}, a path from the environment "
            f"({error.strerror or 'unknown reason'}); outside GitHub Actions, unset "
            f"GITHUB_STEP_SUMMARY, GITHUB_OUTPUT and RUNNER_TEMP"
        ) from None


def size_of(path: str | None) -> int:
    """Return the size in bytes of a file that the runner names, or 0."""
    try:
        return Path(path).stat().st_size if path else 0
    except OSError:
        return 0


def save_report(folder: str | None, text: str) -> str:
    """Write the report to the runner's folder, if any; return its path or ""."""
    if not folder:
        return ""
    path = str(Path(folder) / REPORT_NAME)
    append_text(path, text, mode="wb")
    return path
