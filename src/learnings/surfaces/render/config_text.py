"""The files and settings in effect as text for a terminal, what is most often asked for first."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from learnings.app.setup.config_report import ConfigReport, Value
from learnings.app.workspace.discovery import Candidate
from learnings.core.text import counted, printable, shortened

MOST_FILES = 10
"""Files of a role that are listed unless all are asked for: two roles of that size fit a screen."""
MAX_TITLE = 76  # with its indent the line fits 80 columns
DEFAULT = "default"


def render(report: ConfigReport, *, every: bool = False) -> str:
    """Return a block for each role of a file, then one for each kind of setting.

    Without `every` there are only the settings that are set somewhere, and of many files the first.
    """
    return "".join(
        f"{line}\n"
        for line in (*_file_lines(report, every=every), *_setting_lines(report, every=every))
    )


def _file_lines(report: ConfigReport, *, every: bool) -> Iterator[str]:
    yield f"repository     {printable(report.root)}"
    yield f"configuration  {printable(report.config or 'none, the defaults hold')}"
    yield from ("", "learnings files")
    for candidate in report.learnings:
        yield _file(candidate)
        yield from _details(report, candidate.path)
    if not report.learnings:
        yield "  none found"
    yield from _files("target files", report.targets, every=every)
    yield from _files("memory index", report.indexes, every=every)
    if report.indexes:
        yield from _files("files that the index lists", report.indexed, every=every)
    if report.loaded_indexes:
        yield from _files("indexes that agents load", report.loaded_indexes, every=every)


def _setting_lines(report: ConfigReport, *, every: bool) -> Iterator[str]:
    """Yield a block for each kind of setting; those that are their default only if `every`."""
    kinds = (
        ("settings", report.settings),
        ("consolidation issue", report.issue),
        ("confidence memory", report.confidence),
        ("rules", report.rules),
        ("learning tiers", report.tiers),
    )
    shown = [(title, values if every else _set(values)) for title, values in kinds]
    for title, values in shown:
        if values:
            yield from ("", title)
            yield from _values(values)
    hidden = sum(len(values) for _, values in kinds) - sum(len(values) for _, values in shown)
    if hidden:
        yield from ("", f"{counted(hidden, 'setting')} at the default: `learnings config --all`")


def _set(values: dict[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if value.origin != DEFAULT}


def _files(title: str, candidates: Sequence[Candidate], *, every: bool) -> Iterator[str]:
    yield from ("", title)
    most = len(candidates) if every else MOST_FILES
    yield from map(_file, candidates[:most])
    if len(candidates) > most:
        yield f"  and {len(candidates) - most} more: `learnings config --all`"
    if not candidates:
        yield "  none found"


def _file(candidate: Candidate) -> str:
    state = "included" if candidate.included else "skipped"
    return f"  {printable(candidate.path)}: {state}, {printable(candidate.reason)}"


def _details(report: ConfigReport, path: str) -> Iterator[str]:
    """Yield how a learnings file is read, its first titles, and the settings that are its own."""
    reading = report.readings.get(path)
    if reading:
        level = f" at level {reading.level}" if reading.level else ""
        count = counted(reading.entries, "entry", "entries")
        yield f"    {count}, {reading.dialect}{level}: {printable(reading.reason)}"
        yield from (f"      {shortened(printable(title), MAX_TITLE)}" for title in reading.titles)
        if reading.doubt:
            yield f"    doubtful: {printable(reading.doubt)}"
    own = report.own.get(path, {})
    changed = {name: value for name, value in own.items() if value != report.settings[name]}
    yield from _values(changed, "    ")


def _values(values: dict[str, Value], indent: str = "  ") -> Iterator[str]:
    """Yield a line for each setting, and one more for each further item of a list."""
    for name, setting in values.items():
        value = setting.value
        first, *rest = value if isinstance(value, tuple) and value else (value,)
        yield f"{indent}{name:25}  {_value(first):12}  {printable(setting.origin)}"
        yield from (f"{indent}{'':25}  {_value(item)}" for item in rest)


def _value(value: object) -> str:
    return "none" if value is None else printable(json.dumps(value, ensure_ascii=False))
