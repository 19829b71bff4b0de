"""Ranks the target files for an entry, with evidence and reasons; only a proposal.

The evidence for a target counts the text of the sections, the entries that the file received and
the day of its last change.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import accumulate, chain, product
from math import exp, log1p, sqrt
from pathlib import PurePosixPath
from typing import NamedTuple

from learnings.consolidation.text.keywords import keys, written_forms
from learnings.consolidation.text.languages import whole_run
from learnings.consolidation.text.sections import (
    TargetFile,
    TargetSection,
    bag_of_entry,
    bag_of_section,
)
from learnings.consolidation.text.similarity import Bag, Bm25, Texts
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
    """The entries that target files received, and the date of their last commits, by path."""

    received: Mapping[str, Received] = {}
    last_commits: Mapping[str, str] = {}

    def recencies(self) -> dict[str, float]:
        """Return 1 / (1 + days from a file's last commit to the newest of all), by path."""
        days = {path: date.fromisoformat(last) for path, last in self.last_commits.items()}
        newest = max(days.values(), default=date.min)
        return {path: 1 / (1 + (newest - day).days) for path, day in days.items()}


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
    return TargetActivity(received, history.last_commits)


BEST_SECTIONS = 3
"""Sections of a file that count.

Not measurably better than one (benchmarks/README.md, Routes); kept because a file with several
sections on a subject is the likelier home of another.
"""

# Separators between two words in a file name that are one word in a text.
NAME_SEPARATOR = lazy_pattern(r"[-_.]+")


class RouteEvidence(NamedTuple):
    """The evidence for one file.

    text is the sum of its best sections by BM25, standardised over all files. heading_share is the
    best share of the words of the entry's title in one heading, from 0 to 1. received is the
    logarithm of 1 + the received entries; recency is 1 for a file of the newest commit, 1/2 a day
    before, 1/3 two days before. section is the index of the best section and fit its score, above
    0; heading is the index of the section whose heading has that best share.
    """

    text: float
    heading_share: float
    received: float
    recency: float
    section: int
    fit: float
    heading: int


class EvidenceIndex:
    """Finds the evidence for any entry in the sections of the target files."""

    def __init__(self, targets: Sequence[TargetFile], activity: TargetActivity) -> None:
        self.sections = [section for target in targets for section in target.sections]
        self.bags = [bag for target in targets for bag in _bags(target)]
        self.bm25 = Bm25(self.bags)
        self.activity = activity
        self._recencies = activity.recencies()
        self._headings = defaultdict[str, list[int]](list)
        for index, section in enumerate(self.sections):
            for key in frozenset(keys(section.title)):
                self._headings[key].append(index)
        ends = accumulate(len(target.sections) for target in targets)
        self._files = [
            (target.path, range(end - len(target.sections), end))
            for target, end in zip(targets, ends, strict=True)
        ]
        self._files_with = Counter[str]()
        for _, rows in self._files:
            self._files_with.update({word for index in rows for word in self.bags[index]})

    def is_in_most_files(self, word: str) -> bool:
        """Return True if a word is in so many files that it distinguishes none of them.

        With two files, a word in both may be the subject of both.
        """
        return len(self._files) > 2 and 2 * self._files_with[word] > len(self._files)

    def of(self, entry: Entry, bag: Bag) -> dict[str, RouteEvidence]:
        """Return the evidence by path for an entry with its bag.

        Files that share no word with it are left out.
        """
        fits = self.bm25.row(bag)
        title = frozenset(keys(entry.title))
        alike = [0] * len(self.sections)  # words of the title in the heading of each section
        for index in chain.from_iterable(self._headings.get(word, ()) for word in title):
            alike[index] += 1
        sums = [
            sum(sorted(map(fits.__getitem__, rows))[-BEST_SECTIONS:]) for _, rows in self._files
        ]
        evidence = {}
        for text, total, (path, rows) in zip(standardised(sums), sums, self._files, strict=True):
            if total:
                section = max(rows, key=fits.__getitem__)
                heading = max(rows, key=alike.__getitem__)
                share = alike[heading] / (len(title) or 1)
                known = self.activity.received.get(path)
                received = log1p(known.entries if known else 0)
                recency = self._recencies.get(path, 0.0)
                evidence[path] = RouteEvidence(
                    text, share, received, recency, section, fits[section], heading
                )
        return evidence


def standardised(values: Sequence[float]) -> list[float]:
    """Return values as standard deviations from their mean; zeros if all are equal."""
    mean = sum(values) / len(values) if values else 0.0
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) or 1))
    return [(value - mean) / deviation if deviation else 0.0 for value in values]


