"""Turn a plan into the changes that apply it. Nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import SourceFile
from learnings.app.consolidate.commit_files import is_in_repository
from learnings.app.consolidate.related_changes import (
    at_ends,
    folder_move,
    joined_file,
    merged_file,
    new_decisions,
    with_index_rows,
)
from learnings.app.consolidate.target_changes import Skip, TargetChanges
from learnings.consolidation.plan.memory_edits import (
    NewEntry,
    Writer,
    content_of,
    misread,
    rewritten,
    title_of,
)
from learnings.consolidation.plan.plan import (
    ADD,
    APPLIED,
    DECIDED,
    DROP,
    FILE,
    INDEX,
    JOIN,
    MERGE,
    MOVE,
    SKIPPED,
    Plan,
    PlanProblem,
    PlanStep,
    labelled,
)
from learnings.consolidation.plan.resolved_steps import resolve, text_problems
from learnings.core.entries.archives import dropped_part, group_part
from learnings.core.entries.dialects import NONE
from learnings.core.entries.document import Entry, digest_of, digest_of_lines, read
from learnings.core.entries.rewriting import goes_on_top, original_of
from learnings.core.entries.titles import CONSOLIDATED, read_item
from learnings.core.errors import GitNotStarted, UntrustedHistory
from learnings.core.findings.finding import Severity, quoted
from learnings.core.markdown.blocks import blocks_of
from learnings.core.roles import Role
from learnings.core.text import decode, encode, printable, split_lines
from learnings.rules import check
from learnings.rules.rule import checked_file
from learnings.store.files import Change
from learnings.store.safe_moves import Move

_PREFIXES = {JOIN: "joined ", MOVE: "moved to ", ADD: "added to "}
"""What the archive says before the subject of a step."""


class Application(NamedTuple):
    """The effect of applying a plan to a file: problems that forbid it, or a move.

    The entries of steps leave the file now, those of unmerged steps stay, since the plan lacks a
    name or text for them. decided are sentences about entries that stay by decision; the move
    includes these decisions, alone if no entry leaves. files are the changed ones with indexes, by
    path.
    """

    steps: tuple[PlanStep, ...]
    skips: tuple[Skip, ...] = ()
    unmerged: tuple[PlanStep, ...] = ()
    problems: tuple[PlanProblem, ...] = ()
    move: Move = Move()
    files: tuple[str, ...] = ()
    indexes: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def leaving(self) -> list[Entry]:
        """The entries that leave the file now."""
        return [entry for step in self.steps for entry in step.entries]

    @property
    def result(self) -> tuple[str, ...]:
        """The lines of the result at the end of the plan."""
        applied = []
        for step in self.steps:
            gone = {*map(digest_of, step.entries), *(member.digest for member in step.done)}
            digests = [member.digest for member in step.members if member.digest in gone]
            if digests:
                applied.append(f"{step.heading}: {' '.join(digests)}")
        skipped = [f"{skip}: {' '.join(map(digest_of, skip.entries))}" for skip in self.skips]
        for step in self.unmerged:
            own = " ".join(member.digest for member in step.members)
            skipped.append(f"not merged, because the plan has no {step.lacks}: {own}")
        kinds = (
            (APPLIED, applied),
            (SKIPPED, skipped),
            (DECIDED, self.decided),
            (INDEX, self.indexes),
            (FILE, self.files),
        )
        return tuple(f"{word}: {value}" for word, values in kinds for value in values)

    def after(self, result: Sequence[str]) -> Application:
        """Return it with the files that earlier runs of its plan changed, by their result."""
        return self._replace(
            decided=self.decided or labelled(DECIDED, result),
            files=tuple(sorted({*self.files, *labelled(FILE, result)})),
            indexes=tuple(sorted({*self.indexes, *labelled(INDEX, result)})),
        )


def application_of(
    plan: Plan, source: SourceFile, *, now: datetime, as_proposed: bool
) -> Application:
    """Return the effect of applying a plan to its file at a local time. Raises LearningsError.

    as_proposed accepts an unedited plan and unedited drafts; groups without a name or text stay.
    """
    unmerged = tuple(step for step in plan.steps if step.lacks and as_proposed)
    plan = plan._replace(steps=tuple(step for step in plan.steps if step not in unmerged))
    names = (", ".join(quoted(member.name) for member in step.members) for step in unmerged)
    notes = [
        f"{own}: not merged, because the plan has no {step.lacks} for them"
        for step, own in zip(unmerged, names, strict=True)
    ]
    done = _Applying(plan, source, now, notes).application(as_proposed=as_proposed)
    return done._replace(unmerged=unmerged)


class _Applying:
    def __init__(self, plan: Plan, source: SourceFile, now: datetime, notes: list[str]) -> None:
        self._plan, self._source, self._now, self._notes = plan, source, now, notes
        self._document = source.document
        self._targets = TargetChanges(source)

    def application(self, *, as_proposed: bool) -> Application:
        source, plan = self._source, self._plan
        digests = frozenset(
            digest_of(row.entry)
            if row.entry.path
            else digest_of_lines(split_lines(decode(row.data)))
            for row in source.archived
        )
        steps, unresolved = resolve(
            plan, self._document.entries, digests, are_files=source.is_folder
        )
        problems = [*unresolved]
        if plan.is_unedited and not (as_proposed or plan.result):
            message = (
                "this plan is unedited, so nobody has judged it; edit it, apply it unchanged with "
                "--as-proposed, or keep every entry with --keep-all"
            )
            problems.append(PlanProblem(1, message))
        problems += text_problems(steps, self._document.dialect, as_proposed=as_proposed)
        leaving = tuple(step._replace(entries=self._leaving(step)) for step in steps)
        problems += self._targets.problems
        result = Application(leaving, self._targets.skipped, problems=tuple(sorted(problems)))
        if problems:
            return result
        today = self._now.date().isoformat()
        decisions, decided = new_decisions(plan, source, steps, result.leaving, today)
        changed = (decisions,) if decisions.after != decisions.before else ()
        result = result._replace(
            move=Move(targets=changed),
            files=(decisions.path,) if decided or changed else (),
            decided=decided,
        )
        if result.leaving:
            result = self._in_folder(result) if source.is_folder else self._in_file(result)
        return result._replace(notes=(*self._notes, *result.notes))

    def _leaving(self, step: PlanStep) -> tuple[Entry, ...]:
        """Return the entries that a step takes out of the file, all or those with a place."""
        if not step.leaves:
            return ()
        if step.action not in (MOVE, ADD) or not step.entries:
            return step.entries
        entries = self._targets.add(step)
        if step.action == MOVE and step.text and not blocks_of(encode(step.text)).outline.headings:
            text = step.text.casefold()
            lost = [e.title for e in entries if e.level and e.title.casefold() not in text]
            if lost:
                titles = ", ".join(f'"{printable(title)}"' for title in lost)
                self._notes.append(
                    f"the text at line {step.line} of the plan has no heading, so only the archive "
                    f"keeps the title {titles}; begin the text with `## ` and a title"
                )
        return entries

    def _in_file(self, result: Application) -> Application:
        """Return the application with the move out of a file, or with the problems of new texts."""
        steps = [step for step in result.steps if step.entries]
        added = self._new_entries(steps)
        source = self._rewritten(result.leaving, list(added.values()))
        if source is None:
            message = (
                "this text would change how the file is read: as other entries, or with later "
                "text hidden; correct the name and the text"
            )
            blamed = [step for step in steps if step.action == MERGE] or steps
            problems = (PlanProblem(step.line, message) for step in blamed)
            return result._replace(problems=tuple(problems))
        if faults := tuple(self._faults(source, added)):
            return result._replace(problems=faults)
        titles, parts = [], []
        for step in steps:
            originals = [original_of(entry) for entry in step.entries]
            name = f"{_PREFIXES.get(step.action, '')}{step.subject}"
            if step.action == MERGE:
                titles.append(self._title(step, added[step.line]))
                name = titles[-1].removesuffix(CONSOLIDATED).rstrip()
            part = dropped_part if step.action == DROP else group_part
            parts.append(part(name, originals))
        move = Move(
            archives=(self._source.archive_change(parts, self._now.date().isoformat()),),
            originals=tuple(map(original_of, result.leaving)),
            sources=(Change(self._source.path, self._source.data, source),),
        )
        result = self._applied(result, move, titles)
        (whole,) = result.move.sources
        notes = self._other_dialect(whole.after or b"")
        return result._replace(notes=(*result.notes, *notes))

    def _title(self, step: PlanStep, new: NewEntry) -> str:
        """Return the title of a merged entry as it will be read."""
        if self._document.dialect.level:
            return title_of(step.subject)
        return read_item(new.lines[0]).title

    def _in_folder(self, result: Application) -> Application:
        """Return the application with the move of files to the archive of their folder."""
        files = {row.path: row.data for row in self._source.present}
        added = self._new_entries(result.steps, files)
        merged, joined = [], []
        for step in (step for step in result.steps if step.line in added):
            lines = added[step.line].lines
            if step.joined is not None:
                path = step.joined.path
                joined.append(joined_file(path, files[path], lines, step.text))
            else:
                members = {entry.path: files[entry.path] for entry in step.entries}
                title = title_of(step.subject)
                merged.append(merged_file(self._source, title, lines, step.text, members))
        gone = {entry.path: files[entry.path] for entry in result.leaving}
        move = folder_move(self._source, gone, merged=merged, targets=joined)
        return self._applied(result, move)

    def _applied(self, result: Application, move: Move, merged: Sequence[str] = ()) -> Application:
        """Complete a move with the changes of targets, decisions and indexes."""
        workspace, received = self._source.workspace, self._targets.received
        # Decisions are first: a new file of a killed run would be an entry without one.
        targets = (*result.move.targets, *move.targets, *self._targets.changes)
        whole = with_index_rows(
            workspace,
            move._replace(targets=targets),
            earlier={change.path: change.before or b"" for change in received},
            merged=merged,
        )
        # They include the ones that a killed run has already written.
        written = (*move.files, *at_ends(workspace, received), *whole.indexes)
        own = [change for change in whole.sources if change not in move.sources]
        return result._replace(
            move=whole,
            files=(*(change.path for change in written), *result.files),
            indexes=tuple(change.path for change in (*own, *whole.indexes)),
            notes=whole.notes,
        )

    def _other_dialect(self, source: bytes) -> Iterator[str]:
        """Yield a note if the rest of the file would be read as other entries."""
        left = read(source, self._source.options).dialect
        dialect = self._document.dialect
        if (dialect.name, dialect.level) != (left.name, left.level) and left.name != NONE:
            level = f" and `entry-level = {dialect.level}`" if dialect.level else ""
            yield (
                f"{self._plan.file} would now be read as {left.name} entries ({left.reason}); set "
                f'`dialect = "{dialect.name}"`{level} for it in the configuration'
            )

    def _rewritten(self, removed: Sequence[Entry], added: Sequence[NewEntry]) -> bytes | None:
        """Return the new file; entries go to the top if its end is in an unclosed code block."""
        on_top = goes_on_top(self._document, self._source.memory.settings.insert)
        for is_top in (on_top, not on_top):
            source = rewritten(self._document, removed, added, on_top=is_top)
            again = read(source, self._source.options).read_as(self._document.dialect)
            if not misread(self._document, again, removed, added):
                return source
        return None

    def _faults(self, source: bytes, added: Mapping[int, NewEntry]) -> Iterator[PlanProblem]:
        """Yield the errors in new entries that the file has not had before."""
        file = checked_file(
            source,
            path=self._plan.file,
            role=Role.LEARNINGS,
            settings=self._source.workspace.settings,
            file_settings=self._source.memory.settings,
        )
        errors = [f for f in check(file) if f.severity is Severity.ERROR and f.path == file.path]
        if not errors:
            return
        before = {(f.rule, f.subject) for f in check(file.reread(self._source.data or b""))}
        entries = file.document.read_as(self._document.dialect).entries
        for line, new in added.items():
            text = content_of(new.lines)
            written = next(entry for entry in entries if content_of(entry.lines) == text)
            for error in errors:
                is_new = (error.rule, error.subject) not in before
                if is_new and written.first <= error.line <= written.last:
                    yield PlanProblem(line, f"{error.message} ({error.rule})")

    def _new_entries(
        self, steps: Sequence[PlanStep], files: Mapping[str, bytes] = {}
    ) -> dict[int, NewEntry]:
        """Return the entries that merges write, by the line of the step; files are those joined."""
        merges = [step for step in steps if step.is_merge and step.entries]
        writer = Writer(self._document, self._dates() if merges else None, self._now)
        added = {}
        for step in merges:
            neighbour = step.joined
            if neighbour is None:
                lines = writer.lines(step.subject, step.entries, step.text)
                neighbour = min(step.entries, key=lambda entry: entry.first)
            else:
                if neighbour.path:
                    whole = split_lines(decode(files[neighbour.path]))
                    neighbour = neighbour._replace(lines=tuple(whole))
                lines = writer.joined(neighbour, step.entries, step.text)
            added[step.line] = NewEntry(tuple(lines), neighbour, replaces=step.joined is not None)
        return added

    def _dates(self) -> Mapping[str, str | None] | None:
        """Return the dates of all entries; None if they are unknown."""
        try:
            return self._source.memory.ages().dates
        except GitNotStarted:  # a second try knows the dates
            raise
        except UntrustedHistory as error:
            if is_in_repository(self._source.root):
                self._notes.append(f"merged entries get no date of their originals: {error}")
            return None
