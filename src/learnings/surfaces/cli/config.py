"""`learnings config`: the settings in effect, where each was set, and the files they apply to."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from learnings.app.check.indexing import indexed_files
from learnings.app.workspace.discovery import Candidate
from learnings.app.workspace.workspace import Workspace
from learnings.core.errors import MissingFile, UsageProblem
from learnings.core.findings.finding import counted
from learnings.core.roles import target_patterns
from learnings.core.settings.issue import ISSUE_KEYS
from learnings.core.settings.keys import FILE_KEYS, GENERAL_KEYS
from learnings.core.settings.reader import issue_settings
from learnings.core.settings.values import FileSettings, Settings
from learnings.core.text import printable

SCHEMA = "learnings.config/1"


class Value(NamedTuple):
    """A setting in effect: its value as it is written in a file, and where it was set."""

    value: object
    origin: str


class Shape(NamedTuple):
    """How a file is read: the dialect, the level of entry headings, why, and what that gives."""

    dialect: str
    level: int
    reason: str
    entries: int


class Report(NamedTuple):
    """All that the command says; `shapes` and `own` are by the path of a learnings file."""

    root: str
    config: str | None
    settings: dict[str, Value]
    issue: dict[str, Value]
    learnings: tuple[Candidate, ...]
    shapes: dict[str, Shape]
    own: dict[str, dict[str, Value]]
    targets: tuple[Candidate, ...]
    indexes: tuple[Candidate, ...]
    indexed: tuple[Candidate, ...]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="the form of the output (text)"
    )


def run(args: argparse.Namespace, *, out: TextIO, err: TextIO, cwd: Path) -> int:  # noqa: ARG001
    """Print what is in effect in the folder `cwd`; returns 0. Raises BadSettings."""
    report = report_on(Workspace.open(cwd))
    if args.format == "json":
        out.write(json.dumps(as_json(report), indent=2) + "\n")
    else:
        out.writelines(f"{line}\n" for line in as_text(report))
    return 0


def report_on(workspace: Workspace) -> Report:
    """Look at the settings and the files of a workspace."""
    learnings = workspace.learnings_files()
    indexes, indexed = _index(workspace)
    taken = [found.path for found in learnings if found.included]
    return Report(
        root=str(workspace.root),
        config=workspace.relative(workspace.config) if workspace.config else None,
        settings=_file_values(workspace.settings.file) | _general_values(workspace.settings),
        issue=_issue_values(workspace.settings),
        learnings=learnings,
        shapes={path: shape for path in taken if (shape := _shape(workspace, path))},
        own={path: _file_values(workspace.file_settings(path)) for path in taken},
        targets=workspace.target_files(),
        indexes=indexes,
        indexed=indexed,
    )


def as_json(report: Report) -> dict[str, object]:
    """The report as the document that `--format json` prints."""
    return {
        "schema": SCHEMA,
        "root": report.root,
        "config": report.config,
        "settings": _json_values(report.settings),
        "issue": _json_values(report.issue),
        "learnings": [_json_learnings(report, found) for found in report.learnings],
        "targets": [_json_file(file) for file in report.targets],
        "index": [_json_file(file) for file in report.indexes],
        "indexed": [_json_file(file) for file in report.indexed],
    }


def as_text(report: Report) -> Iterator[str]:
    """The report as lines for people, without their ends."""
    yield f"repository     {printable(report.root)}"
    yield f"configuration  {printable(report.config or 'none, the defaults hold')}"
    yield from ("", "settings")
    yield from _text_values(report.settings)
    yield from ("", "consolidation issue")
    yield from _text_values(report.issue)
    yield from ("", "learnings files")
    for found in report.learnings:
        yield _text_found(found)
        yield from _text_details(report, found.path)
    if not report.learnings:
        yield "  none found"
    yield from _text_files("target files", report.targets)
    yield from _text_files("memory index", report.indexes)
    if report.indexes:
        yield from _text_files("files that the index lists", report.indexed)


def _text_files(title: str, files: Sequence[Candidate]) -> Iterator[str]:
    yield from ("", title)
    yield from map(_text_found, files)
    if not files:
        yield "  none found"


def _index(workspace: Workspace) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...]]:
    """The memory index and the files it lists; one that cannot be read is skipped."""
    try:
        files = workspace.index_files()
        taken = [found.path for found in files if found.included]
        return files, tuple(each for path in taken for each in indexed_files(workspace, path))
    except (MissingFile, UsageProblem) as error:
        return (Candidate(workspace.settings.index, str(error)),), ()


def _shape(workspace: Workspace, path: str) -> Shape | None:
    try:
        document = workspace.document(path)
    except MissingFile:
        return None
    dialect = document.dialect
    return Shape(dialect.name, dialect.level, dialect.reason, len(document.entries))


def _file_values(settings: FileSettings) -> dict[str, Value]:
    values = {}
    for name, key in FILE_KEYS.items():
        value = getattr(settings, key.field)
        if name != "path":
            written = "auto" if value is None else value
            values[name] = Value(written, str(settings.origins.get(name, "default")))
    return values


def _general_values(settings: Settings) -> dict[str, Value]:
    values = {}
    for name, key in GENERAL_KEYS.items():
        value = target_patterns(settings) if name == "targets" else getattr(settings, key.field)
        values[name] = Value(value, str(settings.origins.get(name, "default")))
    return values


def _issue_values(settings: Settings) -> dict[str, Value]:
    chosen = issue_settings(settings)
    return {
        name: Value(
            getattr(chosen, key.field), str(settings.origins.get(f"issue.{name}", "default"))
        )
        for name, key in ISSUE_KEYS.items()
    }


def _json_values(values: dict[str, Value]) -> dict[str, object]:
    return {name: value._asdict() for name, value in values.items()}


def _json_file(file: Candidate) -> dict[str, object]:
    return {"path": file.path, "reason": file.reason, "taken": file.included}


def _json_learnings(report: Report, found: Candidate) -> dict[str, object]:
    shape = report.shapes.get(found.path)
    return {
        **_json_file(found),
        "read": shape._asdict() if shape else None,
        "settings": _json_values(report.own.get(found.path, {})),
    }


def _text_values(values: dict[str, Value], indent: str = "  ") -> Iterator[str]:
    for name, each in values.items():
        first, *others = (
            each.value if isinstance(each.value, tuple) and each.value else [each.value]
        )
        yield f"{indent}{name:25}  {_text_value(first):12}  {printable(each.origin)}"
        yield from (f"{indent}{'':25}  {_text_value(other)}" for other in others)


def _text_value(value: object) -> str:
    return "none" if value is None else printable(json.dumps(value, ensure_ascii=False))


def _text_found(found: Candidate) -> str:
    verdict = "included" if found.included else "skipped"
    return f"  {printable(found.path)}: {verdict}, {printable(found.reason)}"


def _text_details(report: Report, path: str) -> Iterator[str]:
    shape = report.shapes.get(path)
    if shape:
        level = f" at level {shape.level}" if shape.level else ""
        count = counted(shape.entries, "entry", "entries")
        yield f"    {count}, {shape.dialect}{level}: {printable(shape.reason)}"
    own = report.own.get(path, {})
    yield from _text_values(
        {name: value for name, value in own.items() if value != report.settings[name]}, "    "
    )
