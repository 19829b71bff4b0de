"""The parts of three versions of a file, matched whatever their heading and place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from learnings.consolidation.merge.versions import Part
from learnings.core.entries.document import Entry
from learnings.core.entries.pairing import Pairs, certain_pairs, with_same_keys, with_similar


class Trio(NamedTuple):
    """What three versions have of one part; at least one of them has it."""

    base: Part | None
    ours: Part | None
    theirs: Part | None

    @property
    def part(self) -> Part:
        """The part of our side or, without one, of theirs or of the base."""
        parts = [part for part in (self.ours, self.theirs, self.base) if part]
        return next((part for part in parts if part.lines), parts[0])


def matched(versions: Sequence[Sequence[Part]], disputed: Collection[str]) -> list[Trio]:
    """Return the preamble, categories and entries in any order, the tail.

    disputed are lines of conflicts in the base. If each side has an entry that begins with one of
    them, and both have the same key, it is one entry, which both changed.
    """
    base, ours, theirs = (parts[1:-1] for parts in versions)
    in_ours, in_theirs = _side_by_base(base, ours, theirs), _side_by_base(base, theirs, ours)
    new, their_new = _others(ours, in_ours.values()), _others(theirs, in_theirs.values())
    named = with_same_keys([part.entry for part in new], [part.entry for part in their_new])
    twins = {
        new[i].place: their_new[j]
        for i, j in named.items()
        if new[i].content == their_new[j].content or new[i].content[0] in disputed
    }
    return [
        Trio(*(parts[0] for parts in versions)),
        *(Trio(part, in_ours.get(part.place), in_theirs.get(part.place)) for part in base),
        *(Trio(None, part, twins.get(part.place)) for part in new),
        *(Trio(None, None, part) for part in _others(their_new, twins.values())),
        Trio(*(parts[-1] for parts in versions)),
    ]


def _side_by_base(
    base: Sequence[Part], side: Sequence[Part], other: Sequence[Part]
) -> dict[int, Part]:
    """Return the parts of a side that the base has as well, by their place in the base.

    A text that the other side has word for word, and whose key the base has not, is no rewording.
    """
    known = {part.entry.key for part in base}
    twins = {(part.entry.key, part.content) for part in other if part.entry.key not in known}
    side = [part for part in side if (part.entry.key, part.content) not in twins]
    old, new = ([part.entry for part in parts] for parts in (base, side))
    pairs = with_similar(_with_items(certain_pairs(old, new), old, new), old, new)
    return {base[i].place: side[j] for i, j in pairs.items()}


def _with_items(pairs: Pairs, old: Sequence[Entry], new: Sequence[Entry]) -> Pairs:
    """Return the pairs with those of similar list items between the same two pairs."""
    bounds = [(-1, -1), *sorted(pairs.items()), (len(old), len(new))]
    used = set(pairs.values())
    added: Pairs = {}
    for (above, new_above), (below, new_below) in pairwise(bounds):
        region = range(new_above + 1, new_below)
        if below - above > 1 and region and used.isdisjoint(region):
            gap = old[above + 1 : below], new[new_above + 1 : new_below]
            similar = with_similar({}, *gap, lambda entry: not entry.level)
            added |= {above + 1 + i: new_above + 1 + j for i, j in similar.items()}
    return pairs | added


def _others(parts: Iterable[Part], known: Iterable[Part]) -> list[Part]:
    places = {part.place for part in known}
    return [part for part in parts if part.place not in places]
