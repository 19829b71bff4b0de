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
from learnings.app.consolidate.target_changes import TargetChanges
from learnings.consolidation.plan.memory_edits import NewEntry, Writer, misread, rewritten, title_of
from learnings.consolidation.plan.outcome import PlanOutcome, with_earlier
from learnings.consolidation.plan.plan import (
    ADD,
    DROP,
    JOIN,
    MERGE,
    MOVE,
    Plan,
    PlanProblem,
    PlanStep,
)
from learnings.consolidation.plan.resolved_steps import ResolvedStep, resolve, text_problems
from learnings.core.entries.archives import dropped_part, group_part
from learnings.core.entries.dialects import NONE
from learnings.core.entries.document import Entry, digest_of, digest_of_lines, read
from learnings.core.entries.rewriting import goes_on_top, original_of
from learnings.core.entries.titles import CONSOLIDATED, read_item
from learnings.core.errors import GitNotStarted, UntrustedHistory
from learnings.core.findings.finding import Severity, quoted
from learnings.core.markdown.blocks import blocks_of
from learnings.core.markdown.line_edits import without_filler
from learnings.core.roles import Role
from learnings.core.text import chomp, decode, encode, printable, split_lines
from learnings.rules import check
from learnings.rules.rule import checked_file
from learnings.store.files import Change
from learnings.store.safe_moves import Move
from learnings.workspace.memory_file import MemoryFile


class Application(NamedTuple):
    """The effect of applying a plan to a file: problems that forbid it, or a move and its outcome.

    The move includes the decisions, alone if no entry leaves.
    """

    file: SourceFile
    outcome: PlanOutcome
    problems: tuple[PlanProblem, ...] = ()
    move: Move = Move()
    notes: tuple[str, ...] = ()


def application_of(
    plan: Plan, memory: MemoryFile, *, now: datetime, as_proposed: bool
) -> Application:
    """Return the effect of applying a plan at a local time. Raises LearningsError.

    as_proposed accepts an unedited plan and unedited drafts; groups without a name or text stay.
    """
    notes = []
    if as_proposed:
        for step in plan.steps:
            if step.lacks:
                names = ", ".join(quoted(member.name) for member in step.members)
                notes.append(f"{names}: not merged, because the plan has no {step.lacks} for them")
        plan = plan._replace(steps=tuple(step for step in plan.steps if not step.lacks))
    return _Applying(plan, memory, now, notes).application(as_proposed=as_proposed)


