"""A task in a Markdown file: one line with a marker in it, for as long as consolidation is due.

- [ ] Consolidate `agents/learnings.md`, due since 2026-04-27 <!-- learnings:task … -->
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import lines_of
from learnings.core.text import newline_of, split_lines
from learnings.surfaces.render.escape import comment, span

# What a task begins with where it is an item of a list, with the white space around it.
_BULLET = rf"\s*{LIST_MARKER}\s+"
# A task line: the list marker, the box, and the rest; each of them may be missing.
_LINE = re.compile(rf"(?P<lead>{_BULLET})?(?:\[(?P<box>[ xX])\]\s+)?(?P<rest>.*)", flags=re.DOTALL)
_HEADING = "# Tasks"


class Task(NamedTuple):
    """What a line is about: a learnings file, whether it is due, and since which day (ISO date)."""

    file: str
    due: bool
    since: str


def with_tasks(text: str, tasks: Sequence[Task]) -> str:
    """Return the text of a file with tasks, brought up to date; the same one where it is already.

    The line of a file that is due is added at the end, or its box emptied; that of one that is not
    is ticked off. All other lines stay, byte for byte; a second line for one file is removed.
    """
    lines = split_lines(text)
    for task in tasks:
        indexes = _indexes(lines, _marker(task.file))
        if not indexes and task.due:
            lines = _with_line(lines, task, newline_of(text))
        for index in reversed(indexes[1:]):
            del lines[index]
        if indexes:
            lines[indexes[0]] = _updated(lines[indexes[0]], task)
    return "".join(lines)


def _marker(file: str) -> str:
    return comment("learnings:task", file)


def _indexes(lines: Sequence[str], marker: str) -> list[int]:
    """Return the indexes of lines that end in the marker, without the examples in code."""
    indexes = [index for index, line in enumerate(lines) if line.rstrip().endswith(marker)]
    if not indexes:
        return []
    in_code = lines_of(outline_of(lines).fences)
    return [index for index in indexes if index + 1 not in in_code]


def _with_line(lines: Sequence[str], task: Task, newline: str) -> list[str]:
    """Return the lines with that of a task, at the end or before a block that runs to the end."""
    index = _first_hidden(lines)
    before = list(lines[:index]) or [f"{_HEADING}{newline}", newline]
    if not before[-1].endswith(newline[-1]):
        before[-1] += newline
    gap = [] if re.match(_BULLET, before[-1]) or not before[-1].strip() else [newline]
    after = [newline, *lines[index:]] if index < len(lines) else []
    # Two spaces before the block would make it a part of the item, were that not indented more.
    indent = "   " if after and lines[index][:2].isspace() else ""
    return [*before, *gap, f"{indent}- [ ] {_words(task)}{newline}", *after]


def _first_hidden(lines: Sequence[str]) -> int:
    """Return the index of a block that has no end, in which a task would be no task; else all."""
    blocks = outline_of(lines).hiding_blocks
    return min((block.first - 1 for block in blocks if not block.closed), default=len(lines))


def _updated(line: str, task: Task) -> str:
    # A carriage return alone ends a line of Markdown; what stands before it is not ours.
    start = line.rstrip().rfind("\r") + 1
    content = line[start:].rstrip("\r\n")
    match = _LINE.fullmatch(content)
    assert match is not None  # every part of it can be missing
    if match["box"] is not None and (match["box"] == " ") == task.due:
        return line
    box, rest = (" ", _words(task)) if task.due else ("x", match["rest"])
    end = line[start + len(content) :]
    return f"{line[:start]}{match['lead'] or '- '}[{box}] {rest}{end}"


def _words(task: Task) -> str:
    return f"Consolidate {span(task.file)}, due since {task.since} {_marker(task.file)}"
