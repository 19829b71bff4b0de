"""Findings as JUnit XML, which CI systems show as failed tests."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from learnings.core.findings.finding import CheckReport, Finding, Severity
from learnings.core.text import printable


def as_junit(report: CheckReport) -> str:
    """Return one suite with a test case for each finding, or one that passed.

    An error is a failure, a notice a skipped test: most CI systems know nothing in between. The
    attributes `file` and `line` are those that GitLab, Jenkins and CircleCI read.
    """
    numbers = {
        "tests": str(max(1, len(report.findings))),
        "failures": str(report.errors),
        "skipped": str(report.notices),
    }
    root = ET.Element("testsuites", {"name": "learnings", **numbers})
    suite = ET.SubElement(root, "testsuite", {"name": "check", "errors": "0", **numbers})
    for finding in report.findings:
        _add(suite, finding)
    if not report.findings:
        ET.SubElement(suite, "testcase", name="no finding", classname="learnings")
    ET.indent(root)
    text = ET.tostring(root, encoding="unicode")
    text = text.replace("##[", "&#35;#[")  # a runner would obey it in a log
    return f"{_DECLARATION}{text}\n"


_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ELEMENTS = {Severity.ERROR: "failure", Severity.NOTICE: "skipped"}


def _add(suite: ET.Element, finding: Finding) -> None:
    # XML has no way to write control characters.
    place, message = printable(finding.place), printable(finding.message)
    case = ET.SubElement(
        suite,
        "testcase",
        name=f"{finding.rule} at {place}",
        classname=f"learnings.{finding.rule}",
        file=printable(finding.path),
        line=str(finding.line),
    )
    element = ET.SubElement(case, _ELEMENTS[finding.severity], message=message)
    element.text = f"{place}: {finding.severity.value} {finding.rule} {message}"
