"""Proposals of entries to merge: groups with reasons, ungrouped entries, nearest entries."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache, cached_property
from heapq import nlargest
from itertools import chain, combinations, islice
from typing import NamedTuple

from learnings.consolidation.checks.sentences import opposites, sentences_of_entry
from learnings.consolidation.groups.partition import (
    ONE,
    Levels,
    closeness,
    clusters_of,
    levels_of,
    profiles,
    similarities,
    similarity,
    title_and_text,
)
from learnings.consolidation.text.keywords import (
    keys,
    written_forms,
)
from learnings.consolidation.text.languages import stem, whole_run
from learnings.consolidation.text.titles import name_from, whole_title
from learnings.core.entries.document import Entry
from learnings.core.entries.origin import is_consolidated
from learnings.core.labels import LABEL_WORDS, is_label, labels_in
from learnings.core.patterns import lazy_pattern

MAX_ENTRIES = 5000
"""Most entries of a file.

Time and memory grow with the square of their number, to 100 MB for this many. No memory that people
read has more.
"""

MOST_HOMES = 200
"""Most products of earlier consolidations, the newest, to compare an entry with."""

SHOWN = 5
"""Most words shown with a group, as many as a reader takes in."""

_OWN = 2  # words shown of each member, from the rule that two make a candidate

NEAREST = 5
"""Most entries named as the nearest of another one (82 % of the merged ones need three).

benchmarks/README.md, Groups, has the figures.
"""

NAMED = 0.5
"""Share of a title's keywords in a name for it, too; chosen, the names at hand were read."""

SHORT_ENTRY, FEW_HAVE, MANY_SHARED = 60, 3, 4
LONG_ENTRY, NEARLY_FIRM = 150, 0.9
"""What else a proposal to merge needs: merges that readers refused lacked it.

In files whose median entry has fewer than 60 words, members share a word that at most 3 entries
have, or 4 words. Two members of more than 150 words stay apart: one entry would be too long. Items
or sections with different labels are parts of one text. Of members that give other numbers of the
same things, one may overrule the other. A group that reaches nine tenths of the level is proposed
without the members that are below it.
"""

# A number of things: `5-state`, `30 seconds`.
_NUMBER_OF = lazy_pattern(r"(?<![\w.])(\d+)[- ]([^\W\d_]+)")


Neighbours = tuple[Entry, tuple[tuple[Entry, float], ...]]
"""An entry and those most similar to it, with their similarity from 0 to 1; nearest first."""


class Grouping(NamedTuple):
    """The proposal for a file; ungrouped and neighbours are in the order of the file.

    homes maps the identity of an ungrouped entry to the entry that it may join.
    """

    groups: tuple[Group, ...]
    ungrouped: tuple[Entry, ...]
    neighbours: tuple[Neighbours, ...]
    homes: Mapping[str, Entry] = {}


def name_of_all(entries: Sequence[Entry]) -> str:
    """Return the name that has most keywords of the entries' titles; empty if it names only some.

    A name is a title as name_from(), and has at least half of the keywords of any title.
    """
    titles = [whole_title(entry) for entry in entries]
    words = [{*keys(title)} for title in titles]
    named = [(name, {*keys(name)}) for name in map(name_from, titles) if name]
    worth = [
        (min(len(own & other) / (len(other) or 1) for other in words), -len(name), name)
        for name, own in named
    ]
    share, _, name = max(worth, default=(0, 0, ""))
    return name if share >= NAMED else ""


