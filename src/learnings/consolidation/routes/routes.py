"""Ranks the target files for an entry, with reasons; only a proposal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import exp
from typing import NamedTuple

from learnings.consolidation.routes.evidence import EvidenceIndex, RouteEvidence, TargetActivity
from learnings.consolidation.text.bm25 import Bag
from learnings.consolidation.text.keywords import keys, written_forms
from learnings.consolidation.text.languages import whole_run
from learnings.consolidation.text.sections import TargetFile, TargetSection, bag_of_entry
from learnings.core.entries.document import Entry
from learnings.core.text import counted

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
        self._bag = bag
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
        most = max(ALWAYS_NAMED, DISTINCTIVE_SHARE * len(self._index.sections))
        shared = (word for _, word in self._index.bm25.contributions(self._bag, index))
        return [word for word in shared if self._index.bm25.count(word) <= most]

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
