"""The changes of decision files by consolidations: new decisions and ended ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from learnings.app.consolidate.archives_on_disk import SourceFile, content_if_there
from learnings.consolidation.plan.plan import ESCALATE, Plan, written_identity
from learnings.consolidation.plan.resolved_steps import ResolvedStep
from learnings.core.entries.decisions import (
    ESCALATED,
    KEPT,
    NO_DECISIONS,
    Decision,
    Decisions,
    decisions_path,
    decisions_text,
    read_decisions,
    without_decisions,
)
from learnings.core.entries.digests import digest_of
from learnings.core.entries.document import Entry
from learnings.core.errors import UntrustedHistory
from learnings.core.text import counted
from learnings.history.decided import decision_files
from learnings.store.files import Change
from learnings.workspace.disk import exists, read_file
from learnings.workspace.memory_file import MemoryFile


class NewDecisions(NamedTuple):
    """A plan's decisions about entries that stay: sentences, and the change of the file if any."""

    path: str
    sentences: tuple[str, ...] = ()
    change: Change | None = None


def new_decisions(
    plan: Plan,
    memory_file: MemoryFile,
    source: SourceFile,
    steps: Sequence[ResolvedStep],
    *,
    removed: Iterable[Entry],
    today: str,
) -> NewDecisions:
    """Return a plan's decisions about entries that stay; end those about others.

    steps are the judged ones. A second run does not extend the rest. A plan that decides every
    entry of the batch counts as a consolidation.
    """
    gone = {digest_of(entry) for entry in removed}
    left = {digest_of(entry) for entry in source.document.entries} - gone
    known, batch = _known(memory_file)
    new = {}
    for step in (step for step in steps if not step.step.leaves):
        kind = ESCALATED if step.step.action == ESCALATE else KEPT
        for entry in step.entries:
            digest, identity = digest_of(entry), written_identity(entry)
            new[digest] = Decision(kind, today, digest, identity, step.step.subject)
    if plan.result:
        new |= {digest: known.by_digest[digest] for digest in new if digest in known.by_digest}
    done = gone | new.keys() | {member.digest for step in steps for member in step.done}
    is_whole = batch is not None and batch <= done and bool(batch or left <= done)
    needs_date = new or len(gone) < memory_file.settings.consolidation_min_removed
    earlier = {digest: one for digest, one in known.by_digest.items() if digest in left}
    decisions = Decisions({**earlier, **new}, today if is_whole and needs_date else known.settled)

    path = decisions_path(memory_file.home)
    before = content_if_there(source.root, path)
    has_some = before is not None or decisions.by_digest or decisions.settled
    after = decisions_text(decisions, before) if has_some else None
    change = Change(path, before, after) if after is not None and after != before else None
    sentences = []
    kept = sum(one.kind == KEPT for one in new.values())
    if kept:
        they = "it rests" if kept == 1 else "they rest"
        days = counted(memory_file.settings.keep_days, "active day")
        sentences.append(f"{counted(kept, 'entry', 'entries')} kept: {they} for {days}")
    if len(new) > kept:
        entries = counted(len(new) - kept, "entry", "entries")
        sentences.append(f"{entries} escalated; run `learnings resolve ENTRY` after the decision")
    is_repeated = plan.result and all(known.by_digest.get(d) == new[d] for d in new)
    return NewDecisions(path, () if is_repeated else tuple(sentences), change)


def _known(memory_file: MemoryFile) -> tuple[Decisions, set[str] | None]:
    try:
        verdict = memory_file.verdict()
    except UntrustedHistory:
        path = memory_file.workspace.root / decisions_path(memory_file.home)
        known = read_decisions(read_file(path, shown=path.name)) if exists(path) else NO_DECISIONS
        return known, None
    return verdict.report.decisions, {digest_of(age.entry) for age in verdict.batch}


def ended_decisions(
    source: SourceFile, entries: Iterable[Entry], *, settled: Collection[str] = ()
) -> tuple[Change, ...]:
    """Return the changes that end decisions about entries, and the dates of `settled` plans."""
    digests = {digest_of(entry) for entry in entries}
    changes = (
        Change(path, data, without_decisions(data, digests, settled=settled))
        for path, data in decision_files(source.root, source.home)
    )
    return tuple(change for change in changes if change.after != change.before)