def propose(
    entries: Sequence[Entry],
    *,
    include_consolidated: bool = False,
    with_neighbours: bool = True,
    strip_common: bool = True,
    left_out: Container[str] = (),
    levels: Levels = levels_of(0.5),  # noqa: B008  (immutable)
) -> Grouping:
    """Propose groups among the entries of one file.

    Products of a consolidation are left ungrouped unless they are included, and the identities in
    left_out are not in the result, although their words count. The order of the entries does not
    affect the groups. Without neighbours it takes half the time. Words all over the file count as
    shared only without strip_common. Of more than MAX_ENTRIES entries, none are proposed.
    """
    if not 0 < len(entries) <= MAX_ENTRIES:
        return Grouping((), tuple(entries), ())
    file = _File(entries, levels, strip_common=strip_common, with_parts=with_neighbours)
    candidates = [
        n
        for n, e in enumerate(file.entries)
        if e.identity not in left_out and (include_consolidated or not is_consolidated(e))
    ]
    clusters = clusters_of([file.profiles[n] for n in candidates], levels)
    groups = [file.group([candidates[n] for n in cluster]) for cluster in clusters]
    groups.sort(key=lambda group: (-len(group.members), -group.score, group.members[0].position))
    grouped = {entry.position for group in groups for entry in group.members}
    homes = {
        file.entries[n].identity: home
        for n in candidates
        if file.entries[n].position not in grouped and (home := file.home([n]))
    }
    return Grouping(
        tuple(groups),
        tuple(e for e in entries if e.position not in grouped and e.identity not in left_out),
        tuple(file.neighbours(candidates)) if with_neighbours else (),
        homes,
    )


