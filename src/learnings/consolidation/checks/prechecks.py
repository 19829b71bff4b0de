"""What to settle before a consolidation: entries taken back, denied, or written down already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from learnings.consolidation.checks.contradiction import Contradiction, Sections
from learnings.consolidation.checks.order import Order
from learnings.consolidation.checks.redundancy import COVERED, Redundancy, Shelf
from learnings.consolidation.checks.statements import Statement
from learnings.consolidation.checks.supersession import SURE, Superseded, superseded
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.sections import Target
from learnings.core.due.rule_facts import Resurrected
from learnings.core.entries.document import Entry

SUPERSESSION, CONTRADICTION, REDUNDANCY = "supersession", "contradiction", "redundancy"
DROP, ESCALATE = "drop", "escalate"

MOST_WORDS = 8


class Against(NamedTuple):
    """What an entry was held against: an entry of the file, a target section, or a commit.

    line is that of the other entry or section, None for a commit.
    """

    entry: Entry | None = None
    target: str | None = None
    section: str | None = None
    line: int | None = None
    commit: str | None = None


class Precheck(NamedTuple):
    """One finding: which check, what it proposes, of which entry, and why.

    score is between 0 and 1 and means what the check makes of it: a share of words.
    """

    check: str
    action: str
    entry: Entry
    against: Against
    score: float
    evidence: tuple[str, ...]


class Thresholds(NamedTuple):
    """Share of an entry's pairs of words from which a section covers it, or perhaps does."""

    coverage: float = 0.40
    perhaps: float = 0.15


def prechecks(
    batch: Sequence[Entry],
    targets: Sequence[Target],
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
    asked = {entry.identity for entry in batch}
    pairs = (each for each in superseded(entries, order) if each.older.identity in asked)
    found = [_of_supersession(each) for each in pairs]
    sections = [section for target in targets for section in target.sections]
    settled = {each.entry.identity for each in found}
    returned = {each.identity: each for each in resurrected}
    rest = [entry for entry in batch if entry.identity not in settled]
    denied = list(_contradictions(rest, Sections(sections)))
    settled |= {each.entry.identity for each in denied}
    rest = [entry for entry in rest if entry.identity not in settled]
    shelf = Shelf(sections, **(thresholds or Thresholds())._asdict())
    return (*found, *denied, *_redundancies(rest, shelf, returned))


def _of_supersession(each: Superseded) -> Precheck:
    newer = each.newer
    against = Against(newer, line=newer.first) if newer else Against()
    action = DROP if each.certainty == SURE else ESCALATE
    score = round(each.score, 4)
    return Precheck(SUPERSESSION, action, each.older, against, score, each.evidence)


def _contradictions(entries: Sequence[Entry], sections: Sections) -> Iterator[Precheck]:
    for entry in entries:
        found = sections.contradicting(entry)
        if found is not None:
            yield _of_contradiction(entry, found)


def _of_contradiction(entry: Entry, found: Contradiction) -> Precheck:
    section, (ours, theirs, score) = found.section, found.opposition
    evidence = (
        f"line {ours.line}: {ours.text}",
        f"{section.path}:{theirs.line}: {theirs.text}",
        f"shared words: {_listed(_common(ours, theirs))}",
    )
    against = Against(None, section.path, section.title, theirs.line)
    return Precheck(CONTRADICTION, ESCALATE, entry, against, round(score, 4), evidence)


def _redundancies(
    entries: Sequence[Entry], shelf: Shelf, returned: Mapping[str, Resurrected]
) -> Iterator[Precheck]:
    for entry in entries:
        back = returned.get(entry.identity)
        if back is not None:
            yield _of_return(entry, back)
            continue
        found = shelf.covering(entry)
        if found is not None:
            yield _of_redundancy(entry, found)


def _of_return(entry: Entry, back: Resurrected) -> Precheck:
    """An entry that came back: by a merge nobody meant it, else its author is asked."""
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


def _of_redundancy(entry: Entry, found: Redundancy) -> Precheck:
    section, covered = found.section, found.covered
    total = len(covered.shared) + len(covered.missing)
    evidence = [
        f"lines {entry.first}-{entry.last} in {section.path}:{section.line}-{section.last}",
        f"{len(covered.shared)} of {total} word pairs: {_listed(covered.shared)}",
    ]
    if covered.new_words:
        evidence.append(f"words only in the entry: {_listed(covered.new_words)}")
    if found.numbers:
        evidence.append(f"numbers only in the entry: {_listed(found.numbers)}")
    against = Against(None, section.path, section.title, section.line)
    action = DROP if found.certainty == COVERED else ESCALATE
    return Precheck(REDUNDANCY, action, entry, against, round(covered.score, 4), tuple(evidence))


def _common(ours: Statement, theirs: Statement) -> Sequence[str]:
    """Return the words that two statements share, as the first one writes them."""
    written = {keyword.key: keyword.word for keyword in keywords(ours.text)}
    return [written.get(key, key) for key in dict.fromkeys(ours.keys) if key in theirs.words]


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - MOST_WORDS} more" if len(words) > MOST_WORDS else ""
    return ", ".join(words[:MOST_WORDS]) + more
