"""Files and settings in effect in each format: text, JSON (document `learnings.config/1`)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.app.config_report import ConfigReport, SettingValue
from learnings.core.text import counted, printable, shortened
from learnings.surfaces.render.json_document import fields_of
from learnings.surfaces.render.lines import joined_lines
from learnings.workspace.discovery import Candidate

if TYPE_CHECKING:
    from learnings.forms.learnings_file import FileReading
    from learnings.surfaces.schemas import settings as schemas

MOST_FILES = 10
"""Files of a role listed without --all: two roles of this size fit a screen."""
MAX_TITLE = 76  # with its indent the line fits 80 columns
DEFAULT = "default"


@joined_lines
def as_text(report: ConfigReport, *, every: bool = False) -> Iterator[str]:
    """Return a block for each file role, then one for each kind of setting.

    Unless `every` is set, omit settings at their default and files beyond MOST_FILES.
    """
    yield f"repository     {printable(report.root)}"
    yield f"configuration  {printable(report.config or 'none; defaults apply')}"
    yield from ("", "learnings files and memory folders")
    for candidate in report.learnings:
        yield _file_line(candidate)
        yield from _reading_lines(report, candidate.path)
    if not report.learnings:
        yield "  none found"
    yield from _role_lines("target files", report.targets, every=every)
    yield from _role_lines("memory index", report.indexes, every=every)
    if report.indexes:
        yield from _role_lines("files that the index lists", report.indexed, every=every)
    if report.loaded_indexes:
        yield from _role_lines("indexes that agents load", report.loaded_indexes, every=every)
    if report.link_indexes:
        yield from _role_lines("indexes of links", report.link_indexes, every=every)
    kinds = {
        "settings": report.settings,
        "consolidation issue": report.issue,
        "confidence memory": report.confidence,
        "rules": report.rules,
        "learning tiers": report.tiers,
    }
    hidden = 0
    for title, values in kinds.items():
        shown = {key: value for key, value in values.items() if every or value.origin != DEFAULT}
        hidden += len(values) - len(shown)
        if shown:
            yield from ("", title, *_value_lines(shown))
    if hidden:
        yield from ("", f"{counted(hidden, 'setting')} at the default: `learnings config --all`")


def _role_lines(title: str, candidates: Sequence[Candidate], *, every: bool) -> Iterator[str]:
    yield from ("", title)
    most = len(candidates) if every else MOST_FILES
    yield from map(_file_line, candidates[:most])
    if len(candidates) > most:
        yield f"  and {len(candidates) - most} more: `learnings config --all`"
    if not candidates:
        yield "  none found"


def _file_line(candidate: Candidate) -> str:
    state = "included" if candidate.included else "skipped"
    return f"  {printable(candidate.path)}: {state}, {printable(candidate.words)}"


def _reading_lines(report: ConfigReport, path: str) -> Iterator[str]:
    reading = report.readings.get(path)
    if reading:
        level = f" at level {reading.level}" if reading.level else ""
        count = counted(reading.entries, "entry", "entries")
        yield f"    {count}, {reading.dialect}{level}: {printable(reading.reason)}"
        yield from (f"      {shortened(printable(title), MAX_TITLE)}" for title in reading.titles)
        if reading.ambiguity:
            yield f"    doubtful: {printable(reading.ambiguity)}"
    own = report.own.get(path, {})
    changed = {name: value for name, value in own.items() if value != report.settings[name]}
    yield from _value_lines(changed, "    ")


def _value_lines(values: dict[str, SettingValue], indent: str = "  ") -> Iterator[str]:
    """Yield a line for each setting, and one for each further item of a list."""
    for name, setting in values.items():
        value = setting.value
        items = value if isinstance(value, tuple) and value else (value,)
        first, *rest = (
            "none" if item is None else printable(json.dumps(item, ensure_ascii=False))
            for item in items
        )
        yield f"{indent}{name:25}  {first:12}  {printable(setting.origin)}"
        yield from (f"{indent}{'':25}  {item}" for item in rest)


def document(report: ConfigReport) -> schemas.ConfigReportDocument:
    return {
        "schema": "learnings.config/1",
        "root": report.root,
        "config": report.config,
        "settings": _values_document(report.settings),
        "issue": _values_document(report.issue),
        "confidence": _values_document(report.confidence),
        "rules": _values_document(report.rules),
        "tiers": _values_document(report.tiers),
        "learnings": [
            {
                **_file_document(file),
                "read": _reading_document(report.readings.get(file.path)),
                "settings": _values_document(report.own.get(file.path, {})),
            }
            for file in report.learnings
        ],
        "targets": [*map(_file_document, report.targets)],
        "index": [*map(_file_document, report.indexes)],
        "indexed": [*map(_file_document, report.indexed)],
        "loaded_indexes": [*map(_file_document, report.loaded_indexes)],
        "link_indexes": [*map(_file_document, report.link_indexes)],
    }


def _values_document(values: dict[str, SettingValue]) -> dict[str, schemas.SettingRow]:
    return {name: fields_of(value) for name, value in values.items()}


def _file_document(candidate: Candidate) -> schemas.ConfigCandidate:
    return {"path": candidate.path, "reason": candidate.reason, "taken": candidate.included}


def _reading_document(reading: FileReading | None) -> schemas.ConfigReading | None:
    return reading and {
        "dialect": reading.dialect,
        "level": reading.level,
        "reason": reading.reason,
        "entries": reading.entries,
        "titles": [*reading.titles],
        "lines": reading.lines,
        "doubt": reading.ambiguity,
    }
