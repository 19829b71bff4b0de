"""What to settle before a consolidation: superseded, contradicted and redundant entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.contradiction import ALIKE, CORRECTED, Place, PlaceIndex
from learnings.consolidation.checks.evidence import listed, quoted
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.redundancy import COVERED, CoverageIndex, Redundancy
from learnings.consolidation.checks.sentences import (
    nearest_of,
    sentences_of_entry,
    sentences_of_section,
)
from learnings.consolidation.checks.supersession import SURE, Superseded, superseded
from learnings.consolidation.text.sections import TargetFile
from learnings.core.due.rule_facts import Resurrected
from learnings.core.entries.document import Entry

SUPERSESSION, CONTRADICTION, REDUNDANCY = "supersession", "contradiction", "redundancy"
DROP, ESCALATE, LOOK = "drop", "escalate", "look"


class Against(NamedTuple):
    """What an entry was compared with: an entry of the file, a target section, or a commit.

    line is that of the other entry or section, None for a commit.
    """

    entry: Entry | None = None
    target: str | None = None
    section: str | None = None
    line: int | None = None
    commit: str | None = None


class Precheck(NamedTuple):
    """One finding: the check, the proposed action, the entry, and the evidence.

    score is a share of words from 0 to 1, of which ones depends on the check.
    """

    check: str
    action: str
    entry: Entry
    against: Against
    score: float
    evidence: tuple[str, ...]


class Thresholds(NamedTuple):
    """Share of an entry's pairs of words from which a section covers it, or perhaps does.

    Precision and recall at both: benchmarks/README.md, Pre-checks. They are settings, too, since
    they depend on how targets are written.
    """

    coverage: float = 0.40
    perhaps: float = 0.15


def prechecks(
    batch: Sequence[Entry],
    targets: Sequence[TargetFile],
    *,
    entries: Sequence[Entry],
    order: Order,
    resurrected: Iterable[Resurrected] = (),
    thresholds: Thresholds | None = None,
) -> tuple[Precheck, ...]:
    """Check the entries of a batch; returns supersession, then contradiction, then redundancy.

    entries are all of the file: one of the batch can be superseded by one too young for it. An
    entry gets one finding at most: what is superseded goes no further, and where a sentence denies
    one of a target the entry is never called redundant, however many words both share. A place with
    nothing but like sentences is shown only for an entry that is not redundant.
    """
    identities = {entry.identity for entry in batch}
    pairs = (pair for pair in superseded(entries, order) if pair.older.identity in identities)
    superseding = [_of_supersession(pair) for pair in pairs]
    settled = {precheck.entry.identity for precheck in superseding}
    rest = [entry for entry in batch if entry.identity not in settled]
    sections = [section for target in targets for section in target.sections]
    coverage_index = CoverageIndex(sections, **(thresholds or Thresholds())._asdict())
    returned = {entry.identity: entry for entry in resurrected}
    place_index = PlaceIndex(sections)
    contradicting, redundant = [], []
    for entry in rest:
        place = place_index.place_of(entry)
        is_denied = place is not None and place.relation != ALIKE
        redundancy = None if is_denied else _redundancy(entry, coverage_index, returned)
        if redundancy is not None:
            redundant.append(redundancy)
        elif place is not None:
            contradicting.append(_of_place(entry, place))
    return (*superseding, *contradicting, *redundant)


def _of_supersession(pair: Superseded) -> Precheck:
    newer = pair.newer
    against = Against(newer, line=newer.first) if newer else Against()
    action = DROP if pair.certainty == SURE else ESCALATE
    score = round(pair.score, 4)
    return Precheck(SUPERSESSION, action, pair.older, against, score, pair.evidence)


def _of_place(entry: Entry, place: Place) -> Precheck:
    section, ours, theirs, relation, score = place
    against = Against(None, section.path, section.title, theirs.line)
    action = ESCALATE if relation == CORRECTED else LOOK
    evidence = (quoted(ours), quoted(theirs, section.path))
    return Precheck(CONTRADICTION, action, entry, against, round(score, 4), evidence)


def _redundancy(
    entry: Entry, coverage_index: CoverageIndex, returned: Mapping[str, Resurrected]
) -> Precheck | None:
    resurrection = returned.get(entry.identity)
    if resurrection is not None:
        return _of_resurrection(entry, resurrection)
    redundancy = coverage_index.covering(entry)
    return _of_redundancy(entry, redundancy) if redundancy else None


def _of_resurrection(entry: Entry, back: Resurrected) -> Precheck:
    """Return the finding on an entry that came back: a merge does so by mistake, others may not."""
    evidence = [f"removed by {back.removed_by} on {back.removed_on}"]
    if back.returned_by is not None:
        how = "the merge" if back.by_merge else "commit"
        evidence.append(f"brought back by {how} {back.returned_by} on {back.returned_on}")
    else:
        evidence.append("back in the working tree")
    action = DROP if back.by_merge else ESCALATE
    return Precheck(
        REDUNDANCY, action, entry, Against(commit=back.removed_by), 1.0, tuple(evidence)
    )


def _of_redundancy(entry: Entry, redundancy: Redundancy) -> Precheck:
    section, covered = redundancy.section, redundancy.covered
    total = len(covered.shared) + len(covered.missing)
    place = f"{section.path}:{section.line}-{section.last}"
    pairs = f"{len(covered.shared)} of {total} word pairs"
    evidence = [f"lines {entry.first}-{entry.last} in {place}: {pairs}"]
    nearest = nearest_of(sentences_of_entry(entry), sentences_of_section(section))
    if nearest is not None:
        evidence += [quoted(nearest[0]), quoted(nearest[1], section.path)]
    if covered.new_words:
        evidence.append(f"words only in the entry: {listed(covered.new_words)}")
    if redundancy.numbers:
        evidence.append(f"numbers only in the entry: {listed(redundancy.numbers)}")
    if redundancy.limits:
        evidence.append(f"the section does not say: {listed(redundancy.limits)}")
    against = Against(None, section.path, section.title, section.line)
    action = DROP if redundancy.certainty == COVERED else ESCALATE
    return Precheck(REDUNDANCY, action, entry, against, round(covered.score, 4), tuple(evidence))
