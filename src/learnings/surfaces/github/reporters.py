"""Where a CI job puts what it has found out: in earnest, or shown for a dry run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TextIO

from learnings.app.ci.inspection import Inspection
from learnings.core.text import printable
from learnings.surfaces.github import outcome_text, outputs
from learnings.surfaces.github.log import no_commands
from learnings.surfaces.github.notify import Told
from learnings.surfaces.github.run import Run
from learnings.surfaces.render import (
    due_github,
    due_text,
    findings_github,
    findings_text,
    summary_markdown,
)
from learnings.surfaces.render.escape import span
from learnings.surfaces.render.workflow_commands import command


class ActionsReporter:
    """The real thing: annotations in the log, the files that the runner names, else text."""

    def __init__(self, out: TextIO, err: TextIO, run: Run) -> None:
        self._out = out
        self._err = err
        self._run = run
        self._report = ""

    def log(self, found: Inspection) -> None:
        """Show findings, verdicts, and what is not known."""
        if self._run.in_actions:
            self._out.write(commands_of(found))
        else:
            self._out.write(findings_text.render(found.report))
            self._out.write(due_text.render(found.verdicts))
        for sentence in found.problems:
            self._say(sentence)

    def summary(self, text: str) -> None:
        """Add to the summary of the step, and keep the same as a file."""
        outputs.append(os.environ.get("GITHUB_STEP_SUMMARY"), text)
        if self._run.in_actions:
            self._report = outputs.save_report(os.environ.get("RUNNER_TEMP"), text)

    def outputs(self, values: Mapping[str, str]) -> None:
        """Set the outputs of the step."""
        told = {**values, "report-path": self._report}
        outputs.append(os.environ.get("GITHUB_OUTPUT"), outputs.written(told))

    def issues(self, told: Told) -> None:
        """Tell what became of the issues, in the log, the summary and an output."""
        text = outcome_text.outcomes(told.outcomes, told.held)
        self._out.write(text)
        base = outcome_text.base_of(self._run)
        if told.requests:
            with no_commands(self._out, in_actions=self._run.in_actions):
                self._out.write(outcome_text.requests(told.requests, base))
        path = os.environ.get("GITHUB_STEP_SUMMARY")
        rows = tuple(f"- {span(line)}" for line in text.splitlines())
        room = summary_markdown.LARGEST - outputs.size(path)
        outputs.append(path, summary_markdown.part("### Issue\n", rows, room))
        values = {"issue-number": numbers(told)}
        outputs.append(os.environ.get("GITHUB_OUTPUT"), outputs.written(values))

    def trouble(self, sentence: str) -> None:
        """Tell what could not be done."""
        self._say(sentence)
        text = f"> **Not done:** {span(sentence)}\n\n"
        outputs.append(os.environ.get("GITHUB_STEP_SUMMARY"), text)

    def _say(self, sentence: str) -> None:
        if self._run.in_actions:
            self._out.write(command("error", sentence, title="learnings"))
        self._err.write(f"learnings: {printable(sentence)}\n")


class DryRunReporter:
    """Shows all of it as GitHub Actions would get it."""

    def __init__(self, out: TextIO, run: Run) -> None:
        self._out = out
        self._run = run

    def log(self, found: Inspection) -> None:
        """Show the annotations."""
        troubles = "".join(command("error", each, title="learnings") for each in found.problems)
        self._show("annotations", commands_of(found) + troubles)

    def summary(self, text: str) -> None:
        """Show the summary of the step."""
        self._show("job summary, to GITHUB_STEP_SUMMARY", text)

    def outputs(self, values: Mapping[str, str]) -> None:
        """Show the outputs of the step."""
        told = {**values, "report-path": f"{outputs.REPORT} in RUNNER_TEMP, the job summary"}
        lines = "".join(f"{name}: {value}\n" for name, value in told.items())
        self._show("outputs, to GITHUB_OUTPUT", lines)

    def issues(self, told: Told) -> None:
        """Show what would be sent about the issues."""
        text = outcome_text.outcomes(told.outcomes, told.held)
        requests = outcome_text.requests(told.requests, outcome_text.base_of(self._run))
        number = f"\noutput issue-number: {numbers(told)}\n"
        self._show("consolidation issue", text + requests + number)

    def trouble(self, sentence: str) -> None:
        """Show what could not be found out."""
        self._show("consolidation issue", f"not known: {printable(sentence)}\n")

    def _show(self, title: str, text: str) -> None:
        self._out.write(f"--- {title}\n")
        with no_commands(self._out, in_actions=self._run.in_actions):
            self._out.write(text or "(nothing)\n")
        self._out.write("\n")


def commands_of(found: Inspection) -> str:
    """Findings and verdicts as the commands of a workflow."""
    return findings_github.render(found.report) + due_github.render(found.verdicts)


def numbers(told: Told) -> str:
    """The numbers of the issues, separated by blanks."""
    return " ".join(str(each.number) for each in told.outcomes if each.number is not None)
