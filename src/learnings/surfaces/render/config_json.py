"""The settings in effect as JSON, document `learnings.config/1`."""

from __future__ import annotations

from learnings.app.setup.config_report import ConfigReport, Value
from learnings.app.workspace.discovery import Candidate
from learnings.app.workspace.readings import Reading
from learnings.surfaces.render.json_document import json_document

SCHEMA = "learnings.config/1"


def render(report: ConfigReport) -> str:
    """Return the document."""
    return json_document(
        {
            "schema": SCHEMA,
            "root": report.root,
            "config": report.config,
            "settings": _values(report.settings),
            "issue": _values(report.issue),
            "confidence": _values(report.confidence),
            "rules": _values(report.rules),
            "tiers": _values(report.tiers),
            "learnings": [_learnings_file(report, candidate) for candidate in report.learnings],
            "targets": [_file(candidate) for candidate in report.targets],
            "index": [_file(candidate) for candidate in report.indexes],
            "indexed": [_file(candidate) for candidate in report.indexed],
            "loaded_indexes": [_file(candidate) for candidate in report.loaded_indexes],
        }
    )


def _values(values: dict[str, Value]) -> dict[str, object]:
    return {name: value._asdict() for name, value in values.items()}


def _file(candidate: Candidate) -> dict[str, object]:
    return {"path": candidate.path, "reason": candidate.reason, "taken": candidate.included}


def _learnings_file(report: ConfigReport, candidate: Candidate) -> dict[str, object]:
    reading = report.readings.get(candidate.path)
    return {
        **_file(candidate),
        "read": _read(reading) if reading else None,
        "settings": _values(report.own.get(candidate.path, {})),
    }


def _read(reading: Reading) -> dict[str, object]:
    return {**reading._asdict(), "titles": [*reading.titles]}
