"""Which target file should receive an entry: a ranking with its reasons, and a proposal only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
    strength = index.strength(bag, evidence)
    reasons = Reasons(entry, bag, index, line_limit=line_limit)
    totals = {path: _total(figures) for path, figures in evidence.items()}
    order = sorted(totals, key=lambda path: (-totals[path], path))[:MAX_TARGETS]
    for path in order:
        target, figures = targets[path], evidence[path]
        yield RouteCandidate(
            section=index.sections[figures.section],
            score=round(strength * exp(totals[path] - totals[order[0]]), 4),
            lines=target.lines,
            full=target.lines >= line_limit,
            why=tuple(reasons.of(figures, target)),
        )


def _total(evidence: Evidence) -> float:
    """Return what all evidence for a file adds up to, around 0 for an average file."""
    beside = evidence.heading_share + evidence.received + evidence.recency
    return evidence.text + WEIGHT * beside
