"""What speaks for each target file as the place of an entry, in figures."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import log1p, sqrt
from pathlib import PurePosixPath
from typing import NamedTuple

from learnings.consolidation.routes.target_activity import TargetActivity
from learnings.consolidation.text.bags import bag_of_section
from learnings.consolidation.text.bm25 import Bag, Bm25
from learnings.consolidation.text.keywords import keywords
from learnings.consolidation.text.sections import Section, TargetFile
from learnings.core.entries.document import Entry

BEST_SECTIONS = 3
"""Sections of a file that count. Not measurably better than one (benchmarks/README.md, Routes);
kept since a file with several sections on a subject is the likelier home of another."""

# Between two words in the name of a file, which are one word in a text.
NAME_SEPARATOR = re.compile(r"[-_.]+")


class Evidence(NamedTuple):
    """What speaks for one file.

    text is the sum of its best sections by BM25, standardised over all files. heading_share is the
    best share of the words of the entry's title in one heading, from 0 to 1. received is the
    logarithm of 1 + the entries that it received; recency is 1 for a file of the newest commit, 1/2
    a day before, 1/3 two days before. section is the index of the section that fits best and fit
    its score, above 0; heading is the index of the section whose heading has that best share.
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
        self._activity = activity
        self._recencies = activity.recencies()
        self._files: list[tuple[str, int, int]] = []
        end = 0
        for target in targets:
            self._files.append((target.path, end, end + len(target.sections)))
            end += len(target.sections)
        self._headings = _headings(self.sections)

    def of(self, entry: Entry, bag: Bag) -> dict[str, Evidence]:
        """Return the evidence by path for an entry with its bag.

        Files that share no word with it are left out.
        """
        row = self.bm25.row(bag)
        sums = [sum(sorted(row[start:end])[-BEST_SECTIONS:]) for _, start, end in self._files]
        headings = self._like_title(entry.title)
        evidence = {}
        for text, total, (path, start, end) in zip(
            standardised(sums), sums, self._files, strict=True
        ):
            if total:
                fit = max(row[start:end])
                section = row.index(fit, start, end)
                share, heading = headings.get(path, (0.0, section))
                received = log1p(self._activity.entries_received(path))
                recency = self._recencies.get(path, 0.0)
                evidence[path] = Evidence(text, share, received, recency, section, fit, heading)
        return evidence

    def strength(self, bag: Bag, evidence: Mapping[str, Evidence]) -> float:
        """Return the share of an entry's bag in the best section of all, from 0 to 1."""
        best = max((figures.fit for figures in evidence.values()), default=0.0)
        return best / (self.bm25.upper_bound(bag) or 1.0)

    def _like_title(self, title: str) -> Mapping[str, tuple[float, int]]:
        """Return the best share of a title's words in one heading and its section, by path."""
        words = dict.fromkeys(keyword.key for keyword in keywords(title))
        counts: dict[int, int] = {}
        for word in words:
            for section in self._headings.get(word, ()):
                counts[section] = counts.get(section, 0) + 1
        best: dict[str, tuple[float, int]] = {}
        for section, count in counts.items():
            path = self.sections[section].path
            if path not in best or count > best[path][0]:
                best[path] = count, section
        return {path: (count / len(words), section) for path, (count, section) in best.items()}


def standardised(values: Sequence[float]) -> list[float]:
    """Return values as standard deviations from their mean; zeros where all are equal."""
    mean = sum(values) / len(values) if values else 0.0
    deviation = sqrt(sum((value - mean) ** 2 for value in values) / (len(values) or 1))
    return [(value - mean) / deviation if deviation else 0.0 for value in values]


def _bags(target: TargetFile) -> list[Bag]:
    """Return the bags of the sections of a file; the words of its name count once in each."""
    words = NAME_SEPARATOR.sub(" ", PurePosixPath(target.path).stem)
    name = Counter(keyword.key for keyword in keywords(words))
    bags: list[Bag] = []
    for section in target.sections:
        bag = bag_of_section(section)
        for word, count in name.items():
            bag[word] = bag.get(word, 0.0) + count
        bags.append(bag)
    return bags


def _headings(sections: Sequence[Section]) -> Mapping[str, list[int]]:
    """Return the indices of the sections that have a word in their heading, by word."""
    headings: dict[str, list[int]] = defaultdict(list)
    for index, section in enumerate(sections):
        for word in dict.fromkeys(keyword.key for keyword in keywords(section.title)):
            headings[word].append(index)
    return headings
