"""Files and settings in effect, and the state of the set-up, as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from learnings.core.text import counted, printable, shortened
from learnings.surfaces.render.writing import text_lines

if TYPE_CHECKING:
    from learnings.app.config_report import ConfigReport, ConfiguredMemory, SettingValue
    from learnings.app.setup.doctor import SetupReport
    from learnings.workspace.discovery import Candidate

MOST_FILES = 10
"""Files of a role listed without --all: two roles of this size fit a screen."""
MAX_TITLE = 76  # with its indent the line fits 80 columns
DEFAULT = "default"


@text_lines
def as_text(report: ConfigReport, *, every: bool = False) -> Iterator[str]:
    """Return a block for each file role, then one for each kind of setting.

    Unless `every` is set, omit settings at their default and files beyond MOST_FILES.
    """
    yield f"repository     {report.root}"
    yield f"configuration  {report.config or 'none; defaults apply'}"
    yield from ("", "learnings files and memory folders")
    for memory in report.learnings:
        yield _file_line(memory.candidate)
        yield from _reading_lines(report, memory)
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
    return f"  {candidate.path}: {state}, {candidate.words}"


def _reading_lines(report: ConfigReport, memory: ConfiguredMemory) -> Iterator[str]:
    reading = memory.reading
    if reading:
        level = f" at level {reading.level}" if reading.level else ""
        count = counted(reading.entries, "entry", "entries")
        yield f"    {count}, {reading.dialect}{level}: {reading.reason}"
        yield from (f"      {shortened(printable(title), MAX_TITLE)}" for title in reading.titles)
        if reading.ambiguity:
            yield f"    doubtful: {reading.ambiguity}"
    own = memory.settings.items()
    changed = {name: value for name, value in own if value != report.settings[name]}
    yield from _value_lines(changed, "    ")


def _value_lines(values: dict[str, SettingValue], indent: str = "  ") -> Iterator[str]:
    """Yield a line for each setting, and one for each further item of a list."""
    for name, setting in values.items():
        value = setting.value
        items = value if isinstance(value, tuple) and value else (value,)
        first, *rest = (
            "none" if item is None else json.dumps(item, ensure_ascii=False) for item in items
        )
        yield f"{indent}{name:25}  {first:12}  {setting.origin}"
        yield from (f"{indent}{'':25}  {item}" for item in rest)


_STATES = {"yes": "yes", "no": "no", "not-needed": "-"}


@text_lines
def setup_as_text(report: SetupReport) -> Iterator[str]:
    """Return a line for each part of the set-up, with the command that adds a missing one."""
    for item in report.items:
        command = f"; run: {item.command}" if item.command else ""
        yield f"{item.name:16}  {_STATES[item.state]:3}  {item.message}{command}"
    if report.missing:
        verb = "is" if report.missing == 1 else "are"
        yield f"{counted(report.missing, 'part')} of the set-up {verb} missing"
    else:
        yield "everything is set up"
    if any(item.command for item in report.items) and not report.is_at_root:
        yield f"run the commands in {report.root}"
