"""Proposals of entries to merge: groups with reasons, ungrouped entries, nearest entries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain, combinations
from typing import NamedTuple

from learnings.consolidation.checks.sentences import opposites, sentences_of_entry
from learnings.consolidation.groups.partition import (
    ONE,
    Levels,
    Profile,
    closeness,
    clusters_of,
    levels_of,
    profiles,
    similarities,
    similarity,
    title_and_text,
)
from learnings.consolidation.text.keywords import (
    LABEL_WORDS,
    is_label,
    keys,
    labels_in,
    written_forms,
)
from learnings.consolidation.text.languages import stem, whole_run
from learnings.consolidation.text.titles import name_from, whole_title
from learnings.core.entries.document import Entry
from learnings.core.entries.origin import is_consolidated

SHOWN = 5
"""Most words shown with a group, as many as a reader takes in."""

_OWN = 2  # words shown of each member, from the rule that two make a candidate


class Shared(NamedTuple):
    """A keyword that members of a group share, as they write it, and its lines.

    lines are the first lines that contain it, one for each member that has it, in their order.
    """

    word: str
    lines: tuple[int, ...]


def reasons(
    entries: Sequence[Entry],
    profiles: Sequence[Profile],
    rarity: Mapping[str, float],
    titles: Container[str],
) -> tuple[tuple[Shared, ...], list[tuple[str, ...]]]:
    """Return the words that best describe a group, and for each member its own of them.

    A member with fewer than two of the five also shows its own strongest words. rarity is that of
    each word in the file, and titles are the words of all its titles.
    """
    ranked = _ranked(profiles, rarity, titles)
    chosen = ranked[:SHOWN]
    own = []
    for profile in profiles:
        strongest = [key for key in ranked if key in profile.discriminative]
        own.append([*(key for key in strongest if key in chosen), *strongest[:_OWN]])
    texts = [text for entry in entries for text in title_and_text(entry)]
    forms = written_forms(texts, {*chosen, *chain.from_iterable(own)})
    written = {key: whole_run(form, texts) for key, form in forms.items()}
    first_lines = [_first_lines(entry) for entry in entries]
    shared: dict[str, tuple[int, ...]] = {}
    for key in chosen:  # of several keys in one run, only the first
        shared.setdefault(written[key], tuple(n[key] for n in first_lines if key in n))
    return (
        tuple(map(Shared._make, shared.items())),
        [tuple(dict.fromkeys(written[key] for key in member)) for member in own],
    )


def _ranked(
    profiles: Sequence[Profile], rarity: Mapping[str, float], titles: Container[str]
) -> list[str]:
    """Return the keys of two or more members, the most telling first.

    Words of titles come first, words that are labels elsewhere last. A word tells more if more
    members have it, if it is in their titles, and if few entries of the file have it. The rarity
    is squared: otherwise the names of the project and its tools lead (read for 119 groups).
    """
    spread = Counter(key for profile in profiles for key in profile.discriminative)
    in_titles = Counter(key for profile in profiles for key in profile.title)
    strength = {
        key: count * (count + in_titles[key]) * rarity[key] ** 2
        for key, count in spread.items()
        if count > 1
    }
    labels = frozenset(map(stem, LABEL_WORDS))
    return sorted(strength, key=lambda key: (key in labels, key not in titles, -strength[key], key))


def _first_lines(entry: Entry) -> dict[str, int]:
    """Return the first line of an entry that has each of its keys."""
    lines: dict[str, int] = {}
    for number, line in enumerate(entry.lines, start=entry.first):
        for key in keys(line):
            lines.setdefault(key, number)
    return lines


NEAREST = 5
"""Most entries named as the nearest of another one.

82 % of the merged entries of the six passes at hand had one of their group among the first three
(benchmarks/README.md, Groups).
"""

MAX_ENTRIES = 5000
"""Most entries of a file.

