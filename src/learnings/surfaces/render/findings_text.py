"""Findings as lines for a terminal: `path:line:column: severity rule message`."""

from __future__ import annotations

from learnings.core.findings.finding import Finding, Report, Severity
from learnings.core.text import printable

_RESET, _BOLD, _DIM = "\033[0m", "\033[1m", "\033[2m"
# OSC 8: a text that terminals show as a link; those that know no links show the text alone.
_LINKED = "\033]8;;{}\033\\{}\033]8;;\033\\"
_COLOURS = {Severity.ERROR: "\033[31m", Severity.NOTICE: "\033[33m"}


def render(report: Report, *, colour: bool = False, links: bool = False) -> str:
    """Return one line for each finding, nothing where there is none.

    With links, which only a terminal understands, each rule is one to its documentation.
    """
    line = _coloured if colour else _plain
    rule = _linked if links else str
    return "".join(f"{line(finding, rule(finding.rule))}\n" for finding in _shown(report))


def _shown(report: Report) -> tuple[Finding, ...]:
    """Return the findings with many of one cause as one."""
    if not any(finding.cause for finding in report.findings):
        return report.findings
    from learnings.core.findings.causes import joined  # noqa: PLC0415  (few findings have a cause)

    return joined(report.findings)


def _plain(finding: Finding, rule: str) -> str:
    return (
        f"{printable(finding.path)}:{finding.line}:{finding.column}: "
        f"{finding.severity.value} {rule} {printable(finding.message)}"
    )


def _linked(rule: str) -> str:
    from learnings.surfaces.render.rule_links import rule_link  # noqa: PLC0415  (for terminals only)

    return _LINKED.format(rule_link(rule), rule)


def _coloured(finding: Finding, rule: str) -> str:
    severity = f"{_COLOURS[finding.severity]}{finding.severity.value}{_RESET}"
    location = f"{_BOLD}{printable(finding.path)}{_RESET}:{finding.line}:{finding.column}:"
    return f"{location} {severity} {_DIM}{rule}{_RESET} {printable(finding.message)}"
