"""What to settle before a consolidation: superseded, contradicted and redundant entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from learnings.consolidation.checks.contradiction import ALIKE, PlaceIndex
from learnings.consolidation.checks.precheck import DROP, ESCALATE, REDUNDANCY, Against, Precheck
from learnings.consolidation.checks.redundancy import CoverageIndex, Thresholds
from learnings.consolidation.checks.supersession import Order, superseded
from learnings.consolidation.text.sections import TargetFile
from learnings.core.due.history_facts import ResurrectedEntry
from learnings.core.entries.document import Entry


def prechecks(
    batch: Sequence[Entry],
    targets: Sequence[TargetFile],
    *,
    entries: Sequence[Entry],
    order: Order,
    resurrected: Iterable[ResurrectedEntry] = (),
    thresholds: Thresholds | None = None,
) -> tuple[Precheck, ...]:
    """Check the entries of a batch; returns supersession, then contradiction, then redundancy.

    entries are all of the file: one of the batch can be superseded by one too young for it. An
    entry gets one finding at most: what is superseded goes no further, and where a sentence denies
    one of a target the entry is never called redundant, however many words both share. A place with
    nothing but like sentences is shown only for an entry that is not redundant.
    """
    identities = {entry.identity for entry in batch}
    superseding = [
        finding for finding in superseded(entries, order) if finding.entry.identity in identities
    ]
    settled = {finding.entry.identity for finding in superseding}
    sections = [section for target in targets for section in target.sections]
    coverage_index = CoverageIndex(sections, thresholds or Thresholds())
    returned = {entry.identity: entry for entry in resurrected}
    place_index = PlaceIndex(sections)
    contradicting, redundant = [], []
    for entry in batch:
        if entry.identity in settled:
            continue
        place = place_index.place_of(entry)
        redundancy = None
        if place is None or place.relation == ALIKE:
            back = returned.get(entry.identity)
            redundancy = _of_resurrection(entry, back) if back else coverage_index.covering(entry)
        if redundancy is not None:
            redundant.append(redundancy)
        elif place is not None:
            contradicting.append(place.finding(entry))
    return (*superseding, *contradicting, *redundant)


def _of_resurrection(entry: Entry, back: ResurrectedEntry) -> Precheck:
    """Return the finding on an entry that came back: a merge does so by mistake, others may not."""
    evidence = [f"removed by {back.removed_by} on {back.removed_on}"]
    if back.returned_by is not None:
        how = "the merge" if back.by_merge else "commit"
        evidence.append(f"brought back by {how} {back.returned_by} on {back.returned_on}")
    else:
        evidence.append("back in the working tree")
    action = DROP if back.by_merge else ESCALATE
    against = Against(commit=back.removed_by)
    return Precheck(REDUNDANCY, action, entry, against, 1.0, tuple(evidence))
