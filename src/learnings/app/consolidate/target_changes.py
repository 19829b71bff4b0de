"""The target files of a plan: their new contents, and the entries that do not fit."""

from __future__ import annotations

from collections.abc import Sequence

from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.consolidation.plan.moving import (
    block_of,
    insert,
    level_of_move,
    section_called,
    split_subject,
    taken_out,
)
from learnings.consolidation.plan.outcome import Skip
from learnings.consolidation.plan.plan import PlanProblem
from learnings.consolidation.plan.resolved_steps import ResolvedStep
from learnings.consolidation.text.sections import TargetSection, target_of
from learnings.core.entries.archives import archive_folder
from learnings.core.entries.document import Entry
from learnings.core.file_names import MARKDOWN_ENDINGS, leads_into_git
from learnings.core.text import count_lines, decode, nearest, not_text, printable
from learnings.workspace.disk import is_file, read_file, real_path
from learnings.workspace.workspace import Workspace

# A plan may come from anybody, so it must not write to a program, workflow or configuration.


class TargetChanges:
    """The files that receive entries; `without` has their content before the plan's first run."""

    def __init__(self, workspace: Workspace, source: SourceFile) -> None:
        self.read: dict[str, bytes] = {}
        self.without: dict[str, bytes] = {}
        self.after: dict[str, bytes] = {}
        self.skips: list[Skip] = []
        self.problems: list[PlanProblem] = []
        self._workspace = workspace
        self._source = source

    def add(self, resolved: ResolvedStep) -> tuple[Entry, ...]:
        """Move the entries of a step and return those that fit. Raises as read_file() does."""
        path, name = split_subject(resolved.step.subject)
        refusal = self._refusal(path) or self._load(path)
        if refusal is None and name:
            section = section_called(name, target_of(path, self.after[path]).sections)
            refusal = section if isinstance(section, str) else None
        if refusal is not None:
            self.problems.append(PlanProblem(resolved.step.line, refusal))
            return ()
        text = resolved.step.text
        groups = [resolved.entries] if text else [(entry,) for entry in resolved.entries]
        moved: list[Entry] = []
        for entries in groups:
            if self._insert(resolved.step.line, path, name, entries, text):
                moved += entries
        return tuple(moved)

    @property
    def changed(self) -> list[str]:
        """The paths of the targets that received text, now or in a killed run."""
        return [path for path, data in self.after.items() if data != self.without[path]]

    def _refusal(self, path: str) -> str | None:
        workspace = self._workspace
        shown = printable(path)
        root, target = real_path(workspace.root), real_path(workspace.root / path)
        if not path or not target.is_relative_to(root) or target == root:
            return f"{shown or 'the target'} is not in this repository; name a file in it"
        inner = target.relative_to(root).as_posix()
        if leads_into_git(inner):
            return f"{shown} is a file of git; name another file"
        is_entry = any(path == entry.path for entry in self._source.document.entries)
        if target == real_path(workspace.root / self._source.path) or is_entry:
            left = "is an entry" if self._source.is_folder else "is the file that the entries leave"
            return f"{shown} {left}; make the step `## keep`, or `## merge into` with a title"
        archives = f"{archive_folder(self._source.home)}/"
        if path.startswith(archives) or path in workspace.settings.index:
            return f"{shown} is an archive or an index; name a file for learnings"
        if not is_file(target):
            near = nearest(path, self._targets())
            advice = f"did you mean {near}?" if near else "write it first, or name an existing file"
            return f"there is no file {shown}; {advice}"
        return None

    def _targets(self) -> list[str]:
        return [file.path for file in self._workspace.target_files() if file.included]

    def _load(self, path: str) -> str | None:
        if path in self.read:
            return None
        suffix = real_path(self._workspace.root / path).suffix.lower()
        if suffix not in MARKDOWN_ENDINGS and path not in self._targets():
            shown = printable(path)
            return f"{shown} is not a Markdown file; name one, or add it to the setting targets"
        data = read_file(self._workspace.root / path, shown=path)
        if not_text(decode(data)):
            return f"{printable(path)} is not text; name a Markdown file"
        self.read[path] = self.without[path] = self.after[path] = data
        return None

    def _insert(self, line: int, path: str, name: str, entries: Sequence[Entry], text: str) -> bool:
        before = self.after[path]
        section = section_called(name, target_of(path, before).sections) if name else None
        below = section.line if isinstance(section, TargetSection) else None
        level = level_of_move(before, below)
        lines = block_of(entries, text, level, source=self._source.path, target=path)
        after = insert(before, lines, below=below)
        if after is None:
            message = (
                f"{printable(path)}, or the text, has an unclosed code block or comment, which "
                "would hide what follows; close it"
            )
            self.problems.append(PlanProblem(line, message))
            return False
        if after == before:  # an earlier run was killed before the entries left their file
            self.without[path] = taken_out(self.without[path], lines)
            return True
        count, with_them = count_lines(self.read[path]), count_lines(after)
        limit = self._workspace.settings.line_limit
        if with_them > limit:
            titles = tuple(entry.title for entry in entries)
            self.skips.append(Skip(titles, path, count, with_them, limit))
            return False
        self.after[path] = after
        return True
