"""The target files of a plan: their new contents, and the entries that do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.consolidation.plan.moving import (
    block_of,
    insert,
    level_of_move,
    line_of,
    section_called,
    split_subject,
    taken_out,
)
from learnings.consolidation.plan.plan import PlanProblem, PlanStep, identity_of
from learnings.consolidation.text.sections import target_of
from learnings.core.entries.document import Entry
from learnings.core.file_names import MARKDOWN_ENDINGS, archive_folder, leads_into_git
from learnings.core.text import count_lines, counted, decode, nearest, not_text, printable
from learnings.store.files import Change
from learnings.workspace.disk import is_file, read_file, real_path

_STAY = "make the step `## keep`, or `## merge into` with a title"


class Skip(NamedTuple):
    """Entries that stay because their target is full: its lines after the run and with them."""

    entries: tuple[Entry, ...]
    target: str
    lines: int
    with_them: int
    limit: int

    def __str__(self) -> str:
        names = ", ".join(f'"{entry.title}"' for entry in self.entries)
        has = counted(self.lines, "line")
        return f"{self.target} has {has}, {self.with_them} with {names}, the limit is {self.limit}"


@dataclass
class _Target:
    """The contents of a target: on disk, before the plan's first run, and with the entries.

    placed are the lines last inserted under a heading of their own, by the name of the section.
    """

    read: bytes
    without: bytes
    after: bytes
    placed: dict[str, list[str]] = field(default_factory=dict)


class TargetChanges:
    """The files that receive entries, and the reasons why some do not."""

    def __init__(self, source: SourceFile) -> None:
        self.problems: list[PlanProblem] = []
        self._source, self._workspace = source, source.workspace
        self._skips: list[Skip] = []
        self._targets: dict[str, _Target] = {}

    @property
    def changes(self) -> list[Change]:
        """The changes of the targets on disk."""
        return [Change(path, one.read, one.after) for path, one in self._targets.items()]

    @property
    def received(self) -> list[Change]:
        """The changes of targets that received text, now or in a killed run."""
        rows = (Change(path, one.without, one.after) for path, one in self._targets.items())
        return [change for change in rows if change.before != change.after]

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """The entries that do not fit, with the lines of their targets at the end of the run."""
        rows = []
        for skip in self._skips:
            more = count_lines(self._targets[skip.target].after) - skip.lines
            rows.append(skip._replace(lines=skip.lines + more, with_them=skip.with_them + more))
        return tuple(rows)

    def add(self, step: PlanStep) -> tuple[Entry, ...]:
        """Move the entries of a step and return those that fit. Raises as read_file() does."""
        path, name = split_subject(step.subject)
        moved: list[Entry] = []
        problem = "" if path in self._targets else self._refusal(path)
        for entries in [step.entries] if step.text else [(entry,) for entry in step.entries]:
            result = problem or self._insert(path, name, entries, step.text)
            if isinstance(result, Skip):
                self._skips.append(result)
            elif result:
                self.problems.append(PlanProblem(step.line, result))
                break
            else:
                moved += entries
        return tuple(moved)

    def _refusal(self, path: str) -> str:
        """Read a file; return why it may not receive entries, as a plan may come from anybody."""
        workspace = self._workspace
        full = workspace.tree.full(path)
        root, target = real_path(workspace.root), real_path(full)
        known = [file.path for file in workspace.found.targets if file.included]
        message = ""
        if not path or not target.is_relative_to(root) or target == root:
            message = "is not in this repository; name a file in it"
        elif leads_into_git(target.relative_to(root).as_posix()):
            message = "is a file of git; name another file"
        elif target == real_path(workspace.tree.full(self._source.path)):
            message = f"is the file that the entries leave; {_STAY}"
        elif any(path == entry.path for entry in self._source.document.entries):
            message = f"is an entry; {_STAY}"
        elif path.startswith(f"{archive_folder(self._source.home)}/"):
            message = "is an archive; name a file for learnings"
        elif path in workspace.settings.index:
            message = "is an index; name a file for learnings"
        elif not is_file(target):
            near = nearest(path, known)
            advice = f"did you mean {near}?" if near else "write it first, or name an existing file"
            message = f"does not exist; {advice}"
        elif target.suffix.lower() not in MARKDOWN_ENDINGS and path not in known:
            message = "is not a Markdown file; name one, or add it to the setting targets"
        elif not_text(decode(data := read_file(full, shown=path))):
            message = "is not text; name a Markdown file"
        else:
            self._targets[path] = _Target(data, data, data)
        return message and f"{printable(path) or 'the target'} {message}"

    def _insert(self, path: str, name: str, entries: Sequence[Entry], text: str) -> Skip | str:
        """Insert one block; return its problem, or why it has no room; empty if it is there."""
        target = self._targets[path]
        section = section_called(name, target_of(path, target.after).sections) if name else None
        if isinstance(section, str):
            return section
        below = section.line if section else None
        level = level_of_move(target.after, below)
        lines = block_of(entries, text, level, source=self._source.path, target=path)
        key = identity_of(name)
        has_heading = section is not None and lines[0].startswith("#")
        if has_heading and key in target.placed:  # behind those that came before
            below = line_of(target.after, target.placed[key]) or below
        after = insert(target.after, lines, below=below)
        if after is None:
            return (
                f"{printable(path)}, or the text, has an unclosed code block or comment, which "
                "would hide what follows; close it"
            )
        count, with_them = count_lines(target.after), count_lines(after)
        limit = self._workspace.settings.line_limit
        if after == target.after:  # an earlier run was killed before the entries left their file
            target.without = taken_out(target.without, lines)
        elif with_them > limit:
            return Skip(tuple(entries), path, count, with_them, limit)
        target.after = after
        if has_heading:
            target.placed[key] = lines
        return ""
