"""A task in a Markdown file: one line with a mark in it, for as long as consolidation is due.

- [ ] Consolidate `agents/learnings.md`, due since 2026-04-27 <!-- learnings:task … -->
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import lines_of
from learnings.core.text import chomp, newline_of, printable, split_lines

# What a task begins with where it is an item of a list.
_BULLET = rf"\s*{LIST_MARKER}\s+"
_LINE = re.compile(rf"(?P<lead>{_BULLET})?(?:\[(?P<box>[ xX])\]\s+)?(?P<rest>.*)", flags=re.DOTALL)
_HEADING = "# Tasks"


class Task(NamedTuple):
    """What a line is about: a learnings file, whether it is due, and since which day."""

    file: str
    due: bool
    since: str


def with_tasks(text: str, tasks: Sequence[Task]) -> str:
    """The text of a file with tasks, brought up to date; the same text where it is already.

    The line of a file that is due is added at the end, or its box emptied; that of one that is not
    is ticked off. All other lines stay, byte for byte; a second line for one file is taken out.
    """
    lines = split_lines(text)
    for task in tasks:
        places = _places(lines, _mark(task.file))
        if not places and task.due:
            lines = _with_line(lines, task, newline_of(text))
        for place in reversed(places[1:]):
            del lines[place]
        if places:
            lines[places[0]] = _updated(lines[places[0]], task)
    return "".join(lines)


def _mark(file: str) -> str:
    name = json.dumps(file).replace("--", "-\\u002d").replace(">", "\\u003e")
    return f"<!-- learnings:task {name} -->"


def _places(lines: Sequence[str], mark: str) -> list[int]:
    """Where the mark is at the end of a line, examples in code left out."""
    found = [place for place, line in enumerate(lines) if line.rstrip().endswith(mark)]
    if not found:
        return []
    in_code = lines_of(outline_of(lines).fences)
    return [place for place in found if place + 1 not in in_code]


def _with_line(lines: Sequence[str], task: Task, newline: str) -> list[str]:
    kept = list(lines) or [f"{_HEADING}{newline}", newline]
    if chomp(kept[-1]) == kept[-1]:
        kept[-1] += newline
    gap = [] if re.match(_BULLET, kept[-1]) or not kept[-1].strip() else [newline]
    return [*kept, *gap, f"- [ ] {_words(task)}{newline}"]


def _updated(line: str, task: Task) -> str:
    inner = chomp(line)
    found = _LINE.fullmatch(inner)
    assert found is not None  # every part of it can be missing
    if found["box"] is not None and (found["box"] == " ") == task.due:
        return line
    box, rest = (" ", _words(task)) if task.due else ("x", found["rest"])
    return f"{found['lead'] or '- '}[{box}] {rest}{line[len(inner) :]}"


def _words(task: Task) -> str:
    return f"Consolidate {_code(task.file)}, due since {task.since} {_mark(task.file)}"


def _code(path: str) -> str:
    path = printable(path)
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", path)), default=0))
    gap = " " if path.startswith("`") or path.endswith("`") else ""
    return f"{ticks}{gap}{path}{gap}{ticks}"
