"""Findings as documents for other programs.

SARIF 2.1.0 is the format of code scanning, JUnit XML that of tests, which CI systems show.
"""

from __future__ import annotations

from urllib.parse import quote
from xml.etree import ElementTree as ET

import learnings
from learnings.core.findings.finding import CheckReport, Edit, Finding, Severity
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp, printable
from learnings.rules import RULES
from learnings.surfaces.render import rules
from learnings.surfaces.render.findings import rule_link
from learnings.surfaces.render.writing import json_document

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
ROOT = "%SRCROOT%"  # by convention, the root of the repository

_LEVELS = {Severity.ERROR: "error", Severity.NOTICE: "note"}
_RULE_INDEX = {rule.id: index for index, rule in enumerate(RULES)}
_DRIVE = lazy_pattern(r"[A-Za-z]:/")  # the start of a full path on Windows

_Json = dict[str, object]


def as_sarif(report: CheckReport) -> str:
    descriptors = []
    for rule in RULES:
        page, link = rules.page(rule), rule_link(rule.id)
        descriptor = {
            "id": rule.id,
            "shortDescription": {"text": rule.says},
            "help": {"text": page, "markdown": page},
            **({"helpUri": link} if link else {}),
            "defaultConfiguration": {
                "enabled": not rule.is_opt_in,
                "level": _LEVELS[rule.severity],
            },
        }
        descriptors.append(descriptor)
    driver = {
        "name": "learnings",
        "semanticVersion": learnings.__version__,
        **({"informationUri": learnings.HOME} if learnings.HOME else {}),
        "rules": descriptors,
    }
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {ROOT: {"description": {"text": "the root of the repository"}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(*pair) for pair in report.with_fingerprints()],
    }
    return json_document({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _result(finding: Finding, fingerprint: str) -> _Json:
    path = finding.path  # relative to the root, or absolute if outside
    artifact: _Json = {"uri": quote(path, errors="surrogateescape"), "uriBaseId": ROOT}
    if path.startswith("/") or _DRIVE.match(path):
        full = quote(path.lstrip("/"), safe="/:", errors="surrogateescape")
        artifact = {"uri": f"file:///{full}"}
    region = {"startLine": finding.line, "startColumn": finding.column}
    result: _Json = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "partialFingerprints": {"learnings/v1": fingerprint},
    }
    if finding.rule in _RULE_INDEX:
        result["ruleIndex"] = _RULE_INDEX[finding.rule]
    if finding.fix is not None and finding.fix.edits:
        replacements = [_replacement(edit) for edit in finding.fix.edits]
        change = {"artifactLocation": artifact, "replacements": replacements}
        result["fixes"] = [{"description": {"text": finding.fix.does}, "artifactChanges": [change]}]
    return result


def _replacement(edit: Edit) -> _Json:
    """Return an edit as a replacement of its line, or of the content if the line end stays."""
    content = chomp(edit.old)
    end = edit.old[len(content) :]
    region = {"startLine": edit.line, "startColumn": 1, "endColumn": len(content) + 1}
    if not edit.new.endswith(end):
        region |= {"endLine": edit.line + 1, "endColumn": 1}
        end = ""
    return {"deletedRegion": region, "insertedContent": {"text": edit.new.removesuffix(end)}}


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


# GitLab's levels are info, minor, major, critical and blocker; the last two would demand immediate
# action.
_CODE_QUALITY_LEVELS = {Severity.ERROR: "major", Severity.NOTICE: "info"}


def as_gitlab(report: CheckReport) -> str:
    """Return a Code Quality report, which GitLab shows in merge requests.

    https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
    """
    issues = [
        {
            "description": finding.message,
            "check_name": finding.rule,
            "fingerprint": fingerprint,
            "severity": _CODE_QUALITY_LEVELS[finding.severity],
            # GitLab rejects a report that is not UTF-8.
            "location": {"path": printable(finding.path), "lines": {"begin": finding.line}},
        }
        for finding, fingerprint in report.with_fingerprints()
    ]
    return json_document(issues)
