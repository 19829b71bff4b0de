"""Which target file should receive an entry: a ranking with its reasons, and a proposal only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log1p
from typing import NamedTuple

from learnings.consolidation.routes.fits import Fit, Fits, FitWeights
from learnings.consolidation.routes.target_activity import TargetActivity
from learnings.consolidation.text.sections import Section, TargetFile
from learnings.core.entries.document import Entry
from learnings.core.text import counted

# Shown to a reader; of 55 entries 0.95 go to one of the first three (benchmarks/README.md, Routes).
MAX_TARGETS = 5
MAX_WORDS = 6  # shared words named in a reason; chosen to fit a line

# Lines that count as one unit of growth: an entry or two. Chosen as FIT_WEIGHTS were.
_GROWTH_UNIT = 20

# Chosen over 55 routed and 58 moved entries and 183 sections of targets, each constant in the
# middle of the values between which nothing changes beyond chance (benchmarks/README.md, Routes).
FIT_WEIGHTS = FitWeights(best=(1.0, 0.8, 0.6), b=0.75, neighbours=0.3, nearest=2, beside=0.3)


class Weights(NamedTuple):
    """How much each reason counts, where the text of the file that fits best counts 1.

    growth and received weigh the logarithms of the target activity, for files that have room for
    the entry; no_room is subtracted from the others. Chosen as FIT_WEIGHTS were.
    """

    fit_weights: FitWeights = FIT_WEIGHTS
    growth: float = 0.15
    received: float = 0.03
    no_room: float = 0.1


class RouteCandidate(NamedTuple):
    """A target file for an entry, with the best section in it; lines is the file's length.

    score is between 0 and 1: for the first file the share of the entry's words in the best section
    of all, for the others less in proportion. It does not measure how likely the file is right.
    full is True if the file has reached the limit. why are the reasons, short texts.
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
    wanted: Sequence[Entry],
    entries: Sequence[Entry],
    targets: Sequence[TargetFile],
    *,
    line_limit: int,
    activity: TargetActivity | None = None,
    weights: Weights | None = None,
) -> tuple[Route, ...]:
    """Rank the target files for each wanted entry.

    entries are all of the file that the wanted ones come from, in its order. A file that shares no
    word with an entry is not a candidate for it. activity is what history says of the
    targets, None where there is none.
    """
    ranking = _Ranking(
        entries, targets, line_limit, activity or TargetActivity(), weights or Weights()
    )
    indices = {entry.identity: index for index, entry in enumerate(entries)}
    return tuple(Route(entry, ranking.candidates(indices[entry.identity])) for entry in wanted)


class _Ranking:
    def __init__(
        self,
        entries: Sequence[Entry],
        targets: Sequence[TargetFile],
        line_limit: int,
        activity: TargetActivity,
        weights: Weights,
    ) -> None:
        self._entries = entries
        self._targets = {target.path: target for target in targets}
        self._sections = [section for target in targets for section in target.sections]
        self._fits = Fits(entries, self._sections, weights.fit_weights)
        self._limit = line_limit
        self._activity = activity
        self._weights = weights

    def candidates(self, index: int) -> tuple[RouteCandidate, ...]:
        fits, around = self._fits.of(index), self._fits.around(index)
        scores = {
            path: fit.fit + around.get(path, 0.0) + self._prior(path, self._entries[index])
            for path, fit in fits.items()
        }
        order = sorted(scores, key=lambda path: (-scores[path], path))[:MAX_TARGETS]
        scale = self._fits.strength(index) / scores[order[0]] if order else 0.0
        return tuple(
            self._candidate(index, path, scores[path] * scale, fits[path]) for path in order
        )

    def _prior(self, path: str, entry: Entry) -> float:
        # A file that filled up lately received much for that reason, and can take no more.
        if not self._has_room(path, entry):
            return -self._weights.no_room
        received = self._activity.received.get(path)
        prior = self._weights.growth * log1p(self._activity.growth.get(path, 0.0) / _GROWTH_UNIT)
        return prior + self._weights.received * log1p(received.weight if received else 0.0)

    def _has_room(self, path: str, entry: Entry) -> bool:
        return self._targets[path].lines + len(entry.lines) <= self._limit

    def _candidate(self, index: int, path: str, score: float, fit: Fit) -> RouteCandidate:
        target = self._targets[path]
        return RouteCandidate(
            section=self._sections[fit.section],
            score=round(min(max(score, 0.0), 1.0), 4),
            lines=target.lines,
            full=target.lines >= self._limit,
            why=tuple(self._reasons(index, target, fit)),
        )

    def _reasons(self, index: int, target: TargetFile, fit: Fit) -> Iterator[str]:
        words = self._fits.shared_words(index, fit.section, MAX_WORDS)
        yield f"shared words: {', '.join(words)}"
        received = self._activity.received.get(target.path)
        if received is not None:
            count = counted(received.entries, "entry", "entries")
            yield f"received {count} before, last {received.last}"
        if not self._has_room(target.path, self._entries[index]):
            state = "full" if target.lines >= self._limit else "little room"
            yield f"{state}: {target.lines} lines, limit {self._limit}"