class _Applying:
    def __init__(self, plan: Plan, memory: MemoryFile, now: datetime, notes: list[str]) -> None:
        self._plan = plan
        self._workspace = memory.workspace
        self._now = now
        self._memory_file = memory
        self._file = SourceFile(memory)
        self._source = self._file.data or b""
        self._options = self._file.options
        self._document = self._file.document
        self._targets = TargetChanges(memory.workspace, self._file)
        self._decisions: tuple[Change, ...] = ()
        self._notes = notes

    def application(self, *, as_proposed: bool) -> Application:
        digests = frozenset(
            digest_of(row.entry)
            if row.entry.path
            else digest_of_lines(split_lines(decode(row.data)))
            for row in self._file.archived
        )
        is_folder = self._file.is_folder
        resolved = resolve(self._plan, self._document.entries, digests, are_files=is_folder)
        problems = [*resolved.problems]
        if self._plan.is_unedited and not (as_proposed or self._plan.result):
            message = (
                "nobody has edited this plan, so nobody has judged it; edit it, carry it out with "
                "--as-proposed, or keep every entry with --keep-all"
            )
            problems.append(PlanProblem(1, message))
        problems += text_problems(resolved.steps, self._document.dialect, as_proposed=as_proposed)
        leaving = []
        for step in resolved.steps:
            entries = step.entries if step.step.action in (MERGE, JOIN, DROP) else ()
            if step.step.action in (MOVE, ADD) and step.entries:
                entries = self._targets.add(step)
            self._notes += _lost_titles(step.step, entries)
            leaving.append(step._replace(entries=entries))
        problems += self._targets.problems
        outcome = PlanOutcome(tuple(leaving), self._targets.skipped)
        if problems:
            return Application(self._file, outcome, tuple(sorted(problems)))
        decisions, decided = new_decisions(
            self._plan,
            self._memory_file,
            self._file,
            resolved.steps,
            removed=outcome.leaving,
            today=self._now.date().isoformat(),
        )
        is_changed = decisions.after != decisions.before
        files = (decisions.path,) if decided or is_changed else ()
        outcome = outcome._replace(decided=tuple(decided), files=files)
        self._decisions = (decisions,) if is_changed else ()
        if outcome.leaving:
            return (self._move_files if is_folder else self._move)(leaving, outcome)
        if outcome.decided:
            outcome = with_earlier(outcome, self._plan.result)
        move = Move(targets=self._decisions)
        return Application(self._file, outcome, move=move, notes=tuple(self._notes))

    def _move(self, steps: Sequence[ResolvedStep], outcome: PlanOutcome) -> Application:
        added = self._merged(steps)
        removed = [entry for step in steps for entry in step.entries]
        source = self._rewritten(removed, list(added.values()))
        if source is None:
            message = (
                "this text would change how the file is read: as other entries, or with later "
                "text hidden; correct the name and the text"
            )
            used = [step.step for step in steps if step.entries]
            blamed = [step for step in used if step.action == MERGE] or used
            problems = tuple(PlanProblem(step.line, message) for step in blamed)
            return Application(self._file, outcome, problems)
        faults = tuple(self._faults(source, added))
        if faults:
            return Application(self._file, outcome, faults)
        titles = {step.step.line: self._title(step.step, added) for step in steps}
        merged = tuple(titles[line] for line, new in added.items() if not new.replaces)
        move = Move(
            archives=(self._archive(steps, titles),),
            originals=tuple(original_of(entry) for entry in removed),
            sources=(Change(self._file.path, self._source, source),),
        )
        return self._applied(move, outcome, merged)

    def _move_files(self, steps: Sequence[ResolvedStep], outcome: PlanOutcome) -> Application:
        source = self._file
        present = {row.path: row.data for row in source.present}
        files = {entry.path: present[entry.path] for step in steps for entry in step.entries}
        writer = Writer(self._document, self._dates(steps), self._now)
        merged, joined = [], []
        for step, entries, _, other in steps:
            if other is not None and entries:
                data = present[other.path]
                entry = other._replace(lines=tuple(split_lines(decode(data))))
                lines = writer.joined(entry, entries, step.text)
                joined.append(joined_file(other.path, data, lines, step.text))
            elif step.action == MERGE and entries:
                lines = writer.lines(step.subject, entries, step.text)
                members = {entry.path: files[entry.path] for entry in entries}
                title = title_of(step.subject)
                merged.append(merged_file(source, title, lines, step.text, members))
        move = folder_move(source, files, merged=merged, targets=joined)
        return self._applied(move, outcome)

    def _applied(self, move: Move, outcome: PlanOutcome, merged: Sequence[str] = ()) -> Application:
        """Complete a move with the changes of targets, decisions and indexes."""
        received = self._targets.received
        # Decisions are first: a new file of a killed run would be an entry without one.
        whole = with_index_rows(
            self._workspace,
            move._replace(targets=(*self._decisions, *move.targets, *self._targets.changes)),
            earlier={change.path: change.before or b"" for change in received},
            merged=merged,
        )
        # They include the ones that a killed run has already written.
        written = (*move.files, *at_ends(self._workspace, received), *whole.indexes)
        own = [change for change in whole.sources if change not in move.sources]
        outcome = outcome._replace(
            files=(*(change.path for change in written), *outcome.files),
            indexes=tuple(change.path for change in (*own, *whole.indexes)),
        )
        outcome = with_earlier(outcome, self._plan.result)
        notes = (*self._notes, *whole.notes, *self._other_dialect(whole))
        return Application(self._file, outcome, (), whole, notes)

    def _other_dialect(self, move: Move) -> Iterator[str]:
        """Yield a note if the rest of the file would be read as other entries."""
        if self._file.is_folder:
            return
        left = read(move.sources[0].after or b"", self._options).dialect
        dialect = self._document.dialect
        if (dialect.name, dialect.level) != (left.name, left.level) and left.name != NONE:
            level = f" and `entry-level = {dialect.level}`" if dialect.level else ""
            yield (
                f"{self._plan.file} would now be read as {left.name} entries ({left.reason}); set "
                f'`dialect = "{dialect.name}"`{level} for it in the configuration'
            )

    def _rewritten(self, removed: Sequence[Entry], added: Sequence[NewEntry]) -> bytes | None:
        """Return the new file; entries go to the top if its end is in an unclosed code block."""
        on_top = goes_on_top(self._document, self._memory_file.settings.insert)
        for is_top in (on_top, not on_top):
            source = rewritten(self._document, removed, added, on_top=is_top)
            again = read(source, self._options).read_as(self._document.dialect)
            if not misread(self._document, again, removed, added):
                return source
        return None

    def _faults(self, source: bytes, added: Mapping[int, NewEntry]) -> Iterator[PlanProblem]:
        file = checked_file(
            source,
            path=self._plan.file,
            role=Role.LEARNINGS,
            settings=self._workspace.settings,
            file_settings=self._memory_file.settings,
        )
        errors = [f for f in check(file) if f.severity is Severity.ERROR and f.path == file.path]
        if errors:
            before = {(f.rule, f.subject) for f in check(file.reread(self._source))}
            errors = [f for f in errors if (f.rule, f.subject) not in before]
        for line, new in added.items() if errors else ():
            written = next(
                entry
                for entry in file.document.read_as(self._document.dialect).entries
                if [chomp(text) for text in without_filler(entry.lines)]
                == without_filler(list(new.lines))
            )
            for error in errors:
                if written.first <= error.line <= written.last:
                    yield PlanProblem(line, f"{error.message} ({error.rule})")

    def _merged(self, steps: Sequence[ResolvedStep]) -> dict[int, NewEntry]:
        writer = Writer(self._document, self._dates(steps), self._now)
        added: dict[int, NewEntry] = {}
        for step, entries, _, joined in steps:
            if joined is not None and entries:
                lines = writer.joined(joined, entries, step.text)
                added[step.line] = NewEntry(tuple(lines), joined, replaces=True)
            elif step.action == MERGE and entries:
                lines = writer.lines(step.subject, entries, step.text)
                neighbour = min(entries, key=lambda entry: entry.first)
                added[step.line] = NewEntry(tuple(lines), neighbour)
        return added

    def _dates(self, steps: Sequence[ResolvedStep]) -> Mapping[str, str | None] | None:
        """Return the dates of all entries; None if no step merges any or the dates are unknown."""
        if not any(step.step.action in (MERGE, JOIN) and step.entries for step in steps):
            return None
        try:
            return self._memory_file.ages().dates
        except GitNotStarted:  # a second try knows the dates
            raise
        except UntrustedHistory as error:
            if is_in_repository(self._workspace.root):
                self._notes.append(f"merged entries get no date of their originals: {error}")
            return None

    def _title(self, step: PlanStep, added: Mapping[int, NewEntry]) -> str:
        """Return the subject of a step, or the title as it will be read of a merged entry."""
        if step.action != MERGE or step.line not in added:
            return step.subject
        if self._document.dialect.level:
            return title_of(step.subject)
        return read_item(added[step.line].lines[0]).title

    def _archive(self, steps: Sequence[ResolvedStep], titles: Mapping[int, str]) -> Change:
        date = self._now.date().isoformat()
        parts = []
        for step in (step for step in steps if step.entries):
            action, subject = step.step.action, step.step.subject
            if action == MERGE:
                subject = titles[step.step.line].removesuffix(CONSOLIDATED).rstrip()
            originals = [original_of(entry) for entry in step.entries]
            prefix = {JOIN: "joined ", MOVE: "moved to ", ADD: "added to "}.get(action, "")
            parts.append(
                dropped_part(subject, originals)
                if action == DROP
                else group_part(f"{prefix}{subject}", originals)
            )
        return self._file.archive_change(parts, date)


def _lost_titles(step: PlanStep, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield a note on the titles that the text of a move leaves out, if it has no heading."""
    text = step.text.casefold()
    if step.action != MOVE or not text or blocks_of(encode(step.text)).outline.headings:
        return
    lost = [entry.title for entry in entries if entry.level and entry.title.casefold() not in text]
    if lost:
        titles = ", ".join(f'"{printable(title)}"' for title in lost)
        yield (
            f"the text at line {step.line} of the plan has no heading, so only the archive keeps "
            f"the title {titles}; begin the text with `## ` and a title"
        )
