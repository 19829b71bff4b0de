"""Findings as SARIF 2.1.0, the format of code scanning."""

from __future__ import annotations

from urllib.parse import quote

import learnings
from learnings.core.findings.finding import CheckReport, Edit, Finding, Severity
from learnings.core.patterns import lazy_pattern
from learnings.core.text import chomp
from learnings.rules import RULES
from learnings.surfaces.render import rules
from learnings.surfaces.render.documents import json_document
from learnings.surfaces.render.findings import rule_link

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
    artifact = _artifact(finding.path)
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


def _artifact(path: str) -> _Json:
    """Return the location of a file, relative to the root or absolute if outside."""
    if path.startswith("/") or _DRIVE.match(path):
        return {"uri": f"file:///{quote(path.lstrip('/'), safe='/:', errors='surrogateescape')}"}
    return {"uri": quote(path, errors="surrogateescape"), "uriBaseId": ROOT}


def _replacement(edit: Edit) -> _Json:
    """Return an edit as a replacement of its line, or of the content if the line end stays."""
    content = chomp(edit.old)
    end = edit.old[len(content) :]
    region = {"startLine": edit.line, "startColumn": 1, "endColumn": len(content) + 1}
    if not edit.new.endswith(end):
        region |= {"endLine": edit.line + 1, "endColumn": 1}
        end = ""
    return {"deletedRegion": region, "insertedContent": {"text": edit.new.removesuffix(end)}}
