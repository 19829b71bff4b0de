"""A task in a Markdown file: one line with a marker in it, for as long as consolidation is due.

- [ ] Consolidate `a.md` with `learnings plan`, due since 2026-04-27 <!-- learnings:task … -->
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from learnings.core.markdown.blocks import outline_of
from learnings.core.markdown.line_kinds import LIST_MARKER
from learnings.core.markdown.outline import lines_of
from learnings.core.patterns import lazy_pattern
from learnings.core.text import newline_of, split_lines
from learnings.surfaces.render.escape import comment, span

# What a task begins with where it is an item of a list, with the white space around it.
_BULLET = rf"\s*{LIST_MARKER}\s+"
_ITEM = lazy_pattern(_BULLET)
# A task line: the list marker, the box, and the rest; each of them may be missing.
_LINE = lazy_pattern(
    rf"(?P<lead>{_BULLET})?(?:\[(?P<box>[ xX])\]\s+)?(?P<rest>.*)", flags=re.DOTALL
)
_HEADING = "# Tasks"
_KIND = "learnings:task"
_BEGIN = f"<!-- {_KIND} "
# A second line that opens a fence, or is cut at a carriage return, shows others when it is gone: of
# 150,000 made-up files seven took two passes, none three.
_MOST_PASSES = 8


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
    for _ in range(_MOST_PASSES):
        before, text = text, _after_one_pass(text, tasks)
        if text == before:
            break
    return text


def _after_one_pass(text: str, tasks: Sequence[Task]) -> str:
    lines = split_lines(text)
    indexes_by_marker = _indexes(lines)
    new_tasks: list[Task] = []
    for task in tasks:
        indexes = indexes_by_marker.get(_marker(task.file), [])
        if not indexes and task.due:
            new_tasks.append(task)
        for index in indexes[1:]:
            lines[index] = _without_task(lines[index])
        if indexes:
            lines[indexes[0]] = _updated(lines[indexes[0]], task)
    lines = [line for line in lines if line]
    return "".join(_with_lines(lines, new_tasks, newline_of(text)) if new_tasks else lines)


def _marker(file: str) -> str:
    return comment(_KIND, file)


def _indexes(lines: Sequence[str]) -> dict[str, list[int]]:
    """Return the indexes of lines that end in a marker, by it, without the examples in code."""
    markers = {
        index: line.rstrip()[line.rfind(_BEGIN) :]
        for index, line in enumerate(lines)
        if _BEGIN in line
    }
    if not markers:
        return {}
    in_code = lines_of(outline_of(lines).fences)
    indexes: dict[str, list[int]] = {}
    for index, marker in markers.items():
        if index + 1 not in in_code:
            indexes.setdefault(marker, []).append(index)
    return indexes


def _with_lines(lines: Sequence[str], tasks: Sequence[Task], newline: str) -> list[str]:
    """Return the lines with those of tasks, at the end or before a block that runs to the end."""
    index = _first_hidden(lines)
    before = list(lines[:index]) or [f"{_HEADING}{newline}", newline]
    if not before[-1].endswith(newline[-1]):
        before[-1] += newline
    gap = [] if _ITEM.match(before[-1]) or not before[-1].strip() else [newline]
    after = [newline, *lines[index:]] if index < len(lines) else []
    # Two spaces before the block would make it a part of the item, were that not indented more.
    indent = "   " if after and lines[index][:2].isspace() else ""
    return [*before, *gap, *(f"{indent}- [ ] {_words(task)}{newline}" for task in tasks), *after]


def _first_hidden(lines: Sequence[str]) -> int:
    """Return the index of a block that has no end, in which a task would be no task; else all."""
    blocks = outline_of(lines).hiding_blocks
    return min((block.first - 1 for block in blocks if not block.closed), default=len(lines))


def _updated(line: str, task: Task) -> str:
    start = _start(line)
    content = line[start:].rstrip("\r\n")
    match = _LINE.fullmatch(content)
    assert match is not None  # every part of it can be missing
    if match["box"] is not None and (match["box"] == " ") == task.due:
        return line
    box, rest = (" ", _words(task)) if task.due else ("x", match["rest"])
    end = line[start + len(content) :]
    return f"{line[:start]}{match['lead'] or '- '}[{box}] {rest}{end}"


def _without_task(line: str) -> str:
    before = line[: _start(line)]
    return f"{before}\n" if before and line.endswith("\n") else before


def _start(line: str) -> int:
    """Return where a task begins in a line: behind a lone carriage return, which ends one, too."""
    return line.rstrip().rfind("\r") + 1


def _words(task: Task) -> str:
    words = f"Consolidate {span(task.file)} with `learnings plan`, due since {task.since}"
    return f"{words} {_marker(task.file)}"
