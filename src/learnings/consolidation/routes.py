"""Ranks the target files for an entry, with evidence and reasons; only a proposal.

The evidence for a target counts the text of the sections, the entries that the file received and
the day of its last change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property
from itertools import chain, islice
from math import exp, log1p, sqrt
from pathlib import PurePosixPath
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys, written_forms
from learnings.consolidation.text.languages import whole_run
from learnings.consolidation.text.sections import (
    TargetFile,
    TargetSection,
    bag_of,
    bag_of_entry,
)
from learnings.consolidation.text.similarity import Bag, Bm25, Texts, WordIndex
from learnings.core.due.history_facts import Transfers
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern
from learnings.core.text import counted

MIN_RECEIVED_SHARE = 0.15
"""Share of an entry's word pairs in the lines added by its commit that shows a transfer.

As for perhaps redundant entries (benchmarks/README.md, Pre-checks: precision 1.00).
"""


class Received(NamedTuple):
    """Entries that a file received: their number, and the last date."""

    entries: int
    last: str


class TargetActivity(NamedTuple):
    """The entries that target files received, and how recently they changed, by path.

    recency is 1 for a file of the newest commit, 1/2 a day before, 1/3 two days before.
    """

    received: Mapping[str, Received] = {}
    recency: Mapping[str, float] = {}


def target_activity_of(history: Transfers) -> TargetActivity:
    """Return the activity in the history of the target files."""
    received: dict[str, Received] = {}
    for transfer in history.transfers:
        paths = sorted(transfer.added)
        texts = Texts("".join(transfer.added[path]) for path in paths)
        for covered in map(texts.best, transfer.entries):
            if covered is not None and covered.score >= MIN_RECEIVED_SHARE:
                path = paths[covered.text_index]
                known = received.get(path, Received(0, transfer.date))
                received[path] = Received(known.entries + 1, max(known.last, transfer.date))
    days = {path: date.fromisoformat(last) for path, last in history.last_commits.items()}
    newest = max(days.values(), default=date.min)
    recency = {path: 1 / (1 + (newest - day).days) for path, day in days.items()}
    return TargetActivity(received, recency)


BEST_SECTIONS = 3
"""Sections of a file that count: with several on a subject it is the likelier home of another."""

WEIGHT = 0.2
"""The weights of heading, receipts and recency; the text weighs 1 per standard deviation.

A round value: no others were measurably better (benchmarks/README.md, Routes).
"""

MAX_TARGETS = 5
"""Files shown for an entry: 54 of 55 have theirs among them (benchmarks/README.md, Routes)."""

LIKELY_SHARE = 0.15
"""Share of the highest possible score from which a section is likely the right one.

The file of 6 of 7 such sections is right on the dates that did not choose the share, that of a
third of the others (benchmarks/README.md, Routes).
"""

LEAST_WORDS, DISTINCTIVE_SHARE, FEW_TARGETS = 2, 0.2, 3
"""Least shared words of entry and section, each in at most that share of all sections.

A line with a single such word is noise. With fewer targets than three, it may be the subject.
"""

COMMON_SHARE = 0.1
"""Share of all sections above which a word distinguishes none of them, and is no reason.

Chosen with the targets of five consolidations in view: `agent`, `code` and `test` are above it,
`runbook` and `vet` are not.
"""

ALWAYS_NAMED = 3
"""Sections that may always share a word; chosen, so that a few short targets give reasons."""

LIKE_THE_TITLE = 0.5
"""Share of title words from which a heading is named, if it has two or all of them.