def _bags(target: TargetFile) -> list[dict[str, float]]:
    """Return the bags of the sections of a file; the words of its name count once in each."""
    name = Counter(keys(NAME_SEPARATOR.sub(" ", PurePosixPath(target.path).stem)))
    bags = [bag_of_section(section) for section in target.sections]
    for bag, (word, count) in product(bags, name.items()):
        bag[word] = bag.get(word, 0.0) + count
    return bags


MAX_REASON_WORDS = 5  # shared words that are named; chosen, readers skip more
COMMON_SHARE = 0.1
"""Share of all sections above which a word distinguishes none of them.

Chosen with the targets of five consolidations in view: `agent`, `code` and `test` are above it,
`runbook` and `vet` are not.
"""

ALWAYS_NAMED = 3
"""Sections that may always share a word; chosen, so that a few short targets give reasons."""

LIKE_THE_TITLE = 0.5
"""Share of title words from which a heading is named, if it has two or all of them.

Chosen like COMMON_SHARE.
"""


class RouteReasons:
    """The reasons of one entry, with its bag, for the target files."""

    def __init__(self, entry: Entry, bag: Bag, index: EvidenceIndex, *, line_limit: int) -> None:
        self._entry = entry
        self._index = index
        self._limit = line_limit
        most = max(ALWAYS_NAMED, DISTINCTIVE_SHARE * len(index.sections))
        self._rare = {word: bag[word] for word in bag if index.bm25.count(word) <= most}
        self._written = written_forms([entry.text], bag.keys())

    def of(
        self, words: Sequence[str], evidence: RouteEvidence, target: TargetFile
    ) -> Iterator[str]:
        """Yield short reasons for a file, whose best section shares some words."""
        yield f"shared words: {', '.join(words)}" if words else "shares only common words"
        if evidence.heading_share >= LIKE_THE_TITLE:
            heading = self._index.sections[evidence.heading].title
            title = set(keys(self._entry.title))
            both = title.intersection(keys(heading))
            if any(self._named(both)) and len(both) >= min(2, len(title)):
                yield f"heading like the entry's title: “{heading}”"
        received = self._index.activity.received.get(target.path)
        if received is not None:
            count = counted(received.entries, "entry", "entries")
            yield f"received {count} before, last {received.last}"
        if target.lines + len(self._entry.lines) > self._limit:
            state = "full" if target.lines >= self._limit else "little room"
            yield f"{state}: {counted(target.lines, 'line', 'lines')}, limit {self._limit}"

    def distinctive(self, index: int) -> list[str]:
        """Return the rare keys that a section shares with the entry, best first."""
        return [word for _, word in self._index.bm25.contributions(self._rare, index)]

    def written(self, words: Iterable[str], index: int) -> list[str]:
        """Return some keys that few sections have, as entry and section write them."""
        section = self._index.sections[index]
        texts = [self._entry.text, f"{section.title}\n{section.text}"]
        own = (word for word in words if not self._index.is_in_most_files(word))
        named = (whole_run(word, texts) for word in self._named(own))
        return list(dict.fromkeys(named))[:MAX_REASON_WORDS]

    def _named(self, words: Iterable[str]) -> Iterator[str]:
        """Yield some keys that few sections have, as the entry writes them."""
        most = max(ALWAYS_NAMED, COMMON_SHARE * len(self._index.sections))
        for word in words:
            if self._index.bm25.count(word) <= most:
                yield self._written.get(word, word)


