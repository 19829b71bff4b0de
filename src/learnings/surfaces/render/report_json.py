"""The report on a memory as JSON, document `learnings.report/1`: the numbers of the page."""

from __future__ import annotations

from learnings.app.report.memory_report import FileReport, IndexReport, MemoryReport
from learnings.app.session_cost import SessionCost
from learnings.core.cost import Cost
from learnings.surfaces.render.ages_json import document as ages_document
from learnings.surfaces.render.due_json import file_document as due_document
from learnings.surfaces.render.findings_json import document as findings_document
from learnings.surfaces.render.groups_json import document as groups_document
from learnings.surfaces.render.json_document import json_document
from learnings.surfaces.render.replay_json import file_document as replay_document

SCHEMA = "learnings.report/1"


def render(report: MemoryReport) -> str:
    """Return the document; what other commands print stands in it as they print it."""
    findings = report.overview.report
    return json_document(
        {
            "schema": SCHEMA,
            "name": report.name,
            "as_of": report.as_of,
            "problem": report.overview.problem,
            "files": [_file(file) for file in report.files],
            "cost": _session_cost(report.cost),
            "targets": [target._asdict() for target in report.targets],
            "indexes": [_index(index) for index in report.indexes],
            "findings": findings_document(findings) if findings else None,
        }
    )


def _file(file: FileReport) -> dict[str, object]:
    path, verdict = file.overview.path, file.overview.verdict
    return {
        "file": path,
        "problem": file.overview.problem,
        "due": due_document(verdict) if verdict else None,
        "ages": ages_document(verdict.report) if verdict else None,
        "replay": replay_document(file.replay) if file.replay else None,
        "groups": groups_document(path, file.grouping) if file.grouping else None,
    }


def _session_cost(cost: SessionCost) -> dict[str, object]:
    files = [{"path": file.path, **_cost(file.cost)} for file in cost.files]
    return {**_cost(cost.total), "batches": _cost(cost.batches), "files": files}


def _cost(cost: Cost) -> dict[str, object]:
    return {"words": cost.words, "tokens": cost.tokens}


def _index(index: IndexReport) -> dict[str, object]:
    findings = [{"rule": rule, "count": count} for rule, count in index.findings]
    return {"path": index.path, "rows": index.rows, "findings": findings}
