"""Observations of several work units that may become a rule in every session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from learnings.consolidation.groups.partition import Levels
from learnings.consolidation.text.similarity import Texts
from learnings.tiers.clusters import Vocabulary, clusters_of, title_of
from learnings.tiers.raw_files import RawFile, RawObservation, item_of, raw_files_in_order

PROMOTION_LEVELS = Levels(0.375, 0.375)
"""Minimum similarity of observations that are the same one seen again.

The level at which `learnings groups` proposes to merge entries. All three proposals over the
available real store are right, as read by a person; with 0.25 there are eight, half of them right
(benchmarks/README.md, Tiers).
"""


class Promotion(NamedTuple):
    """A proposed rule: its title, its text, and the observations it is based on.

    They are in chronological order. promoted is True if each observation that was not dismissed has
    already become a rule.
    """

    title: str
    rule: str
    observations: tuple[RawObservation, ...]
    promoted: bool

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of the work units, each once, in chronological order."""
        return tuple(dict.fromkeys(observation.unit for observation in self.observations))

    @property
    def line(self) -> str:
        """The line for the memory that an agent always loads."""
        return f"- {self.rule} ({', '.join(self.units)})"


def promotions_of(files: Sequence[RawFile], known: str, *, coverage: float) -> list[Promotion]:
    """Return findings of at least two work units, new ones first, then by number of units.

    Dismissed findings count as seen again, but a finding dismissed everywhere is not proposed.
    known is the text of the existing rules; findings that it covers by this share are left out.
    """
    observations = [one for file in raw_files_in_order(files) for one in file.observations]
    vocabulary, rules = Vocabulary(observations), Texts([known])
    promotions = []
    for cluster in clusters_of(observations, levels=PROMOTION_LEVELS):
        members = [observations[index] for index in cluster.observations]
        kept = [member for member in members if not member.is_dismissed]
        if len({member.unit for member in members}) < 2 or not kept:
            continue
        rule = item_of(kept[0]).short
        covered = rules.best_of_text(rule)
        if covered is None or covered.score < coverage:
            ordered = tuple(observations[index] for index in sorted(cluster.observations))
            title = title_of(members, vocabulary) or rule
            promoted = all(member.is_promoted for member in kept)
            promotions.append(Promotion(title, rule, ordered, promoted))
    return sorted(promotions, key=lambda one: (one.promoted, -len(one.units)))
