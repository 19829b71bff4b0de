"""What to settle before a consolidation: superseded, contradicted and redundant entries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.contradiction import Contradiction, ContradictionIndex
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.redundancy import COVERED, CoverageIndex, Redundancy
from learnings.consolidation.checks.statements import Statement
from learnings.consolidation.checks.supersession import SURE, Superseded, superseded
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.sections import TargetFile
from learnings.core.due.rule_facts import Resurrected
from learnings.core.entries.document import Entry

SUPERSESSION, CONTRADICTION, REDUNDANCY = "supersession", "contradiction", "redundancy"
DROP, ESCALATE = "drop", "escalate"

MAX_WORDS = 8  # words named in a line of evidence; chosen to fit a line


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
    """Check the entries of a batch: supersession first, then contradiction, then redundancy.

    entries are all of the file: one of the batch can be superseded by one too young for it. An
    entry gets one finding at most: what is superseded goes no further, and what a target denies is
    never called redundant, however many words both share.
    """
    identities = {entry.identity for entry in batch}
    pairs = (pair for pair in superseded(entries, order) if pair.older.identity in identities)
    superseding = [_of_supersession(pair) for pair in pairs]
    sections = [section for target in targets for section in target.sections]
    settled = {precheck.entry.identity for precheck in superseding}
    returned = {entry.identity: entry for entry in resurrected}
    rest = [entry for entry in batch if entry.identity not in settled]
    denied = list(_contradictions(rest, ContradictionIndex(sections)))
    settled |= {precheck.entry.identity for precheck in denied}
    rest = [entry for entry in rest if entry.identity not in settled]
    coverage_index = CoverageIndex(sections, **(thresholds or Thresholds())._asdict())
    return (*superseding, *denied, *_redundancies(rest, coverage_index, returned))


def _of_supersession(pair: Superseded) -> Precheck:
    newer = pair.newer
    against = Against(newer, line=newer.first) if newer else Against()
    action = DROP if pair.certainty == SURE else ESCALATE
    score = round(pair.score, 4)
    return Precheck(SUPERSESSION, action, pair.older, against, score, pair.evidence)


def _contradictions(entries: Sequence[Entry], index: ContradictionIndex) -> Iterator[Precheck]:
    for entry in entries:
        contradiction = index.contradicting(entry)
        if contradiction is not None:
            yield _of_contradiction(entry, contradiction)


def _of_contradiction(entry: Entry, contradiction: Contradiction) -> Precheck:
    section, (ours, theirs, score) = contradiction.section, contradiction.opposition
    evidence = (
        f"line {ours.line}: {ours.text}",
        f"{section.path}:{theirs.line}: {theirs.text}",
        f"shared words: {_listed(_common(ours, theirs))}",
    )
    against = Against(None, section.path, section.title, theirs.line)
    return Precheck(CONTRADICTION, ESCALATE, entry, against, round(score, 4), evidence)


def _redundancies(
    entries: Sequence[Entry], coverage_index: CoverageIndex, returned: Mapping[str, Resurrected]
) -> Iterator[Precheck]:
    for entry in entries:
        resurrection = returned.get(entry.identity)
        if resurrection is not None:
            yield _of_resurrection(entry, resurrection)
            continue
        redundancy = coverage_index.covering(entry)
        if redundancy is not None:
            yield _of_redundancy(entry, redundancy)


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
    evidence = [
        f"lines {entry.first}-{entry.last} in {section.path}:{section.line}-{section.last}",
        f"{len(covered.shared)} of {total} word pairs: {_listed(covered.shared)}",
    ]
    if covered.new_words:
        evidence.append(f"words only in the entry: {_listed(covered.new_words)}")
    if redundancy.numbers:
        evidence.append(f"numbers only in the entry: {_listed(redundancy.numbers)}")
    against = Against(None, section.path, section.title, section.line)
    action = DROP if redundancy.certainty == COVERED else ESCALATE
    return Precheck(REDUNDANCY, action, entry, against, round(covered.score, 4), tuple(evidence))


def _common(ours: Statement, theirs: Statement) -> Sequence[str]:
    """Return the words that two statements share, as the first one writes them."""
    written = {keyword.key: keyword.word for keyword in keywords(ours.text)}
    return [written.get(key, key) for key in dict.fromkeys(ours.keys) if key in theirs.words]


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - MAX_WORDS} more" if len(words) > MAX_WORDS else ""
    return ", ".join(words[:MAX_WORDS]) + more
