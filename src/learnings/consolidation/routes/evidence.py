"""Evidence for each target file as the place of an entry, in figures.

It counts the text of the sections, the entries that the file received and the day of its last
change.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from itertools import accumulate, chain, product
from math import log1p, sqrt
from pathlib import PurePosixPath
from typing import NamedTuple

from learnings.consolidation.text.bm25 import Bag, Bm25
from learnings.consolidation.text.coverage import Texts
from learnings.consolidation.text.keywords import keys
from learnings.consolidation.text.sections import TargetFile, bag_of_section
from learnings.core.due.history_facts import Transfers
from learnings.core.entries.document import Entry
from learnings.core.patterns import lazy_pattern

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
