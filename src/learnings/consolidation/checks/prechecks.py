"""Checks before a consolidation: entries that other texts, or history, speak against."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import islice, product
from typing import NamedTuple

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
from learnings.consolidation.checks.sentences import (
    LEAST_SHARED,
    SAME_MATTER,
    SHARED_TITLE_WORDS,
    Sentence,
    denied_in,
    denies,
    is_opposite,
    sentences_of_entry,
    sentences_of_section,
    shared_title_part,
    title_words,
)
from learnings.consolidation.checks.supersession import Order, superseded
from learnings.consolidation.text.sections import (
    TargetFile,
    TargetSection,
    bag_of_entry,
    bag_of_section,
)
from learnings.consolidation.text.similarity import Bm25
from learnings.core.due.history_facts import ResurrectedEntry
from learnings.core.entries.document import Entry
from learnings.core.text import short_commit
from learnings.references.dead import EntryReferences

NEAREST = 3
"""Texts to compare an entry with.

For 43 of 55 moved entries, one of the nearest 3 sections is in the file they went to
(benchmarks/README.md, Pre-checks).
"""

SAME_STATEMENT = 0.6
"""Share of the words of two sentences, by their idf, from which one restates the other."""


class Place(NamedTuple):
    """A sentence of an entry and a similar one in another text, as a finding on the entry.

    is_opposite: one says the opposite of the other. denies: one may correct the other.
    """

    is_opposite: bool
    denies: bool
    finding: Precheck


class PlaceIndex:
    """The entries of a file and the sections of target files, to compare entries with."""

    def __init__(self, entries: Sequence[Entry], sections: Sequence[TargetSection]) -> None:
        self._texts: list[Entry | TargetSection] = [*sections, *entries]
        self._bags = {entry.identity: bag_of_entry(entry) for entry in entries}
        bags = [bag_of_section(section) for section in sections]
        self._index = Bm25([*bags, *self._bags.values()])
        self._weights: dict[frozenset[str], float] = {}  # a text is compared with many entries

    def place_of(self, entry: Entry) -> Place | None:
        """Return the place in the nearest texts that most needs a review, or None.

        Of two entries, the later one is compared with the earlier one.
        """
        row = self._index.row(self._bags.get(entry.identity) or bag_of_entry(entry))
        nearest = nlargest(NEAREST + 1, range(len(row)), row.__getitem__)
        texts = (
            text
            for text in map(self._texts.__getitem__, nearest)
            if not isinstance(text, Entry) or text.position < entry.position
        )
        places = (place for text in islice(texts, NEAREST) for place in self._places(entry, text))
        return max(places, key=lambda place: (*place[:2], place.finding.score), default=None)

    def _places(self, entry: Entry, other: Entry | TargetSection) -> Iterator[Place]:
        ours = sentences_of_entry(entry)
        theirs = (
            sentences_of_entry(other) if isinstance(other, Entry) else sentences_of_section(other)
        )
        titles = title_words(entry.title), title_words(other.title)
        is_same_subject = shared_title_part(*titles) > SHARED_TITLE_WORDS
        agreed, denied = denied_in(theirs), denied_in(ours)
        for one, another in product(ours[1:] or ours, theirs[1:]):
            score = self._similarity(one, another)
            if score < SAME_MATTER:
                continue
            is_denied = denies(one, another, agreed) or denies(another, one, denied)
            if one.words == another.words and not is_denied:
                continue  # a copy
            is_restated = score >= SAME_STATEMENT and is_opposite(one, another)
            is_opposed = is_denied and (is_same_subject or is_restated)
            against = (
                Against(other, line=other.first)
                if isinstance(other, Entry)
                else Against(None, other.path, other.title, another.line)
            )
            action = ESCALATE if is_opposed else LOOK
            quotes = one.quoted(), another.quoted(against.target or "")
            finding = Precheck(CONTRADICTION, action, entry, against, round(score, 4), quotes)
            yield Place(is_opposed, is_denied, finding)

    def _similarity(self, one: Sentence, other: Sentence) -> float:
        """Return the share of words that two sentences have in common, weighted by idf."""
        common = one.words & other.words
        if len(common) < LEAST_SHARED:
            return 0.0
        both = self._weight_of_sentence(one) + self._weight_of_sentence(other)
        return 2 * self._weight(common) / both

    def _weight_of_sentence(self, sentence: Sentence) -> float:
        if sentence.words not in self._weights:
            self._weights[sentence.words] = self._weight(sentence.words)
        return self._weights[sentence.words]

    def _weight(self, words: frozenset[str]) -> float:
        return sum(self._index.idf(word) for word in sorted(words))


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
            finding = place.finding
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
                finding = place.finding
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
