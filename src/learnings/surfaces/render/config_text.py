"""The settings in effect as text for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from learnings.app.setup.config_report import ConfigReport, Value
from learnings.app.workspace.discovery import Candidate
from learnings.core.text import counted, printable


def render(report: ConfigReport) -> str:
    """Return a block for each kind of setting and each role of a file."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: ConfigReport) -> Iterator[str]:
    yield f"repository     {printable(report.root)}"
    yield f"configuration  {printable(report.config or 'none, the defaults hold')}"
    yield from ("", "settings")
    yield from _values(report.settings)
    yield from ("", "consolidation issue")
    yield from _values(report.issue)
    if report.rules:
        yield from ("", "rules")
        yield from _values(report.rules)
    yield from ("", "learnings files")
    for candidate in report.learnings:
        yield _file(candidate)
        yield from _details(report, candidate.path)
    if not report.learnings:
        yield "  none found"
    yield from _files("target files", report.targets)
    yield from _files("memory index", report.indexes)
    if report.indexes:
        yield from _files("files that the index lists", report.indexed)


def _files(title: str, candidates: Sequence[Candidate]) -> Iterator[str]:
    yield from ("", title)
    yield from map(_file, candidates)
    if not candidates:
        yield "  none found"


def _file(candidate: Candidate) -> str:
    state = "included" if candidate.included else "skipped"
    return f"  {printable(candidate.path)}: {state}, {printable(candidate.reason)}"


def _details(report: ConfigReport, path: str) -> Iterator[str]:
    """Yield how a learnings file is read, and the settings that are its own."""
    detected = report.dialects.get(path)
    if detected:
        level = f" at level {detected.level}" if detected.level else ""
        count = counted(detected.entries, "entry", "entries")
        yield f"    {count}, {detected.dialect}{level}: {printable(detected.reason)}"
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
