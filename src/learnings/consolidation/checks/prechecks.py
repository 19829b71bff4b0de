"""Checks before a consolidation: entries that other texts, or history, speak against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.contradiction import PlaceIndex
from learnings.consolidation.checks.covered import CoverageIndex, Thresholds
from learnings.consolidation.checks.precheck import (
    CONTRADICTION,
    COVERED,
    DEAD_REFERENCE,
    DROP,
    ESCALATE,
    LOOK,
    REDUNDANCY,
    SUPERSESSION,
    Against,
    Precheck,
)
from learnings.consolidation.checks.supersession import Order, superseded
from learnings.consolidation.text.sections import TargetFile
from learnings.core.due.history_facts import ResurrectedEntry
from learnings.core.entries.document import Entry
from learnings.core.text import short_commit
from learnings.references.entries import EntryReferences

CHECKS = COVERED, SUPERSESSION, CONTRADICTION, REDUNDANCY, DEAD_REFERENCE
"""The checks in the order in which findings are shown."""


class ReturnedEntries(NamedTuple):
    """The entries of a file that a commit removed and that are in it again.

    archived maps the identity of an entry to its archive: a path and a 1-based line.
    """

    entries: Iterable[ResurrectedEntry] = ()
    archived: Mapping[str, tuple[str, int]] = {}


def prechecks(
    batch: Sequence[Entry],
    targets: Sequence[TargetFile],
    *,
    entries: Sequence[Entry],
    order: Order,
    returned: ReturnedEntries = ReturnedEntries(),  # noqa: B008  (immutable)
    references: Mapping[str, EntryReferences] | None = None,
    thresholds: Thresholds | None = None,
    places: bool = False,
) -> tuple[Precheck, ...]:
    """Check the entries of a batch; return findings in the order of CHECKS, then of the batch.

    entries are all entries of the file, because an entry too young for the batch can supersede one
    in it. An entry gets at most one finding. A section of the same heading that documents it
    decides alone. An entry that another text may correct is never certainly redundant. references
    are those of entries by identity, as far as history knows them. places: an entry without another
    finding gets the most similar place in another text.
    """
    superseding = {finding.entry.identity: finding for finding in superseded(entries, order)}
    current = [entry for entry in entries if entry.identity not in superseding]
    sections = [section for target in targets for section in target.sections]
    coverage = CoverageIndex(sections, thresholds or Thresholds())
    place_index = PlaceIndex(current, sections)
    back = {entry.identity: entry for entry in returned.entries}
    findings = []
    for entry in batch:
        finding, newer = coverage.documented(entry), superseding.get(entry.identity)
        # Sentences that a newer entry may have corrected are added nowhere.
        if newer is not None and (finding is None or finding.text):
            finding = newer
        place = None if finding else place_index.place_of(entry)
        if place is not None and place.is_opposite:
            finding = place.finding(entry)
        elif finding is None and entry.identity in back:
            archived = returned.archived.get(entry.identity)
            finding = _of_returned(entry, back[entry.identity], archived)
        elif finding is None:
            finding = coverage.covering(entry)
            if finding is not None and place is not None and place.denies:
                finding = finding._replace(action=ESCALATE, text="")
            elif finding is None and references and entry.identity in references:
                finding = _of_dead_references(entry, references[entry.identity])
            if finding is None and place is not None and places:
                finding = place.finding(entry)
        if finding is not None:
            findings.append(finding)
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

    It proposes to drop the entry only if commits removed all of them. If something was renamed, or
    is removed only in the working tree, it asks for a review.
    """
    if not references.are_all_dead:
        return None
    action = DROP if references.are_all_removed else LOOK
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
    return Precheck(DEAD_REFERENCE, action, entry, against, 1.0, tuple(evidence))
