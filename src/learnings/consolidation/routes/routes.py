"""Which target file should receive an entry: a ranking with its reasons, and a proposal only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log1p
from typing import NamedTuple

from learnings.consolidation.routes.fits import Fit, Fits, FitWeights
from learnings.consolidation.routes.target_activity import TargetActivity
from learnings.consolidation.text.sections import Section, Target
from learnings.core.entries.document import Entry

MOST_TARGETS = 5
MOST_WORDS = 6

PULL = FitWeights(best=(1.0, 0.8, 0.6), b=0.75, neighbours=0.3, nearest=2, beside=0.3)


class Weights(NamedTuple):
    """How much each thing counts, where the text of the file that fits best counts 1.

    growth and received weigh the logarithms of what past says, for files that have room for the
    entry; no_room is taken from the others. How they were chosen: benchmarks/README.md.
    """

    pull: FitWeights = PULL
    growth: float = 0.15
    received: float = 0.03
    no_room: float = 0.1


class Candidate(NamedTuple):
    """A target file for an entry, with the best section in it; lines is the file's length.

    score is between 0 and 1: how much of the entry's words the best section of all has, and below
    that in the order of the ranking. It is no measure of being right. full says that the file has
    reached the limit. why holds the reasons, each a short text.
    """

    section: Section
    score: float
    lines: int
    full: bool
    why: tuple[str, ...]


class Route(NamedTuple):
    """An entry with the files that may receive it, the best first, five at most."""

    entry: Entry
    candidates: tuple[Candidate, ...]


def routes(
    wanted: Sequence[Entry],
    entries: Sequence[Entry],
    targets: Sequence[Target],
    *,
    line_limit: int,
    past: TargetActivity | None = None,
    weights: Weights | None = None,
) -> tuple[Route, ...]:
    """Rank the target files for each wanted entry.

    entries are all of the file that the wanted ones come from, in its order. A file that shares no
    word with an entry is no candidate for it. past is what history says of the targets, None where
    there is none.
    """
    ranking = _Ranking(entries, targets, line_limit, past or TargetActivity(), weights or Weights())
    places = {entry.identity: place for place, entry in enumerate(entries)}
    return tuple(Route(entry, ranking.candidates(places[entry.identity])) for entry in wanted)


class _Ranking:
    def __init__(
        self,
        entries: Sequence[Entry],
        targets: Sequence[Target],
        line_limit: int,
        past: TargetActivity,
        weights: Weights,
    ) -> None:
        self._entries = entries
        self._targets = {target.path: target for target in targets}
        self._sections = [section for target in targets for section in target.sections]
        self._fits = Fits(entries, self._sections, weights.pull)
        self._limit = line_limit
        self._past = past
        self._weights = weights

    def candidates(self, place: int) -> tuple[Candidate, ...]:
        fits, around = self._fits.of(place), self._fits.around(place)
        scores = {
            path: each.fit + around.get(path, 0.0) + self._prior(path, self._entries[place])
            for path, each in fits.items()
        }
        order = sorted(scores, key=lambda path: (-scores[path], path))[:MOST_TARGETS]
        scale = self._fits.strength(place) / scores[order[0]] if order else 0.0
        return tuple(
            self._candidate(place, path, scores[path] * scale, fits[path]) for path in order
        )

    def _prior(self, path: str, entry: Entry) -> float:
        # A file that filled up lately received much for that reason, and can take no more.
        if not self._has_room(path, entry):
            return -self._weights.no_room
        received = self._past.received.get(path)
        prior = self._weights.growth * log1p(self._past.growth.get(path, 0.0) / 20)
        return prior + self._weights.received * log1p(received.weight if received else 0.0)

    def _has_room(self, path: str, entry: Entry) -> bool:
        return self._targets[path].lines + len(entry.lines) <= self._limit

    def _candidate(self, place: int, path: str, score: float, fit: Fit) -> Candidate:
        target = self._targets[path]
        return Candidate(
            section=self._sections[fit.section],
            score=round(min(max(score, 0.0), 1.0), 4),
            lines=target.lines,
            full=target.lines >= self._limit,
            why=tuple(self._reasons(place, target, fit)),
        )

    def _reasons(self, place: int, target: Target, fit: Fit) -> Iterator[str]:
        words = self._fits.shared_words(place, fit.section, MOST_WORDS)
        yield f"shared words: {', '.join(words)}"
        received = self._past.received.get(target.path)
        if received is not None:
            noun = "entry" if received.entries == 1 else "entries"
            yield f"received {received.entries} {noun} before, last {received.last}"
        if not self._has_room(target.path, self._entries[place]):
            what = "full" if target.lines >= self._limit else "little room"
            yield f"{what}: {target.lines} lines, limit {self._limit}"