Time and memory grow with the square of their number, to 100 MB for this many. No memory that people
read has more.
"""

MOST_HOMES = 200
"""Most products of earlier consolidations, the newest, to compare an entry with."""


class GroupMember(NamedTuple):
    """A member of a group: the words that it shares with the others, its similarity to them."""

    entry: Entry
    shared: tuple[str, ...]
    closeness: float = 0.0


class Home(NamedTuple):
    """An entry of an earlier consolidation that others may join, and their similarity."""

    entry: Entry
    score: float


class Group(NamedTuple):
    """Entries that may become one: score is their mean similarity, from 0 to 1.

    is_firm is False if that is too low to propose a merge. home is the entry to join, if any.
    """

    score: float
    members: tuple[GroupMember, ...]
    shared: tuple[Shared, ...]
    is_firm: bool = True
    home: Home | None = None

    @property
    def topic(self) -> str:
        """The name that fits all members, or else two shared words."""
        return name_of_members(self.members) or ", ".join(self.keywords[:2])

    @property
    def keywords(self) -> tuple[str, ...]:
        """The words that best describe what the members share, strongest first."""
        return tuple(shared.word for shared in self.shared)


class Neighbours(NamedTuple):
    """An entry and those most similar to it, with their similarity from 0 to 1; nearest first."""

    entry: Entry
    nearest: tuple[tuple[Entry, float], ...]


class Grouping(NamedTuple):
    """The proposal for a file; ungrouped and neighbours are in the order of the file.

    homes maps the identity of an ungrouped entry to the entry that it may join.
    """

    groups: tuple[Group, ...]
    ungrouped: tuple[Entry, ...]
    neighbours: tuple[Neighbours, ...]
    homes: Mapping[str, Home] = {}


def name_of_members(members: Sequence[GroupMember]) -> str:
    """Return the name that has most keywords of the members' titles; empty if it names only some.

    A name is a title as name_from(), and has at least half of the keywords of any title.
    """
    titles = [whole_title(member.entry) for member in members]
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
    left_out are not in the result, although their words count. The order of the
    entries does not affect the groups. Without neighbours it takes half the time. Words all over
    the file count as shared only without strip_common. Of more than MAX_ENTRIES entries, none are
    proposed.
    """
    if len(entries) > MAX_ENTRIES:
        return Grouping((), tuple(entries), ())
    ordered = sorted(entries, key=lambda entry: (entry.stated or "", entry.text))
    profiled = profiles(ordered, strip_common=strip_common)
    candidates = [
        n
        for n, e in enumerate(ordered)
        if e.identity not in left_out and (include_consolidated or not is_consolidated(e))
    ]
    spread = Counter(key for profile in profiled for key in profile.words)
    rarity = {key: math.log((len(profiled) + 1) / count) for key, count in spread.items()}
    titles = frozenset(key for profile in profiled for key in profile.title)
    earlier = [n for n, e in enumerate(ordered) if is_consolidated(e)][-MOST_HOMES:]
    median = _median([len(entry.text.split()) for entry in ordered])

    def home_of(members: Sequence[int]) -> Home | None:
        homes = []
        for n in earlier:
            near = [similarity(profiled[n], profiled[member]) for member in members]
            if n not in members and sum(near) >= levels.firm * len(near):
                homes.append(Home(ordered[n], sum(near) / len(near)))
        return max(homes, key=lambda home: home.score, default=None)

    groups = []
    for cluster in clusters_of([profiled[index] for index in candidates], levels):
        members = sorted((candidates[n] for n in cluster), key=lambda n: ordered[n].position)
        near = closeness([profiled[n] for n in members])
        is_close = sum(near) >= NEARLY_FIRM * levels.firm * len(near)
        while is_close and len(members) > 2 and min(near) < levels.firm:
            del members[near.index(min(near))]
            near = closeness([profiled[n] for n in members])
        is_close &= min(near) >= levels.firm
        grouped = [ordered[n] for n in members]
        shared, own = reasons(grouped, [profiled[n] for n in members], rarity, titles)
        score = min(sum(near) / len(near), 1.0)
        parts = tuple(map(GroupMember, grouped, own, near))
        keys_of_members = [profiled[n].discriminative for n in members]
        is_firm = is_close and _may_be_one(grouped, keys_of_members, spread, median)
        groups.append(Group(score, parts, shared, is_firm, home_of(members)))
    groups.sort(
        key=lambda group: (-len(group.members), -group.score, group.members[0].entry.position)
    )
    in_groups = {member.entry.position for group in groups for member in group.members}
    neighbours = _neighbours(ordered, profiled, candidates) if with_neighbours else ()
    homes = {
        ordered[n].identity: home
        for n in candidates
        if ordered[n].position not in in_groups and (home := home_of([n]))
    }
    return Grouping(
        tuple(groups),
        tuple(e for e in entries if e.position not in in_groups and e.identity not in left_out),
        tuple(sorted(neighbours, key=lambda neighbours: neighbours.entry.position)),
        homes,
    )


NAMED = 0.5
"""Share of a title's keywords in a name for it, too; chosen, the names at hand were read."""

SHORT_ENTRY, FEW_HAVE, MANY_SHARED = 60, 3, 4
LONG_ENTRY, NEARLY_FIRM = 150, 0.9
"""What else a proposal to merge needs: merges that readers refused lacked it.

In files whose median entry has fewer than 60 words, members share a word that at most 3 entries
have, or 4 words. Two members of more than 150 words stay apart: one entry would be too long. Items
or sections with different labels are parts of one text. A group that reaches a share of the level
is proposed without the members that are below it.
"""


def _median(numbers: Sequence[int]) -> int:
    return sorted(numbers)[len(numbers) // 2] if numbers else 0


def _may_be_one(
    members: Sequence[Entry],
    keys: Sequence[frozenset[str]],
    spread: Mapping[str, int],
    median: int,
) -> bool:
    """Return True if a reader may want to merge the members of a group with a firm score."""
    if sum(len(entry.text.split()) > LONG_ENTRY for entry in members) > 1 or _are_parts(members):
        return False
    counts = Counter(key for own in keys for key in own)
    shared = [key for key, count in counts.items() if count > 1]
    is_telling = len(shared) >= MANY_SHARED or any(spread[key] <= FEW_HAVE for key in shared)
    if median < SHORT_ENTRY and not is_telling:
        return False
    said = [sentences_of_entry(entry) for entry in members]
    return not any(opposites(one, other) for one, other in combinations(said, 2))


def _are_parts(members: Sequence[Entry]) -> bool:
    """Return True if entries are parts of one text, such as `- Cause: …` and `- Fix: …`."""
    labels = {next(iter(labels_in(e.lines[0])), e.title.casefold()) for e in members}
    return len(labels) > 1 and any(map(is_label, labels))


def _neighbours(
    entries: Sequence[Entry], profiles: Sequence[Profile], candidates: Sequence[int]
) -> Iterator[Neighbours]:
    rows = similarities([one.parts for one in profiles], [one.day for one in profiles])
    excluded = set(range(len(entries))).difference(candidates)
    for entry, row in zip(entries, rows, strict=True):
        for index in excluded:
            row[index] = 0
        nearest = nlargest(NEAREST, range(len(row)), row.__getitem__)
        near = ((entries[index], min(row[index] / ONE, 1.0)) for index in nearest if row[index])
        yield Neighbours(entry, tuple(near))
