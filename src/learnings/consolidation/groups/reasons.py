"""The reasons for a proposed group: the shared words, and their lines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from learnings.consolidation.groups.profiles import FEW_ENTRIES, Profile, title_and_text
from learnings.consolidation.text.keywords import LABEL_WORDS, keys, written_forms
from learnings.consolidation.text.languages import stem, whole_run
from learnings.core.entries.document import Entry

SHOWN, AT_LEAST = 5, 3
"""Most words shown with a group, as many as a reader takes in.

If there are so many, they are shown even if they are common.
"""

_OWN = 2  # words shown of each member, from the rule that two make a candidate
_COMMON, _EVERYWHERE = 5, 3  # a word in more than this share of entries says little
# All chosen by reading the proposals for the six passes at hand and for a history of 577 commits.


class Shared(NamedTuple):
    """A keyword that members of a group share, as they write it, and its lines.

    lines are the first lines that contain it, one for each member that has it, in their order.
    """

    word: str
    lines: tuple[int, ...]


class WordCounts(NamedTuple):
    """The number of entries of a file, and of their titles, that contain each keyword."""

    spread: Mapping[str, int]
    titles: Mapping[str, int]
    entries: int


def reasons(
    entries: Sequence[Entry], profiles: Sequence[Profile], words: WordCounts
) -> tuple[tuple[Shared, ...], list[tuple[str, ...]]]:
    """Return the words that best describe a group, and for each member its own of them.

    A member with fewer than two of the five also shows its own strongest words.
    """
    telling, others = _ranked(profiles, words)
    chosen = telling[:SHOWN] + others[: max(AT_LEAST - len(telling), 0)]
    own = []
    for profile in profiles:
        strongest = [key for key in (*telling, *others) if key in profile.discriminative]
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


def _ranked(profiles: Sequence[Profile], words: WordCounts) -> tuple[list[str], list[str]]:
    """Return the keys of two or more members, first those that distinguish the group.

    The second list has the keys that say little on their own: words all over the file, in no title
    of it, or elsewhere a label, and the last ones are those labels.
    """
    spread = Counter(key for profile in profiles for key in profile.discriminative)
    titles = Counter(key for profile in profiles for key in profile.title)
    strength = {
        key: count * (count + titles[key]) * math.log((words.entries + 1) / words.spread[key])
        for key, count in spread.items()
        if count > 1
    }
    ranked = sorted(strength, key=lambda key: (-strength[key], key))
    labels = _label_keys()
    telling = []
    for key in ranked:
        in_file = words.spread[key] if words.entries >= FEW_ENTRIES else 0
        is_everywhere = _EVERYWHERE * in_file > words.entries
        is_common = _COMMON * in_file > words.entries or key not in words.titles or key in labels
        # A word in half of a group's titles is one of its subjects.
        if not is_everywhere and (2 * titles[key] >= len(profiles) or not is_common):
            telling.append(key)
    others = [key for key in ranked if key not in telling]
    return telling, sorted(others, key=labels.__contains__)


@cache
def _label_keys() -> frozenset[str]:
    return frozenset(map(stem, LABEL_WORDS))


def _first_lines(entry: Entry) -> dict[str, int]:
    """Return the first line of an entry that has each of its keys."""
    lines: dict[str, int] = {}
    for number, line in enumerate(entry.lines, start=entry.first):
        for key in keys(line):
            lines.setdefault(key, number)
    return lines
