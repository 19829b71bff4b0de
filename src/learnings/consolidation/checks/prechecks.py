"""Checks before a consolidation: entries that other texts, or history, speak against."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from learnings.consolidation.checks.covered import COVERAGE, PERHAPS, CoverageIndex
from learnings.consolidation.checks.precheck import (
    ADD,
    COVERED,
    DEAD_REFERENCE,
    DROP,
    LOOK,
    REDUNDANCY,
    SUPERSESSION,
    Against,
    Precheck,
)
from learnings.consolidation.checks.supersession import Order, superseded
from learnings.consolidation.text.sections import TargetFile, TargetSection
from learnings.core.due.ages import LATEST
from learnings.core.due.history_facts import ResurrectedEntry
from learnings.core.entries.document import Entry
from learnings.core.text import short_commit
from learnings.references.dead import EntryReferences

CHECKS = COVERED, SUPERSESSION, REDUNDANCY, DEAD_REFERENCE
"""The checks in the order in which findings are shown."""


def prechecks(
    batch: Sequence[Entry],
    targets: Sequence[TargetFile],
    order: Order,
    *,
    returned: Iterable[ResurrectedEntry] = (),
    archived: Mapping[str, tuple[str, int]] | None = None,
    references: Mapping[str, EntryReferences] | None = None,
    coverage: float = COVERAGE,
    perhaps: float = PERHAPS,
    changed_on: Callable[[TargetSection], str | None] = lambda _: None,
) -> tuple[Precheck, ...]:
    """Check the entries of a batch; return findings in the order of CHECKS, then of the batch.

    order has all entries of the file, because an entry too young for the batch can supersede one in
    it. An entry gets at most one finding. A section of the same heading that documents it decides
    alone. returned are entries that a commit removed and that are in the file again. By identity,
    archived has the archive of an entry (a path and a 1-based line), references those of an entry
    that history knows. changed_on returns the date (ISO) of the newest line of a section, LATEST if
    that is not committed, None if it is unknown.
    """

    def later(entry: Entry, section: TargetSection) -> str:
        date = order.date_of(entry)
        changed = changed_on(section) if date else None
        if date is None or changed is None or changed < date:
            return ""
        when = "is not committed yet" if changed == LATEST else f"was last changed on {changed}"
        return f"the entry is from {date}, the section {when}"

    sections = [section for target in targets for section in target.sections]
    index = CoverageIndex(sections, coverage, perhaps, later, batch)
    superseding = {finding.entry.identity: finding for finding in superseded(order)}
    back = {entry.identity: entry for entry in returned}

    def found(entry: Entry) -> Precheck | None:
        identity = entry.identity
        finding, newer = index.documented(entry), superseding.get(identity)
        # Sentences that a newer entry may have corrected are added nowhere.
        if newer and (not finding or finding.text):
            return newer
        removed = back.get(identity)
        if finding and finding.action == ADD and removed and removed.by_merge:
            evidence = (*finding.evidence, "a merge brought the entry back")
            return finding._replace(action=DROP, evidence=evidence)
        if removed and not finding:
            return _of_returned(entry, removed, (archived or {}).get(identity))
        known = (references or {}).get(identity)
        dead = _of_dead_references(entry, known) if known else None
        return finding or index.covering(entry) or dead

    findings = filter(None, map(found, batch))
    return tuple(sorted(findings, key=lambda finding: CHECKS.index(finding.check)))


def _of_returned(
    entry: Entry, back: ResurrectedEntry, archived: tuple[str, int] | None
) -> Precheck:
    """Return the finding on an entry that came back; it is dropped if an archive holds it.

    A merge that brought it back does not prove that its text exists elsewhere.
    """
    evidence = [f"removed by {back.removed_by} on {back.removed_on}"]
    if back.returned_by is not None:
        how = "the merge" if back.by_merge else "commit"
        evidence.append(f"brought back by {how} {back.returned_by} on {back.returned_on}")
    else:
        evidence.append("back in the working tree")
    path, line = archived or (None, None)
    against = Against(None, path, None, line, back.removed_by)
    action = DROP if archived and back.by_merge else LOOK
    return Precheck(REDUNDANCY, action, entry, against, 1.0, tuple(evidence))


def _of_dead_references(entry: Entry, references: EntryReferences) -> Precheck | None:
    """Return the finding on an entry whose references are all dead; else None.

    A rule may hold without the files that it names: of ten such entries, read one by one, five did.
    """
    if not references.are_all_dead:
        return None
    removals = sorted({(d.removal.date, d.removal.commit) for d in references.dead if d.removal})
    against = Against(commit=removals[-1][1] if removals else None)
    evidence: dict[str, None] = {}
    for dead in references.dead:
        state = "is removed in an uncommitted change"
        if dead.removal is not None:
            verb = "removed" if dead.successor is None else f"renamed to {dead.successor}"
            commit = short_commit(dead.removal.commit)
            state = f"was {verb} in {commit} on {dead.removal.date}"
        evidence[f"{dead.reference.written} {state}"] = None
    return Precheck(DEAD_REFERENCE, LOOK, entry, against, 1.0, tuple(evidence))
