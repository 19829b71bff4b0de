"""Checks before a consolidation: entries that other texts, or history, speak against."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.contradiction import PlaceIndex
from learnings.consolidation.checks.covered import CoverageIndex, Thresholds
from learnings.consolidation.checks.dead_references import of_dead_references
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
    index = _Index(targets, current, thresholds or Thresholds())
    back = {entry.identity: entry for entry in returned.entries}
    findings = []
    for entry in batch:
        finding, newer = index.coverage.documented(entry), superseding.get(entry.identity)
        # Sentences that a newer entry may have corrected are added nowhere.
        if newer is not None and (finding is None or finding.text):
            finding = newer
        place = None if finding else index.places.place_of(entry)
        if place is not None and place.is_opposite:
            finding = place.finding(entry)
        elif finding is None and entry.identity in back:
            archived = returned.archived.get(entry.identity)
            finding = _of_returned(entry, back[entry.identity], archived)
        elif finding is None:
            finding = index.coverage.covering(entry)
            if finding is not None and place is not None and place.denies:
                finding = finding._replace(action=ESCALATE, text="")
            elif finding is None and references and entry.identity in references:
                finding = of_dead_references(entry, references[entry.identity])
            if finding is None and place is not None and places:
                finding = place.finding(entry)
        if finding is not None:
            findings.append(finding)
    return tuple(sorted(findings, key=lambda finding: CHECKS.index(finding.check)))


class _Index:
    """The texts to compare entries with."""

    def __init__(
        self, targets: Sequence[TargetFile], entries: Sequence[Entry], thresholds: Thresholds
    ) -> None:
        sections = [section for target in targets for section in target.sections]
        self.coverage = CoverageIndex(sections, thresholds)
        self.places = PlaceIndex(entries, sections)


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
    if archived is None:
        against = Against(commit=back.removed_by)
        return Precheck(REDUNDANCY, LOOK, entry, against, 1.0, tuple(evidence))
    path, line = archived
    against = Against(None, path, None, line, back.removed_by)
    action = DROP if back.by_merge else LOOK
    return Precheck(REDUNDANCY, action, entry, against, 1.0, tuple(evidence))
