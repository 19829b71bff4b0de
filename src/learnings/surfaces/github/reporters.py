"""Where a CI job puts its results: to GitHub Actions, or shown for a dry run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TextIO

from learnings.app.ci.inspection import Inspection
from learnings.core.text import printable
from learnings.surfaces.github import runner
from learnings.surfaces.github.environment import WorkflowRun
from learnings.surfaces.github.log import write_commands, write_verbatim
from learnings.surfaces.github.notify import NotifyResult
from learnings.surfaces.github.outcome_text import render_outcomes, render_requests, write_result
from learnings.surfaces.render import (
    due_github,
    due_text,
    findings_github,
    findings_text,
    proof_github,
    proof_text,
    summary_markdown,
)
from learnings.surfaces.render.escape import span
from learnings.surfaces.render.workflow_commands import command, without_old_form


class ActionsReporter:
    """Writes annotations to the log and the rest to the files that the runner names.

    Outside of GitHub Actions the log is text, and files that are not named are not written.
    """

    def __init__(self, out: TextIO, err: TextIO, run: WorkflowRun) -> None:
        self._out = out
        self._err = err
        self._run = run
        self._report = ""

    def log(self, inspection: Inspection) -> None:
        """Write findings, verdicts, and what is not known."""
        if self._run.in_actions:
            write_commands(self._out, _commands(inspection))
        else:
            self._out.write(findings_text.render(inspection.report))
            self._out.write(
                due_text.render(
                    inspection.verdicts, memory=inspection.memory, tiers=inspection.tiers
                )
            )
            if inspection.verification and inspection.verification.changed:
                self._out.write(proof_text.render(inspection.verification))
        for problem in inspection.problems:
            self._log_problem(problem)

    def summary(self, text: str) -> None:
        """Add to the summary of the step, and keep the same as a file."""
        runner.append(os.environ.get("GITHUB_STEP_SUMMARY"), text)
        if self._run.in_actions:
            self._report = runner.save_report(os.environ.get("RUNNER_TEMP"), text)

    def outputs(self, values: Mapping[str, str]) -> None:
        """Set the outputs of the step."""
        text = runner.output_text({**values, "report-path": self._report})
        runner.append(os.environ.get("GITHUB_OUTPUT"), text)

    def issues(self, result: NotifyResult) -> None:
        """Report what became of the issues, in the log, the summary and an output."""
        write_result(result, self._run, self._out)
        path = os.environ.get("GITHUB_STEP_SUMMARY")
        rows = tuple(f"- {span(line)}" for line in render_outcomes(result).splitlines())
        room = summary_markdown.LARGEST - runner.size(path)
        runner.append(path, summary_markdown.part("### Issue\n", rows, room))
        text = runner.output_text({"issue-number": _numbers(result)})
        runner.append(os.environ.get("GITHUB_OUTPUT"), text)

    def problem(self, sentence: str) -> None:
        """Report what could not be done."""
        self._log_problem(sentence)
        text = f"> **Not done:** {span(sentence)}\n\n"
        runner.append(os.environ.get("GITHUB_STEP_SUMMARY"), text)

    def _log_problem(self, sentence: str) -> None:
        if self._run.in_actions:
            write_commands(self._out, command("error", sentence, title="learnings"))
        self._err.write(f"learnings: {printable(sentence)}\n")


class DryRunReporter:
    """Shows all of it as GitHub Actions would get it."""

    def __init__(self, out: TextIO, run: WorkflowRun) -> None:
        self._out = out
        self._run = run

    def log(self, inspection: Inspection) -> None:
        """Show the annotations."""
        errors = (command("error", text, title="learnings") for text in inspection.problems)
        self._show("annotations", _commands(inspection) + "".join(errors))

    def summary(self, text: str) -> None:
        """Show the summary of the step."""
        self._show("job summary, to GITHUB_STEP_SUMMARY", text)

    def outputs(self, values: Mapping[str, str]) -> None:
        """Show the outputs of the step."""
        shown = {**values, "report-path": f"{runner.REPORT} in RUNNER_TEMP, the job summary"}
        lines = "".join(f"{name}: {value}\n" for name, value in shown.items())
        self._show("outputs, to GITHUB_OUTPUT", lines)

    def issues(self, result: NotifyResult) -> None:
        """Show what would be sent about the issues."""
        text = render_outcomes(result) + render_requests(result, self._run)
        number = f"\noutput issue-number: {_numbers(result)}\n"
        self._show("consolidation issue", text + number)

    def problem(self, sentence: str) -> None:
        """Show what could not be done."""
        self._show("consolidation issue", f"not known: {printable(sentence)}\n")

    def _show(self, title: str, text: str) -> None:
        self._out.write(f"--- {title}\n")
        write_verbatim(self._out, without_old_form(text) or "(nothing)\n")
        self._out.write("\n")


def _commands(inspection: Inspection) -> str:
    """Return findings, losses and verdicts as workflow commands."""
    verification = inspection.verification
    lost = proof_github.render(verification) if verification else ""
    return findings_github.render(inspection.report) + lost + due_github.render(inspection.verdicts)


def _numbers(result: NotifyResult) -> str:
    """Return the numbers of the issues, separated by spaces."""
    numbers = (outcome.number for outcome in result.outcomes)
    return " ".join(str(number) for number in numbers if number is not None)
