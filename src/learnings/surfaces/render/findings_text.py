"""Findings as lines for a terminal: `path:line:column: severity rule message`."""

from __future__ import annotations

import os
from typing import TextIO

from learnings.core.findings.finding import Finding, Report, Severity
from learnings.core.text import printable

_RESET, _BOLD, _DIM = "\033[0m", "\033[1m", "\033[2m"
_COLOURS = {Severity.ERROR: "\033[31m", Severity.NOTICE: "\033[33m"}


def render(report: Report, *, colour: bool = False) -> str:
    """Return one line for each finding, nothing where there is none."""
    line = _coloured if colour else _plain
    return "".join(f"{line(finding)}\n" for finding in report.findings)


def wants_colour(stream: TextIO) -> bool:
    """Return True if a stream is a terminal whose user has not turned colours off."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and stream.isatty()


def _plain(finding: Finding) -> str:
    return (
        f"{printable(finding.path)}:{finding.line}:{finding.column}: "
        f"{finding.severity.value} {finding.rule} {printable(finding.message)}"
    )


def _coloured(finding: Finding) -> str:
    severity = f"{_COLOURS[finding.severity]}{finding.severity.value}{_RESET}"
    location = f"{_BOLD}{printable(finding.path)}{_RESET}:{finding.line}:{finding.column}:"
    return f"{location} {severity} {_DIM}{finding.rule}{_RESET} {printable(finding.message)}"
