"""Which target file should receive an entry: a ranking with its reasons, and a proposal only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import NamedTuple

from learnings.consolidation.routes.evidence import Evidence, EvidenceIndex
from learnings.consolidation.routes.reasons import Reasons
from learnings.consolidation.routes.target_activity import TargetActivity
from learnings.consolidation.text.bags import bag_of_entry
from learnings.consolidation.text.sections import Section, TargetFile
from learnings.core.entries.document import Entry

MAX_TARGETS = 5
"""Files shown for an entry. Chosen: 54 of 55 entries have theirs among them, and four of five moved
ones (benchmarks/README.md, Routes)."""


WEIGHT = 0.2
"""What a heading, receipts and recency count each, beside the text, of which 1 is a standard
deviation. A round value: no others were better by two standard errors on days that they had not
been chosen on (benchmarks/README.md, Routes)."""


class RouteCandidate(NamedTuple):
    """A target file for an entry, with the best section in it; lines is the file's length.

    score is between 0 and 1: for the first file the share of the entry's words in the best section
    of all, for the others less. It does not measure how likely the file is right. full is True if
    the file has reached the limit. why are the reasons, short texts.
    """

    section: Section
    score: float
    lines: int
    full: bool
    why: tuple[str, ...]


class Route(NamedTuple):
    """An entry with the files that may receive it, the best first, five at most."""

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

    activity is what history says of the targets, None where there is none. A file that shares no
    word with an entry is not a candidate for it: what it received before is no reason by itself.
    """
    ranking = _Ranking(targets, activity or TargetActivity(), line_limit)
    return tuple(Route(entry, tuple(ranking.candidates(entry))) for entry in entries)


def _total(evidence: Evidence) -> float:
    """Return what all evidence for a file adds up to, around 0 for an average file."""
    beside = evidence.heading_share + evidence.received + evidence.recency
    return evidence.text + WEIGHT * beside


class _Ranking:
    def __init__(
        self, targets: Sequence[TargetFile], activity: TargetActivity, line_limit: int
    ) -> None:
        self._targets = {target.path: target for target in targets}
        self._index = EvidenceIndex(targets, activity)
        self._received = activity.received
        self._limit = line_limit

    def candidates(self, entry: Entry) -> Iterator[RouteCandidate]:
        bag = bag_of_entry(entry)
        evidence = self._index.of(entry, bag)
        strength = self._index.strength(bag, evidence)
        reasons = Reasons(entry, bag, self._index, line_limit=self._limit)
        totals = [(_total(figures), path) for path, figures in evidence.items()]
        order = sorted(totals, key=lambda pair: (-pair[0], pair[1]))[:MAX_TARGETS]
        for total, path in order:
            target, figures = self._targets[path], evidence[path]
            yield RouteCandidate(
                section=self._index.sections[figures.section],
                score=round(strength * exp(total - order[0][0]), 4),
                lines=target.lines,
                full=target.lines >= self._limit,
                why=tuple(reasons.of(figures, target, self._received.get(path))),
            )
