"""The first part of a consolidation issue, all but entries: why, what to do, where to."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from learnings.app.consolidate.suggestions import Item, TaskSection
from learnings.core.due.conditions import Condition
from learnings.core.due.triggers import Verdict
from learnings.core.text import counted, encode, printable
from learnings.surfaces.render import due_words
from learnings.surfaces.render.escape import block, cell, span
from learnings.surfaces.render.issue_task import TargetRoom, Task


def render(task: Task, most: int) -> str:
    """Return the head; each list has at most `most` rows, and then the number of the others."""
    return "\n\n".join(_parts(task, most))


def shell_word(path: str) -> str:
    r"""Return a path as one word of a shell command; `$'\x1b'` where it has what is not seen."""
    if printable(path) == path:
        return shlex.quote(path)
    return f"$'{''.join(map(_in_shell_word, path))}'"


def _in_shell_word(character: str) -> str:
    if printable(character) == character and character not in "'\\":
        return character
    return "".join(f"\\x{byte:02x}" for byte in encode(character))


def _parts(task: Task, most: int) -> Iterator[str]:
    verdict = task.verdict
    yield f"Consolidation of {span(verdict.report.file)} is due: {due_words.reason(verdict)}."
    if task.mention:
        yield task.mention
    yield "\n".join(_conditions(verdict))
    for note in verdict.report.history.notes:
        yield f"Note: {span(note)}"
    yield _work(verdict.report.file)
    yield _acceptance(verdict.report.file)
    if task.targets:
        yield _targets(task.targets, most)
    yield from (_section(section, most) for section in task.sections)
    count = counted(len(verdict.batch), "entry", "entries")
    yield f"## The batch\n\n{count}, oldest first. Ages are in days on which somebody committed."


def _conditions(verdict: Verdict) -> Iterator[str]:
    yield "| condition | value | threshold | met |"
    yield "|---|---|--:|---|"
    for condition in verdict.conditions:
        yield _condition(verdict, condition)


def _condition(verdict: Verdict, condition: Condition) -> str:
    met = "yes" if condition.met else "no"
    words = due_words.measured(verdict, condition)
    return f"| {condition.name} | {words} | {condition.threshold} | {met} |"


def _work(file: str) -> str:
    return (
        "## What to do\n\n"
        "1. Take each entry of the batch in turn. What holds in general goes into the file where a "
        "reader will look for it, merged with what is there; what has been said already, or has "
        "turned out wrong, is dropped.\n"
        f"2. Take the entry out of {span(file)} in the same commit. Leave all other entries as "
        "they are.\n"
        "3. Open a pull request. This issue closes by itself once it is merged.\n\n"
        f"{block(_commands(shell_word(file)), 'sh')}"
    )


def _commands(file: str) -> str:
    rows = (
        (f"learnings batch {file}", "the batch again, as it is now"),
        (f"learnings groups {file}", "entries that overlap, with the words they share"),
        (f"learnings route {file}", "where each entry may go, with the reasons"),
        (f"learnings due {file}", "what is still to be done, after the commit"),
        ("learnings check", "whether all files are sound"),
    )
    width = max(len(command) for command, _ in rows)
    return "\n".join(f"{command:{width}}   # {purpose}" for command, purpose in rows)


def _acceptance(file: str) -> str:
    return (
        "## Done when\n\n"
        f"- {span(f'learnings due --exit-code {shell_word(file)}')} ends with 0 after the commit;\n"
        "- `learnings check` finds no error, and no target file is over its limit;\n"
        "- each lesson that still holds can be found in one place."
    )


def _targets(targets: tuple[TargetRoom, ...], most: int) -> str:
    head = ("## Where entries can go\n", "| file | lines | limit | room |", "|---|--:|--:|--:|")
    missing = len(targets) - most
    more = [f"\n{counted(missing, 'more target file')}"] if missing > 0 else []
    return "\n".join((*head, *map(_target, targets[:most]), *more))


def _target(target: TargetRoom) -> str:
    room = max(0, target.limit - target.lines)
    return f"| {cell(target.path)} | {target.lines} | {target.limit} | {room} |"


def _section(section: TaskSection, most: int) -> str:
    missing = len(section.items) - most
    more = [f"- {missing} more"] if missing > 0 else []
    return "\n".join((f"## {section.title}\n", *map(_item, section.items[:most]), *more))


def _item(item: Item) -> str:
    quotes = ", ".join(map(span, item.quotes))
    return f"- {item.words}{': ' if quotes and item.words else ''}{quotes}"