class _File:
    """The entries of a file with their profiles, in an order that does not depend on the file.

    Members of a group are indices of them.
    """

    def __init__(self, entries: Sequence[Entry], levels: Levels, **options: bool) -> None:
        self.entries = sorted(entries, key=lambda entry: (entry.stated or "", entry.text))
        self.profiles = profiles(self.entries, **options)
        self._firm = levels.firm
        self.spread = Counter(chain.from_iterable(profile.words for profile in self.profiles))
        self.titles = frozenset(chain.from_iterable(profile.title for profile in self.profiles))
        earlier = [n for n, entry in enumerate(self.entries) if is_consolidated(entry)]
        self._earlier = earlier[-MOST_HOMES:]
        lengths = sorted(len(entry.text.split()) for entry in entries)
        self._is_short = lengths[len(lengths) // 2] < SHORT_ENTRY

    def group(self, cluster: Sequence[int]) -> Group:
        """Return the group of a cluster, without members that are too far for a firm one."""
        members = sorted(cluster, key=lambda n: self.entries[n].position)
        near = closeness([self.profiles[n] for n in members])
        # Of one title they are about the same, however they put it.
        firm = self._firm if len({self.entries[n].title.casefold() for n in members}) > 1 else 0
        is_firm = sum(near) >= NEARLY_FIRM * firm * len(near)
        while is_firm and len(members) > 2 and min(near) < firm:
            del members[near.index(min(near))]
            near = closeness([self.profiles[n] for n in members])
        is_firm = is_firm and min(near) >= firm and self._may_be_one(members)
        return Group(self, members, min(sum(near) / len(near), 1.0), is_firm=is_firm)

    def _may_be_one(self, members: Sequence[int]) -> bool:
        """Return True if a reader may want to merge the members of a group with a firm score."""
        entries = [self.entries[n] for n in members]
        if sum(len(entry.text.split()) > LONG_ENTRY for entry in entries) > 1:
            return False
        # `- Cause: …` and `- Fix: …` are parts of one text.
        labels = {next(iter(labels_in(e.lines[0])), e.title.casefold()) for e in entries}
        if len(labels) > 1 and any(map(is_label, labels)):
            return False
        counts = Counter(chain.from_iterable(self.profiles[n].discriminative for n in members))
        shared = [key for key, count in counts.items() if count > 1]
        is_telling = len(shared) >= MANY_SHARED or any(self.spread[k] <= FEW_HAVE for k in shared)
        if self._is_short and not is_telling:
            return False
        said = map(sentences_of_entry, entries)
        if any(opposites(one, other) for one, other in combinations(said, 2)):
            return False
        numbers = map(_numbers_of_things, entries)
        return not any(
            one[thing].isdisjoint(other[thing])
            for one, other in combinations(numbers, 2)
            for thing in one.keys() & other.keys()
        )

    def home(self, members: Sequence[int]) -> Entry | None:
        """Return the product of an earlier consolidation that is nearest, if it is near enough."""
        near = {
            n: sum(similarity(self.profiles[n], self.profiles[member]) for member in members)
            for n in self._earlier
            if n not in members
        }
        nearest = max(near, key=near.__getitem__, default=-1)
        is_near = nearest >= 0 and near[nearest] >= self._firm * len(members)
        return self.entries[nearest] if is_near else None

    def neighbours(self, candidates: Sequence[int]) -> list[Neighbours]:
        """Return, for each entry in file order, the candidates most similar to it."""
        found = []
        excluded = set(range(len(self.entries))).difference(candidates)
        rows = similarities([p.parts for p in self.profiles], [p.day for p in self.profiles])
        for entry, row in zip(self.entries, rows, strict=True):
            for index in excluded:
                row[index] = 0
            nearest = nlargest(NEAREST, range(len(row)), row.__getitem__)
            near = ((self.entries[n], min(row[n] / ONE, 1.0)) for n in nearest if row[n])
            found.append((entry, tuple(near)))
        return sorted(found, key=lambda pair: pair[0].position)


class Group:
    """Entries that may become one, in file order: score is their mean similarity, from 0 to 1.

    is_firm is False if the score is too low to propose a merge. home is the product of an earlier
    consolidation that the members may join, if any.
    """

    def __init__(self, file: _File, members: Sequence[int], score: float, *, is_firm: bool) -> None:
        self.members = tuple(file.entries[n] for n in members)
        self.score, self.is_firm, self.home = score, is_firm, file.home(members)
        self._file = file
        self._profiles = [file.profiles[n] for n in members]

    @property
    def topic(self) -> str:
        """The name that fits all members, or else two shared words."""
        return name_of_all(self.members) or ", ".join([*self.shared][:2])

    @cached_property
    def shared(self) -> Mapping[str, tuple[int, ...]]:
        """The words that best describe what the members share, as they write them.

        The strongest comes first, each with the first line that contains it of each member that has
        it.
        """
        first_lines = []
        for entry in self.members:
            lines = reversed([*enumerate(entry.lines, start=entry.first)])
            first_lines.append({key: number for number, line in lines for key in keys(line)})
        shared: dict[str, tuple[int, ...]] = {}
        for key, word in islice(self._written.items(), SHOWN):  # of keys in one run, the first
            shared.setdefault(word, tuple(lines[key] for lines in first_lines if key in lines))
        return shared

    @cached_property
    def own_words(self) -> Sequence[tuple[str, ...]]:
        """The words that each member shares with the others.

        A member with fewer than two of the five also has its own strongest words.
        """
        best, own = {*islice(self._written, SHOWN)}, []
        for profile in self._profiles:
            strongest = [key for key in self._written if key in profile.discriminative]
            named = [*(key for key in strongest if key in best), *strongest[:_OWN]]
            own.append(tuple(dict.fromkeys(self._written[key] for key in named)))
        return own

    @cached_property
    def _written(self) -> Mapping[str, str]:
        """The keys of two or more members, the most telling first, as the members write them.

        Words of titles come first, words that are labels elsewhere last. A word tells more if more
        members have it, if it is in their titles, and if few entries of the file have it. The
        rarity is squared: otherwise the names of the project and its tools lead (read for 119
        groups).
        """
        counts = Counter(chain.from_iterable(one.discriminative for one in self._profiles))
        in_titles = Counter(chain.from_iterable(one.title for one in self._profiles))

        def rank(key: str) -> tuple[bool, bool, float, str]:
            rarity = math.log((len(self._file.entries) + 1) / self._file.spread[key])
            strength = counts[key] * (counts[key] + in_titles[key]) * rarity**2
            is_label = key in _label_stems(is_ascii=key.isascii())
            return is_label, key not in self._file.titles, -strength, key

        ranked = sorted((key for key, count in counts.items() if count > 1), key=rank)
        texts = [text for entry in self.members for text in title_and_text(entry)]
        forms = written_forms(texts, ranked)
        return {key: whole_run(form, texts) for key, form in forms.items()}


@cache
def _label_stems(*, is_ascii: bool) -> frozenset[str]:
    return frozenset(stem(word) for word in LABEL_WORDS if word.isascii() == is_ascii)


def _numbers_of_things(entry: Entry) -> dict[str, set[str]]:
    """Return the numbers in an entry by the keyword that follows them."""
    numbers = defaultdict[str, set[str]](set)
    for number, thing in _NUMBER_OF.findall(entry.text):
        for key in keys(thing):
            numbers[key].add(number)
    return numbers