MAX_TARGETS = 5
"""Files shown for an entry.

Chosen: 54 of 55 entries have theirs among them, and four of five moved ones (benchmarks/README.md,
Routes).
"""

LEAST_WORDS, DISTINCTIVE_SHARE = 2, 0.2
"""Least shared words of entry and section, each in at most that share of all sections.

A line with a single such word is noise (issue). Top-3 over the five consolidations is 0.95 as
without this rule, and 0.87 if words of most files do not count instead. With one or two files, a
single word may be the subject.
"""

FEW_TARGETS = 3
"""Least target files for which a ranking says more than a list of all of them (issue)."""


WEIGHT = 0.2
"""The weights of heading, receipts and recency; the text weighs 1 per standard deviation.

A round value: no others were better by two standard errors on days other than those they had been
chosen on (benchmarks/README.md, Routes).
"""


class RouteCandidate(NamedTuple):
    """A target file for an entry, with its best section; lines is the file's length.

    score is between 0 and 1: for the best file, the share of the entry's words in the best section
    of all, for the others less. It does not measure how likely the file is right. full is True if
    the file has reached the limit; such a file is never first. words are the shared words of entry
    and section, most telling first, and why are all reasons, short texts.
    """

    section: TargetSection
    score: float
    lines: int
    full: bool
    words: tuple[str, ...]
    why: tuple[str, ...]


class Route(NamedTuple):
    """An entry with the files that may receive it, best first, five at most."""

    entry: Entry
    candidates: tuple[RouteCandidate, ...]


def routes(
    entries: Sequence[Entry],
    targets: Sequence[TargetFile],
    *,
    line_limit: int,
    activity: TargetActivity | None = None,
) -> tuple[Route, ...]:
    """Rank the target files for each entry.

    activity is the history of the targets, None if there is none. A file that shares no word with
    an entry is not a candidate: entries it received before are no reason on their own.
    """
    index = EvidenceIndex(targets, activity or TargetActivity())
    by_path = {target.path: target for target in targets}
    return tuple(
        Route(entry, tuple(_candidates(entry, index, by_path, line_limit))) for entry in entries
    )


def _candidates(
    entry: Entry, index: EvidenceIndex, targets: Mapping[str, TargetFile], line_limit: int
) -> Iterator[RouteCandidate]:
    bag = bag_of_entry(entry)
    evidence = index.of(entry, bag)
    strength = max((figures.fit for figures in evidence.values()), default=0.0)
    strength /= index.bm25.upper_bound(bag) or 1.0
    reasons = RouteReasons(entry, bag, index, line_limit=line_limit)
    least = LEAST_WORDS if len(targets) >= FEW_TARGETS else 0
    totals = {  # around 0 for an average file
        path: figures.text + WEIGHT * (figures.heading_share + figures.received + figures.recency)
        for path, figures in evidence.items()
    }
    best = max(totals.values(), default=0.0)
    chosen: dict[str, list[str]] = {}
    room: str | None = None  # the first file that is not full
    for path in sorted(totals, key=lambda path: (-totals[path], path)):
        if len(chosen) >= MAX_TARGETS and room:
            break
        words = reasons.distinctive(evidence[path].section)
        if len(words) >= least:
            chosen[path] = words
            room = room or (path if targets[path].lines < line_limit else None)
    for path in sorted(chosen, key=lambda path: path != room)[:MAX_TARGETS]:
        figures = evidence[path]
        own = tuple(reasons.written(chosen[path], figures.section))
        yield RouteCandidate(
            section=index.sections[figures.section],
            score=round(strength * exp(totals[path] - best), 4),
            lines=targets[path].lines,
            full=targets[path].lines >= line_limit,
            words=own,
            why=tuple(reasons.of(own, figures, targets[path])),
        )
