"""The first part of a consolidation issue, all but entries: why, what to do, where to."""

from __future__ import annotations

from collections.abc import Iterator

from learnings import REPOSITORY, __version__
from learnings.app.consolidate.suggestions import Item, TaskSection
from learnings.core.due.conditions import Condition
from learnings.core.due.triggers import Verdict
from learnings.core.file_names import PLAN
from learnings.core.text import counted
from learnings.surfaces.render import due_words
from learnings.surfaces.render.escape import block, cell, span
from learnings.surfaces.render.issue_task import TargetRoom, Task
from learnings.surfaces.render.next_step import plan_command
from learnings.surfaces.render.tiers_words import COMMAND
from learnings.tiers.trigger import MORE


def render(task: Task, most: int) -> str:
    """Return the head; each list has at most `most` rows, and then the number of the others."""
    return "\n\n".join(_parts(task, most))


def _parts(task: Task, most: int) -> Iterator[str]:
    verdict = task.verdict
    yield f"Consolidation of {span(verdict.report.file)} is due: {due_words.reason(verdict)}."
    if task.mention:
        yield task.mention
    yield "\n".join(_conditions(task))
    for note in verdict.report.history.notes:
        yield f"Note: {span(note)}"
    yield _work(verdict.report.file)
    yield _acceptance(verdict.report.file)
    if task.targets:
        yield _targets(task.targets, most)
    for section in task.sections:
        yield _section(section, most, with_evidence=not task.titles_only)
    count = counted(len(verdict.batch), "entry", "entries")
    yield f"## The batch\n\n{count}, oldest first. Ages are in days on which somebody committed."


def _conditions(task: Task) -> Iterator[str]:
    yield "| condition | value | threshold | met |"
    yield "|---|---|--:|---|"
    for condition in task.verdict.conditions:
        yield _condition(task.verdict, condition)
    if task.tiers:
        new = counted(task.tiers.trigger.new, "new raw file")
        yield f"| {span(task.tiers.folder)} | {new}: {span(COMMAND)} | {MORE} | yes |"


def _condition(verdict: Verdict, condition: Condition) -> str:
    met = "yes" if condition.met else "no"
    words = due_words.measured(verdict, condition)
    return f"| {condition.name} | {words} | {condition.threshold} | {met} |"


def _work(file: str) -> str:
    return (
        "## What to do\n\n"
        "1. `learnings plan` writes what is proposed for the batch into a file. Decide there about "
        "each entry: what holds in general is merged with entries that say the same, or moves to "
        "the file where a reader will look for it; what has been said already, has turned out "
        "wrong or is superseded is dropped, with the reason. What is not settled is kept.\n"
        "2. `learnings apply` carries the plan out. It moves every entry that leaves "
        f"{span(file)}, a dropped one too, into the archive, word for word. Leave all other "
        "entries as they are.\n"
        "3. `learnings verify` proves that nothing is lost. Commit the files that `apply` has "
        "named, the archive among them, and open a pull request. Once it is merged and "
        "consolidation is not due any more, this issue closes by itself.\n\n"
        f"{block(_commands(file), 'sh')}\n\n"
        f"Where `learnings` is not installed: `pip install git+{REPOSITORY}@v{__version__}`."
    )


def _commands(file: str) -> str:
    rows = (
        (plan_command(file), "what is proposed, as a file to edit"),
        (f"learnings apply {PLAN} --stage", "carries out what became of it"),
        ("learnings verify --base HEAD", "whether anything is lost, before the commit"),
        ("learnings check", "whether all files are sound"),
    )
    width = max(len(command) for command, _ in rows)
    return "\n".join(f"{command:{width}}   # {purpose}" for command, purpose in rows)


def _acceptance(file: str) -> str:
    return (
        "## Done when\n\n"
        f"- the batch is gone: no entry below stands in {span(file)} any more, but for those that "
        "the pull request keeps, each with its reason;\n"
        "- `learnings verify --base HEAD` ends with 0 before the commit;\n"
        "- `learnings check` finds no error, and no target file is over its limit."
    )


def _targets(targets: tuple[TargetRoom, ...], most: int) -> str:
    head = ("## Where entries can go\n", "| file | lines | limit | room |", "|---|--:|--:|--:|")
    missing = len(targets) - most
    more = [f"\n{counted(missing, 'more target file')}"] if missing > 0 else []
    return "\n".join((*head, *map(_target, targets[:most]), *more))


def _target(target: TargetRoom) -> str:
    room = max(0, target.limit - target.lines)
    return f"| {cell(target.path)} | {target.lines} | {target.limit} | {room} |"


def _section(section: TaskSection, most: int, *, with_evidence: bool) -> str:
    missing = len(section.items) - most
    more = [f"- {missing} more"] if missing > 0 else []
    rows = (_item(item, with_evidence=with_evidence) for item in section.items[:most])
    return "\n".join((f"## {section.title}\n", *rows, *more))


def _item(item: Item, *, with_evidence: bool) -> str:
    quotes = (f"; {item.relation}: " if item.relation else ", ").join(
        f"{span(quote)}{' (superseded)' if index in item.marks else ''}"
        for index, quote in enumerate(item.quotes)
    )
    row = f"- {item.words}{': ' if quotes and item.words else ''}{quotes}"
    evidence = item.evidence if with_evidence else ()
    return "\n".join((row, *(f"  - {span(line)}" for line in evidence)))