Chosen like COMMON_SHARE.
"""

MAX_REASON_WORDS = 5  # shared words that are named; chosen, readers skip more

# What parts words in a file name.
_NAME_SEPARATOR = lazy_pattern(r"[-_.]+")


class Evidence(NamedTuple):
    """The evidence for one file.

    section is the index of its best section by BM25 and fit the score of it, above 0; text is the
    sum of its best sections, standardised over all files. heading is the index of the section whose
    heading has most words of the entry's title, and heading_share the share, from 0 to 1. received
    is the logarithm of 1 + the received entries.
    """

    target: TargetFile
    section: int
    fit: float
    text: float
    heading: int
    heading_share: float
    received: float
    recency: float

    @property
    def total(self) -> float:
        """The weighted sum, around 0 for an average file."""
        return self.text + WEIGHT * (self.heading_share + self.received + self.recency)


class RouteCandidate(NamedTuple):
    """A target file for an entry, with its best section; lines is the file's length.

    score is between 0 and 1: for the best file, the share of the entry's words in the best section
    of all, for the others less. It does not measure how likely the file is right. full is True if
    the file has reached the limit; such a file is never first. why are the reasons, short texts.
    """

    section: TargetSection
    score: float
    lines: int
    full: bool
    why: tuple[str, ...]


class TargetIndex:
    """Ranks target files, up to a number of lines, for any entry.

    activity is the history of the targets, empty without one. A file that shares no word with an
    entry is not a candidate: entries it received before are no reason on their own.
    """

    def __init__(
        self,
        targets: Sequence[TargetFile],
        line_limit: int,
        activity: TargetActivity = TargetActivity(),  # noqa: B008  (immutable)
    ) -> None:
        self.targets, self.line_limit, self.activity = targets, line_limit, activity
        self.sections = [section for target in targets for section in target.sections]
        self._file_of = [n for n, target in enumerate(targets) for _ in target.sections]
        self.bags: list[Bag] = []
        for target in targets:
            # The words of a file's name count once in each section.
            name = keys(_NAME_SEPARATOR.sub(" ", PurePosixPath(target.path).stem))
            self.bags += (bag_of(one.title, one.text, name) for one in target.sections)
        self._headings = WordIndex({*keys(section.title)} for section in self.sections)
        self.bm25 = Bm25(self.bags)

    def ranked(self, entry: Entry, bag: Bag) -> list[Evidence]:
        """Return the evidence for an entry in each file with a word of its bag, best first."""
        row, title = iter(self.bm25.row(bag)), {*keys(entry.title)}
        fits = [[*islice(row, len(target.sections))] for target in self.targets]
        headings: dict[int, tuple[int, int]] = {}  # by file, with the words of the title
        for section, count in self._headings.sharing(title):
            file = self._file_of[section]
            if count > headings.get(file, (0, 0))[1]:
                headings[file] = section, count
        found, first = [], 0
        sums = [sum(sorted(own)[-BEST_SECTIONS:]) for own in fits]
        for file, (own, text) in enumerate(zip(fits, standardised(sums), strict=True)):
            if sums[file]:
                target, fit = self.targets[file], max(own)
                heading, count = headings.get(file, (first, 0))
                known = self.activity.received.get(target.path)
                received = log1p(known.entries if known else 0)
                recency = self.activity.recency.get(target.path, 0.0)
                share = count / (len(title) or 1)
                section = first + own.index(fit)
                found.append(
                    Evidence(target, section, fit, text, heading, share, received, recency)
                )
            first += len(own)
        return sorted(found, key=lambda one: (-one.total, one.target.path))

    def chosen(self, ranked: Sequence[Evidence], bag: Bag) -> list[Evidence]:
        """Return the files that may receive an entry with its bag: the first one has room."""
        least = LEAST_WORDS if len(self.targets) >= FEW_TARGETS else 0
        rare = {*self.in_few(bag, DISTINCTIVE_SHARE)}
        suitable = (o for o in ranked if len(rare & self.bags[o.section].keys()) >= least)
        best = [*islice(suitable, MAX_TARGETS)]
        with_room = (one for one in chain(best, suitable) if one.target.lines < self.line_limit)
        first = [*islice(with_room, 1)]
        return [*first, *(one for one in best if one not in first)][:MAX_TARGETS]

    def in_few(self, words: Iterable[str], share: float) -> list[str]:
        """Return the words that at most a share of all sections have."""
        most = max(ALWAYS_NAMED, share * len(self.sections))
        return [word for word in words if self.bm25.count(word) <= most]

    @cached_property
    def files_with(self) -> Counter[str]:
        """The number of files with a word."""
        bags = iter(self.bags)
        files = (islice(bags, len(target.sections)) for target in self.targets)
        return Counter(word for own in files for word in {*chain.from_iterable(own)})


class Route:
    """An entry with the sections of the files that may receive it, best first, five at most."""

    def __init__(self, index: TargetIndex, entry: Entry) -> None:
        self.entry, self._index, self._bag = entry, index, bag_of_entry(entry)
        ranked = index.ranked(entry, self._bag)
        self._fit = max((one.fit for one in ranked), default=0.0)
        self._total = max((one.total for one in ranked), default=0.0)
        self._chosen = index.chosen(ranked, self._bag)
        self.sections = tuple(index.sections[one.section] for one in self._chosen)

    @property
    def likely(self) -> TargetSection | None:
        """The best section, if its score makes it likely the right one."""
        least = LIKELY_SHARE * self._index.bm25.limit(self._bag) if self._chosen else 0.0
        return self.sections[0] if self._chosen and self._chosen[0].fit >= least else None

    @cached_property
    def candidates(self) -> tuple[RouteCandidate, ...]:
        """The files with their scores and reasons."""
        strength = self._fit / (self._index.bm25.limit(self._bag) or 1.0)
        return tuple(
            RouteCandidate(
                section=section,
                score=round(strength * exp(one.total - self._total), 4),
                lines=one.target.lines,
                full=one.target.lines >= self._index.line_limit,
                why=tuple(self._reasons(one, section)),
            )
            for one, section in zip(self._chosen, self.sections, strict=True)
        )

    @cached_property
    def _written(self) -> Mapping[str, str]:
        """The keys of the entry as it writes them."""
        return written_forms([self.entry.text], self._bag.keys())

    def _reasons(self, evidence: Evidence, section: TargetSection) -> Iterator[str]:
        """Yield short reasons for a file."""
        index, target, limit = self._index, evidence.target, self._index.line_limit
        own = index.in_few(index.bm25.shared(self._bag, evidence.section), COMMON_SHARE)
        if len(index.targets) > 2:  # of two files, both may have the subject
            own = [word for word in own if 2 * index.files_with[word] <= len(index.targets)]
        texts = [self.entry.text, f"{section.title}\n{section.text}"]
        runs = dict.fromkeys(whole_run(self._written.get(word, word), texts) for word in own)
        words = ", ".join([*runs][:MAX_REASON_WORDS])
        yield f"shared words: {words}" if words else "shares only common words"
        if evidence.heading_share >= LIKE_THE_TITLE:
            heading, title = index.sections[evidence.heading].title, {*keys(self.entry.title)}
            both = title.intersection(keys(heading))
            if index.in_few(both, COMMON_SHARE) and len(both) >= min(2, len(title)):
                yield f"heading like the entry's title: “{heading}”"
        received = index.activity.received.get(target.path)
        if received is not None:
            count = counted(received.entries, "entry", "entries")
            yield f"received {count} before, last {received.last}"
        if target.lines + len(self.entry.lines) > limit:
            state = "full" if target.lines >= limit else "little room"
            yield f"{state}: {counted(target.lines, 'line', 'lines')}, limit {limit}"


def standardised(values: Sequence[float]) -> list[float]:
    """Return values as standard deviations from their mean; zeros if all are equal."""
    mean = sum(values) / len(values) if values else 0.0
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) or 1))
    return [(value - mean) / deviation if deviation else 0.0 for value in values]
